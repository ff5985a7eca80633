// evt check on traces that are damaged: its output for programs, what is repaired, what is found in files that are no
// traces any more.
#include "at_the_shell.h"
#include "blocks.h"

namespace evt::testing {
namespace {

class Repair : public AtTheShell {
 protected:
  // SESSION, CLOCK, TYPES, STREAMS, three blocks of stream 1 (each step back begins one), one of stream 2, TRAILER.
  static constexpr std::size_t kSecondOfMain = 5;

  Repair()
      : blocks_(trace_from_text("type 1024 tick (n u64)\n"
                                "stream 1 \"main\"\n"
                                "stream 2 \"other\"\n"
                                "0.000000001 1 tick n=1\n"
                                "0.000000005 1 !jump\n"
                                "0.000000005 1 tick n=5\n"
                                "0.000000006 1 tick n=6\n"
                                "0.000000008 1 !jump\n"
                                "0.000000008 1 tick n=8\n"
                                "0.000000009 2 tick n=9\n")) {}

  void given_trace_without(std::size_t block) {
    blocks_.all.erase(blocks_.all.begin() + static_cast<std::ptrdiff_t>(block));
    given_file("x.evt", blocks_.together());
  }
  void given_trace_with_wrong_rows(std::size_t block) {
    blocks_.all.at(block).payload()[4] ^= 1;
    given_file("x.evt", blocks_.together());
  }
  std::string place_of(std::size_t block) const {
    std::size_t place = 0;
    for (std::size_t i = 0; i < block; ++i) place += blocks_.all[i].bytes.size();
    return std::to_string(place);
  }

  Blocks blocks_;
};

TEST_F(Repair, BlocksAreThoseThatTheseTestsSpeakOf) {
  given_file("x.evt", blocks_.together());
  EXPECT_EQ(run("evt dump --count x.evt"), prints("5\n"));
  ASSERT_EQ(blocks_.all.size(), 9u);
  EXPECT_EQ(load_events_header(blocks_.all[kSecondOfMain].data()).row_count, 3u) << "a time base and two ticks";
}

TEST_F(Repair, SaysOfWhichStreamAndTimeRowsAreMissing) {
  given_trace_without(kSecondOfMain);
  EXPECT_EQ(run("evt check x.evt"),
            (Outcome{1, "x.evt: session of test, 3 events, 0 lost, 3 rows missing: closed\n",
                     "evt check: x.evt: 3 rows of stream 1 \"main\" missing, recorded between 0.000000001 and "
                     "0.000000008\n"}));
}

TEST_F(Repair, SaysItToProgramsToo) {
  given_trace_with_wrong_rows(kSecondOfMain);
  const Outcome outcome = run("evt check --json x.evt | sed 's/checksum is [0-9a-f]*, expected [0-9a-f]*/.../'");
  const std::string at = place_of(kSecondOfMain);
  EXPECT_EQ(outcome.out,
            "{\"file\":\"x.evt\",\"status\":\"damaged\",\"sessions\":[{\"program\":\"test\","
            "\"uuid\":\"00010203-0405-4607-8809-0a0b0c0d0e0f\",\"declared\":true,\"events\":3,\"rows\":7,\"lost\":0,"
            "\"losses\":[],\"missing\":3,\"knows_all_missing\":true,\"not_decodable\":0,\"without_clock\":0,"
            "\"not_understood\":0,\"end\":\"closed\"}],"
            "\"damage\":[{\"offset\":" +
                at +
                ",\"length\":172,\"reason\":\"payload ...\"}],"
                "\"missing\":[{\"session\":0,\"stream\":1,\"name\":\"main\",\"rows\":3,\"from_ns\":5,\"to_ns\":6,"
                "\"offset\":" +
                at + "}]}\n");
}

TEST_F(Repair, SaysToProgramsThatAllIsWell) {
  given_trace("a.evt", "stream 1 \"m\"\n0.000000001 1 type#7\n");
  EXPECT_EQ(run("evt check --json a.evt a.evt | cut -d, -f1,2"), prints("{\"file\":\"a.evt\",\"status\":\"ok\"\n"
                                                                        "{\"file\":\"a.evt\",\"status\":\"ok\"\n"));
}

TEST_F(Repair, WritesATraceThatIsWhole) {
  given_trace_with_wrong_rows(kSecondOfMain);
  EXPECT_EQ(run("evt check --repair y.evt x.evt").status, 1) << "of the one that was read";
  EXPECT_EQ(run("evt check y.evt"), (Outcome{0, "y.evt: session of test, 3 events, 3 lost: closed\n",
                                             "evt check: y.evt: 3 events of stream 1 \"main\" lost: damage\n"}));
  EXPECT_EQ(run("evt dump y.evt"), (Outcome{0,
                                            "   0.000000001  main   tick n=1\n"
                                            "   0.000000006  main   !lost count=3 cause=damage duration=0.000000000\n"
                                            "   0.000000008  main   !jump\n"
                                            "   0.000000008  main   tick n=8\n"
                                            "   0.000000009  other  tick n=9\n",
                                            "evt dump: y.evt: 3 events of stream 1 \"main\" lost: damage\n"}));
  EXPECT_THAT(run("evt dump --header y.evt").out,
              ::testing::HasSubstr("origin    00010203-0405-4607-8809-0a0b0c0d0e0f\n"));
}

// The number behind a key of the JSON that evt check prints of a trace.
std::uint64_t number_of(const std::string& json, const std::string& key) {
  const std::size_t at = json.find("\"" + key + "\":");
  EXPECT_NE(at, json.npos) << key << " in " << json;
  return std::stoull(json.substr(at + key.size() + 3));
}

// Whatever block of events is damaged, and in whichever way: what is not there is reported, by a copy too.
TEST_F(Repair, WhatIsMissingIsTheSameInEveryCopy) {
  const Blocks whole = blocks_;
  for (std::size_t block = 4; block < 8; ++block) {
    for (const std::size_t at : {std::size_t{20}, std::size_t{EVT_EVENTS_HEADER_SIZE} + 4}) {
      Blocks blocks = whole;
      const std::uint64_t rows = load_events_header(blocks.all[block].data()).row_count;
      blocks.all[block].data()[at] ^= 1;
      given_file("x.evt", blocks.together());
      EXPECT_EQ(number_of(run("evt check --json x.evt").out, "missing"), rows) << block;
      EXPECT_EQ(run("evt check --repair y.evt x.evt").status, 1);
      EXPECT_EQ(number_of(run("evt check --json y.evt").out, "lost"), rows) << block << " repaired";
      EXPECT_EQ(run("evt merge -o m.evt x.evt").status, 1);
      EXPECT_EQ(number_of(run("evt check --json m.evt").out, "lost"), rows) << block << " merged";
      EXPECT_EQ(run("evt cut -o k.evt x.evt").status, 1);
      EXPECT_EQ(number_of(run("evt check --json k.evt").out, "lost"), rows) << block << " cut";
      EXPECT_EQ(run("evt convert --columns -o c.evt x.evt").status, 1);
      EXPECT_EQ(number_of(run("evt check --json c.evt").out, "missing"), rows) << block << " converted";
    }
  }
}

// Of no known stream: TRAILER alone counts them.
TEST_F(Repair, RowsAtTheEndAreMissingInEveryCopy) {
  const std::string whole = blocks_.together();
  const std::size_t trailer = whole.size() - blocks_.all.back().bytes.size();
  const std::size_t last = trailer - blocks_.all.at(7).bytes.size();
  given_file("x.evt", whole.substr(0, last) + whole.substr(trailer));
  const std::uint64_t rows = number_of(run("evt check --json x.evt").out, "missing");
  EXPECT_EQ(rows, 2u) << "a jump, and its tick";
  EXPECT_EQ(run("evt check --repair y.evt x.evt").status, 1);
  EXPECT_EQ(number_of(run("evt check --json y.evt").out, "lost"), rows);
  EXPECT_EQ(run("evt merge -o m.evt x.evt").status, 1);
  EXPECT_EQ(number_of(run("evt check --json m.evt").out, "lost"), rows);
  EXPECT_EQ(run("evt cut -o k.evt x.evt").status, 1);
  EXPECT_EQ(number_of(run("evt check --json k.evt").out, "lost"), rows);
}

TEST_F(Repair, RowsWithoutTheirClockAreLossesOfTheCopy) {
  blocks_.all.erase(blocks_.all.begin() + 1);
  given_file("x.evt", blocks_.together());
  EXPECT_EQ(run("evt check --repair y.evt x.evt"),
            (Outcome{1, "x.evt: session of test, 0 events, 0 lost: closed\n",
                     "evt check: x.evt: 7 rows are of a clock that no CLOCK block describes: when they were is not "
                     "known\n"}));
  EXPECT_EQ(run("evt check y.evt"),
            (Outcome{0, "y.evt: session of test, 0 events, 7 lost: closed\n",
                     "evt check: y.evt: 7 events of stream 1 \"streams that are not known\" lost: damage\n"}));
}

// Which the text form has not: the second field gets the name of the first.
TEST_F(Repair, EventsOfATypeThatNoWriterDeclaresAreLosses) {
  Blocks blocks(
      trace_from_text("type 1024 pair (m u8) (q u8)\ntype 1025 tick (n u8)\nstream 1 \"main\"\n"
                      "0.000000001 1 pair m=1 q=2\n0.000000002 1 tick n=3\n"));
  std::string& types = blocks.first(EVT_BLOCK_TYPES).bytes;
  types.replace(types.find(std::string("q\0", 2)), 1, "m");
  given_file("x.evt", blocks.together());
  EXPECT_EQ(run("evt check --repair y.evt x.evt"),
            (Outcome{1, "x.evt: session of test, 2 events, 0 lost: closed\n",
                     "evt check: event type pair: field m is declared twice: its events are left out\n"}));
  EXPECT_EQ(run("evt dump y.evt").out,
            "   0.000000001  main  !lost count=1 cause=damage duration=0.000000000\n"
            "   0.000000002  main  tick n=3\n");
}

TEST_F(Repair, KeepsWhatACutStates) {
  given_file("x.evt", blocks_.together());
  EXPECT_EQ(run("evt cut --every 2 --stream main -o k.evt x.evt && evt check --repair y.evt k.evt | cut -d: -f1"),
            prints("k.evt\n"));
  const std::string stated = " | grep -o 'cut=.*' | head -1";
  const Outcome of_cut = run("evt dump --canonical k.evt" + stated);
  EXPECT_EQ(of_cut.out, "cut=\"--stream main --every 2\" left_out=[streams=[\"other\"] sampled=row one_in=2]\n");
  EXPECT_EQ(run("evt dump --canonical y.evt" + stated), of_cut);
}

TEST_F(Repair, OfNothingWritesNothing) {
  given_file("x.evt", blocks_.together().substr(0, 97));
  EXPECT_EQ(run("evt check --repair y.evt x.evt 2>&1 | tail -1"),
            prints("evt check: did not write y.evt: there is no session to put into it\n"));
  EXPECT_EQ(run("evt convert --columns -o y.evt x.evt").status, 3);
  EXPECT_EQ(run("evt cut -o y.evt x.evt").status, 3);
  EXPECT_EQ(run("test -e y.evt").status, 1);
}

TEST_F(Repair, ClosesWhatWasCut) {
  blocks_.all.pop_back();
  given_file("x.evt", blocks_.together());
  EXPECT_EQ(run("evt check --repair y.evt x.evt").status, 1);
  EXPECT_EQ(run("evt check y.evt"),
            (Outcome{0, "y.evt: session of test, 5 events, 0 lost: closed\n",
                     "evt check: y.evt: it is part of another session: nothing after 0.000000009 is in it (its end is "
                     "missing)\n"}));
}

TEST_F(Repair, TellsWhatIsMissingWhereNoEventIsLeft) {
  given_trace("x.evt", "type 1024 tick (n u64)\nstream 1 \"main\"\n0.000000001 1 tick n=1\n");
  Blocks blocks(content_of("x.evt"));
  blocks.all.at(4).payload()[4] ^= 1;
  given_file("x.evt", blocks.together());
  EXPECT_EQ(run("evt check --repair y.evt x.evt").status, 1);
  EXPECT_EQ(run("evt check y.evt"), (Outcome{0, "y.evt: session of test, 0 events, 1 lost: closed\n",
                                             "evt check: y.evt: 1 event of stream 1 \"main\" lost: damage\n"}));
}

TEST_F(Repair, KeepsEachSession) {
  const std::string other = trace_from_text(
      "evtrace text 1\n"
      "session uuid=0x0f0e0d0c0b0a4908870605040302010f start=1767225600.000000000 program=\"first\"\n"
      "stream 1 \"m\"\n");
  blocks_.all.at(kSecondOfMain).payload()[4] ^= 1;
  given_file("x.evt", other + blocks_.together());
  EXPECT_EQ(run("evt check --repair y.evt x.evt").status, 1);
  EXPECT_EQ(run("evt check y.evt").out,
            "y.evt: session of first, 0 events, 0 lost: closed\n"
            "y.evt: session of test, 3 events, 3 lost: closed\n");
}

TEST_F(Repair, MayGoToAPipe) {
  given_trace_with_wrong_rows(kSecondOfMain);
  EXPECT_EQ(run("evt check --repair - x.evt | evt dump --count -").out, "3\n");
}

TEST_F(Repair, MayNotGoOverTheTraceItself) {
  given_trace_with_wrong_rows(kSecondOfMain);
  const std::string before = content_of("x.evt");
  EXPECT_EQ(run("ln -s x.evt y.evt; evt check --repair y.evt x.evt"),
            refuses(2, "evt check: y.evt is the input x.evt: the output must be another file\n"));
  EXPECT_EQ(content_of("x.evt"), before);
}

TEST_F(Repair, HasStandardOutputToItself) {
  given_trace("a.evt", "stream 1 \"m\"\n");
  EXPECT_EQ(run("evt check --json --repair - a.evt"),
            refuses(2, "evt check: --json: standard output takes the trace that --repair writes\n"));
}

TEST_F(Repair, IsOfOneTrace) {
  given_trace("a.evt", "stream 1 \"m\"\n");
  EXPECT_EQ(run("evt check --repair y.evt a.evt a.evt"), refuses(2, "evt check: --repair takes one trace\n"));
  EXPECT_EQ(files(), std::vector<std::string>{"a.evt"});
}

TEST_F(Repair, ThatCannotBeWrittenIsSaid) {
  given_trace("a.evt", "stream 1 \"m\"\n");
  EXPECT_EQ(run("evt check --repair no/y.evt a.evt").err,
            "evt check: cannot write no/y.evt: the folder no does not exist\n");
  EXPECT_EQ(run("evt check --repair /dev/full a.evt").status, 3);
}

TEST_F(Repair, FindsATraceInAFileThatIsNone) {
  given_file("disk.img", std::string(3 << 20, 'x') + blocks_.together() + std::string(1000, 'y'));
  EXPECT_EQ(run("evt check disk.img"), refuses(3, "evt check: disk.img is not a trace: it begins with plain text\n"));
  EXPECT_EQ(run("evt check --salvage disk.img"),
            (Outcome{1, "disk.img: session of test, 5 events, 0 lost: closed\n",
                     "evt check: disk.img: 3,145,728 bytes from offset 0 ignored: no block header\n"
                     "evt check: disk.img: 1,000 bytes from offset " +
                         grouped((3 << 20) + blocks_.together().size()) + " ignored: no block header\n"}));
  EXPECT_EQ(run("evt check --salvage --repair y.evt disk.img").status, 1);
  EXPECT_EQ(run("evt check y.evt"), prints("y.evt: session of test, 5 events, 0 lost: closed\n"));
}

TEST_F(Repair, FindsBlocksOfASessionWhoseBeginningIsGone) {
  const Blocks other(
      trace_from_text("evtrace text 1\n"
                      "session uuid=0x0f0e0d0c0b0a4908870605040302010f start=1767225600.000000000\n"
                      "stream 1 \"m\"\n0.000000001 1 type#7\n"));
  given_file("x.evt", blocks_.together() + "something else" + other.all.at(1).bytes + other.all.at(3).bytes);
  EXPECT_EQ(run("evt check --salvage x.evt").out,
            "x.evt: session of test, 5 events, 0 lost: closed\n"
            "x.evt: session of an unknown program, 1 event, 0 lost: truncated\n");
}

TEST_F(Repair, FindsNothingWhereNothingIs) {
  given_file("disk.img", std::string(3 << 20, 'x'));
  EXPECT_EQ(run("evt check --salvage disk.img"),
            refuses(3, "evt check: disk.img is not a trace: it begins with plain text\n"));
}

}  // namespace
}  // namespace evt::testing
