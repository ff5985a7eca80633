# The cold messages of the trace format: what evolves and is rarely read. No message is needed to find, skip,
# recover or order events (FORMAT.md, section 6). Grows by Cap'n Proto's rules: new fields and enumerants at the end.
# The same numbers for programs without Cap'n Proto: include/evt/format.h (a test holds the two together).
@0xd1f4c8a2b37e5a60;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("evt::metadata");

struct SessionInfo {
  program @0 :Text;             # file name of the traced program, without its folder
  commandLine @1 :List(Text);
  pid @2 :UInt64;
  host @3 :Text;
  bootId @4 :Text;              # two sessions with the same boot share their clocks
  writer @5 :Text;              # library and version that wrote the file
  ringName @6 :Text;            # name of the shared memory of the ring, never a path
  ringKind @7 :RingKind;
  origins @8 :List(Data);       # uuids of the sessions this one was made from by a tool, 16 bytes each
  parts @9 :List(MergedPart);   # of a session made of several: what became of each
  cut @10 :Text;                # of a session that is part of another: which part, for people
  leftOut @11 :LeftOut;         # the same for programs
}

struct LeftOut {                # of what the other session has
  isCut @0 :Bool;               # false: this is not stated
  hasRange @1 :Bool;            # events outside `from` to `to`
  from @2 :Int64;               # ns since the session's start
  to @3 :Int64;
  streams @4 :List(Text);       # the names of streams, some of `streamCount`
  streamCount @5 :UInt32;
  types @6 :List(Text);         # the names of types, some of `typeCount`
  typeCount @7 :UInt32;
  sampledBy @8 :Sampling;       # what was done to the events that are left
  oneIn @9 :UInt64;             # of how many events one was kept; 0: not known
  others @10 :Bool;             # events by what is in them
}

enum Sampling {
  none @0;
  row @1;                       # of the events of each stream and type one of `oneIn`
  key @2;                       # all events of one of `oneIn` keys, or none: what belongs together is together
}

struct MergedPart {             # one session of a merged one
  origin @0 :Data;              # its uuid
  name @1 :Text;                # what the user called it, for people
  firstStream @2 :UInt32;       # its streams have ids from here on, one by one
  streamCount @3 :UInt32;
  alignment @4 :Alignment;      # how its time came onto the scale of the merged session
  ended @5 :Bool;               # it was closed, or nothing of it is missing
  offset @6 :Int64;             # ns that were added to its times
  drift @7 :Int64;              # and so many ps more for each second since `pivot`
  pivot @8 :Int64;              # ns on its own time scale
  bound @9 :UInt64;             # its times are right to so many ns, against those of the first part
}

enum Alignment {
  none @0;                      # the first part: its time scale is the merged one's
  sameClock @1;                 # one clock of one boot
  sameBoot @2;                  # clocks of one boot
  utc @3;                       # by what each says UTC was; if that was right, the bound holds
  messages @4;                  # by events that show cause and effect in both directions
  byHand @5;                    # the user said it
}

enum RingKind {
  none @0;                      # flushed inline, no ring
  shared @1;
  private @2;                   # no shared memory could be had: a kill loses what was not flushed
}

struct ClockInfo {
  name @0 :Text;
  host @1 :Text;
  bootId @2 :Text;
}

struct StreamInfo {
  name @0 :Text;
  thread @1 :UInt64;            # the operating system's number of the thread, 0: not one thread
  process @2 :UInt64;           # 0: the session's
}

struct EventTypeInfo {
  role @0 :Role;
  fields @1 :List(FieldInfo);   # in the order of their bytes
  facets @2 :List(Facet);       # what else the event means, at its time, in this order behind `role`
  twinOf @3 :Text;              # of a twin that a cut puts in: the name of the type; its own name: of what is not known
  source @4 :Source;            # where the program records it
  tags @5 :List(Text);          # private roles, in reverse DNS: com.example.frame
}

struct Facet {
  role @0 :Role;
  fields @1 :List(FacetField);  # those that belong to it; no other does
}

struct FacetField {
  field @0 :UInt16;             # its place in EventTypeInfo.fields
  role @1 :Role;
}

struct Source {
  file @0 :Text;
  line @1 :UInt32;              # 0: not stated
  function @2 :Text;
}

struct IndexInfo {              # of the last INDEX block of a session
  streams @0 :List(IndexedStream);  # may leave some out
}

struct IndexedStream {
  id @0 :UInt32;
  rows @1 :UInt64;              # reserved rows included
  lastTicks @2 :UInt64;         # of its latest row
  lost @3 :List(LostByCause);   # those of which there are any
  firstTicks @4 :UInt64;        # of its earliest row
}

struct LostByCause {
  cause @0 :UInt16;
  count @1 :UInt64;
}

struct FieldInfo {
  name @0 :Text;
  kind @1 :Kind;
  shape @2 :Shape;
  width @3 :UInt32;             # bytes of a fixed value or of an array's element, else 0
  role @4 :Role;
  unit @5 :Unit;
  labels @6 :List(Label);       # of an enumeration
  description @7 :Text;
  isFlags @8 :Bool;             # of an enumeration: its labels are bits
  hasAbsent @9 :Bool;           # `absent` is a value that means none
  scope @10 :Scope;             # of ids: within what equal ones are the same
  scale @11 :Int8;              # of an integer: times 10 to this power
  absent @12 :UInt64;           # zero-extended from the field's width
  unitText @13 :Text;           # a unit that Unit has not, in UCUM
  tags @14 :List(Text);         # private roles, in reverse DNS
}

enum Scope {
  notStated @0;
  session @1;
  process @2;
  boot @3;
  network @4;
}

struct Label {
  value @0 :UInt64;             # zero-extended from the field's width
  text @1 :Text;
}

enum Kind {                     # what a value is; a reader that does not know one prints bytes
  unknown @0;
  unsigned @1;
  signed @2;                    # two's complement
  float @3;                     # IEEE 754
  bool @4;
  enumeration @5;
  text @6;                      # UTF-8, may be invalid
  bytes @7;
  interned @8;                  # u32 id of a string; 0: the empty text
  ticks @9;                     # a reading of the event's clock
  tickDelta @10;                # signed ticks of the event's clock
  reference @11;                # u32 id of a string that holds a row: FORMAT.md, section 8.5
}

enum Shape {                    # how to step over a value; one that is not known ends named access to the event
  fixed @0;
  counted16 @1;
  counted32 @2;
  array @3;
  list @4;
}

enum Role {                     # what an event or a field means to an analysis (REGISTRY.md)
  none @0;
  spanBegin @1;
  spanEnd @2;
  span @3;
  counter @4;
  mark @5;
  threadCreate @6;
  threadRunnable @7;
  threadRun @8;
  threadStop @9;
  threadWake @10;
  threadMigrate @11;
  threadExit @12;
  callBegin @13;
  callEnd @14;
  call @15;
  stopped @16;
  thread @17;
  cpu @18;
  object @19;
  resource @20;
  amount @21;
  limit @22;
  duration @23;
  value @24;
  message @25;
  name @26;
  reason @27;
  function @28;
  threadName @29;
  objectOpen @30;
  objectName @31;
  objectClose @32;
  gcStart @33;
  gcEnd @34;
  gcIdle @35;
  gcWork @36;
  gcDone @37;
  processStart @38;
  program @39;
  arguments @40;
  wallClock @41;
  overhead @42;
  sparkCreate @43;
  sparkDud @44;
  sparkOverflow @45;
  sparkRun @46;
  sparkSteal @47;
  sparkFizzle @48;
  sparkCollect @49;
  sparkCounters @50;
  process @51;
  parent @52;
  waker @53;
  toCpu @54;
  generation @55;
  gcSync @56;
  gcStatistics @57;
  flowOut @58;
  flowIn @59;
  messageSend @60;
  messageReceive @61;
  asyncBegin @62;
  asyncEnd @63;
  sample @64;
  counterTotal @65;
  counterDelta @66;
  idleThread @67;
  flow @68;
  spanId @69;
  weight @70;
  stack @71;
  address @72;
  category @73;
  priority @74;
  hostCpu @75;
  began @76;
  ended @77;
  callCounts @78;
  caller @79;
  gcRequest @80;
  gcPauseBegin @81;
  gcPauseEnd @82;
  gcConcurrentBegin @83;
  gcConcurrentEnd @84;
  frame @85;
  frames @86;
  module @87;
  buildId @88;
  line @89;
  lockRelease @90;
  holder @91;
  traceId @92;
  parentSpan @93;
  histogram @94;
  bounds @95;
  counts @96;
  inlined @97;
}

enum Unit {
  none @0;
  nanoseconds @1;
  microseconds @2;
  milliseconds @3;
  seconds @4;
  bytes @5;
  countOfThings @6;
  percent @7;
  hertz @8;
  bytesPerSecond @9;
}
