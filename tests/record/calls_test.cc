// Calls of programs whose numbers are known, and those that strace counts.
#include <fmt/core.h>

#include "recorded.h"

namespace evt::testing {
namespace {

class Calls : public Recorded {};

TEST_F(Calls, OfFilesAreCountedWithTheirBytes) {
  ASSERT_EQ(record("known files"), prints("done\n"));
  EXPECT_EQ(calls("open|openat|close|write|pwrite|pread|fopen|fclose|fgets|fread|puts"),
            "close,3,0\nfclose,1,0\nfgets,101,1000\nfopen,1,0\nfread,1,50\nopen,3,0\nopenat,1,0\npread,4,400\n"
            "puts,1,5\npwrite,10,70\nwrite,100,1000\n");
  EXPECT_EQ(run("evt stats usage --by object --csv t.evt 2>/dev/null | grep '^[abc],' | cut -d, -f1-4 | sort").out,
            "a,file,208,2450\nb,file,11,70\nc,file,1,0\n");
  EXPECT_EQ(run("evt stats usage --by resource --csv t.evt 2>/dev/null | grep '^file,' | cut -d, -f1-4").out,
            "file,4,4,3\n")
      << "opened, closed, most open";
}

// A hundred lines that were read from the file at once, by the first call; the last finds the end.
TEST_F(Calls, OfAFilesBufferAloneAreOneEventEach) {
  ASSERT_EQ(record("known files"), prints("done\n"));
  EXPECT_EQ(run("evt dump --event run.buffered_call t.evt | grep -c 'function=\"fgets\"'").out, "99\n")
      << run("evt dump --event run.buffered_call t.evt | head -3").out;
  EXPECT_EQ(run("evt dump --event call.begin t.evt | grep -c 'function=\"fgets\"'").out, "2\n");
}

TEST_F(Calls, OfAFileThatWaitAreBegun) {
  EXPECT_EQ(record("known partial-line").status, 128 + 9);
  EXPECT_EQ(
      run("for e in call.begin call.end run.buffered_call; do evt dump --event $e t.evt | grep -c fgets; done").out,
      "2\n1\n0\n");
}

TEST_F(Calls, AreThoseThatStraceCounts) {
  if (run("strace -o s true").status != 0) GTEST_SKIP() << "strace cannot be run here";
  ASSERT_EQ(record("known files"), prints("done\n"));
  ASSERT_EQ(run("strace -f -e trace=pwrite64,pread64,write -P a -P b -o s known files").status, 0);
  EXPECT_EQ(run("grep -c '\\bwrite(' s; grep -c pwrite64 s; grep -c pread64 s").out, "100\n10\n4\n");
  EXPECT_EQ(calls("write|pwrite|pread"), "pread,4,400\npwrite,10,70\nwrite,100,1000\n");
}

TEST_F(Calls, OfAllThreadsAreCounted) {
  ASSERT_EQ(record("known threads"), prints(""));
  EXPECT_EQ(calls("write|pthread_create|pthread_join"), "pthread_create,8,0\npthread_join,8,0\nwrite,8000,8000\n");
  EXPECT_EQ(run("evt stats usage --by thread --csv t.evt 2>/dev/null | grep -c ',file,1000,1000,'").out, "8\n");
}

TEST_F(Calls, OfALockAreThoseThatWait) {
  ASSERT_EQ(record("known locks"), prints(""));
  EXPECT_EQ(calls("pthread_mutex_lock"), "pthread_mutex_lock,1,0\n");
}

TEST_F(Calls, OfLocksHaveTheNamesOfVariables) {
  ASSERT_EQ(record("known named-locks"), prints(""));
  EXPECT_EQ(run("evt dump --event object.name t.evt | sed -E 's/.*name=//; s/[0-9]+:/PID:/'").out,
            "\"known.PID:lock\"\n\"known.PID:of_struct+40\"\n\"known.PID:app::log\"\n\"known.PID:_Zodd\"\n");
  // That on the stack has none.
  EXPECT_EQ(run("sed -nE '/^lock/,/^$/s/^known[.][0-9]+:([^ ]*) .*/\\1/p' report | sed 's/0x.*/0x/' | sort").out,
            "0x\n_Zodd\napp::log\nlock\nof_struct+40\n")
      << report();
  EXPECT_EQ(run("sed -n '/^file or socket/,/^$/p' report | grep -c known").out, "0\n") << report();
  EXPECT_EQ(
      run("cp t.evt u.evt; evt run -o t.evt -- known named-locks 2>report; evt stats diff usage u.evt t.evt 2>&1 |"
          " grep -c 'only in.*of_struct'")
          .out,
      "0\n");
}

TEST_F(Calls, OfSocketsHaveTheirPeers) {
  const Outcome port = record("known sockets");
  ASSERT_EQ(port.status, 0);
  EXPECT_EQ(calls("socket|connect|accept|send|recv"), "accept,1,0\nconnect,1,0\nrecv,1,6\nsend,1,6\nsocket,2,0\n");
  const std::string peer = "127.0.0.1:" + port.out.substr(0, port.out.size() - 1);
  EXPECT_EQ(run("evt stats usage --by object --csv t.evt 2>/dev/null | grep '^" + peer + ",' | cut -d, -f2").out,
            "socket\n");
  EXPECT_EQ(run("evt stats usage --by resource --csv t.evt 2>/dev/null | grep '^socket,' | cut -d, -f2-4").out,
            "3,3,3\n");
}

TEST_F(Calls, AreOfTheGroupsThatWereAskedFor) {
  ASSERT_EQ(record("known threads", "--calls threads"), prints(""));
  EXPECT_EQ(calls(".*"), "pthread_create,8,0\npthread_join,8,0\n");
  ASSERT_EQ(record("known threads", "--calls none"), prints(""));
  EXPECT_EQ(calls(".*"), "");
}

TEST_F(Calls, OfAProgramThatIsKilledAreNotLost) {
  for (const char* signal : {"9", "6", "11"}) {
    record(std::string("known die ") + signal);
    EXPECT_EQ(calls("write"), "write,500,500\n") << signal;
  }
}

TEST_F(Calls, BeforeAndAfterAnExecAreTwoSessionsOfOneTrace) {
  EXPECT_EQ(record("known exec").status, 6);
  EXPECT_EQ(calls("write"), "write,2,12\n");
  EXPECT_EQ(run("evt dump --header t.evt | grep -c '^part'").out, "3\n");
}

TEST_F(Calls, OfChildrenAreTheirOwn) {
  ASSERT_EQ(record("known children"), prints(""));
  EXPECT_EQ(calls("write"), "write,3,14\n");
  EXPECT_EQ(run("evt dump --header t.evt | grep -c '^part'").out, "4\n") << "the program's, two children's, evt run's";
  EXPECT_EQ(run("evt dump --event object.close t.evt | wc -l").out, "0\n") << "what a child of vfork closes stays open";
}

TEST_F(Calls, OfMoreProcessesThanFilesMayBeOpenAreMerged) {
  leaves_many_dead_rings();
  ASSERT_EQ(run("ulimit -n 40; evt run -o t.evt -- known many-children 2>report"), prints(""));
  EXPECT_EQ(calls("write"), "write,60,60\n");
  EXPECT_EQ(run("evt dump --header t.evt | grep -c '^part'").out, "62\n");
}

TEST_F(Calls, OfChildrenAreLeftOut) {
  ASSERT_EQ(record("known children", "--no-follow-children"), prints(""));
  EXPECT_EQ(calls("write"), "write,1,4\n");
  const std::string shown = "env 2>/dev/null | grep -v '^_=' | sort";
  for (const std::string before : {"unset ASAN_OPTIONS; ", "export ASAN_OPTIONS=; ", "export ASAN_OPTIONS=a=1:b=2; "}) {
    EXPECT_EQ(run(before + "evt run --no-follow-children -o t.evt -- " + shown), run(before + shown));
  }
}

TEST_F(Calls, OfAProgramWithMoreRightsAreNotRecorded) {
  const std::string program = "cp $(command -v known) mine && chown 12345 mine && chmod 4755 mine && chmod 755 . && ";
  if (run(program + "./mine exit 0").status != 0) GTEST_SKIP() << "this user has no other";
  ASSERT_EQ(record("./mine threads").status, 99) << "in a folder of another user";
  EXPECT_NE(report().find("./mine runs with more rights than its user (setuid): its calls are not recorded\n"),
            std::string::npos)
      << report();
  EXPECT_EQ(calls(".*"), "");
}

TEST_F(Calls, OfAProcessThatOutlivesTheProgramStayInTheFolder) {
  const Outcome outcome =
      run("mkfifo f; evt run -o t.evt -- sh -c 'known wait >f & read line <f; echo $! $line' 2>report >out; "
          "read pid line <out; kill -TERM $pid; while kill -0 $pid 2>/dev/null; do :; done; echo $line;"
          "evt stats usage --by function --csv t.evt.*.sessions 2>/dev/null | grep -c '^puts,'");
  EXPECT_EQ(outcome.out, "ready\n1\n") << outcome;
  EXPECT_NE(report().find("evt run: 1 process that it started still running: further events are in "),
            std::string::npos)
      << report();
  EXPECT_EQ(calls("puts"), "puts,1,6\n") << "so far";
}

TEST_F(Calls, OfDestructorsOfThreadsAreRecorded) {
  ASSERT_EQ(record("known destructor"), prints(""));
  EXPECT_EQ(calls("write"), "write,1,3\n");
}

TEST_F(Calls, KeepAnAllocatorThatLocksFromWaitingForItself) {
  EXPECT_EQ(record("allocator"), prints("allocated\n"));
  EXPECT_EQ(run("test $(evt dump --event call.begin t.evt | grep -c '\"read\"') -ge 800").status, 0);
}

TEST_F(Calls, OfThreadsThatNeverEndKeepNoProgram) { EXPECT_EQ(record("known endless"), (Outcome{4, "ends\n", ""})); }

TEST_F(Calls, AreInterruptedByHandlersThatCall) {
  ASSERT_EQ(record("known storm"), prints(""));
  EXPECT_EQ(run("evt stats usage --by object --csv t.evt 2>/dev/null | grep '^t,' | cut -d, -f3").out, "8000\n");
}

TEST_F(Calls, BeforeAndAfterANamespaceOfUsersAreRecorded) {
  const Outcome outcome = run("known namespaces");
  EXPECT_EQ(record("known namespaces"), outcome) << "the writer's thread is none of the program's";
  EXPECT_EQ(calls("write"), "write,2,5\n");
}

TEST_F(Calls, BeforeAndAfterANamespaceIsEnteredAreRecorded) {
  expect_same("known enters-namespace");
  EXPECT_EQ(record("known enters-namespace"), run("known enters-namespace"));
  EXPECT_EQ(calls("write"), "write,2,5\n");
}

TEST_F(Calls, OfADaemonAreThoseOfWhatOutlivesTheProgram) {
  const Outcome outcome = run(
      "mkfifo f; evt run -o t.evt -- known daemon 2>report; pid=$(cat f); "
      "while kill -0 $pid 2>/dev/null; do :; done; evt stats usage --by object --csv t.evt.*.sessions 2>/dev/null | "
      "grep '^w,' | cut -d, -f2-4");
  EXPECT_EQ(outcome.out, "file,1,3\n") << outcome;
  EXPECT_NE(report().find("evt run: 1 process that it started still running"), std::string::npos) << report();
}

TEST_F(Calls, ThatAHandlerLeavesForGoodKeepTheOthers) {
  EXPECT_EQ(record("known jump"), prints("back\n"));
  EXPECT_EQ(run("evt stats usage --by object --csv t.evt 2>/dev/null | grep '^j,' | cut -d, -f2-4").out, "file,1,3\n");
  EXPECT_EQ(run("for e in begin end; do evt dump --event call.$e t.evt | grep -c 'function=\"read\"'; done").out,
            "1\n0\n");
}

TEST_F(Calls, GoOnWhenAProgramHasClosedAllDescriptors) {
  expect_same("known close-all");
  EXPECT_EQ(record("known close-all"), prints(""));
  EXPECT_EQ(calls("write|open"), "open,1,0\nwrite,1,9\n");
  EXPECT_EQ(run("evt check t.evt").status, 0);
}

TEST_F(Calls, BeforeAnyConstructorAreDoneAndNotRecorded) {
  EXPECT_EQ(record("known early"), prints(""));
  EXPECT_EQ(content_of("i"), "12345123");
  EXPECT_EQ(calls("write"), "write,1,3\n");
}

TEST_F(Calls, OfSpawnedProcessesAreTheirOwn) {
  ASSERT_EQ(record("known spawn"), prints(""));
  EXPECT_EQ(calls("write|posix_spawn|system"), "write,2,14\n");
  EXPECT_EQ(run("test $(evt dump --header t.evt | grep -c '^part') -ge 4").status, 0);
}

// As in a container that has none.
TEST_F(Calls, AreRecordedWithoutSharedMemory) {
  const std::string without = "unshare -rm sh -c 'mount -t tmpfs -o ro none /dev/shm && ";
  if (run(without + "true'").status != 0) GTEST_SKIP() << "this user may make no namespaces";
  EXPECT_EQ(run(without + "exec evt run -o t.evt -- known files 2>report'"), prints("done\n"));
  EXPECT_EQ(calls("write|pwrite|puts"), "puts,1,5\npwrite,10,70\nwrite,100,1000\n");
}

// In a namespace in which it is root, and may do nothing outside.
TEST_F(Calls, AreRecordedForAnOrdinaryUserInANamespace) {
  const std::string as_other = "setpriv --reuid 65534 --regid 65534 --clear-groups unshare -r ";
  if (run("chmod 777 . && " + as_other + "true").status != 0) GTEST_SKIP() << "this user may make no namespaces";
  EXPECT_EQ(run(as_other + "evt run -o t.evt -- known files 2>report"), prints("done\n"));
  EXPECT_EQ(calls("write"), "write,100,1000\n");
}

// Its runtime reports what is not the program's own, and ends it with a status of its own.
TEST_F(Calls, OfAProgramWithASanitizerAreNotRecorded) {
  given_file("s.c",
             "#include <stdlib.h>\n#include <unistd.h>\n"
             "int main(void) { free(malloc(3)); return write(1, \"ok\\n\", 3) == 3 ? 5 : 6; }\n");
  int built = 0;
  for (const std::string compiler : {"gcc -fsanitize=address", "gcc -fsanitize=thread", "clang -fsanitize=address"}) {
    if (run(compiler + " -o s s.c && ./s").status != 5) continue;
    ++built;
    EXPECT_EQ(record("./s"), (Outcome{5, "ok\n", ""})) << compiler << report();
    EXPECT_NE(report().find("./s is built with a sanitizer: its calls are not recorded\n"), std::string::npos)
        << report();
    EXPECT_EQ(record("sh -c ./s"), (Outcome{5, "ok\n", ""})) << compiler << report();
  }
  if (built == 0) GTEST_SKIP() << "no compiler with sanitizers is installed";
}

TEST_F(Calls, HaveTheirArgumentsAndCanBeCancelled) {
  EXPECT_EQ(record("known arguments"), prints("640\n"));
  EXPECT_EQ(record("known cancelled"), prints("cancelled\n"));
}

// What it asked for is not what it had; the tables have the same time, until the end.
TEST_F(Calls, ThatDidNotReturnHaveTimeAndNoBytes) {
  const std::string program =
      "import json; r = json.load(open(\"report\"));"
      "w = [w for w in r[\"waiting\"] if w[\"in_calls_for\"] == \"sleep\"][0];"
      "c = [c for c in r[\"calls\"] if c[\"function\"] == \"nanosleep\"][0];"
      "print(w[\"calls\"], c[\"calls\"], w[\"time_ns\"] == c[\"total_ns\"] == c[\"self_ns\"]);"
      "print([n for n in r[\"notes\"] if \"returned\" in n])";
  const std::string note =
      "1 call had not returned when the program, a process or a thread ended: they count until then, without bytes";
  for (const std::string options : {"", "--no-sched "}) {
    EXPECT_EQ(record("known unread", options).status, 128 + 9) << report();
    EXPECT_EQ(calls("read"), "read,1,0\n") << options;
    EXPECT_NE(report().find("evt run: " + note + "\n"), std::string::npos) << report();
    EXPECT_EQ(record("known asleep", options + "--json").status, 128 + 9) << report();
    EXPECT_EQ(run("python3 -c '" + program + "'"), prints("1 1 True\n['" + note + "']\n")) << options << report();
  }
}

TEST_F(Calls, OfAFreeSemaphoreCanBeCancelled) { EXPECT_EQ(record("known free-semaphore"), prints("cancelled\n")); }

TEST_F(Calls, OfAChildDoNotWaitForThreadsThatItsParentBegan) {
  const int status = record("known unbegun").status;
  if (status == 77) GTEST_SKIP() << "this user may not choose when threads run";
  EXPECT_EQ(status, 3) << report();
}

TEST_F(Calls, OfAChildThatTheCLibraryForksAreRecorded) {
  EXPECT_EQ(record("known terminal").status, 5) << report();
  EXPECT_EQ(run("evt stats usage --by object --csv t.evt 2>/dev/null | grep '^v,' | cut -d, -f2-4").out, "file,1,3\n");
  EXPECT_EQ(record("sh -c 'mkfifo f; known c-daemon; read pid <f; while kill -0 $pid 2>/dev/null; do :; done'").status,
            0)
      << report();
  EXPECT_EQ(run("evt stats usage --by object --csv t.evt 2>/dev/null | grep '^v,' | cut -d, -f2-4").out, "file,1,3\n");
}

TEST_F(Calls, TakeNoDescriptorThatAProgramWouldGet) {
  const Outcome without = run("known first-descriptor");
  for (const int limit : {16, 40, 256, 1000, 1024}) {
    EXPECT_EQ(run(fmt::format("ulimit -n {}; exec evt run -o t.evt -- known first-descriptor 2>report", limit)),
              without)
        << limit << report();
    EXPECT_EQ(calls("printf"), "printf,1,2\n") << limit << report();
  }
}

TEST_F(Calls, GoOnWhenAProgramHasCopiedOverAllDescriptors) {
  expect_same("known copy-over-all");
  EXPECT_EQ(record("known copy-over-all"), prints(""));
  EXPECT_EQ(content_of("l"), "123456789");
  EXPECT_EQ(calls("write"), "write,1,9\n");
}

// As evt check has it; how many the handlers of a timer lose is not known.
TEST_F(Calls, ThatAreLostAreReportedWithTheirCause) {
  ASSERT_EQ(record("known interrupted", "--no-sched"), prints(""));
  const std::string counted = run("evt check t.evt 2>&1 | sed -n 's/^evt check: t.evt: \\([0-9]*\\) event.* lost: /\\1 "
                                  "/p' | paste -sd , | sed 's/,/, /g' | grep .")
                                  .out;
  if (counted.empty()) GTEST_SKIP() << "no handler came in the middle of an event";
  EXPECT_EQ(
      run("sed -n 's/^evt run: .* lost (\\(.*\\)): calls, times and bytes are more than what is here$/\\1/p' report")
          .out,
      counted)
      << report();
}

// In a namespace of processes that the program makes: its numbers there are those of others here. What makes it may
// have no more threads, and states its users in three files, in 14 bytes.
TEST_F(Calls, InANamespaceOfProcessesHaveTheirTimesAndNoNumbers) {
  if (run("unshare -rpf true").status != 0) GTEST_SKIP() << "this user may make no namespaces";
  ASSERT_EQ(record("unshare -rpf known files"), prints("done\n"));
  EXPECT_EQ(calls("write|pwrite|puts"), "puts,1,5\npwrite,10,70\nwrite,103,1014\n");
  const std::string streams = run("evt convert --format text -o - t.evt | grep '^stream.*\"known\"'").out;
  EXPECT_NE(streams, "");
  EXPECT_EQ(streams.find("thread="), std::string::npos) << streams;
  EXPECT_EQ(report().find("recorded no calls"), std::string::npos) << report();
}

// Its peer is not known to the system when it begins to connect.
TEST_F(Calls, NameThePeerOfASocketThatDoesNotWaitForIt) {
  const Outcome outcome = record(
      "/usr/bin/python3 -c '\n"
      "import select, socket\n"
      "server = socket.create_server((\"127.0.0.1\", 0))\n"
      "client = socket.socket()\n"
      "client.setblocking(False)\n"
      "client.connect_ex(server.getsockname())\n"
      "other, _ = server.accept()\n"
      "select.select([], [client], [])\n"
      "client.send(b\"x\" * 1000000)\n"
      "print(server.getsockname()[1], len(other.recv(1000)))'");
  ASSERT_EQ(outcome.status, 0) << outcome << report();
  const std::string port = outcome.out.substr(0, outcome.out.find(' '));
  EXPECT_EQ(outcome.out.substr(port.size()), " 1000\n");
  EXPECT_EQ(run("evt stats usage --by object --csv t.evt 2>/dev/null | grep -c '^127.0.0.1:" + port + ",'").out, "1\n")
      << report();
}

}  // namespace
}  // namespace evt::testing
