// Segments in another form are the same segments.
#include <evt/recode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/segmented_trace.h"
#include "support/folder.h"

namespace evt::testing {
namespace {

std::string recoded(const std::string& path, Form form) {
  std::string bytes;
  const auto take = [&](Bytes more) {
    bytes.append(reinterpret_cast<const char*>(more.data()), more.size());
    return 0;
  };
  const auto done = recode(path, form, take);
  return done ? bytes : "cannot be written: " + done.status().message();
}

// Its events, and what is stated of the rows that are not there.
std::string facts_of(std::string_view bytes) {
  Trace trace = open_trace(bytes);
  const Session& session = trace.sessions().front();
  return event_lines(text_of(trace)) + trace.status().message() + "\n" + std::to_string(session.not_kept) +
         " not kept, " + std::to_string(session.missing) + " missing, " + std::to_string(session.lost) +
         " lost, to segment " + std::to_string(session.last_segment) +
         (session.closed    ? ", closed"
          : session.goes_on ? ", goes on"
                            : "");
}

TEST(RecodeSegments, KeepsWhatTheyHaveAndWhatIsBeforeThem) {
  const Folder folder;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const SegmentedTrace made(seed, 4);
    const std::string some = made.segment(1) + made.segment(3);
    const std::string path = folder.write("a.evt", some);
    EXPECT_EQ(facts_of(recoded(path, Form::kColumns)), facts_of(some)) << seed;
    const std::string again = folder.write("b.evt", recoded(path, Form::kColumns));
    EXPECT_EQ(facts_of(recoded(again, Form::kRows)), facts_of(some)) << seed;
  }
}

}  // namespace
}  // namespace evt::testing
