# What the two libraries have in common.
include(GNUInstallDirs)

# Only what a public header declares is seen from outside.
function(evt_hidden target)
  set_target_properties(${target} PROPERTIES
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()

# Whoever loads a library that is linked with this one statically may use its names, too.
function(evt_exported target)
  if(BUILD_SHARED_LIBS OR EVTRACE_EXPORT)
    target_compile_definitions(${target} PRIVATE EVT_EXPORT)
  endif()
endfunction()

# Installed as libevtrace-NAME, found as evtrace::NAME.
function(evt_library target name)
  evt_hidden(${target})
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME evtrace-${name} EXPORT_NAME ${name}
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
endfunction()

# A shared library exports what the file lists, and nothing else.
function(evt_versions target map)
  if(BUILD_SHARED_LIBS)
    target_link_options(${target} PRIVATE LINKER:--version-script=${map})
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${map})
  endif()
endfunction()
