# Our own targets build with these; generated code does not. A warning of a compiler that we have not met is no reason to
# fail somebody else's build.
function(evt_strict target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow -Wpedantic)
  if(EVTRACE_TESTS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()
