// What shells offer for a command line that is being typed.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

class Completion : public AtTheShell {
 protected:
  Completion() {
    given_trace("app.evt",
                "type 1024 gc.start\ntype 1025 gc.end\ntype 1026 \"odd name\"\ntype 1027 \"\\x1b[2J\"\n"
                "stream 1 \"main\"\nstream 2 \"worker 1\"\n0.000000001 1 gc.start\n");
  }

  // The last word of the line is being typed.
  Outcome answer(const std::string& line) const {
    return run("words=(" + line + "); evt complete $((${#words[@]} - 1)) \"${words[@]}\" | cut -f1");
  }
  // In bash, zsh and fish. `line` has a space at its end if a new word begins.
  Outcome in_bash(const std::string& line) const {
    return run("source <(evt --completion bash); COMP_WORDS=(" + line + (line.ends_with(' ') ? "''" : "") +
               "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _evt; printf '%s\\n' \"${COMPREPLY[@]}\"");
  }
  // zsh's own functions print here what they are given.
  Outcome in_zsh(const std::string& line) const {
    return run(
        "evt --completion zsh > _evt; zsh -fc 'compadd() { print -l -- ${(P)argv[-1]} }; _files() { print files };"
        " _command_names() { print commands }; compdef() { }; source ./_evt; words=(" +
        line + (line.ends_with(' ') ? "\"\"" : "") + "); CURRENT=${#words}; _evt'");
  }
  Outcome in_fish(const std::string& line) const {
    return run("evt --completion fish > evt.fish; HOME=$PWD fish --no-config -c 'source evt.fish; complete -C \"" +
               line + "\"' | cut -f1");
  }
};

TEST_F(Completion, OffersCommandsAndTheirOptions) {
  EXPECT_EQ(answer("evt c"), prints("convert\ncheck\ncollect\ncut\n"));
  EXPECT_EQ(answer("evt --v"), prints("--version\n"));
  EXPECT_EQ(answer("evt dump --c"), prints("--canonical\n--csv\n--color\n--count\n"));
  EXPECT_EQ(answer("/usr/bin/tracedump --r"), prints("--relative\n"));
  EXPECT_EQ(run("evt complete 2 evt dump --canon"),
            prints("--canonical\tprint the text form, from which evt convert restores the same trace\n"));
  EXPECT_EQ(answer("evt nosuch --"), prints(run("evt complete 1 evt -- | cut -f1").out));
}

TEST_F(Completion, OffersValues) {
  EXPECT_EQ(answer("evt dump --color a"), prints("auto\nalways\n"));
  EXPECT_EQ(answer("evt dump --color=a"), prints("--color=auto\n--color=always\n"));
  EXPECT_EQ(answer("evt dump --color = a"), prints("auto\nalways\n"));
  EXPECT_EQ(answer("evt dump --color ="), prints("auto\nalways\nnever\n"));
  EXPECT_EQ(answer("evt stats cpu --columns thread,sl"), prints("thread,slices\n"));
  EXPECT_EQ(answer("evt stats cpu --by thread"), prints("thread\nthread,cpu\n"));
  EXPECT_EQ(answer("evt convert app.evt --format s"), prints("speedscope\n"));
  EXPECT_EQ(answer("evt convert -o ''"), prints(":files\n"));
  EXPECT_EQ(answer("evt run --calls files,so"), prints("files,sockets\n"));
  EXPECT_EQ(answer("evt run --report cpu,th"), prints("cpu,threads\n"));
  EXPECT_EQ(answer("evt --completion f"), prints("fish\n"));
  EXPECT_EQ(answer("evt dump --limit ''"), prints(""));
}

TEST_F(Completion, OffersAnalysesAndTheOptionsOfEach) {
  EXPECT_EQ(answer("evt stats sh"), prints("share\n:files\n"));
  EXPECT_EQ(answer("evt stats cpu,gc,sh"), prints("cpu,gc,share\n:files\n"));
  EXPECT_EQ(answer("evt stats share --mod"), prints("--model\n"));
  EXPECT_EQ(answer("evt stats cpu --mod"), prints(""));
  EXPECT_EQ(answer("evt stats -n 3 cpu --ev"), prints("--event\n--every\n"));
  EXPECT_EQ(answer("evt stats app.evt sh"), prints(":files\n"));
  EXPECT_EQ(answer("evt help stats sp"), prints("spans\n"));
  EXPECT_EQ(answer("evt help env"), prints("environment\n"));
}

TEST_F(Completion, OffersTypesAndStreamsOfTheTraceOnTheLine) {
  EXPECT_EQ(run("evt complete 3 evt dump --event '' app.evt"), prints("gc.end\ngc.start\nodd name\n"));
  EXPECT_EQ(run("evt complete 4 evt dump app.evt -e gc.s"), prints("gc.start\n"));
  EXPECT_EQ(run("evt complete 3 evt dump --stream '' app.evt nosuch.evt"), prints("main\nworker 1\n"));
  EXPECT_EQ(run("evt complete 3 evt dump --stream '' nosuch.evt"), prints(""));
  EXPECT_EQ(run("evt complete 4 evt stats calls --thread w app.evt"), prints("worker 1\n"));
}

TEST_F(Completion, OffersNamesOfFieldsRolesAndProperties) {
  given_trace("job.evt",
              "type 1024 done (depth u8) (\"odd name\" u8) (size u32 role=amount)\nstream 1 \"s\"\n"
              "0.000000001 1 done depth=1 \"odd name\"=2 size=3\n");
  EXPECT_EQ(run("evt complete 3 evt dump -w d job.evt"), prints("depth\n"));
  EXPECT_EQ(run("evt complete 3 evt dump -w @ job.evt"),
            prints("@time\n@stream\n@thread\n@type\n@size\n@ordinal\n@duration\n"));
  EXPECT_EQ(run("evt complete 3 evt dump --where role: job.evt"), prints("role:amount\n"));
  EXPECT_EQ(run("evt complete 3 evt dump --where 'depth>3 and (si' job.evt"), prints("depth>3 and (size\n"));
  EXPECT_EQ(in_bash("evt dump job.evt -w \"'depth>3 and (si\""), prints("depth>3 and (size\n"));
  EXPECT_EQ(run("evt complete 3 evt dump --where 'depth>' job.evt"), prints(""));
  EXPECT_EQ(run("evt complete 3 evt dump --where 'depth > ' job.evt"), prints(""));
  EXPECT_EQ(run("evt complete 3 evt dump --fields ti job.evt"), prints("time\n"));
  EXPECT_EQ(run("evt complete 3 evt dump --fields time,d job.evt"), prints("time,delta\ntime,depth\n"));
  EXPECT_EQ(run("evt complete 3 evt dump --fields r job.evt"), prints("role:amount\n"));
}

TEST_F(Completion, OffersColumnsOfTheTablesThatAreAskedFor) {
  EXPECT_EQ(answer("evt stats events --sort e"), prints("event\nevents\n"));
  EXPECT_EQ(answer("evt stats spans --sort=se"), prints("--sort=self_ns\n"));
  EXPECT_EQ(answer("evt stats cpu,gc app.evt --sort g"), prints("generation\ngc_idle_ns\n"));
  EXPECT_EQ(answer("evt stats --sort ca"), prints("cause\n"));
}

TEST_F(Completion, OffersRings) {
  const std::string name = "evtrace-0-00000000000000c0.ring";
  EXPECT_EQ(run("mkdir rings && head -c 8192 /dev/zero > rings/" + name +
                " && EVTRACE_RING_DIR=$PWD/rings evt complete 4 evt check --recover --ring evtrace-0-00000000000000c"),
            prints(name + "\n"));
}

TEST_F(Completion, LeavesWhatIsBehindTheProgramThatIsRunToTheSystem) {
  EXPECT_EQ(answer("evt run --js"), prints("--json\n"));
  EXPECT_EQ(answer("evt run -o x.evt so"), prints(":commands\n:files\n"));
  EXPECT_EQ(answer("evt run -o x.evt sort --js"), prints(":files\n"));
}

TEST_F(Completion, WantsAPosition) {
  for (const char* const line : {"", "0 evt", "9 evt", "x evt"}) {
    EXPECT_EQ(run(std::string("evt complete ") + line),
              refuses(2, "evt complete: expected a position and the words of a line\n"));
  }
}

TEST_F(Completion, IsForShellsThatAreKnown) {
  EXPECT_EQ(run("evt --completion bash > script && evt --completion | cmp - script"), prints(""));
  EXPECT_EQ(run("evt --completion zsh | head -1"), prints("#compdef evt tracedump\n"));
  for (const char* const line : {"evt --completion powershell", "evt --completion=powershell"}) {
    EXPECT_EQ(run(line), refuses(2, "evt: --completion: expected bash, zsh or fish, found powershell\n"));
  }
  EXPECT_EQ(run("evt --completion zhs"),
            refuses(2, "evt: --completion: expected bash, zsh or fish, found zhs; did you mean zsh?\n"));
  EXPECT_EQ(run("evt --completion dump"), refuses(2, "evt: --completion: expected bash, zsh or fish, found dump\n"));
}

TEST_F(Completion, IsThereInBash) {
  EXPECT_EQ(in_bash("evt c"), prints("convert\ncheck\ncollect\ncut\n"));
  EXPECT_EQ(in_bash("tracedump --r"), prints("--relative\n"));
  EXPECT_EQ(in_bash("evt dump --color = "), prints("auto\nalways\nnever\n"));
  EXPECT_EQ(in_bash("evt dump ap"), prints("app.evt\n"));
  EXPECT_EQ(in_bash("evt dump app.evt -s w"), prints("worker 1\n"));
}

TEST_F(Completion, IsThereInZsh) {
  if (run("zsh -c true").status != 0) GTEST_SKIP() << "there is no zsh";
  EXPECT_EQ(in_zsh("evt c"), prints("convert\ncheck\ncollect\ncut\n"));
  EXPECT_EQ(in_zsh("tracedump --r"), prints("--relative\n"));
  EXPECT_EQ(in_zsh("evt dump ap"), prints("files\n"));
  EXPECT_EQ(in_zsh("evt run -q so"), prints("commands\nfiles\n"));
  EXPECT_EQ(in_zsh("evt dump app.evt -s w"), prints("worker 1\n"));
}

TEST_F(Completion, InZshIsAlsoAFileOfItsOwn) {
  if (run("zsh -c true").status != 0) GTEST_SKIP() << "there is no zsh";
  EXPECT_EQ(run("evt --completion zsh > _evt; zsh -fc 'compadd() { print -l -- ${(P)argv[-1]} }; fpath=($PWD $fpath);"
                " autoload -U _evt; words=(evt dump --color a); CURRENT=4; _evt'"),
            prints("auto\nalways\n"));
}

TEST_F(Completion, IsThereInFish) {
  if (run("fish -c true").status != 0) GTEST_SKIP() << "there is no fish";
  EXPECT_EQ(in_fish("evt c"), prints("check\ncollect\nconvert\ncut\n"));
  EXPECT_EQ(in_fish("tracedump --r"), prints("--relative\n"));
  EXPECT_EQ(in_fish("evt dump ap"), prints("app.evt\n"));
  EXPECT_EQ(in_fish("evt dump --color=a"), prints("--color=always\n--color=auto\n"));
  EXPECT_EQ(in_fish("evt dump app.evt -s w"), prints("worker 1\n"));
}

}  // namespace
}  // namespace evt::testing
