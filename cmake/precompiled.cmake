# Headers that nearly every file reads, compiled once for all of them: a quarter of the sanitizers' build.
#
# What is shipped is compiled without them in a release build, so that a header that is not included is noticed there;
# in tests clang-tidy and the clang preset notice it.
option(STRANDLINE_PRECOMPILED_HEADERS "Precompile what tests and, with a sanitizer, all rooms include" OFF)

# strandline_precompiled(TARGET rooms|tests): the compiler refuses headers compiled with flags that the target has not,
# so it gets those of the library among them.
function(strandline_precompiled target kind)
    if(TARGET strandline_headers_of_${kind})
        target_link_libraries(${target} PRIVATE fmt::fmt)
        target_precompile_headers(${target} REUSE_FROM strandline_headers_of_${kind})
    endif()
endfunction()

if(NOT STRANDLINE_PRECOMPILED_HEADERS)
    return()
endif()
set(headers <algorithm> <array> <chrono> <functional> <map> <memory> <mutex> <optional> <ostream> <set> <span> <string>
            <variant> <vector> <fmt/format.h>)
# Compiled headers belong to a target, and a target has a source.
set(source ${PROJECT_BINARY_DIR}/strandline_headers.cpp)
file(CONFIGURE OUTPUT ${source} CONTENT "int main() {}\n")
if(STRANDLINE_SANITIZE)
    add_library(strandline_headers_of_rooms OBJECT EXCLUDE_FROM_ALL ${source})
    target_link_libraries(strandline_headers_of_rooms PRIVATE strandline_flags fmt::fmt)
    target_precompile_headers(strandline_headers_of_rooms PRIVATE ${headers})
endif()
if(STRANDLINE_BUILD_TESTS)
    add_executable(strandline_headers_of_tests EXCLUDE_FROM_ALL ${source})
    target_compile_options(strandline_headers_of_tests PRIVATE $<$<CONFIG:Release>:-O1>)
    target_link_libraries(strandline_headers_of_tests PRIVATE strandline_flags fmt::fmt GTest::gmock)
    target_precompile_headers(strandline_headers_of_tests PRIVATE ${headers} <gtest/gtest.h> <gmock/gmock.h>)
endif()
