// What evt reports of a trace that is cut or damaged.
#include <regex>

#include "at_the_shell.h"
#include "blocks.h"
#include "support/row_sizes.h"

namespace evt::testing {
namespace {

// SESSION, CLOCK, TYPES, STREAMS, EVENTS of stream 1, EVENTS of stream 2, TRAILER
constexpr std::size_t kTypesBlock = 2;
constexpr std::size_t kFirstEvents = 4;
constexpr std::size_t kSecondEvents = 5;
constexpr std::size_t kTrailer = 6;

constexpr const char* kFirst = "   0.000000001  main   tick n=1\n";
constexpr const char* kSecond = "   0.000000002  other  tick n=2\n";
constexpr const char* kBoth =
    "   0.000000001  main   tick n=1\n"
    "   0.000000002  other  tick n=2\n";

class DamagedFile : public AtTheShell {
 protected:
  DamagedFile() { given_rows_of("u64"); }

  // The trace of two events with a number of this kind.
  void given_rows_of(const std::string& kind) {
    Blocks blocks(trace_from_text("type 1024 tick (n " + kind +
                                  ")\n"
                                  "stream 1 \"main\"\n"
                                  "stream 2 \"other\"\n"
                                  "0.000000001 1 tick n=1\n"
                                  "0.000000002 2 tick n=2\n"));
    // Which stream a writer ends first is its own affair.
    if (evt_load_u32(blocks.all.at(kFirstEvents).data() + EVT_BLOCK_HEADER_SIZE) != 1) {
      std::swap(blocks.all.at(kFirstEvents), blocks.all.at(kSecondEvents));
    }
    trace_ = blocks.together();
    places_.clear();
    std::size_t end = 0;
    for (const BlockBytes& block : blocks.all) {
      places_.push_back(end);
      end += block.bytes.size();
    }
  }

  Outcome dump_of(std::string_view trace, const std::string& options = "") const {
    given_file("x.evt", trace);
    return run("evt dump x.evt " + options);
  }
  // Where the n-th block of the file begins.
  std::size_t place(std::size_t n) const { return places_.at(n); }
  std::string cut_at(std::size_t at) const { return trace_.substr(0, at); }
  // The trace with another byte there.
  std::string with_damage_at(std::size_t at) const {
    std::string bytes = trace_;
    bytes.at(at) = static_cast<char>(bytes.at(at) ^ 0xFF);
    return bytes;
  }
  // A sentence about a place in the file.
  static std::string bytes_ignored(std::size_t size, std::size_t at, const std::string& why) {
    return "evt dump: x.evt: " + grouped(size) + " bytes from offset " + grouped(at) + " ignored: " + why + "\n";
  }

  std::string trace_;
  std::vector<std::size_t> places_;
};

TEST_F(DamagedFile, HasTheBlocksThatTheseTestsSpeakOf) {
  Blocks blocks(trace_);
  ASSERT_EQ(blocks.all.size(), kTrailer + 1);
  EXPECT_EQ(blocks.all[kTypesBlock].type(), EVT_BLOCK_TYPES);
  EXPECT_EQ(blocks.all[kFirstEvents].type(), EVT_BLOCK_EVENTS);
  EXPECT_EQ(blocks.all[kSecondEvents].type(), EVT_BLOCK_EVENTS);
  EXPECT_EQ(dump_of(trace_), prints(kBoth));
}

TEST_F(DamagedFile, CutBehindItsLastEventsIsPrintedWhole) {
  EXPECT_EQ(dump_of(cut_at(place(kTrailer))),
            (Outcome{1, kBoth, "evt dump: x.evt: the session of test is truncated: its end is missing\n"}));
}

TEST_F(DamagedFile, CutInsideABlockIsPrintedUpToThere) {
  EXPECT_EQ(dump_of(cut_at(place(kSecondEvents) + 123)),
            (Outcome{1, kFirst,
                     "evt dump: x.evt: 1 row of stream 2 \"other\" missing, recorded between 0.000000000 and "
                     "0.000000002\n" +
                         bytes_ignored(123, place(kSecondEvents), "a block of 136 bytes, of which 123 are there") +
                         "evt dump: x.evt: the file ends inside a block\n"}));
}

TEST_F(DamagedFile, CutInsideABlockHeader) {
  EXPECT_EQ(dump_of(cut_at(place(kSecondEvents) + 20)),
            (Outcome{1, kFirst,
                     bytes_ignored(20, place(kSecondEvents), "the file ends inside a block header") +
                         "evt dump: x.evt: the file ends inside a block\n"}));
}

TEST_F(DamagedFile, CutInAPipeIsTheSameAsCutOnDisk) {
  given_file("x.evt", trace_);
  EXPECT_EQ(run("head -c " + std::to_string(place(kTrailer)) + " x.evt | evt dump -"),
            (Outcome{1, kBoth, "evt dump: standard input: the session of test is truncated: its end is missing\n"}));
}

TEST_F(DamagedFile, CutAnywhereIsNoSuccessAndNoCrash) {
  given_file("x.evt", trace_);
  EXPECT_EQ(
      run("for size in $(seq 1 41 " + std::to_string(trace_.size() - 1) +
          "); do head -c $size x.evt > cut.evt; evt dump cut.evt; echo $?; head -c $size x.evt | evt dump -; echo "
          "$?; done 2>/dev/null | grep -v tick | sort -u"),
      prints("1\n3\n"));
}

TEST_F(DamagedFile, RowsWithAWrongChecksumAreMissing) {
  const Outcome outcome = dump_of(with_damage_at(place(kFirstEvents) + EVT_EVENTS_HEADER_SIZE + kRowHeader));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, kSecond);
  const std::string sentences =
      "evt dump: x.evt: 1 row of stream 1 \"main\" missing, recorded between 0.000000001 and 0.000000001\n" +
      bytes_ignored(136, place(kFirstEvents), "payload checksum is ........, expected ........");
  EXPECT_TRUE(std::regex_match(outcome.err, std::regex(sentences))) << outcome;
}

// The only block of its stream: TRAILER alone shows that there was a row.
constexpr const char* kOneMissing =
    "evt dump: x.evt: 1 row of streams that are not known missing, recorded after 0.000000001\n";

TEST_F(DamagedFile, ABlockHeaderWithAWrongChecksumCostsItsBlock) {
  EXPECT_EQ(
      dump_of(with_damage_at(place(kSecondEvents) + 20)),
      (Outcome{1, kFirst,
               kOneMissing + bytes_ignored(136, place(kSecondEvents), "a block header whose checksum is wrong")}));
}

// Rows of 9 bytes, and 7 bytes of padding behind them.
TEST_F(DamagedFile, ThePaddingBeforeTheDamageIsNoPartOfIt) {
  given_rows_of("u8");
  EXPECT_EQ(
      dump_of(with_damage_at(place(kSecondEvents) + 20)),
      (Outcome{1, kFirst,
               kOneMissing + bytes_ignored(136, place(kSecondEvents), "a block header whose checksum is wrong")}));
  EXPECT_EQ(dump_of(cut_at(place(kSecondEvents) + 20)),
            (Outcome{1, kFirst,
                     bytes_ignored(20, place(kSecondEvents), "the file ends inside a block header") +
                         "evt dump: x.evt: the file ends inside a block\n"}));
}

TEST_F(DamagedFile, WithoutItsTypesStillShowsRows) {
  const Outcome outcome = dump_of(with_damage_at(place(kTypesBlock) + EVT_BLOCK_HEADER_SIZE + 5));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out,
            "   0.000000001  main   type#1024 +0x0100000000000000\n"
            "   0.000000002  other  type#1024 +0x0200000000000000\n");
}

TEST_F(DamagedFile, WithoutItsSessionStillShowsEvents) {
  Blocks blocks(trace_);
  blocks.all.erase(blocks.all.begin());
  EXPECT_EQ(dump_of(blocks.together()),
            (Outcome{1, kBoth, "evt dump: x.evt: the SESSION block is missing: who was recorded is not known\n"}));
}

TEST_F(DamagedFile, JunkIsSteppedOverWhereverItStands) {
  const std::string junk(100, 'x');
  EXPECT_EQ(dump_of(junk + trace_), (Outcome{1, kBoth, bytes_ignored(100, 0, "no block header")}));
  EXPECT_EQ(dump_of(trace_ + junk), (Outcome{1, kBoth, bytes_ignored(100, trace_.size(), "no block header")}));
}

TEST_F(DamagedFile, SevenZerosArePaddingAndEightAreDamage) {
  EXPECT_EQ(dump_of(trace_ + std::string(7, '\0')), prints(kBoth));
  EXPECT_EQ(dump_of(trace_ + std::string(8, '\0')).status, 1);
}

TEST_F(DamagedFile, TheSameTraceTwiceIsOneTraceAndDamage) {
  EXPECT_EQ(
      dump_of(trace_ + trace_),
      (Outcome{1, kBoth,
               bytes_ignored(trace_.size(), trace_.size(),
                             "the session starts over (block 0 after block 6); was the file appended to itself?")}));
}

// A copy of TYPES in front of all, and the rows of stream 2 where TYPES was.
TEST_F(DamagedFile, WithBlocksInAnotherOrderHasAllItsEvents) {
  Blocks blocks(trace_);
  const std::string copy = blocks.all[kTypesBlock].bytes;
  std::swap(blocks.all[kTypesBlock], blocks.all[kSecondEvents]);
  std::string bytes = copy;
  std::vector<std::size_t> at;
  for (const BlockBytes& block : blocks.all) {
    at.push_back(bytes.size());
    bytes += block.bytes;
  }
  const auto late = [&](std::size_t block, std::size_t number) {
    return "evt dump: x.evt: at " + std::to_string(at[block]) + ": block " + std::to_string(number) +
           " of its session comes after block ";
  };
  EXPECT_EQ(dump_of(bytes),
            (Outcome{1, kBoth,
                     late(0, 0) + "2\n" + late(3, 3) + "5\n" +
                         bytes_ignored(copy.size(), at[5], "block 2 of its session again, after block 5")}));
}

TEST_F(DamagedFile, ManyDamagedPlacesAreSummedUp) {
  std::string text = "type 1024 tick (n u8)\n";
  for (int i = 1; i <= 25; ++i) text += "stream " + std::to_string(i) + " \"m\"\n";
  for (int i = 1; i <= 25; ++i) text += "1.0 " + std::to_string(i) + " tick n=1\n";
  std::string bytes;
  for (BlockBytes& block : Blocks(trace_from_text(text)).all) {
    if (block.type() == EVT_BLOCK_EVENTS) block.payload()[8] ^= 1;
    bytes += block.bytes;
  }
  const Outcome outcome = dump_of(bytes);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  const std::string end = "evt dump: x.evt: and 5 more places\n";
  EXPECT_TRUE(outcome.err.ends_with(end)) << outcome;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 20 + 1 + 20 + 1) << outcome;
}

TEST_F(DamagedFile, TablesAndCountsSayItToo) {
  const std::string cut = cut_at(place(kTrailer));
  const std::string sentence = "evt dump: x.evt: the session of test is truncated: its end is missing\n";
  EXPECT_EQ(dump_of(cut, "--count"), (Outcome{1, "2\n", sentence}));
  for (const char* table : {"--types", "--streams", "--header", "--canonical"}) {
    const Outcome outcome = dump_of(cut, table);
    EXPECT_EQ(outcome.status, 1) << table;
    EXPECT_EQ(outcome.err, sentence) << table;
  }
}

}  // namespace
}  // namespace evt::testing
