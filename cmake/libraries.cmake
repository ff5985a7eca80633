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

# For a target whose loops over events are in other targets. It compiles in three quarters of the time, and with a sanitizer,
# where the optimiser takes longest, in half.
function(evt_no_hot_loops target)
  set(level -O1)
  if(CMAKE_CXX_FLAGS MATCHES "sanitize")
    set(level -O0)
  endif()
  target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:${level}>)
endfunction()

# With BUILD_SHARED_LIBS, a shared library beside a static one, linked from the same objects: it is what others link and what
# is installed. Programs of this project link the static one, and tests look into it. It exports what the map lists, if there
# is one.
function(evt_shared_too target)
  get_target_property(name ${target} EXPORT_NAME)
  if(NOT BUILD_SHARED_LIBS)
    add_library(evtrace::${name} ALIAS ${target})
    return()
  endif()
  get_target_property(objects ${target} SOURCES)
  list(FILTER objects INCLUDE REGEX TARGET_OBJECTS)
  add_library(${target}_shared SHARED $<TARGET_OBJECTS:${target}> ${objects})
  add_library(evtrace::${name} ALIAS ${target}_shared)
  evt_library(${target}_shared ${name})
  set_target_properties(${target}_shared PROPERTIES LINKER_LANGUAGE CXX)
  foreach(property INTERFACE_INCLUDE_DIRECTORIES INTERFACE_COMPILE_FEATURES LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
    get_target_property(values ${target} ${property})
    if(values)
      list(FILTER values EXCLUDE REGEX LINK_ONLY)
      list(TRANSFORM values REPLACE "^evt_write$" evt_write_shared)
      set_property(TARGET ${target}_shared PROPERTY ${property} ${values})
    endif()
  endforeach()
  foreach(map ${ARGN})
    target_link_options(${target}_shared PRIVATE LINKER:--version-script=${map})
    set_property(TARGET ${target}_shared APPEND PROPERTY LINK_DEPENDS ${map})
  endforeach()
endfunction()
