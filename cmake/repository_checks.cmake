# The repository's own checks as tests: tools/checks/ says what each refuses and how to mend it.
foreach(check layers words determinism format folder_map sizes addresses tickets conflicts)
    add_test(NAME check_${check}
             COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/checks/run.py ${check})
    strandline_labels(check_${check} LABELS check)
endforeach()

add_test(NAME check_clang_tidy_changed
         COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/checks/clang_tidy.py --build ${PROJECT_BINARY_DIR})
strandline_labels(check_clang_tidy_changed LABELS check)
set_tests_properties(check_clang_tidy_changed PROPERTIES TIMEOUT 600 PROCESSORS 2)

# Every public header compiles alone: one source file for each, which sees the public folders and nothing else.
set(sources "")
foreach(folder include testkit/include)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/${folder} ${PROJECT_SOURCE_DIR}/${folder}/*.hpp)
    foreach(header ${headers})
        set(source ${PROJECT_BINARY_DIR}/a_public_header_must_compile_alone/${header}.cpp)
        file(CONFIGURE OUTPUT ${source} CONTENT
             "// The header must itself include what it uses, and only public headers.\n#include <${header}>\n" @ONLY)
        list(APPEND sources ${source})
    endforeach()
endforeach()
if(sources)
    add_library(strandline_public_headers OBJECT ${sources})
    target_include_directories(strandline_public_headers PRIVATE ${PROJECT_SOURCE_DIR}/include
                                                                 ${PROJECT_SOURCE_DIR}/testkit/include)
    target_link_libraries(strandline_public_headers PRIVATE strandline_flags tl::expected)
    target_compile_options(strandline_public_headers PRIVATE -O0)
endif()
add_test(NAME check_public_headers
         COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/checks/public_headers.py
                 --compiler ${CMAKE_CXX_COMPILER} --build ${PROJECT_BINARY_DIR})
strandline_labels(check_public_headers LABELS check)
