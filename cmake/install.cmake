# What an installation has: the libraries with their headers, found by CMake and by pkg-config wherever they are put, the
# command with its manual and completion.
include(CMakePackageConfigHelpers)

set(evt_package ${CMAKE_INSTALL_LIBDIR}/cmake/evtrace)
set(evt_components write)
set(evt_header_folders format-spec libtrace-write)
if(EVTRACE_COMPACT)
  list(APPEND evt_components compact)
endif()
if(EVTRACE_READ)
  list(APPEND evt_components read reader)
  list(APPEND evt_header_folders libtrace-read/core libtrace-read/edit libtrace-read/analyze libtrace-read/export
    libtrace-read/report libtrace-read/c)
endif()

# Each component is exported by itself: who wants one needs the libraries of that one alone.
foreach(component ${evt_components})
  set(targets evt_${component})
  # Beside a shared library there is the archive, for programs that are linked with -static.
  if(TARGET evt_${component}_shared)
    set(targets evt_${component}_shared)
    install(TARGETS evt_${component} ARCHIVE COMPONENT development)
    install(CODE "if(CMAKE_INSTALL_DO_STRIP)
      execute_process(COMMAND \"${CMAKE_STRIP}\" --strip-debug --remove-section=.comment --enable-deterministic-archives
        \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libevtrace-${component}.a\" COMMAND_ERROR_IS_FATAL ANY)
    endif()" COMPONENT development)
  endif()
  if(component STREQUAL write)
    list(APPEND targets evt_format)
  endif()
  install(TARGETS ${targets} EXPORT evtrace-${component}
    RUNTIME COMPONENT library
    LIBRARY COMPONENT library NAMELINK_COMPONENT development
    ARCHIVE COMPONENT development)
  install(EXPORT evtrace-${component} NAMESPACE evtrace:: FILE evtrace-${component}-targets.cmake
    DESTINATION ${evt_package} COMPONENT development)
endforeach()
foreach(folder ${evt_header_folders})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}/include/evt DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    COMPONENT development)
endforeach()

if(EVTRACE_READ)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/evtrace DESTINATION lib/python3/dist-packages COMPONENT python
    FILES_MATCHING PATTERN "*.py" PATTERN py.typed)
endif()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/templates/evtrace-config.cmake.in
  ${PROJECT_BINARY_DIR}/evtrace-config.cmake INSTALL_DESTINATION ${evt_package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/evtrace-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/evtrace-config.cmake ${PROJECT_BINARY_DIR}/evtrace-config-version.cmake
  DESTINATION ${evt_package} COMPONENT development)

# From where a .pc file is to where everything is.
file(RELATIVE_PATH evt_up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
# A shared library brings what it needs; who links a static one has to name that, without pkg-config's --static too.
set(evt_requires_of_compact evtrace-write)
set(evt_requires_of_read "")
if(NOT BUILD_SHARED_LIBS)
  string(APPEND evt_requires_of_compact " libzstd")
  set(evt_requires_of_read "capnp fmt libzstd zlib liblzma")
endif()
foreach(component ${evt_components})
  set(name evtrace-${component})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/templates/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endforeach()

if(EVTRACE_TOOLS)
  install(TARGETS evt RUNTIME COMPONENT tools)
  if(TARGET evt_preload)
    install(TARGETS evt_preload evt_preload_memory LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/evtrace COMPONENT tools)
  endif()
  install(FILES $<TARGET_FILE_DIR:evt>/tracedump DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
  foreach(section 1 5)
    install(DIRECTORY ${PROJECT_BINARY_DIR}/tools/man${section} DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT tools)
  endforeach()
  install(DIRECTORY ${PROJECT_BINARY_DIR}/tools/man3 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT development)
  install(FILES ${PROJECT_BINARY_DIR}/tools/evt.bash RENAME evt
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tools)
  # Debian's zsh looks for what packages bring in a folder of its own; shared libraries are built for packages.
  set(evt_zsh ${CMAKE_INSTALL_DATADIR}/zsh/$<IF:$<BOOL:${BUILD_SHARED_LIBS}>,vendor-completions,site-functions>)
  install(FILES ${PROJECT_BINARY_DIR}/tools/evt.zsh RENAME _evt DESTINATION ${evt_zsh} COMPONENT tools)
  install(FILES ${PROJECT_BINARY_DIR}/tools/evt.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
    COMPONENT tools)
  install(FILES ${PROJECT_SOURCE_DIR}/format-spec/evt.magic ${PROJECT_SOURCE_DIR}/tools/sql/views.sql DESTINATION ${CMAKE_INSTALL_DATADIR}/evtrace
    COMPONENT tools)
endif()

if(BUILD_SHARED_LIBS)
  include(${PROJECT_SOURCE_DIR}/cmake/package.cmake)
endif()
