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
