# EVTRACE_DW_LIBRARIES: elfutils' libdw, which reads tables of frames, symbols and lines; static with what it needs, so that no start
# of evt loads it.
find_library(EVTRACE_DW_ARCHIVE NAMES libdw.a)
find_library(EVTRACE_ELF_ARCHIVE NAMES libelf.a)
if(NOT EVTRACE_DW_ARCHIVE OR NOT EVTRACE_ELF_ARCHIVE)
  message(FATAL_ERROR "evt run needs libdw.a (Debian's package libdw-dev) for stacks")
endif()
set(EVTRACE_DW_LIBRARIES ${EVTRACE_DW_ARCHIVE} ${EVTRACE_ELF_ARCHIVE} z lzma zstd)
find_library(EVTRACE_BZ2 NAMES libbz2.a)
if(EVTRACE_BZ2)
  list(APPEND EVTRACE_DW_LIBRARIES ${EVTRACE_BZ2})
endif()
