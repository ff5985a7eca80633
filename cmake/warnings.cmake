# Our own targets build with these; generated code does not.
function(evt_strict target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow -Wpedantic -Werror)
endfunction()
