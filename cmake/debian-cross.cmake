# Builds for another machine with Debian's cross compiler and runs what was built here: `./dev machines`, which also unpacks
# that machine's libraries into build/. The libraries of C and C++ come with the compiler.
if(NOT EVT_MACHINE)
  message(FATAL_ERROR "EVT_MACHINE is not set: s390x, i386 or arm64, as Debian calls them")
endif()
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES EVT_MACHINE)
set(CMAKE_SYSTEM_NAME Linux)
string(REPLACE arm64 aarch64 evt_processor ${EVT_MACHINE})
set(CMAKE_SYSTEM_PROCESSOR ${evt_processor})
set(CMAKE_LIBRARY_ARCHITECTURE ${evt_processor}-linux-gnu)

if(EVT_MACHINE STREQUAL i386)
  set(evt_compiler i686-linux-gnu)
  # This processor runs them itself.
  set(CMAKE_CROSSCOMPILING_EMULATOR /usr/${evt_compiler}/lib/ld-linux.so.2 --library-path /usr/${evt_compiler}/lib)
else()
  set(evt_compiler ${evt_processor}-linux-gnu)
  set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${evt_processor}-static -L /usr/${evt_compiler})
endif()
set(CMAKE_C_COMPILER ${evt_compiler}-gcc)
set(CMAKE_CXX_COMPILER ${evt_compiler}-g++)

get_filename_component(evt_libraries ${CMAKE_CURRENT_LIST_DIR}/../build/libraries-${EVT_MACHINE} ABSOLUTE)
set(CMAKE_FIND_ROOT_PATH ${evt_libraries} /usr/${evt_compiler})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${evt_libraries})
set(ENV{PKG_CONFIG_LIBDIR} ${evt_libraries}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/pkgconfig)
# Found by what is built, and by the libraries that it needs for theirs.
set(evt_library_folder ${evt_libraries}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
set(CMAKE_BUILD_RPATH ${evt_library_folder})
set(CMAKE_EXE_LINKER_FLAGS_INIT "-L${evt_library_folder} -Wl,-rpath-link,${evt_library_folder},--disable-new-dtags")
