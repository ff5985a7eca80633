# What an installation has: the libraries with their headers, found by CMake and by pkg-config wherever they are put, the
# command with its manual and completion.
include(CMakePackageConfigHelpers)

set(evt_package ${CMAKE_INSTALL_LIBDIR}/cmake/evtrace)
set(evt_libraries evt_format evt_write)
set(evt_header_folders format-spec libtrace-write)
set(evt_pkgconfig evtrace-write)
if(EVTRACE_COMPACT)
  list(APPEND evt_libraries evt_compact)
  list(APPEND evt_pkgconfig evtrace-compact)
endif()
if(EVTRACE_READ)
  list(APPEND evt_libraries evt_read)
  list(APPEND evt_header_folders libtrace-read)
  list(APPEND evt_pkgconfig evtrace-read)
endif()

install(TARGETS ${evt_libraries} EXPORT evtrace
  RUNTIME COMPONENT library
  LIBRARY COMPONENT library NAMELINK_COMPONENT development
  ARCHIVE COMPONENT development)
foreach(folder ${evt_header_folders})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}/include/evt DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    COMPONENT development)
endforeach()

install(EXPORT evtrace NAMESPACE evtrace:: FILE evtrace-targets.cmake DESTINATION ${evt_package}
  COMPONENT development)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/templates/evtrace-config.cmake.in
  ${PROJECT_BINARY_DIR}/evtrace-config.cmake INSTALL_DESTINATION ${evt_package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/evtrace-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/evtrace-config.cmake ${PROJECT_BINARY_DIR}/evtrace-config-version.cmake
  DESTINATION ${evt_package} COMPONENT development)

# From where a .pc file is to where everything is.
file(RELATIVE_PATH evt_up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(name ${evt_pkgconfig})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/templates/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endforeach()

if(EVTRACE_TOOLS)
  install(TARGETS evt RUNTIME COMPONENT tools)
  install(FILES $<TARGET_FILE_DIR:evt>/tracedump DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/tools/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT tools)
  install(FILES ${PROJECT_BINARY_DIR}/tools/evt.bash RENAME evt
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tools)
  install(FILES ${PROJECT_SOURCE_DIR}/format-spec/evt.magic DESTINATION ${CMAKE_INSTALL_DATADIR}/evtrace
    COMPONENT tools)
endif()

if(BUILD_SHARED_LIBS)
  include(${PROJECT_SOURCE_DIR}/cmake/package.cmake)
endif()
