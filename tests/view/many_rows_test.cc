// Traces of many threads: the memory of pages and pictures follows from what they do, not from columns.
#include "support/sanitizer.h"
#include "view_test.h"

namespace evt::testing {
namespace {

class ManyRows : public View {
 protected:
  static constexpr unsigned kCoroutines = 10'000;

  // Each is on the one cpu twice, inside a span from the first time to the second: all recorded by one stream, or each
  // by its own.
  void given_coroutines(bool has_streams) const {
    std::string text =
        "type 4 thread.run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
        "type 5 thread.stop role=threadStop (thread u64 role=thread)\n"
        "type 9 span.begin role=spanBegin (name text role=name)\ntype 10 span.end role=spanEnd\n";
    for (unsigned i = 1; i <= (has_streams ? kCoroutines : 1); ++i) text += fmt::format("stream {} \"vm\"\n", i);
    unsigned us = 0;
    for (const char* const span : {"span.begin name=\"a\"", "span.end"}) {
      for (unsigned i = 1; i <= kCoroutines; ++i, ++us) {
        const unsigned stream = has_streams ? i : 1;
        const std::string second = fmt::format("{}.{:06}", us / 1'000'000, us % 1'000'000);
        text += fmt::format("{}000 {} thread.run thread={} cpu=0\n", second, stream, i);
        text += fmt::format("{}100 {} {}\n", second, stream, span);
        text += fmt::format("{}900 {} thread.stop thread={}\n", second, stream, i);
      }
    }
    given_trace("vm.evt", text);
  }
  // Of a page and of pictures.
  void expect_peaks(long of_page, long of_pictures) const {
    for (const char* const name : {"vm.html", "vm.svg", "vm.pdf"}) {
      const bool is_page = std::string_view(name) == "vm.html";
      EXPECT_LT(peak_of(fmt::format("view vm.evt -o {}", name)), is_page ? of_page : of_pictures) << name;
      EXPECT_FALSE(content_of(name).empty()) << name;
    }
  }
};

TEST_F(ManyRows, TakeABoundedAmountOfMemory) {
  if (kSanitizer) GTEST_SKIP() << "a sanitizer has memory of its own";
  given_coroutines(false);
  expect_peaks(128 << 10, 256 << 10);
}

TEST_F(ManyRows, OfManyStreamsTakeABoundedAmountOfMemory) {
  if (kSanitizer) GTEST_SKIP() << "a sanitizer has memory of its own";
  given_coroutines(true);
  expect_peaks(256 << 10, 256 << 10);
}

}  // namespace
}  // namespace evt::testing
