// Folders of CTF open as traces do.
#include <evt/little_endian.h>

#include <filesystem>

#include "at_the_shell.h"

namespace evt::testing {
namespace {

constexpr std::string_view kMetadata =
    "/* CTF 1.8 */\n"
    "typealias integer { size = 8; align = 8; signed = false; } := u8;\n"
    "typealias integer { size = 32; align = 8; signed = false; } := u32;\n"
    "typealias integer { size = 64; align = 8; signed = true; } := i64;\n"
    "typealias integer { size = 64; align = 8; signed = false; } := u64;\n"
    "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; u32 stream_id; }; };\n"
    "env { hostname = \"here\"; tracer_name = \"lttng-modules\"; };\n"
    "clock { name = \"c\"; freq = 1000000000; offset_s = 1767225600; };\n"
    "typealias integer { size = 64; align = 8; map = clock.c.value; } := time;\n"
    "stream { id = 0; event.header := struct { u32 id; time timestamp; };\n"
    "  packet.context := struct { time timestamp_begin; time timestamp_end; u64 content_size; u64 packet_size;\n"
    "    u64 events_discarded; u32 cpu_id; }; };\n"
    "event { name = \"sched_switch\"; id = 0; stream_id = 0; fields := struct { string _prev_comm; u32 _prev_tid;\n"
    "  i64 _prev_state; string _next_comm; u32 _next_tid; }; };\n"
    "event { name = \"syscall_entry_read\"; id = 1; stream_id = 0; fields := struct { u32 _fd; }; };\n"
    "event { name = \"syscall_exit_read\"; id = 2; stream_id = 0; fields := struct { i64 _ret; }; };\n"
    "event { name = \"app_point\"; id = 3; stream_id = 0; fields := struct {\n"
    "  enum : u8 { LOW = 1, HIGH = 2 } _level; struct { u32 x; u32 y; } _at; u8 _n; u32 _sizes[_n]; string _text; }; "
    "};\n";

// As perf 6.1 writes it, but for more of the fields that all its events have.
constexpr std::string_view kPerfMetadata =
    "/* CTF 1.8 */\n"
    "typealias integer { size = 32; align = 8; signed = false; } := u32;\n"
    "typealias integer { size = 32; align = 1; signed = true; byte_order = le; } := i32;\n"
    "typealias integer { size = 64; align = 8; signed = true; } := i64;\n"
    "typealias integer { size = 64; align = 8; signed = false; base = hexadecimal; } := u64;\n"
    "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; u32 stream_id; }; };\n"
    "env { host = \"vm\"; domain = \"kernel\"; tracer_name = \"perf\"; };\n"
    "clock { name = perf_clock; freq = 1000000000; offset_s = 0; offset = 0; };\n"
    "typealias integer { size = 64; align = 8; map = clock.perf_clock.value; } := time;\n"
    "stream { id = 0; event.header := struct { u32 id; time timestamp; } align(8);\n"
    "  packet.context := struct { time timestamp_begin; time timestamp_end; u64 content_size; u64 packet_size;\n"
    "    u64 events_discarded; u32 cpu_id; } align(8); };\n"
    "event { id = 0; name = \"sched:sched_switch\"; stream_id = 0; fields := struct {\n"
    "  u64 perf_ip; i32 perf_tid; i32 perf_pid; string { encoding = UTF8; } prev_comm; i32 prev_pid; i32 prev_prio;\n"
    "  i64 prev_state; string { encoding = UTF8; } next_comm; i32 next_pid; i32 next_prio; } align(8); };\n"
    "event { id = 1; name = \"sched:sched_waking\"; stream_id = 0; fields := struct {\n"
    "  u64 perf_ip; i32 perf_tid; i32 perf_pid; string { encoding = UTF8; } comm; i32 pid; i32 prio; i32 target_cpu; "
    "}\n"
    "  align(8); };\n"
    "event { id = 2; name = \"syscalls:sys_enter_read\"; stream_id = 0; fields := struct {\n"
    "  u64 perf_ip; i32 perf_tid; i32 perf_pid; u64 fd; } align(8); };\n"
    "event { id = 3; name = \"syscalls:sys_exit_read\"; stream_id = 0; fields := struct {\n"
    "  u64 perf_ip; i32 perf_tid; i32 perf_pid; i64 ret; } align(8); };\n"
    "event { id = 4; name = \"perf_comm\"; stream_id = 0; fields := struct {\n"
    "  u32 pid; u32 tid; string { encoding = UTF8; } comm; } align(8); };\n";

// A packet of one cpu, in bytes.
class Packet {
 public:
  explicit Packet(std::uint32_t cpu) : cpu_(cpu) {}

  Packet& event(std::uint32_t id, std::uint64_t ns) {
    number(id, 4);
    number(ns, 8);
    last_ns_ = ns;
    if (first_ns_ == 0) first_ns_ = ns;
    return *this;
  }
  Packet& number(std::uint64_t value, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) body_ += static_cast<char>(value >> (8 * i) & 0xFF);
    return *this;
  }
  Packet& text(std::string_view text) {
    body_ += text;
    body_ += '\0';
    return *this;
  }
  Packet& run(std::uint64_t ns, std::string_view from, std::uint32_t prev, std::int64_t state, std::string_view to,
              std::uint32_t next) {
    event(0, ns).text(from).number(prev, 4).number(static_cast<std::uint64_t>(state), 8).text(to);
    return number(next, 4);
  }

  // Of perf, all of whose events have these fields in front.
  Packet& perf_event(std::uint32_t id, std::uint64_t ns, std::uint32_t thread) {
    return event(id, ns).number(0xffffffff81000000, 8).number(thread, 4).number(thread, 4);
  }
  Packet& perf_run(std::uint64_t ns, std::string_view from, std::uint32_t prev, std::uint64_t state,
                   std::string_view to, std::uint32_t next) {
    perf_event(0, ns, prev).text(from).number(prev, 4).number(120, 4).number(state, 8);
    return text(to).number(next, 4).number(120, 4);
  }
  Packet& perf_wake(std::uint64_t ns, std::uint32_t waker, std::string_view name, std::uint32_t thread) {
    return perf_event(1, ns, waker).text(name).number(thread, 4).number(120, 4).number(0, 4);
  }

  std::string bytes(std::uint64_t discarded = 0) const {
    Packet front(cpu_);
    constexpr std::size_t kFront = 4 + 4 + 5 * 8 + 4;
    const std::uint64_t bits = (kFront + body_.size()) * 8;
    front.number(0xC1FC1FC1, 4).number(0, 4).number(first_ns_, 8).number(last_ns_, 8);
    front.number(bits, 8).number(bits, 8).number(discarded, 8).number(cpu_, 4);
    return front.body_ + body_;
  }

 private:
  std::uint32_t cpu_;
  std::uint64_t first_ns_ = 0;
  std::uint64_t last_ns_ = 0;
  std::string body_;
};

class Ctf : public AtTheShell {
 protected:
  Ctf() {
    std::filesystem::create_directory(path_of("lttng"));
    given_file("lttng/metadata", kMetadata);
  }
};

TEST_F(Ctf, EventsAreThoseOfTheFolderInOrderOfTime) {
  given_file("lttng/chan_0", Packet(0).run(1000, "swapper/0", 0, 0, "app", 7).event(1, 1500).number(3, 4).bytes());
  given_file("lttng/chan_1", Packet(1)
                                 .event(3, 1200)
                                 .number(2, 1)
                                 .number(4, 4)
                                 .number(5, 4)
                                 .number(2, 1)
                                 .number(10, 4)
                                 .number(20, 4)
                                 .text("so \x1b")
                                 .bytes());
  EXPECT_EQ(run("evt dump lttng"),
            prints("   0.000000000  here, chan_0  sched_switch       prev_comm=\"swapper/0\" prev_tid=0 prev_state=0 "
                   "next_comm=\"app\" next_tid=7 reason=preempted cpu=0\n"
                   "   0.000000200  here, chan_1  app_point          level=HIGH at.x=4 at.y=5 n=2 sizes=[10 20] "
                   "text=\"so \\x1b\"\n"
                   "   0.000000500  here, chan_0  syscall_entry_read fd=3 function=\"read\" thread=7\n"));
  EXPECT_EQ(run("evt dump --header lttng | grep -E '^(program|host|start)'"),
            prints("program   lttng-modules\n"
                   "host      here\n"
                   "start     2026-01-01 00:00:00.000001000 UTC\n"));
}

TEST_F(Ctf, ASwitchIsAStopAndARunAndCallsAreOfTheThreadThatRuns) {
  given_file("lttng/chan_0", Packet(0)
                                 .run(1000, "swapper/0", 0, 0, "app", 7)
                                 .event(1, 2000)
                                 .number(3, 4)
                                 .run(3000, "app", 7, 1, "other", 8)
                                 .run(4000, "other", 8, 0, "app", 7)
                                 .event(2, 5000)
                                 .number(100, 8)
                                 .run(6000, "app", 7, 1, "swapper/0", 0)
                                 .bytes());
  EXPECT_EQ(run("evt stats threads --csv lttng | head -4 | cut -d, -f1,2,5-8"),
            (Outcome{0,
                     "thread,name,state,running_ns,runnable_ns,waiting_ns\n"
                     "0,swapper/0,running,0,5000,0\n"
                     "7,app,waiting,4000,0,1000\n"
                     "8,other,runnable,1000,2000,0\n",
                     "evt stats: lttng: stops of threads that did not run: 1: since when they ran is not known, and "
                     "that time is not counted\n"}));
  EXPECT_EQ(run("evt stats spans --csv lttng | grep ^read | cut -d, -f1-4"), prints("read,1,3000,3000\n"
                                                                                    "read,call,max,3000\n"));
}

TEST_F(Ctf, NamesOfPerfMeanTheSame) {
  given_file("lttng/metadata", kPerfMetadata);
  given_file("lttng/perf_stream_0", Packet(0)
                                        .perf_run(1000, "swapper/0", 0, 0, "app", 7)
                                        .perf_event(2, 1500, 7)
                                        .number(3, 8)
                                        .perf_run(3000, "app", 7, 1, "swapper/0", 0)
                                        .perf_wake(5000, 8, "app", 7)
                                        .perf_run(6000, "swapper/0", 0, 0, "app", 7)
                                        .perf_event(3, 6500, 7)
                                        .number(100, 8)
                                        .perf_run(8000, "app", 7, 0, "swapper/0", 0)
                                        .bytes());
  given_file("lttng/perf_stream_1", Packet(1)
                                        .event(4, 1000)
                                        .number(8, 4)
                                        .number(8, 4)
                                        .text("other")
                                        .perf_run(2000, "swapper/1", 0, 0, "other", 8)
                                        .perf_run(9000, "other", 8, 64, "swapper/1", 0)
                                        .bytes());
  EXPECT_EQ(
      run("evt stats threads --csv lttng 2>/dev/null | grep -E '^[78],[a-z]+,' | grep -v blocked | cut -d, -f1,2,5-8"),
      prints("7,app,runnable,4000,2000,2000\n8,other,waiting,7000,0,0\n"));
  EXPECT_EQ(run("evt stats cpu --csv lttng 2>/dev/null | grep -E '^[78],' | cut -d, -f1-3"),
            prints("8,other,7000\n7,app,4000\n"));
  EXPECT_EQ(run("evt stats spans --csv lttng 2>/dev/null | grep ^read | cut -d, -f1-4"),
            prints("read,1,5000,5000\n"
                   "read,call,max,5000\n"));
}

TEST_F(Ctf, DiscardedEventsAreLosses) {
  given_file("lttng/chan_0",
             Packet(0).run(1000, "a", 1, 0, "b", 2).bytes() + Packet(0).run(5000, "b", 2, 0, "a", 1).bytes(3));
  EXPECT_EQ(run("evt dump lttng"),
            (Outcome{0,
                     "   0.000000000  here, chan_0  sched_switch prev_comm=\"a\" prev_tid=1 prev_state=0 "
                     "next_comm=\"b\" next_tid=2 reason=preempted cpu=0\n"
                     "   0.000004000  here, chan_0  !lost        count=3 cause=ring_full duration=0.000004000\n"
                     "   0.000004000  here, chan_0  sched_switch prev_comm=\"b\" prev_tid=2 prev_state=0 "
                     "next_comm=\"a\" next_tid=1 reason=preempted cpu=0\n",
                     "evt dump: lttng: 3 events of stream 1 \"here, chan_0\" lost: ring_full\n"}));
}

TEST_F(Ctf, WhatCannotBeReadIsASentence) {
  given_file("lttng/metadata", "/* CTF 1.8 */ nonsense");
  EXPECT_EQ(run("evt dump lttng"), refuses(3,
                                           "evt dump: lttng/metadata: line 1: \"nonsense\" begins nothing that "
                                           "metadata of CTF 1.8 has\n"));
}

TEST_F(Ctf, AStreamIsATraceByItself) {
  given_file("lttng/chan_0", Packet(0).run(1000, "swapper/0", 0, 0, "app", 7).bytes());
  given_file("lttng/chan_1", Packet(1).run(2000, "swapper/1", 0, 0, "other", 8).bytes());
  given_file("lttng/chan_2", "damaged");
  const std::string line =
      "   0.000000000  here, chan_1  sched_switch prev_comm=\"swapper/1\" prev_tid=0 prev_state=0 next_comm=\"other\" "
      "next_tid=8 reason=preempted cpu=1\n";
  EXPECT_EQ(run("evt dump lttng/chan_1"), prints(line));
  EXPECT_EQ(run("cd lttng && evt dump chan_1"), prints(line));
  EXPECT_EQ(run("TMPDIR=$PWD evt dump lttng/chan_1 && ls"), prints(line + "lttng\n"));
}

TEST_F(Ctf, AStreamWithoutItsMetadataIsASentence) {
  given_file("chan_0", Packet(0).run(1000, "swapper/0", 0, 0, "app", 7).bytes());
  EXPECT_EQ(run("evt dump chan_0"),
            refuses(3, "evt dump: chan_0: it is a stream of a CTF trace, and the file metadata is not beside it\n"));
}

// Every command reads the same, says the same of it, and has the same status.
TEST_F(Ctf, WhatIsMissingIsSaidByEveryCommand) {
  const std::string whole = Packet(0).run(1000, "swapper/0", 0, 0, "app", 7).bytes();
  given_file("lttng/chan_0", whole + "damaged" + whole);
  const std::string loss = "lttng: 1 event of stream 1 \"here, chan_0\" lost: damage\n";
  const std::string place = "lttng: 7 bytes from offset " + std::to_string(whole.size()) +
                            " ignored: chan_0: no packet begins here: 0x616d6164 is there in place of 0xc1fc1fc1\n";
  EXPECT_EQ(run("evt dump --count lttng"), (Outcome{1, "2\n", "evt dump: " + loss + "evt dump: " + place}));
  EXPECT_EQ(run("evt check lttng"), (Outcome{1, "lttng: session of lttng-modules, 2 events, 1 lost: closed\n",
                                             "evt check: " + loss + "evt check: " + place}));
  for (const char* const command : {"evt stats events lttng", "evt stats threads lttng", "evt grep app lttng",
                                    "evt convert lttng -o x.evt", "evt convert lttng --format csv",
                                    "evt view --text lttng", "evt cut lttng -o y.evt", "evt merge lttng -o z.evt"}) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.status, 1) << command << outcome;
    EXPECT_THAT(outcome.err, ::testing::HasSubstr("7 bytes from offset")) << command;
  }
}

TEST_F(Ctf, NotesCostNoStatus) {
  given_file("lttng/chan_0", Packet(0).run(5000, "a", 1, 0, "b", 2).run(1000, "b", 2, 0, "a", 1).bytes());
  EXPECT_EQ(run("evt dump --count lttng"), (Outcome{0, "2\n",
                                                    "evt dump: lttng: chan_0: the time of 1 event is earlier than that "
                                                    "of the event before: all are in order of time\n"}));
}

TEST_F(Ctf, ItBecomesATrace) {
  given_file("lttng/chan_0", Packet(0).run(1000, "swapper/0", 0, 0, "app", 7).bytes());
  EXPECT_EQ(run("evt convert lttng -o x.evt && evt dump --count x.evt && evt convert lttng --format csv | tail -1 | tr "
                "-d '\\r'"),
            prints("1\n0,\"here, chan_0\",sched_switch,swapper/0,0,0,app,7,preempted,0,\n"));
}

}  // namespace
}  // namespace evt::testing
