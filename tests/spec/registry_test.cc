// registry.def is the table of the format's numbers: what headers, messages and REGISTRY.md have is what it has.
// REGISTRY.md lists the standard events with the numbers, names, roles and fields of <evt/events.h>.
#include <evt/encode.h>
#include <evt/events.h>
#include <evt/names.h>
#include <evt/trace.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include "support/folder.h"

namespace evt::testing {
namespace {

std::string kind_of(Wire wire) {
  switch (wire.kind) {
    case Kind::kUnsigned:
      return "u" + std::to_string(wire.width * 8);
    case Kind::kSigned:
      return "i" + std::to_string(wire.width * 8);
    case Kind::kEnumeration:
      return "enum" + std::to_string(wire.width * 8);
    case Kind::kText:
      return wire.shape == Shape::kList ? "list of text" : "text";
    case Kind::kInterned:
      return "interned";
    case Kind::kReference:
      return wire.shape == Shape::kArray ? "array of reference" : "reference";
    case Kind::kTickDelta:
      return "tick_delta";
    default:
      return "?";
  }
}

template <Traced T>
std::string line_of() {
  std::string fields;
  const auto add = [&]<typename F>(const F& field) {
    if (!fields.empty()) fields += ", ";
    fields += std::string(field.name) + " " + kind_of(wire_of<typename F::Member>());
  };
  std::apply([&](const auto&... field) { (add(field), ...); }, schema<T>.fields);
  return "| " + std::to_string(schema<T>.number) + " | `" + schema<T>.name + "` | " + to_string(schema<T>.role) +
         " | " + fields + " |\n";
}

template <typename... Event>
std::string table_of(const std::tuple<Event...>*) {
  return (line_of<Event>() + ...);
}

// spanBegin as SPAN_BEGIN.
std::string upper(std::string_view name) {
  std::string all;
  for (const char c : name) {
    if (std::isupper(static_cast<unsigned char>(c)) != 0) all += '_';
    all += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return all;
}

// spanBegin as kSpanBegin.
std::string constant(std::string_view name) {
  std::string all = "k" + std::string(name);
  all[1] = static_cast<char>(std::toupper(static_cast<unsigned char>(all[1])));
  return all;
}

// The lines that a file lacks.
class Lines {
 public:
  explicit Lines(std::string file) : file_(std::move(file)), text_("\n" + read_file(EVT_SOURCE_FOLDER "/" + file_)) {}

  // A comment may follow the line.
  void expect(const std::string& line) {
    if (text_.find("\n" + line) == std::string::npos) lacking_ += file_ + " lacks the line:" + line + "\n";
  }
  // How many lines of the file begin so.
  void expect_count(const std::string& front, std::size_t count) {
    std::size_t found = 0;
    for (std::size_t at = text_.find("\n" + front); at != std::string::npos; at = text_.find("\n" + front, at + 1))
      ++found;
    if (found == count) return;
    lacking_ += file_ + " has " + std::to_string(found) + " lines that begin with" + front + ", registry.def " +
                std::to_string(count) + "\n";
  }
  const std::string& lacking() const { return lacking_; }

 private:
  std::string file_;
  std::string text_;
  std::string lacking_;
};

struct List {
  NumberList list;
  const char* c;        // what C puts in front of its names
  std::size_t others;   // names of C with that front that are no numbers of the list
  bool is_of_cpp;       // schema.h has it
  bool is_of_messages;  // metadata.capnp has it
};
constexpr List kLists[] = {
    {NumberList::kKind, "EVT_KIND_", 0, true, true},
    {NumberList::kShape, "EVT_SHAPE_", 0, true, true},
    {NumberList::kRole, "EVT_ROLE_", 1, true, true},
    {NumberList::kUnit, "EVT_UNIT_", 1, true, true},
    {NumberList::kLossCause, "EVT_LOST_", 2, false, false},
    {NumberList::kClock, "EVT_CLOCK_", 1, false, false},
    {NumberList::kRing, "EVT_RING_", 0, false, true},
    {NumberList::kAlignment, "EVT_ALIGNED_", 0, false, true},
    {NumberList::kTimeScale, "EVT_TIME_SCALE_", 0, false, false},
    {NumberList::kFactScope, "EVT_FACT_SCOPE_", 0, false, false},
    {NumberList::kScope, "EVT_SCOPE_", 0, true, true},
    {NumberList::kSampling, "EVT_SAMPLED_", 0, false, true},
    {NumberList::kStandardEvent, "EVT_EVENT_", 0, false, false},
};

TEST(Registry, IsWhatTheHeaderForCHas) {
  Lines header("format-spec/include/evt/format.h");
  for (const List& list : kLists) {
    const auto numbers = named_numbers(list.list);
    for (const NamedNumber& number : numbers) {
      header.expect("  " + (list.c + upper(number.name)) + " = " + std::to_string(number.number) + ",");
    }
    header.expect_count(std::string("  ") + list.c, numbers.size() + list.others);
  }
  EXPECT_EQ(header.lacking(), "");
  EXPECT_EQ(named_numbers(NumberList::kRole).size(), std::size_t{EVT_ROLE_COUNT});
  EXPECT_EQ(named_numbers(NumberList::kUnit).size(), std::size_t{EVT_UNIT_COUNT});
}

TEST(Registry, IsWhatTheHeaderForCppHas) {
  Lines header("format-spec/include/evt/schema.h");
  for (const List& list : kLists) {
    for (const NamedNumber& number : named_numbers(list.list)) {
      if (list.is_of_cpp) header.expect("  " + constant(number.name) + " = " + (list.c + upper(number.name)) + ",");
    }
  }
  EXPECT_EQ(header.lacking(), "");
}

TEST(Registry, IsWhatMessagesHave) {
  Lines schema("format-spec/metadata.capnp");
  for (const List& list : kLists) {
    for (const NamedNumber& number : named_numbers(list.list)) {
      if (list.is_of_messages)
        schema.expect("  " + std::string(number.name) + " @" + std::to_string(number.number) + ";");
    }
  }
  EXPECT_EQ(schema.lacking(), "");
}

TEST(Registry, IsWhatTheDocumentLists) {
  Lines document("format-spec/REGISTRY.md");
  for (const NamedNumber& role : named_numbers(NumberList::kRole)) {
    const std::string words = role.words;
    const std::size_t colon = words.find(": ");
    const std::string cells =
        colon == std::string::npos ? "| |" : words.substr(0, colon) + " | " + words.substr(colon + 2) + " |";
    document.expect("| " + std::to_string(role.number) + " | " + role.name + " | " + cells);
  }
  const std::pair<NumberList, const char*> sentences[] = {
      {NumberList::kKind, "Kinds: "},
      {NumberList::kShape, "Shapes: "},
      {NumberList::kUnit, ""},
      {NumberList::kClock, ""},
      {NumberList::kAlignment, ""},
      {NumberList::kStopReason, "Values of `reason` in `thread.stop`: "},
      {NumberList::kTimeScale, "Time scales: "},
      {NumberList::kFactScope, "Scopes of facts: "},
      {NumberList::kScope, "Scopes: "},
      {NumberList::kSampling, "Sampled by: "}};
  for (const auto& [list, front] : sentences) {
    std::string sentence = front;
    for (const NamedNumber& number : named_numbers(list)) {
      sentence +=
          (&number == named_numbers(list).data() ? "" : ", ") + std::to_string(number.number) + " " + number.words;
    }
    document.expect(sentence + ".");
  }
  EXPECT_EQ(document.lacking(), "");
}

TEST(Registry, NumbersEachListWithoutAGap) {
  for (const List& list : kLists) {
    const auto numbers = named_numbers(list.list);
    for (std::size_t i = 1; i < numbers.size(); ++i) {
      EXPECT_EQ(numbers[i].number, numbers[i - 1].number + 1) << numbers[i].name;
    }
  }
}

TEST(Registry, HasTheReasonsOfTheStandardEvent) {
  const auto reasons = named_numbers(NumberList::kStopReason);
  ASSERT_EQ(reasons.size(), labels<events::StopReason>.size());
  for (const Label& label : labels<events::StopReason>) {
    std::string words = label.text;
    std::replace(words.begin(), words.end(), '_', ' ');
    EXPECT_EQ(reasons[label.value].words, words);
  }
}

TEST(Registry, HasTheNamesOfTheStandardEvents) {
  const auto check = []<typename... Event>(const std::tuple<Event...>*) {
    const auto one = []<typename T>(const T*) {
      const NamedNumber* const registered = named_number(NumberList::kStandardEvent, schema<T>.number);
      ASSERT_NE(registered, nullptr) << schema<T>.name;
      EXPECT_STREQ(registered->words, schema<T>.name);
    };
    (one(static_cast<const Event*>(nullptr)), ...);
    EXPECT_EQ(named_numbers(NumberList::kStandardEvent).size(), sizeof...(Event));
  };
  check(static_cast<const events::All*>(nullptr));
}

TEST(Registry, ListsTheStandardEvents) {
  const std::string document = read_file(EVT_SOURCE_FOLDER "/format-spec/REGISTRY.md");
  const std::string front = "| number | name | role | fields |\n|---|---|---|---|\n";
  const std::size_t at = document.find(front);
  ASSERT_NE(at, std::string::npos);
  const std::string expected = table_of(static_cast<const events::All*>(nullptr));
  EXPECT_EQ(document.substr(at + front.size(), expected.size() + 1), expected + "\n");
}

}  // namespace
}  // namespace evt::testing
