# The libraries that users link, made of the rooms' objects, and how they are installed and found again.

include(CMakePackageConfigHelpers)

# What the objects need at link time; the first is also in the public headers.
set(STRANDLINE_PUBLIC_LIBRARIES tl::expected)
set(STRANDLINE_PRIVATE_LIBRARIES Threads::Threads fmt::fmt PkgConfig::cares PkgConfig::zstd PkgConfig::lz4
                                 PkgConfig::isal PkgConfig::re2 Snappy::snappy ZLIB::ZLIB)

function(strandline_room_objects result)
    set(objects "")
    foreach(room ${ARGN})
        get_target_property(type ${room} TYPE)
        if(type STREQUAL "OBJECT_LIBRARY")
            list(APPEND objects $<TARGET_OBJECTS:${room}>)
        endif()
    endforeach()
    set(${result} ${objects} PARENT_SCOPE)
endfunction()

# strandline::strandline, of every room under src/.
function(strandline_make_library)
    get_property(rooms GLOBAL PROPERTY STRANDLINE_ROOMS)
    set_property(GLOBAL PROPERTY STRANDLINE_LIBRARY_ROOMS ${rooms})
    strandline_room_objects(objects ${rooms})
    add_library(strandline ${objects})
    add_library(strandline::strandline ALIAS strandline)
    target_compile_features(strandline PUBLIC cxx_std_20)
    target_include_directories(strandline PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                 $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(strandline PUBLIC ${STRANDLINE_PUBLIC_LIBRARIES} PRIVATE ${STRANDLINE_PRIVATE_LIBRARIES})
    # No ABI promise before 1.0: each minor release has a name of its own.
    set_target_properties(strandline PROPERTIES
        LINKER_LANGUAGE CXX
        VERSION ${PROJECT_VERSION}
        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endfunction()

# strandline::testkit, of the rooms under testkit/. Always static. Beside a shared libstrandline, whose inner parts are
# hidden, it brings its own copy of those.
function(strandline_make_testkit)
    get_property(rooms GLOBAL PROPERTY STRANDLINE_ROOMS)
    get_property(library_rooms GLOBAL PROPERTY STRANDLINE_LIBRARY_ROOMS)
    list(REMOVE_ITEM rooms ${library_rooms})
    strandline_room_objects(objects ${rooms})
    if(NOT objects)
        return()
    endif()
    if(BUILD_SHARED_LIBS)
        strandline_room_objects(inner ${library_rooms})
        list(APPEND objects ${inner})
    endif()
    add_library(strandline-testkit STATIC ${objects})
    add_library(strandline::testkit ALIAS strandline-testkit)
    target_include_directories(strandline-testkit PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/testkit/include>
                                                         $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(strandline-testkit PUBLIC strandline PRIVATE ${STRANDLINE_PRIVATE_LIBRARIES})
    set_target_properties(strandline-testkit PROPERTIES EXPORT_NAME testkit LINKER_LANGUAGE CXX)
endfunction()

function(strandline_install)
    set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/strandline)
    set(libraries strandline)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/strandline DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    strandline_pkg_config(strandline "${PROJECT_DESCRIPTION}" "" "libcares libzstd liblz4 libisal re2 zlib fmt"
                          "-lsnappy -pthread")
    if(TARGET strandline-testkit)
        list(APPEND libraries strandline-testkit)
        install(DIRECTORY ${PROJECT_SOURCE_DIR}/testkit/include/strandline DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
        strandline_pkg_config(strandline-testkit "A Kafka cluster inside your process, for tests" strandline
                              "libcares libzstd liblz4 libisal re2 zlib fmt" "-lsnappy -pthread")
    endif()
    install(TARGETS ${libraries} EXPORT strandline-targets)
    install(EXPORT strandline-targets NAMESPACE strandline:: DESTINATION ${config_folder})
    configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/strandline-config.cmake.in
                                  ${PROJECT_BINARY_DIR}/strandline-config.cmake INSTALL_DESTINATION ${config_folder})
    write_basic_package_version_file(${PROJECT_BINARY_DIR}/strandline-config-version.cmake
                                     COMPATIBILITY SameMinorVersion)
    install(FILES ${PROJECT_BINARY_DIR}/strandline-config.cmake ${PROJECT_BINARY_DIR}/strandline-config-version.cmake
            DESTINATION ${config_folder})
    if(TARGET strandline-tool)
        install(TARGETS strandline-tool)
    endif()
endfunction()

# NAME.pc. What a static library needs is asked of everyone who links it; a shared one carries it.
function(strandline_pkg_config name description requires inner_requires inner_libraries)
    set(PC_NAME ${name})
    set(PC_DESCRIPTION "${description}")
    set(PC_REQUIRES "${requires}")
    set(PC_LIBRARIES "-l${name}")
    if(NOT BUILD_SHARED_LIBS OR name STREQUAL "strandline-testkit")
        string(APPEND PC_REQUIRES " ${inner_requires}")
        string(APPEND PC_LIBRARIES " ${inner_libraries}")
    endif()
    configure_file(${PROJECT_SOURCE_DIR}/cmake/pkg-config.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
