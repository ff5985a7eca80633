// A file that grows while it is opened is read as if it had been as long from the start.
#include "libtrace-read/core/src/trace/opening.h"

#include <gtest/gtest.h>

#include "raw_trace.h"

namespace evt::testing {
namespace {

class AnOpening : public ::testing::Test {
 protected:
  AnOpening() {
    RawTrace trace = ordinary_trace();
    for (std::uint64_t i = 0; i < 4; ++i) {
      ends_.push_back(trace.bytes().size());
      Rows rows;
      for (std::uint32_t n = 0; n < 5; ++n) rows.tick(static_cast<std::uint32_t>(i * 10 + n), i * 10 + n);
      trace.events(i % 2 == 0 ? 1 : 2, rows);
    }
    bytes_ = trace.bytes();
  }

  static std::unique_ptr<ByteSource> source(std::string_view bytes) {
    return memory_source({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()});
  }

  // All that opening finds out, as text.
  static std::string described(const TraceData& data) {
    std::string text;
    for (const Session& session : data.sessions) {
      text += "session rows " + std::to_string(session.rows) + " missing " + std::to_string(session.missing) +
              " lost " + std::to_string(session.lost) + (session.closed ? " closed" : " open") + "\n";
      for (const StreamInfo& stream : session.streams) {
        text += "stream " + std::to_string(stream.id) + " rows " + std::to_string(stream.rows) + " from " +
                std::to_string(stream.first_ns) + " to " + std::to_string(stream.last_ns) + "\n";
      }
    }
    for (const Damage& damage : data.ledger.damage())
      text += std::to_string(damage.offset) + ": " + damage.reason + "\n";
    for (const MissingRows& missing : data.ledger.missing()) text += std::to_string(missing.rows) + " missing\n";
    return text + data.blocks.status().message() + "\n";
  }

  static std::string opened_at_once(std::string_view bytes, const ReadOptions& options) {
    Opening opening(source(bytes), options);
    opening.read();
    return described(*opening.finish());
  }

  std::vector<std::size_t> ends_;  // of some blocks
  std::string bytes_;
};

TEST_F(AnOpening, GoesOnWhereverTheFileEndedFirst) {
  for (const bool checks : {false, true}) {
    ReadOptions options;
    options.check_index = checks;
    const std::string expected = opened_at_once(bytes_, options);
    for (std::size_t first = ends_.front(); first <= bytes_.size(); ++first) {
      Opening opening(source(std::string_view(bytes_).substr(0, first)), options);
      opening.read();
      opening.extend(source(bytes_));
      EXPECT_EQ(described(*opening.finish()), expected) << "first " << first << " bytes";
    }
  }
}

TEST_F(AnOpening, GoesOnAsOftenAsTheFileGrows) {
  const ReadOptions options;
  Opening opening(source(std::string_view(bytes_).substr(0, ends_.front())), options);
  opening.read();
  for (const std::size_t end : ends_) opening.extend(source(std::string_view(bytes_).substr(0, end)));
  opening.extend(source(bytes_));
  EXPECT_EQ(described(*opening.finish()), opened_at_once(bytes_, options));
}

TEST_F(AnOpening, ReadsHeadersOnce) {
  const ReadOptions options;
  Opening whole(source(bytes_), options);
  whole.read();
  const std::uint64_t once = whole.data().blocks.bytes_read();
  Opening opening(source(std::string_view(bytes_).substr(0, ends_.back())), options);
  opening.read();
  const TraceData* const first = &opening.data();
  opening.extend(source(bytes_));
  EXPECT_EQ(&opening.data(), first) << "it began anew";
  // The header of the last block, and what is behind it, is looked at again.
  EXPECT_LE(opening.data().blocks.bytes_read(), once + 2 * EVT_BLOCK_HEADER_MAX);
}

TEST_F(AnOpening, BeginsAnewWhereTheFrontIsDamaged) {
  std::string damaged = bytes_;
  damaged[ends_[1] + 1] ^= 1;
  const ReadOptions options;
  Opening opening(source(std::string_view(damaged).substr(0, ends_.back())), options);
  opening.read();
  opening.extend(source(damaged));
  EXPECT_EQ(described(*opening.finish()), opened_at_once(damaged, options));
}

TEST_F(AnOpening, BeginsAnewWhenTheFileIsShorterThanItWas) {
  const std::string_view shorter = std::string_view(bytes_).substr(0, ends_[2]);
  const ReadOptions options;
  Opening opening(source(bytes_), options);
  opening.read();
  opening.extend(source(shorter));
  EXPECT_EQ(described(*opening.finish()), opened_at_once(shorter, options));
}

}  // namespace
}  // namespace evt::testing
