# A room is a folder: its sources become one object library, its *_test.cpp one test program.
#
# The object libraries are gathered into the libraries that are installed (cmake/packaging.cmake); the archives carry
# the link order for a test program that needs a room and those below it.

function(strandline_include_paths target scope)
    target_include_directories(${target} ${scope} ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include
                                                  ${PROJECT_SOURCE_DIR}/testkit/include ${PROJECT_SOURCE_DIR})
endfunction()

# strandline_room(NAME folder [DEPENDS rooms or libraries...] [LABELS further labels of its tests...])
function(strandline_room name folder)
    cmake_parse_arguments(ROOM "" "" "DEPENDS;LABELS" ${ARGN})
    set(target strandline_${name})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
    strandline_only_own_folder(sources ${name} ${folder})
    set(tests ${sources})
    list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
    list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
    if(sources)
        add_library(${target} OBJECT ${sources})
        strandline_include_paths(${target} PUBLIC)
        target_link_libraries(${target} PRIVATE strandline_flags PUBLIC ${ROOM_DEPENDS})
        strandline_precompiled(${target} rooms)
        add_library(${target}_archive STATIC $<TARGET_OBJECTS:${target}>)
        set_target_properties(${target}_archive PROPERTIES EXCLUDE_FROM_ALL ON LINKER_LANGUAGE CXX)
    else()
        add_library(${target} INTERFACE)
        strandline_include_paths(${target} INTERFACE)
        target_link_libraries(${target} INTERFACE ${ROOM_DEPENDS})
        add_library(${target}_archive INTERFACE)
    endif()
    foreach(dependency ${ROOM_DEPENDS})
        if(dependency MATCHES "^strandline_")
            target_link_libraries(${target}_archive INTERFACE ${dependency}_archive)
        else()
            target_link_libraries(${target}_archive INTERFACE ${dependency})
        endif()
    endforeach()
    set_property(GLOBAL APPEND PROPERTY STRANDLINE_ROOMS ${target})
    if(STRANDLINE_BUILD_TESTS AND tests)
        strandline_test(${name}_test SOURCES ${tests} ROOMS ${target} LABELS unit ${ROOM_LABELS})
        # Some compare the code with what the documents say.
        set_tests_properties(${name}_test PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    endif()
endfunction()

# Folders nested in a room that are rooms of their own are not part of it.
macro(strandline_only_own_folder list name folder)
    get_property(nested GLOBAL PROPERTY STRANDLINE_NESTED_${name})
    foreach(inner ${nested})
        list(FILTER ${list} EXCLUDE REGEX "/${folder}/${inner}/")
    endforeach()
endmacro()

# How every program of tests is compiled.
function(strandline_compile_as_test target)
    # Optimising the expansions of the test macros costs more time than it saves.
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    strandline_precompiled(${target} tests)
endfunction()

# strandline_test(NAME SOURCES ... ROOMS ... [LABELS ...] [LIBRARIES ...] [ARGUMENTS ...])
# A GoogleTest program. Labels say what it needs: unit, conformance, system, live, java, threads, deep; for each label L
# the target tests_L builds all programs that carry it.
function(strandline_test name)
    cmake_parse_arguments(TEST "" "" "SOURCES;ROOMS;LABELS;LIBRARIES;ARGUMENTS" ${ARGN})
    add_executable(${name} ${TEST_SOURCES})
    strandline_include_paths(${name} PRIVATE)
    set(archives "")
    foreach(room ${TEST_ROOMS})
        list(APPEND archives ${room}_archive)
    endforeach()
    target_link_libraries(${name} PRIVATE strandline_flags ${archives} ${TEST_LIBRARIES} GTest::gmock GTest::gtest_main)
    strandline_compile_as_test(${name})
    add_test(NAME ${name} COMMAND ${name} --gtest_brief=1 ${TEST_ARGUMENTS})
    set_tests_properties(${name} PROPERTIES TIMEOUT 300)
    strandline_labels(${name} PROGRAM ${name} LABELS ${TEST_LABELS})
endfunction()

# strandline_labels(TEST [PROGRAM targets to build first...] LABELS ...): labels of a test that add_test has made.
function(strandline_labels test)
    cmake_parse_arguments(TEST "" "" "PROGRAM;LABELS" ${ARGN})
    set_tests_properties(${test} PROPERTIES LABELS "${TEST_LABELS}")
    if(STRANDLINE_SANITIZE MATCHES "thread")
        set_tests_properties(${test} PROPERTIES
            ENVIRONMENT "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/thread_sanitizer_suppressions.txt")
    endif()
    foreach(label ${TEST_LABELS})
        if(NOT TARGET tests_${label})
            add_custom_target(tests_${label})
        endif()
        # What runs under a sanitizer runs without real brokers.
        if(TEST_PROGRAM AND NOT (STRANDLINE_SANITIZE AND "live" IN_LIST TEST_LABELS))
            add_dependencies(tests_${label} ${TEST_PROGRAM})
        endif()
    endforeach()
endfunction()

# The labels that ./check builds by name exist even while no test carries them.
foreach(label unit conformance system live threads)
    if(STRANDLINE_BUILD_TESTS AND NOT TARGET tests_${label})
        add_custom_target(tests_${label})
    endif()
endforeach()
