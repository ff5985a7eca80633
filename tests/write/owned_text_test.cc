// Fields of std::string: written as a text is, and read as a copy that outlives its event.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "write/recording.h"

namespace evt::testing {

struct Greeting {
  std::string text;
  std::uint32_t number = 0;
};
struct GreetingView {
  std::string_view text;
  std::uint32_t number = 0;
};

}  // namespace evt::testing

template <>
inline constexpr auto evt::schema<evt::testing::Greeting> =
    evt::event("greeting", "", evt::field("text", &evt::testing::Greeting::text),
               evt::field("number", &evt::testing::Greeting::number));
template <>
inline constexpr auto evt::schema<evt::testing::GreetingView> =
    evt::event("greeting", "", evt::field("text", &evt::testing::GreetingView::text),
               evt::field("number", &evt::testing::GreetingView::number));

namespace evt::testing {
namespace {

TEST(OwnedText, OutlivesItsEvent) {
  Recording recording;
  Stream stream = recording->stream("a");
  const auto greeting = recording->declare<Greeting>();
  const std::vector<std::string> texts = {"", "hello", std::string(40'000, 'x'), std::string("a\0b", 3)};
  for (std::uint32_t i = 0; i < texts.size(); ++i) stream.emit(greeting, Greeting{texts[i], i});
  const std::string bytes = recording.bytes();
  Trace trace = open_trace(bytes);
  std::vector<Greeting> read;
  for (const Event& event : trace.events()) {
    if (auto each = event.as<Greeting>()) read.push_back(std::move(*each));
  }
  ASSERT_EQ(read.size(), texts.size());
  for (std::uint32_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(read[i].text, texts[i]);
    EXPECT_EQ(read[i].number, i);
  }
}

TEST(OwnedText, IsTheSameToAReaderOfViews) {
  Recording recording;
  Stream stream = recording->stream("a");
  stream.emit(recording->declare<Greeting>(), Greeting{"hello", 7});
  const std::string bytes = recording.bytes();
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  const auto view = events.next()->as<GreetingView>();
  ASSERT_TRUE(view);
  EXPECT_EQ(view->text, "hello");
  EXPECT_EQ(view->number, 7U);
}

}  // namespace
}  // namespace evt::testing
