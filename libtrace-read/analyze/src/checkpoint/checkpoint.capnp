@0xd4c1b9a86f2e7035;

# The directory at the end of a file of checkpoints (analyze/src/checkpoint/checkpoint_file.h).

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("evt::state");

struct Directory {
  traceSize @0 :UInt64;       # bytes of the trace that it is of
  sessions @1 :List(Session); # in the order of the trace
}

struct Session {
  uuid @0 :Data;
  rows @1 :UInt64;
  # By index; a checkpoint has the first so many of them.
  threads @2 :List(Actor);
  cpus @3 :List(Actor);
  # Of the cells, by index.
  cellThreads @4 :List(UInt32);
  cellCpus @5 :List(UInt32);
  checkpoints @6 :List(Checkpoint);  # in order of their times
}

struct Actor {
  number @0 :UInt64;
  part @1 :UInt32 = 0xffffffff;  # none
  isStream @2 :Bool;
  name @3 :Text;
}

struct Checkpoint {
  ns @0 :Int64;       # all events up to this time are in it, and none after
  offset @1 :UInt64;  # in the file
  size @2 :UInt32;    # there
  words @3 :UInt32;   # of 8 bytes, when unpacked
  crc @4 :UInt32;     # CRC32C of the bytes in the file
  isDelta @5 :Bool;   # numbers are differences to those of the checkpoint before
}
