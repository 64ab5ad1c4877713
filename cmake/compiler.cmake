# One set of flags for everything we compile; consumers of the library inherit only the language level.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # Paths are taken relative to the checkout, so that another clone or build folder finds what this one compiled.
    # Without the sloppiness ccache keeps nothing that was compiled with precompiled headers.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=true
                                    CCACHE_SLOPPINESS=pch_defines,time_macros
                                    ${CCACHE})
endif()

add_library(strandline_flags INTERFACE)
target_compile_options(strandline_flags INTERFACE
    -pthread -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast)
if(STRANDLINE_WARNINGS_AS_ERRORS)
    target_compile_options(strandline_flags INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ 12 reports these inside libstdc++ when it inlines at -O2; clang and the sanitizers watch for the real thing.
    target_compile_options(strandline_flags INTERFACE -Wno-maybe-uninitialized -Wno-restrict -Wno-stringop-overflow
                                                      -Wno-array-bounds)
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # libstdc++ 12 uses in stable_sort and its like what it calls deprecated itself; g++ watches for uses of our own.
    target_compile_options(strandline_flags INTERFACE -Wno-deprecated-declarations)
endif()
if(STRANDLINE_SANITIZE)
    add_compile_options(-fsanitize=${STRANDLINE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${STRANDLINE_SANITIZE})
    if(STRANDLINE_SANITIZE MATCHES "thread")
        # Asio orders its reference counts with fences, which ThreadSanitizer does not model.
        add_compile_definitions(BOOST_ASIO_DISABLE_FENCED_BLOCK)
        if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
            add_compile_options(-Wno-tsan)
        endif()
    endif()
endif()
