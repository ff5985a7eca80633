// `evt list`: the rings that there are, and their removal.
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include <regex>

#include "support/command.h"
#include "support/events_of_writer.h"
#include "write/ring_session.h"

namespace evt::testing {
namespace {

// Programs of a test and the command that lists their rings.
class ListOfRings : public RingTest {
 protected:
  Outcome run(const std::string& line) const { return evt::testing::run(line, folder.path()); }

  // Of one that was killed: 50 ticks are in its trace, `more` in its ring alone.
  void given_killed_program(std::uint32_t more = 10) {
    ASSERT_NO_FATAL_FAILURE(killed_after([&] { record(new Writer(open()), more); }));
    find_ring();
  }
  // Of one that wrote to a pipe.
  void given_killed_program_with_a_pipe() {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    evt_options with = options();
    note_session(with);
    ASSERT_NO_FATAL_FAILURE(killed_after([&] { record(new Writer(*Writer::open(ends[1], with)), 10); }));
    close(ends[0]);
    close(ends[1]);
  }
  // Of one that wrote to a descriptor of its own for a.evt, of which no path is known.
  void given_killed_program_with_a_descriptor() {
    ASSERT_NO_FATAL_FAILURE(killed_after([&] {
      const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
      record(new Writer(*Writer::open(fd, options())), 10);
    }));
    find_ring();
  }
  static void record(Writer* writer, std::uint32_t more) {
    const auto types = writer->declare<Tick>();
    Stream stream = writer->stream("a");
    emit_ticks(stream, types, 0, 50);
    stream.flush();
    emit_ticks(stream, types, 50, 50 + more);
  }
  void find_ring() {
    ring = ring_path(open_file(path, false).sessions()[0]);
    session = ring.substr(ring.size() - 21, 16);
  }
  void note_session(const evt_options& with) {
    char name[ring::kMaxName];
    ring::name_of(evt_session_id(with.session->uuid), name);
    ring = std::string(ring::kFolder) + "/" + name;
    session = ring.substr(ring.size() - 21, 16);
  }
  std::string size_of_ring() const {
    struct stat status = {};
    stat(ring.c_str(), &status);
    return std::to_string(status.st_blocks * 512);
  }
  bool ring_exists() const { return std::filesystem::exists(ring); }
  ~ListOfRings() override { unlink(ring.c_str()); }

  std::string ring;
  std::string session;
};

// Sizes and paths differ from run to run; the columns are as wide as these.
std::string plain(std::string table) {
  table = std::regex_replace(table, std::regex(" +[0-9.]+ [kMG]?B "), " SIZE ");
  return std::regex_replace(table, std::regex(" +"), " ");
}

const std::string kRecover =
    "evt list: 1 ring of dead writers with rows that the trace lacks; evt check --recover TRACE adds them\n";
const std::string kRemove = "evt list: 1 ring of dead writers without a trace; evt list --remove removes them\n";

TEST_F(ListOfRings, HasThatOfAKilledProgramAndWhatItsTraceLacks) {
  ASSERT_NO_FATAL_FAILURE(given_killed_program());
  const Outcome listed = run("evt list a.evt");
  EXPECT_EQ(plain(listed.out),
            "pid program since size writer kept budget lost missing rows session trace\n"
            " - test 2026-01-01 00:00:00 UTC SIZE dead 59 ns - 0 10 " +
                session + " " + path + "\n");
  EXPECT_EQ(listed.err, kRecover);
  EXPECT_EQ(listed.status, 0);
}

TEST_F(ListOfRings, IsAnObjectALineForPrograms) {
  ASSERT_NO_FATAL_FAILURE(given_killed_program());
  EXPECT_EQ(run("evt list --json a.evt"),
            (Outcome{0,
                     "{\"ring\":\"" + ring + "\",\"user\":" + std::to_string(geteuid()) +
                         ",\"size_bytes\":" + size_of_ring() + ",\"writer\":\"dead\",\"session\":\"" + session +
                         "\",\"pid\":null,\"program\":\"test\",\"start_utc_ns\":1767225600000000000,\"name\":\"" +
                         path + "\",\"trace\":\"" + path +
                         "\",\"trace_is\":\"there\",\"missing_rows\":10,\"kept_ns\":59,\"budget_bytes\":null,"
                         "\"budget_ns\":null,\"trace_bytes\":" +
                         std::to_string(std::filesystem::file_size(path)) + ",\"lost\":0,\"problem\":null}\n",
                     ""}));
}

TEST_F(ListOfRings, NamesTheProgramAndItsProcess) {
  evt_session_info info = {};
  info.program = "worker";
  evt_options with = {};
  with.session = &info;
  auto writer = Writer::open(path, with);
  const std::string listed = run("evt list --json a.evt").out;
  EXPECT_NE(listed.find("\"writer\":\"living\""), std::string::npos) << listed;
  EXPECT_NE(listed.find("\"pid\":" + std::to_string(getpid()) + ",\"program\":\"worker\""), std::string::npos)
      << listed;
  EXPECT_NE(listed.find("\"missing_rows\":null"), std::string::npos) << listed;
  EXPECT_TRUE(writer->close().ok());
}

// By the trace, wherever it is by now, the ring's path, its name, its session.
TEST_F(ListOfRings, FindsOneByAnyOfItsNames) {
  ASSERT_NO_FATAL_FAILURE(given_killed_program());
  const std::string there = run("evt list a.evt").out;
  for (const std::string& name : {path, ring, ring.substr(ring.rfind('/') + 1), session}) {
    EXPECT_EQ(run("evt list " + name), (Outcome{0, there, kRecover}));
  }
  std::filesystem::rename(path, folder / "b.evt");
  const std::string gone = run("evt list a.evt").out;
  EXPECT_EQ(plain(gone),
            "pid program since size writer kept budget lost missing rows session trace\n"
            " - test 2026-01-01 00:00:00 UTC SIZE dead - - - - " +
                session + " " + path + " (gone)\n");
  EXPECT_EQ(run("evt list b.evt"), (Outcome{0, gone, kRemove}));
}

TEST_F(ListOfRings, HasNoneOfAClosedTrace) {
  EXPECT_TRUE(open().close().ok());
  EXPECT_EQ(run("evt list a.evt"), (Outcome{1, "", "evt list: a.evt: no ring has this name, session or trace\n"}));
  EXPECT_EQ(run("evt list --json a.evt"),
            (Outcome{1, "", "evt list: a.evt: no ring has this name, session or trace\n"}));
}

// What it was asked to keep, and the name that it was given; its segments are beside the ring.
TEST_F(ListOfRings, HasTheBudgetAndTheNameOfAFlightRecorder) {
  evt_options with = options();
  with.flight_bytes = 2 << 20;
  with.flight_ns = 300'000'000'000;
  note_session(with);
  Writer writer = *Writer::open(path, with);
  leave_out_events_of_writer(writer);
  emit_ticks(writer.stream("a"), writer.declare<Tick>(), 0, 50);
  const std::string listed = run("evt list a.evt").out;
  EXPECT_EQ(plain(listed),
            "pid program since size writer kept budget lost missing rows session trace\n"
            " - test 2026-01-01 00:00:00 UTC SIZE living 49 ns 2M|5m 0 - " +
                session + " " + path + "\n");
  const std::string segment = ring.substr(0, ring.size() - 5) + ".000001.evt";
  EXPECT_EQ(run("evt list " + segment).out, listed);
  const std::string json = run("evt list --json a.evt").out;
  EXPECT_NE(json.find(",\"name\":\"" + path + "\",\"trace\":\"" + segment + "\",\"trace_is\":\"there\","),
            std::string::npos)
      << json;
  EXPECT_NE(json.find(",\"budget_bytes\":2097152,\"budget_ns\":300000000000,"), std::string::npos) << json;
  EXPECT_TRUE(writer.close().ok());
}

TEST_F(ListOfRings, HasThePatternOfNumberedFiles) {
  folder.write("app.000041.evt", "of another run");
  evt_options with = options();
  with.rotate_bytes = 1 << 20;
  with.keep_bytes = 5000 << 10;
  with.keep_ns = 90'000'000'000;
  note_session(with);
  Writer writer = *Writer::open(folder / "app.%n.evt", with);
  const std::string row = " - test 2026-01-01 00:00:00 UTC SIZE living 0 ns 5000K|90s 0 - " + session + " " +
                          (folder / "app.%n.evt") + "\n";
  for (const char* const name : {"app.%n.evt", "app.000042.evt"}) {
    const std::string listed = run(std::string("evt list ") + name).out;
    EXPECT_EQ(plain(listed.substr(listed.find('\n') + 1)), row) << name;
  }
  EXPECT_EQ(run("evt list app.000041.evt").status, 1);
  EXPECT_TRUE(writer.close().ok());
}

// A pid is a name of its trace, so the session goes first.
TEST_F(ListOfRings, FitsATerminal) {
  evt_session_info info = {};
  info.program = "a-program-of-some-length";
  evt_options with = {};
  with.session = &info;
  with.flight_bytes = 64 << 20;
  with.flight_ns = 300'000'000'000;
  auto writer = Writer::open(path, with);
  ASSERT_TRUE(writer) << writer.status().message();
  folder.write("line", "stty cols 80; EVT_PAGER= evt list --color never a.evt\n");
  const std::string there = "TERM=xterm script -qec 'bash line' /dev/null < /dev/null | tr -d '\\r'";
  const std::string shown = run(there + " | grep -v truncated").out;
  const std::regex expected(" ?pid program writer kept budget lost trace\n ?" + std::to_string(getpid()) +
                            " a-program-[^ ]*… living 0 ns 64M\\|5m 0 /[^ ]*…\n");
  EXPECT_TRUE(std::regex_match(plain(shown), expected)) << shown;
  EXPECT_LE(std::stoi(run(there + " | LC_ALL=C.UTF-8 wc -L").out), 80) << shown;
  EXPECT_TRUE(writer->close().ok());
}

// Members that later versions added are not looked for.
TEST_F(ListOfRings, HasNoBudgetOfAnEarlierVersion) {
  const auto lists = [&](std::uint32_t header_size) {
    const std::string bytes = read_file(ring);
    const std::size_t at = bytes.find("EVTRING1");
    std::fstream file(ring, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at + 12));
    file.write(reinterpret_cast<const char*>(&header_size), sizeof header_size);
    file.close();
    return plain(run("evt list " + ring).out);
  };
  const auto row = [&](const std::string& budget, const std::string& name) {
    return "pid program since size writer kept budget lost missing rows session trace\n - test 2026-01-01 00:00:00 "
           "UTC SIZE dead 9 ns " +
           budget + " 0 10 " + session + " " + name + "\n";
  };
  evt_options with = options();
  with.rotate_bytes = 1 << 20;
  with.keep_bytes = 4 << 20;
  note_session(with);
  ASSERT_NO_FATAL_FAILURE(killed_after([&] {
    auto* const writer = new Writer(*Writer::open(folder / "app.%n.evt", with));
    emit_ticks(writer->stream("a"), writer->declare<Tick>(), 0, 10);
  }));
  EXPECT_EQ(lists(6464), row("4M", folder / "app.%n.evt"));
  EXPECT_EQ(lists(6400), row("-", folder / "app.000000.evt"));
  EXPECT_EQ(lists(4352), row("-", folder / "app.000000.evt"));
}

// Such as in a container: neither its ring nor its trace has a name here.
class ProgramWithOtherMounts : public ListOfRings {
 protected:
  // Ends with this process; false if this user cannot mount. `rings`: a folder that it alone sees; empty: none.
  bool start(const std::string& rings = "") {
    std::filesystem::create_directory(folder / "inside");
    int ready[2];
    EXPECT_EQ(pipe(ready), 0);
    child_ = fork();
    if (child_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      const bool has_mounts = unshare(geteuid() == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER) == 0 &&
                              mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                              mount("none", ring::kFolder, "tmpfs", 0, nullptr) == 0 &&
                              mount("none", (folder / "inside").c_str(), "tmpfs", 0, nullptr) == 0;
      if (has_mounts && !rings.empty()) {
        std::filesystem::create_directory(rings);
        setenv("EVTRACE_RING_DIR", rings.c_str(), 1);
      }
      if (has_mounts) record();
      (void)!write(ready[1], has_mounts ? "y" : "n", 1);
      for (;;) pause();
    }
    close(ready[1]);
    char answer = 'n';
    EXPECT_EQ(read(ready[0], &answer, 1), 1);
    close(ready[0]);
    return answer == 'y';
  }
  void record() {
    evt_session_info info = {};
    info.program = "inside";
    evt_options with = {};
    with.session = &info;
    with.flight_bytes = 2 << 20;
    auto* const writer = new Writer(*Writer::open(folder / "inside/a.evt", with));
    leave_out_events_of_writer(*writer);
    emit_ticks(writer->stream("a"), writer->declare<Tick>(), 0, 50);
  }
  std::string pid() const { return std::to_string(child_); }
  ~ProgramWithOtherMounts() override {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }

 private:
  pid_t child_ = 0;
};

TEST_F(ProgramWithOtherMounts, IsFoundByItsProcess) {
  if (!start()) GTEST_SKIP() << "this user cannot mount";
  const std::string name = "pid:" + pid();
  EXPECT_EQ(run("evt list --json | grep '\"pid\":" + pid() +
                ",' | sed 's/.*\"program\":\"\\([^\"]*\\).*\"name\":\"\\([^\"]*\\).*/\\1 \\2/'"),
            (Outcome{0, "inside /proc/" + pid() + "/root" + (folder / "inside/a.evt") + "\n", ""}));
  EXPECT_EQ(run("evt snapshot -q " + name + " -o x.evt && evt check x.evt"),
            (Outcome{0, "x.evt: session of inside, 50 events, 0 lost: closed\n", ""}));
  EXPECT_EQ(run("evt switch " + name + " tick off"), (Outcome{0, "", ""}));
  EXPECT_EQ(run("evt dump -q --count --event tick " + name), (Outcome{0, "50\n", ""}));
}

TEST_F(ProgramWithOtherMounts, IsFoundInItsFolderOfRings) {
  const std::string rings = folder / "inside/rings";
  if (!start(rings)) GTEST_SKIP() << "this user cannot mount";
  const std::string env = "EVTRACE_RING_DIR=/proc/" + pid() + "/root" + rings + " evt ";
  const std::string trace = "/proc/" + pid() + "/root" + (folder / "inside/a.evt");
  EXPECT_EQ(run("evt snapshot " + trace + " -o x.evt").err, "evt snapshot: x.evt: last 0 ns, 0 events\nevt snapshot: " +
                                                                trace + ": the session goes on in segment 1\n");
  EXPECT_EQ(run(env + "list --json | sed -n 's/.*\"program\":\"inside.*\"name\":\"\\([^\"]*\\).*/\\1/p'"),
            (Outcome{0, trace + "\n", ""}));
  for (const std::string& name : {"pid:" + pid(), trace}) {
    EXPECT_EQ(run(env + "snapshot -q " + name + " -o x.evt && evt check x.evt"),
              (Outcome{0, "x.evt: session of inside, 50 events, 0 lost: closed\n", ""}));
  }
}

TEST_F(ListOfRings, NeverRemovesThatOfALivingProgram) {
  Writer writer = open();
  find_ring();
  EXPECT_EQ(run("evt list --remove a.evt"),
            (Outcome{1, "", "evt list: cannot remove " + ring + ": its writer lives\n"}));
  EXPECT_TRUE(ring_exists());
  EXPECT_TRUE(writer.close().ok());
}

TEST_F(ListOfRings, RemovesByNameWhatTheTraceDoesNotHave) {
  ASSERT_NO_FATAL_FAILURE(given_killed_program(1));
  EXPECT_EQ(
      run("evt list --remove a.evt"),
      (Outcome{
          0, "removed " + ring + ": test, since 2026-01-01 00:00:00 UTC; 1 row that " + path + " lacks went with it\n",
          ""}));
  EXPECT_FALSE(ring_exists());
}

// A link of that name leads nowhere, and no claim of such a file is heeded.
TEST_F(ListOfRings, HasWhatIsNoRingAsSuch) {
  char name[ring::kMaxName];
  ring::name_of(evt_session_id(options().session->uuid), name);
  ring = std::string(ring::kFolder) + "/" + name;
  folder.write("x", std::string(20'000, 'x'));
  std::filesystem::create_symlink(folder / "x", ring);
  EXPECT_EQ(
      run(std::string("evt list ") + name + " | sed 's/.*? //'"),
      (Outcome{0,
               std::string("pid  program  since  size  writer  kept  budget  lost  missing rows  session  trace\n") +
                   name + "\n",
               "evt list: 1 ring cannot be read, --json says why; evt list --remove --all removes those of ended "
               "programs\n"}));
  unlink(ring.c_str());
  std::filesystem::copy(folder / "x", ring);
  chmod(ring.c_str(), 0644);
  EXPECT_NE(run("evt list --json " + ring).out.find(",\"problem\":\"it is no regular file of mode 0600\"}\n"),
            std::string::npos);
  chmod(ring.c_str(), 0600);
  EXPECT_NE(run("evt list --json " + ring)
                .out.find("\"session\":null,\"pid\":null,\"program\":null,\"start_utc_ns\":null,\"name\":null,"
                          "\"trace\":null,\"trace_is\":null,"
                          "\"missing_rows\":null,\"kept_ns\":null,\"budget_bytes\":null,\"budget_ns\":null,\"trace_"
                          "bytes\":null,\"lost\":null,\"problem\":\"it has no "
                          "header: its program was killed as it began, or it is no ring\"}\n"),
            std::string::npos);
}

TEST_F(ListOfRings, TakesAllWithoutNamesAlone) {
  EXPECT_EQ(run("evt list --remove --all a.evt").status, 2);
  EXPECT_EQ(run("evt list --all").status, 2);
}

// With a folder of rings of its own, and nothing in shared memory.
class RemovedRings : public ListOfRings {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(folder / "rings");
    if (in_own_memory("true").status != 0) GTEST_SKIP() << "this user cannot mount";
  }
  Outcome in_own_memory(const std::string& line) const {
    return run("EVTRACE_RING_DIR=$PWD/rings unshare -rm sh -c 'mount -t tmpfs none /dev/shm && " + line + "'");
  }
  void put_ring_there() {
    const std::string there = folder / ("rings/" + ring.substr(ring.rfind('/') + 1));
    ASSERT_EQ(run("mv " + ring + " " + there).status, 0);
    ring = there;
  }
};

TEST_F(RemovedRings, AreNoneWhereThereAreNone) {
  EXPECT_EQ(in_own_memory("evt list"), (Outcome{0, "", "evt list: no rings\n"}));
  EXPECT_EQ(in_own_memory("evt list --remove"), (Outcome{0, "", "evt list: no ring to remove\n"}));
}

TEST_F(RemovedRings, AreThoseOfTracesThatAreGone) {
  ASSERT_NO_FATAL_FAILURE(given_killed_program());
  put_ring_there();
  EXPECT_EQ(in_own_memory("evt list --remove --all"), (Outcome{0, "", "evt list: no ring to remove\n"}));
  EXPECT_TRUE(ring_exists());
  unlink(path.c_str());
  EXPECT_EQ(in_own_memory("evt list --remove"),
            (Outcome{0, "removed " + ring + ": test, since 2026-01-01 00:00:00 UTC\n", ""}));
  EXPECT_FALSE(ring_exists());
}

TEST_F(RemovedRings, AreThoseOfNoFile) {
  ASSERT_NO_FATAL_FAILURE(given_killed_program_with_a_pipe());
  put_ring_there();
  EXPECT_EQ(plain(in_own_memory("evt list").out),
            "pid program since size writer kept budget lost missing rows session trace\n"
            " - test 2026-01-01 00:00:00 UTC SIZE dead - - - - " +
                session + " - (no file)\n");
  EXPECT_EQ(in_own_memory("evt list --remove").status, 0);
  EXPECT_FALSE(ring_exists());
}

// Its trace may be anywhere.
TEST_F(RemovedRings, AreThoseOfUnknownTracesOnlyWhenAllAreAskedFor) {
  ASSERT_NO_FATAL_FAILURE(given_killed_program_with_a_descriptor());
  put_ring_there();
  EXPECT_NE(in_own_memory("evt list").out.find(session + "  - (path not known)\n"), std::string::npos);
  EXPECT_EQ(in_own_memory("evt list --remove"), (Outcome{0, "", "evt list: no ring to remove\n"}));
  EXPECT_EQ(in_own_memory("evt list --remove --all").status, 0);
  EXPECT_FALSE(ring_exists());
}

}  // namespace
}  // namespace evt::testing
