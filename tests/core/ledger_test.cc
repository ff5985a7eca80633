// What is damaged and what is missing, each loss once.
#include "libtrace-read/core/src/block/ledger.h"

#include <gtest/gtest.h>

#include "libtrace-read/core/src/base/damaged.h"
#include "libtrace-read/core/src/session/session_builder.h"
#include "raw_trace.h"

namespace evt::testing {
namespace {

// Two blocks at 100 and 300, of 200 bytes each, and a stream 7.
class ALedger : public ::testing::Test {
 protected:
  ALedger() {
    first.offset = 100;
    second.offset = 300;
    first.header.payload_size = second.header.payload_size = 200 - EVT_BLOCK_HEADER_SIZE;
  }

  UnreadableRows rows(const Block& block, std::uint32_t piece, std::uint32_t of, std::uint64_t count) {
    return {&block, piece, 0, &session, of, of == 0 ? nullptr : &stream, count, 0, 5, 9};
  }
  std::string text() const {
    std::string text;
    for (const Damage& damage : ledger.damage()) {
      text += lines({std::to_string(damage.offset), "+", std::to_string(damage.length), ": ", damage.reason, "\n"});
    }
    for (const MissingRows& missing : ledger.missing()) {
      text += lines({std::to_string(missing.rows), " of stream ", std::to_string(missing.stream), " at ",
                     std::to_string(missing.offset), ", ", std::to_string(missing.from_ns), " to ",
                     std::to_string(missing.to_ns), "\n"});
    }
    return text +
           lines({"session ", std::to_string(session.missing), ", stream ", std::to_string(stream.missing), "\n"});
  }

  Block first;
  Block second;
  Session session;
  StreamInfo stream;
  Ledger ledger;
};

TEST_F(ALedger, CountsABlockOnceHoweverOftenItIsMet) {
  ledger.lose(rows(first, StreamSpan::kWhole, 7, 3), damaged("its checksum"));
  ledger.lose(rows(first, StreamSpan::kWhole, 7, 3), damaged("its checksum, found by another way"));
  ledger.lose(rows(second, StreamSpan::kWhole, 7, 1), damaged("the next"));
  EXPECT_EQ(text(),
            "100+200: its checksum\n"
            "300+200: the next\n"
            "3 of stream 7 at 100, 5 to 9\n"
            "1 of stream 7 at 300, 5 to 9\n"
            "session 4, stream 4\n");
}

TEST_F(ALedger, CountsEachPieceOfABlockAndNamesTheBlockOnce) {
  ledger.lose(rows(first, 0, 7, 3), damaged("its checksum"));
  ledger.lose(rows(first, 1, 7, 2), damaged("its checksum"));
  ledger.lose(rows(first, 0, 7, 3), damaged("its checksum"));
  EXPECT_EQ(text(),
            "100+200: its checksum\n"
            "3 of stream 7 at 100, 5 to 9\n"
            "2 of stream 7 at 100, 5 to 9\n"
            "session 5, stream 5\n");
}

TEST_F(ALedger, CountsRowsOfUnknownStreamsOnceForTheirBlock) {
  ledger.lose(rows(first, 0, 0, 10), damaged("its table"));
  ledger.lose(rows(first, 1, 0, 10), damaged("its table"));
  EXPECT_EQ(text(),
            "100+200: its table\n"
            "10 of stream 0 at 100, 5 to 9\n"
            "session 10, stream 0\n");
}

TEST_F(ALedger, NamesABlockFromWhichNoRowIsMissing) {
  ledger.lose(rows(first, StreamSpan::kWhole, 7, 0), damaged("more bytes than rows"));
  EXPECT_EQ(text(), "100+200: more bytes than rows\nsession 0, stream 0\n");
}

TEST_F(ALedger, HasOneReasonForABlockOfMetadata) {
  ledger.add(first, "a record");
  ledger.add(first, "another record");
  ledger.add(second, "a record");
  EXPECT_EQ(text(), "100+200: a record\n300+200: a record\nsession 0, stream 0\n");
}

TEST_F(ALedger, SortsDamageByPlaceAndKeepsTheOrderOfOnePlace) {
  ledger.add({300, 0, "c"});
  ledger.add({100, 0, "a"});
  ledger.add({100, 0, "b"});
  ledger.sort_damage();
  ledger.add_first({{500, 0, "before the structure"}});
  EXPECT_EQ(text(), "500+0: before the structure\n100+0: a\n100+0: b\n300+0: c\nsession 0, stream 0\n");
}

}  // namespace
}  // namespace evt::testing
