// Blocks that this version skips: which tools keep them, and what they report of the others.
#include "at_the_shell.h"
#include "blocks.h"

namespace evt::testing {
namespace {

constexpr std::string_view kLeftOut =
    "left out, private to a producer or of a type that is not known to this version\n";

// As FORMAT.md, section 6, has a private block.
std::string owned(const std::string& content) {
  const std::string owner = "org.example.probe";
  return std::string(1, static_cast<char>(owner.size())) + '\0' + owner + content;
}

BlockBytes copyable(std::uint16_t type, const std::string& payload) {
  BlockBytes block = make_block(type, payload);
  evt_store_u16(block.data() + 10, EVT_FLAG_COPYABLE);
  return block;
}

class OtherBlocks : public AtTheShell {
 protected:
  OtherBlocks() : blocks_(trace_from_text("type 1024 tick (n u8)\nstream 1 \"a\"\n0.1 1 tick n=1\n0.2 1 tick n=2\n")) {}

  // One that may be copied, one of a later version that may be, and two that may not.
  void given_all() {
    blocks_.insert_before(EVT_BLOCK_EVENTS, copyable(EVT_BLOCK_PRIVATE + 7, owned("the build")));
    blocks_.insert_before(EVT_BLOCK_EVENTS, make_block(EVT_BLOCK_PRIVATE, owned("about stream 1")));
    blocks_.insert_before(EVT_BLOCK_EVENTS, copyable(EVT_BLOCK_ATTACHMENT, "a picture"));
    blocks_.insert_before(EVT_BLOCK_EVENTS, make_block(EVT_BLOCK_DIGEST, "of block 3"));
    given_file("x.evt", blocks_.together());
  }
  // The blocks of a trace that are none of this version's: type, flags and payload.
  std::vector<std::string> others_in(const std::string& name) const {
    std::vector<std::string> found;
    for (BlockBytes& block : Blocks(content_of(name)).all) {
      if (block.type() <= EVT_BLOCK_FACTS) continue;
      found.push_back(std::to_string(block.type()) + " " + std::to_string(evt_load_u16(block.data() + 10)) + " " +
                      std::string(reinterpret_cast<const char*>(block.payload()), block.payload_size()));
    }
    return found;
  }
  const std::vector<std::string> kept_ = {"32775 8 " + owned("the build"), "12 8 a picture"};

  Blocks blocks_;
};

TEST_F(OtherBlocks, AreSkippedByWhatReads) {
  given_all();
  EXPECT_EQ(run("evt dump --count x.evt"), prints("2\n"));
  EXPECT_EQ(run("evt check x.evt"), prints("x.evt: session of test, 2 events, 0 lost: closed\n"));
}

TEST_F(OtherBlocks, AreKeptByACutWhereTheyAreCopyableAndTheOthersCounted) {
  given_all();
  EXPECT_EQ(run("evt cut --from 0.15 x.evt -o y.evt"),
            (Outcome{0, "", "evt cut: x.evt: 2 blocks " + std::string(kLeftOut)}));
  EXPECT_EQ(others_in("y.evt"), kept_);
  EXPECT_EQ(run("evt check y.evt"), prints("y.evt: session of test, 1 event, 0 lost: closed\n"));
}

TEST_F(OtherBlocks, AreKeptByAMergeWhereTheyAreCopyableAndTheOthersCounted) {
  given_all();
  given_trace("b.evt",
              "evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e1f program=\"b\"\nstream 1 \"b\"\n");
  const Outcome outcome = run("evt merge b.evt x.evt -o m.evt");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.err.find("evt merge: x.evt: 2 blocks " + std::string(kLeftOut)), std::string::npos) << outcome.err;
  EXPECT_EQ(others_in("m.evt"), kept_);
}

TEST_F(OtherBlocks, AreLeftOutOfAnAnonymousCut) {
  given_all();
  EXPECT_EQ(run("evt cut --anonymous x.evt -o y.evt"),
            (Outcome{0, "", "evt cut: x.evt: 4 blocks " + std::string(kLeftOut)}));
  EXPECT_TRUE(others_in("y.evt").empty());
}

TEST_F(OtherBlocks, AllStayInAnotherFormOfTheTrace) {
  given_all();
  EXPECT_EQ(run("evt convert --columns x.evt -o y.evt"), prints(""));
  EXPECT_EQ(others_in("y.evt"), others_in("x.evt"));
  EXPECT_EQ(others_in("y.evt").size(), 4u);
}

TEST_F(OtherBlocks, HaveNoText) {
  given_all();
  EXPECT_EQ(run("evt convert x.evt -o x.txt"),
            (Outcome{0, "", "evt convert: x.evt: 4 blocks " + std::string(kLeftOut)}));
}

TEST_F(OtherBlocks, AreLeftOutOfARepair) {
  given_all();
  const Outcome outcome = run("evt check --repair y.evt x.evt > out");
  EXPECT_EQ(outcome, (Outcome{0, "", "evt check: x.evt: 4 blocks " + std::string(kLeftOut)}));
}

TEST_F(OtherBlocks, ThatAreDamagedAreReportedOnceAndNotCopied) {
  given_all();
  std::string bytes = content_of("x.evt");
  bytes[bytes.find("a picture")] ^= 1;
  given_file("x.evt", bytes);
  const Outcome outcome = run("evt cut --split-every 0.15 x.evt -o y.evt");
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  const std::size_t first = outcome.err.find("payload checksum is");
  EXPECT_NE(first, std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("payload checksum is", first + 1), std::string::npos) << outcome.err;
  EXPECT_EQ(others_in("y.0001.evt"), std::vector{kept_.front()});
  EXPECT_EQ(others_in("y.0002.evt"), std::vector{kept_.front()});
}

TEST_F(OtherBlocks, OfALargerPayloadThanMetadataAreNotCopyable) {
  blocks_.insert_before(EVT_BLOCK_EVENTS,
                        copyable(EVT_BLOCK_PRIVATE, owned(std::string(EVT_MAX_METADATA_PAYLOAD, 'x'))));
  given_file("x.evt", blocks_.together());
  EXPECT_EQ(run("evt cut x.evt -o y.evt"), (Outcome{0, "", "evt cut: x.evt: 1 block " + std::string(kLeftOut)}));
  EXPECT_TRUE(others_in("y.evt").empty());
}

TEST_F(OtherBlocks, WithoutAPayloadAreNotCounted) {
  blocks_.insert_before(EVT_BLOCK_EVENTS, make_block(EVT_BLOCK_PRIVATE, ""));
  given_file("x.evt", blocks_.together());
  EXPECT_EQ(run("evt cut x.evt -o y.evt"), prints(""));
}

}  // namespace
}  // namespace evt::testing
