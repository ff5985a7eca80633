// Copies of damaged traces in another form: they have as many events, and their sessions end as they did.
#include <evt/recode.h>

#include "core/raw_trace.h"
#include "support/folder.h"

namespace evt::testing {
namespace {

// Four blocks of rows, and a session that was closed.
RawTrace four_blocks() {
  RawTrace trace = ordinary_trace();
  for (std::uint32_t i = 1; i <= 4; ++i) trace.events(1, Rows().tick(i, i));
  return trace.trailer();
}

Trace copy_of(const RawTrace& damaged, std::string* copy) {
  const Folder folder;
  folder.write("x.evt", damaged.bytes());
  const auto read = recode(folder / "x.evt", Form::kColumns, [&](Bytes part) {
    copy->append(reinterpret_cast<const char*>(part.data()), part.size());
    return 0;
  });
  EXPECT_TRUE(read) << read.status().message();
  return open_trace(*copy);
}

// The first block with damaged rows is followed by what the copy leaves out, so that TRAILER would follow it.
TEST(RecodeDamaged, ASessionThatWasClosedIsClosedInItsCopy) {
  const RawTrace whole = four_blocks();
  const std::size_t first = whole.size() - 5;
  RawTrace damaged = four_blocks();
  damaged.spoil_payload(first).spoil_payload(first + 1).spoil_header(first + 2).spoil_header(first + 3);
  Trace original = open_trace(damaged.bytes());
  std::string copy;
  Trace copied = copy_of(damaged, &copy);
  EXPECT_EQ(original.sessions()[0].closed, true);
  EXPECT_EQ(copied.sessions()[0].closed, true);
  EXPECT_EQ(copied.sessions()[0].missing, original.sessions()[0].missing);
}

}  // namespace
}  // namespace evt::testing
