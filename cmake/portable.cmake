# Programs and libraries that need a C library of 2.28 or later, and nothing else: ./dev package --portable. They are
# linked with older versions of the C library's functions (portable/stub_libraries.py), and with static libraries for
# all else. Included before the folders, as they find the libraries that are changed here.
if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64" OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
  message(FATAL_ERROR "EVTRACE_PORTABLE: made on Linux for x86-64 alone, this is ${CMAKE_SYSTEM_NAME} for ${CMAKE_SYSTEM_PROCESSOR}")
endif()
set(EVTRACE_GLIBC 2.28)
set(CMAKE_SKIP_RPATH ON)
set(evt_portable ${PROJECT_BINARY_DIR}/portable)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
execute_process(COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/portable/stub_libraries.py
  ${EVTRACE_GLIBC} ${evt_portable} ${CMAKE_C_COMPILER} COMMAND_ERROR_IS_FATAL ANY)
# The compiler's start of a program, which calls start.c instead of the C library.
execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=Scrt1.o OUTPUT_VARIABLE evt_start OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${CMAKE_OBJCOPY} --redefine-sym __libc_start_main=evt_libc_start_main ${evt_start}
  ${evt_portable}/Scrt1.o COMMAND_ERROR_IS_FATAL ANY)

# The static library of the same name beside a shared one.
function(evt_static name variable)
  find_library(evt_static_${name} NAMES lib${name}.a REQUIRED)
  set(${variable} ${evt_static_${name}} PARENT_SCOPE)
endfunction()
function(evt_link_statically target name)
  evt_static(${name} path)
  get_target_property(configurations ${target} IMPORTED_CONFIGURATIONS)
  foreach(configuration ${configurations})
    set_target_properties(${target} PROPERTIES IMPORTED_LOCATION_${configuration} ${path})
  endforeach()
  set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${path})
endfunction()

find_package(zstd CONFIG REQUIRED)
evt_link_statically(zstd::libzstd_shared zstd)
find_package(CapnProto CONFIG REQUIRED)
evt_link_statically(CapnProto::capnp capnp)
evt_link_statically(CapnProto::kj kj)
find_package(ZLIB REQUIRED)
evt_link_statically(ZLIB::ZLIB z)
find_package(LibLZMA REQUIRED)
evt_link_statically(LibLZMA::LibLZMA lzma)
# fmt has no static library in Debian: it is compiled in.
find_package(fmt REQUIRED)
get_target_property(configurations fmt::fmt IMPORTED_CONFIGURATIONS)
foreach(configuration ${configurations})
  set_target_properties(fmt::fmt PROPERTIES IMPORTED_LOCATION_${configuration} ${evt_portable}/libempty.a)
endforeach()
execute_process(COMMAND ${CMAKE_AR} qc ${evt_portable}/libempty.a COMMAND_ERROR_IS_FATAL ANY)
set_target_properties(fmt::fmt PROPERTIES INTERFACE_COMPILE_DEFINITIONS FMT_HEADER_ONLY)

add_library(evt_portable_start OBJECT ${CMAKE_CURRENT_LIST_DIR}/portable/start.c)
add_library(evt_portable_compat OBJECT ${CMAKE_CURRENT_LIST_DIR}/portable/compat.c)
set_target_properties(evt_portable_start evt_portable_compat PROPERTIES POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF)

# A program, or a library that is loaded into one.
function(evt_make_portable target)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:evt_portable_compat>)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:evt_portable_start>)
    target_link_options(${target} PRIVATE -B${evt_portable}/ -static-libstdc++)
  endif()
  # Older versions have threads, dlopen and timers in libraries of their own.
  target_link_options(${target} PRIVATE -L${evt_portable} -static-libgcc
    LINKER:--push-state,--no-as-needed -lpthread -ldl -lrt LINKER:--pop-state)
endfunction()
