# Debian packages: the libraries, what it takes to build with them, the command.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR evtrace)
set(CPACK_PACKAGE_CONTACT "The evtrace authors <evtrace@example.org>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL library development tools python)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/libtrace-write)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)

# evt_package(COMPONENT name section depends summary text)
function(evt_package component name section depends summary text)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}" PARENT_SCOPE)
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}\n${text}" PARENT_SCOPE)
  # What every Debian package has of itself.
  set(folder ${PROJECT_BINARY_DIR}/doc/${name})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/templates/copyright.in ${folder}/copyright)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/templates/changelog.in ${folder}/changelog)
  execute_process(COMMAND gzip -9nf ${folder}/changelog)
  install(FILES ${folder}/copyright ${folder}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name}
    COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()

set(evt_what "evtrace records what programs do in a compact, self-describing binary\nformat and reads it back in order of time.")
set(evt_runtime libevtrace${PROJECT_VERSION_MAJOR})
evt_package(library ${evt_runtime} libs "" "record and read traces of what programs do: libraries"
  "${evt_what}\nThis package has the libraries that record and read.")
evt_package(development libevtrace-dev libdevel "${evt_runtime} (= ${PROJECT_VERSION})"
  "record and read traces of what programs do: development"
  "${evt_what}\nThis package has what it takes to build programs that record or read.")
evt_package(tools evtrace-tools utils ""
  "record and read traces of what programs do: command"
  "${evt_what}\nThis package has the commands evt and tracedump.")
evt_package(python python3-evtrace python "${evt_runtime} (= ${PROJECT_VERSION}), python3"
  "record and read traces of what programs do: Python"
  "${evt_what}\nThis package has a Python module that reads traces, into numpy and pandas too.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-numpy, python3-pandas")
set(evt_scripts ${PROJECT_SOURCE_DIR}/cmake/templates/python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${evt_scripts}/postinst ${evt_scripts}/prerm)
# Documents and examples. Links to sources that are in no package lead nowhere there.
list(APPEND CPACK_COMPONENTS_ALL doc)
evt_package(doc evtrace-doc doc "" "record and read traces of what programs do: documentation"
  "${evt_what}\nThis package has the guide, the format, and the examples.")
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOC_PACKAGE_SHLIBDEPS OFF)
set(evt_doc ${CMAKE_INSTALL_DATADIR}/doc/evtrace-doc)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/SECURITY.md
  DESTINATION ${evt_doc} COMPONENT doc)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${evt_doc} COMPONENT doc
  FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/format-spec DESTINATION ${evt_doc} COMPONENT doc
  FILES_MATCHING PATTERN "*.md" PATTERN "metadata.capnp" PATTERN "evt.magic" PATTERN src EXCLUDE PATTERN include EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${evt_doc} COMPONENT doc PATTERN CMakeLists.txt EXCLUDE)
# Loaded where they are needed: by evt view for PDF and PNG, by evt sql at its prompt. It does without them.
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "librsvg2-2, libedit2")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/templates/triggers)
include(CPack)
