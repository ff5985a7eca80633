// Traces of many threads: the memory of a page follows from what they do, not from its columns.
#include "support/sanitizer.h"
#include "view_test.h"

namespace evt::testing {
namespace {

class ManyRows : public View {
 protected:
  // Each is on the one cpu twice, inside a span from the first time to the second.
  void given_coroutines(unsigned count) const {
    std::string text =
        "type 4 thread.run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
        "type 5 thread.stop role=threadStop (thread u64 role=thread)\n"
        "type 9 span.begin role=spanBegin (name text role=name)\ntype 10 span.end role=spanEnd\n"
        "stream 1 \"vm\"\n";
    unsigned us = 0;
    for (const char* const span : {"span.begin name=\"a\"", "span.end"}) {
      for (unsigned i = 1; i <= count; ++i, ++us) {
        text += fmt::format("{}.{:06}000 1 thread.run thread={} cpu=0\n", us / 1'000'000, us % 1'000'000, i);
        text += fmt::format("{}.{:06}100 1 {}\n", us / 1'000'000, us % 1'000'000, span);
        text += fmt::format("{}.{:06}900 1 thread.stop thread={}\n", us / 1'000'000, us % 1'000'000, i);
      }
    }
    given_trace("vm.evt", text);
  }
};

TEST_F(ManyRows, TakeABoundedAmountOfMemory) {
  if (kSanitizer) GTEST_SKIP() << "a sanitizer has memory of its own";
  given_coroutines(10'000);
  EXPECT_LT(peak_of("view vm.evt -o vm.html"), 128 << 10);
  EXPECT_FALSE(content_of("vm.html").empty());
}

}  // namespace
}  // namespace evt::testing
