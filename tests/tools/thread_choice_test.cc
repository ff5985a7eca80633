// --thread and --process: events by who they are about, as tables call them.
#include <tuple>

#include "at_the_shell.h"

namespace evt::testing {
namespace {

class ThreadChoice : public AtTheShell {
 protected:
  // A recorder has what runs on the cpus, each program has what its threads do. The second is the first again.
  void given_two_programs() const {
    for (const auto& [file, uuid, program] :
         {std::tuple("sort.evt", "01", "/usr/bin/sort"), std::tuple("again.evt", "02", "again")}) {
      given_trace(file, std::string("evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e") + uuid +
                            " start=1767225600.000000000 program=\"" + program + "\" pid=20\n" +
                            "type 1024 read role=spanBegin (name text role=name)\ntype 1025 done role=spanEnd\n"
                            "type 1026 run role=threadRun (thread u64 role=thread)\n"
                            "type 1027 stop role=threadStop (thread u64 role=thread)\n"
                            "stream 1 \"main\" thread=20 process=20\nstream 2 \"worker\" thread=21 process=20\n"
                            "stream 3 \"cpu 0\" process=7\n"
                            "0.10 1 read name=\"names.txt\"\n0.10 3 run thread=20\n0.15 2 read name=\"part\"\n"
                            "0.15 3 stop thread=20\n0.15 3 run thread=21\n0.20 2 done\n0.25 3 stop thread=21\n"
                            "0.30 1 done\n");
    }
    ASSERT_EQ(run("evt merge -q sort.evt again.evt -o m.evt").status, 0);
  }
};

constexpr const char* kWorker =
    "     thread  name    running       %  current  slices\n"
    "sort.evt:21  worker   100 ms  50.0 %   100 ms       1\n";

TEST_F(ThreadChoice, CountsASwitchThatACpuRecordedForTheThread) {
  given_two_programs();
  for (const char* const name : {"sort.evt:21", "sort.evt:worker", "s*:w*"}) {
    EXPECT_EQ(run(std::string("evt stats cpu --by thread --thread '") + name + "' m.evt"), prints(kWorker)) << name;
  }
  for (const char* const name : {"worker", "21", "w*"}) {
    EXPECT_EQ(run(std::string("evt dump --thread '") + name + "' sort.evt"),
              prints("   0.150000000  worker  read name=\"part\"\n"
                     "   0.150000000  cpu 0   run  thread=21\n"
                     "   0.200000000  worker  done\n"
                     "   0.250000000  cpu 0   stop thread=21\n"))
        << name;
  }
  EXPECT_EQ(run("evt dump --count --thread worker m.evt; evt dump --count --thread sort.evt:21 --thread 20 m.evt"),
            prints("8\n12\n"));
  EXPECT_EQ(run("evt grep --count --thread worker part m.evt; evt convert --format csv --thread worker m.evt | wc -l"),
            prints("2\n9\n"));
  EXPECT_EQ(run("evt cut -q --thread worker -o c.evt sort.evt && evt dump --count c.evt"), prints("4\n"));
}

// Statistics count the same events. No thread runs at the time of the last note, so it belongs to none.
TEST_F(ThreadChoice, HasEventsThatNameNoThreadOfTheOneThatRunsOnTheirStream) {
  given_trace("x.evt",
              "type 1024 run role=threadRun (thread u64 role=thread)\ntype 1025 stop role=threadStop\n"
              "type 1026 begin role=spanBegin (name text role=name)\ntype 1027 end role=spanEnd\ntype 1028 note\n"
              "stream 1 \"cpu 0\"\n"
              "0.10 1 run thread=5\n0.10 1 begin name=\"first\"\n0.12 1 note\n0.13 1 stop\n"
              "0.13 1 run thread=6\n0.13 1 note\n0.14 1 begin name=\"second\"\n0.15 1 end\n0.16 1 stop\n"
              "0.17 1 note\n"
              "0.18 1 run thread=5\n0.19 1 end\n0.20 1 stop\n");
  const std::string of_5 =
      "   0.100000000  cpu 0  run   thread=5\n"
      "   0.100000000  cpu 0  begin name=\"first\"\n"
      "   0.120000000  cpu 0  note\n"
      "   0.130000000  cpu 0  stop\n"
      "   0.180000000  cpu 0  run   thread=5\n"
      "   0.190000000  cpu 0  end\n"
      "   0.200000000  cpu 0  stop\n";
  EXPECT_EQ(run("evt dump --thread 5 x.evt"), prints(of_5));
  EXPECT_EQ(run("evt cut --thread 5 -o y.evt x.evt && evt dump y.evt"), prints(of_5));
  EXPECT_EQ(
      run("evt cut --from 0.125 -o z.evt x.evt && evt cut --thread 5 -o y.evt z.evt && evt dump y.evt | cut -c17-"),
      prints("cpu 0  carried.run   thread=5 since=0.100000000\n"
             "cpu 0  carried.begin name=\"first\" since=0.100000000\n"
             "cpu 0  stop\n"
             "cpu 0  run           thread=5\n"
             "cpu 0  end\n"
             "cpu 0  stop\n"));
  EXPECT_EQ(run("evt grep --count --thread 6 second x.evt; evt convert --format csv --thread 6 x.evt | wc -l"),
            prints("1\n6\n"));
  EXPECT_EQ(run("evt stats events --csv --thread 5 x.evt | cut -d, -f1,2"),
            prints("event,events\nrun,2\nstop,2\nbegin,1\nend,1\nnote,1\n"));
}

// Takes threads of every trace of an earlier build. Leaves out traces with twins, which are dumped but not counted.
TEST_F(ThreadChoice, CountsAsStatisticsDo) {
  const Outcome outcome =
      run("for trace in " EVT_SOURCE_FOLDER
          "/testdata/v1/*.evt; do\n"
          "  evt dump --types $trace 2>/dev/null | grep -q 'twin of' && continue\n"
          "  evt stats threads --csv $trace 2>/dev/null | sed 1d | cut -d, -f1 | grep -v '\"' | head -3 >threads\n"
          "  while read -r thread; do\n"
          "    counted=$(evt stats events --csv --thread \"$thread\" $trace 2>/dev/null | awk -F, '{ n += $2 } END { "
          "print n+0 }')\n"
          "    dumped=$(evt dump --count --thread \"$thread\" $trace 2>/dev/null)\n"
          "    test \"$dumped\" = \"$counted\" || echo \"$trace $thread: $dumped dumped, $counted counted\"\n"
          "    echo compared >>compared\n"
          "  done <threads\n"
          "done; test $(wc -l <compared) -gt 20");
  EXPECT_EQ(outcome, prints(""));
}

TEST_F(ThreadChoice, IsAlsoByProcess) {
  given_two_programs();
  EXPECT_EQ(run("evt dump --count --process sort.evt m.evt; evt dump --count --process 20 m.evt"), prints("8\n16\n"));
  EXPECT_EQ(run("evt dump --count --process sort.evt --thread main m.evt"), prints("4\n"));
  EXPECT_EQ(run("evt dump --count --process sort sort.evt; evt dump --count --process 7 sort.evt"),
            (Outcome{0, "8\n0\n", ""}));
}

TEST_F(ThreadChoice, ThatIsNotThereNamesThoseThatAre) {
  given_two_programs();
  EXPECT_EQ(run("evt stats cpu --thread wroker sort.evt"),
            refuses(1, "evt stats: no thread is called wroker; did you mean worker?\n"));
  EXPECT_EQ(run("evt dump --thread 5 sort.evt"),
            refuses(1, "evt dump: no thread is called 5; there are main, worker\n"));
  EXPECT_EQ(run("evt dump --process cat m.evt"),
            refuses(1, "evt dump: no process is called cat; there are sort.evt, again.evt\n"));
  EXPECT_EQ(run("evt stats cpu --stream worker m.evt"),
            refuses(1,
                    "evt stats: m.evt: no counted event matches --stream: it selects by where events were recorded; "
                    "--thread by the thread they are about\n"));
}

TEST_F(ThreadChoice, IsRefusedByWhatCannotTakeIt) {
  given_two_programs();
  EXPECT_EQ(run("evt dump --follow --thread worker m.evt"),
            refuses(2, "evt dump: --follow knows no --thread and --process; --stream and --where choose events\n"));
  EXPECT_EQ(run("evt view --thread worker m.evt"),
            refuses(2, "evt view: --thread: works only with --flame; --rows chooses rows\n"));
  EXPECT_EQ(run("evt sql --thread worker m.evt"),
            refuses(2, "evt sql: there is no option --thread; WHERE in a query chooses events\n"));
  EXPECT_EQ(run("evt convert --thread worker m.evt -o m.parquet"),
            refuses(2,
                    "evt convert: tables cannot be filtered by --stream, --thread, --process, --event and --where, "
                    "only by --from and --to\n"));
}

}  // namespace
}  // namespace evt::testing
