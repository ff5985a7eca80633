# Builds the list 200 .. 1 thirty times, and adds up what the last one holds.

fun range 1            # n -> the pair (n, range of n - 1), or 0
  push 0
  load 0
  less
  jump_if_not end
  load 0
  load 0
  push 1
  sub
  call range
  pair
  return
end:
  push 0
  return

fun sum 2              # list, how many -> their sum
  push 0
  load 1
  less
  jump_if_not end
  load 0
  first
  load 0
  second
  load 1
  push 1
  sub
  call sum
  add
  return
end:
  push 0
  return

fun repeat 1           # times -> the last list
  load 0
  push 2
  less
  jump_if_not more
  push 200
  call range
  return
more:
  push 200
  call range
  drop                 # is garbage at once
  load 0
  push 1
  sub
  call repeat
  return

fun main 0
  push 30
  call repeat
  push 200
  call sum
  print
  push 0
  return
