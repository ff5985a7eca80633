// Text that is too long for its field: cut at the start of a character, and counted.
#include <gtest/gtest.h>

#include "write/recording.h"

namespace {

struct Words {
  std::span<const std::string_view> words;
  std::uint8_t last = 9;
};

}  // namespace

template <>
inline constexpr auto evt::schema<Words> = evt::event("words", "", evt::field("words", &Words::words),
                                                      evt::field("last", &Words::last));

namespace evt::testing {
namespace {

constexpr std::size_t kMaxText = 65535;
const std::string kTwo = "\xC3\xA9";           // e with an accent
const std::string kThree = "\xE2\x82\xAC";     // the euro
const std::string kFour = "\xF0\x9F\x98\x80";  // a face

struct Noted {
  std::string text;
  std::uint64_t cut = 0;
  friend bool operator==(const Noted&, const Noted&) = default;
  friend void PrintTo(const Noted& r, std::ostream* out) { *out << r.text.size() << " bytes, " << r.cut << " cut"; }
};

// What a note of this text comes back as.
Noted noted(const std::string& text) {
  Recording recording;
  recording->stream("a").emit(recording->declare<Note>(), Note{text});
  Noted result;
  result.cut = recording->counts().texts_cut;
  each_event(recording.bytes(), [&](const Event& event) { result.text = event.as<Note>()->text; });
  return result;
}

TEST(Text, IsWholeUpToTheMostThatItsCountCanSay) {
  EXPECT_EQ(noted(""), (Noted{"", 0}));
  EXPECT_EQ(noted(letters(kMaxText)), (Noted{letters(kMaxText), 0}));
  EXPECT_EQ(noted(letters(kMaxText - 2) + kTwo), (Noted{letters(kMaxText - 2) + kTwo, 0}));
}

TEST(Text, IsCutBeyondThat) { EXPECT_EQ(noted(letters(kMaxText + 1)), (Noted{letters(kMaxText), 1})); }

TEST(Text, IsCutBetweenCharacters) {
  EXPECT_EQ(noted(letters(kMaxText - 2) + kTwo + "x"), (Noted{letters(kMaxText - 2) + kTwo, 1}));
  EXPECT_EQ(noted(letters(kMaxText - 1) + kTwo), (Noted{letters(kMaxText - 1), 1}));
  EXPECT_EQ(noted(letters(kMaxText - 3) + kThree + "x"), (Noted{letters(kMaxText - 3) + kThree, 1}));
  EXPECT_EQ(noted(letters(kMaxText - 2) + kThree), (Noted{letters(kMaxText - 2), 1}));
  EXPECT_EQ(noted(letters(kMaxText - 1) + kThree), (Noted{letters(kMaxText - 1), 1}));
  EXPECT_EQ(noted(letters(kMaxText - 4) + kFour + "x"), (Noted{letters(kMaxText - 4) + kFour, 1}));
  EXPECT_EQ(noted(letters(kMaxText - 3) + kFour), (Noted{letters(kMaxText - 3), 1}));
  EXPECT_EQ(noted(letters(kMaxText - 2) + kFour), (Noted{letters(kMaxText - 2), 1}));
  EXPECT_EQ(noted(letters(kMaxText - 1) + kFour), (Noted{letters(kMaxText - 1), 1}));
}

TEST(Text, IsCutAnywhereWhenItIsNoUtf8) {
  const std::string noise(kMaxText + 10, '\x80');
  EXPECT_EQ(noted(noise), (Noted{noise.substr(0, kMaxText), 1}));
}

TEST(Text, InAListIsCutOneByOne) {
  Recording recording;
  const std::string most = letters(kMaxText);
  const std::string more = letters(kMaxText - 1) + kTwo;
  const std::string_view words[] = {most, more, "short", more};
  recording->stream("a").emit(recording->declare<Words>(), Words{words});
  EXPECT_EQ(recording->counts().texts_cut, 2u);
  const std::string cut = letters(kMaxText - 1);
  EXPECT_EQ(recording.text(),
            "type 1024 words (words text[]) (last u8)\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 words words=[\"" +
                most + "\" \"" + cut + "\" \"short\" \"" + cut + "\"] last=9\n");
}

TEST(Text, InAListStopsWhereItsCountDoes) {
  Recording recording;
  const std::vector<std::string_view> words(kMaxText + 1, "w");
  recording->stream("a").emit(recording->declare<Words>(), Words{words});
  each_event(recording.bytes(), [](const Event& event) {
    EXPECT_EQ(event.value("words")->count(), kMaxText);
    EXPECT_EQ(event.value("last")->as_unsigned(), 9u);
  });
}

TEST(Text, ThatIsLongIsNotCut) {
  Recording recording;
  const std::string text = letters(kMaxText + 1);
  recording->stream("a").emit(recording->declare<Paper>(), Paper{{text}});
  EXPECT_EQ(recording->counts().texts_cut, 0u);
  EXPECT_EQ(recording.text(),
            "type 1024 paper (text text32)\nstream 1 \"a\"\n0.000000001 1 paper text=\"" + text + "\"\n");
}

TEST(Text, IsCountedForEachStream) {
  Recording recording;
  const auto types = recording->declare<Note>();
  const std::string text = letters(kMaxText + 1);
  recording->stream("a").emit(types, Note{text});
  recording->stream("b").emit(types, Note{text});
  EXPECT_EQ(recording->counts().texts_cut, 2u);
}

TEST(Text, ThatNobodyRecordsIsNotCounted) {
  Recording recording;
  recording->stream("a").emit_with(TypeHandle(), [](RowBuilder&) { FAIL(); });
  evt_row none = evt_begin(recording->stream("a").get(), TypeHandle().get());
  evt_text(&none, letters(kMaxText + 1).data(), kMaxText + 1);
  EXPECT_EQ(recording->counts().texts_cut, 0u);
}

TEST(Text, OfATypesDescriptionIsCutBetweenCharactersToo) {
  Recording recording;
  RuntimeType type("thing");
  const std::string description = letters(kMaxText - 1) + kTwo;
  type.type.description = description.c_str();
  ASSERT_TRUE(recording->declare(type.type).ok());
  EXPECT_EQ(recording.text(), "type 1024 thing \"" + letters(kMaxText - 1) + "\"\n");
}

}  // namespace
}  // namespace evt::testing
