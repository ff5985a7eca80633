#include "libtrace-read/core/src/session/span_list.h"

#include <gtest/gtest.h>

#include <random>

namespace evt {
namespace {

TEST(SpanList, IsWhatAVectorIs) {
  std::mt19937 random(7);
  for (int round = 0; round < 100; ++round) {
    SpanList list;
    std::vector<StreamSpan> model;
    for (int step = 0; step < 50; ++step) {
      const unsigned what = random() % 16;
      if (what == 0) {
        const auto is_even = [](StreamSpan span) { return span.block % 2 == 0; };
        list.erase_if(is_even);
        std::erase_if(model, is_even);
      } else if (what == 1) {
        std::shuffle(model.begin(), model.end(), random);
        list.assign(model);
      } else {
        const StreamSpan span{static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random())};
        list.push_back(span);
        model.push_back(span);
      }
      ASSERT_EQ(std::vector<StreamSpan>(list.begin(), list.end()), model);
      ASSERT_EQ(list.size(), model.size());
      ASSERT_EQ(list.empty(), model.empty());
      if (!model.empty()) {
        ASSERT_EQ(list.back(), model.back());
      }
    }
  }
}

}  // namespace
}  // namespace evt
