// Files that are meant to be in Chrome's Trace Event Format, and are no JSON.
#include <fmt/core.h>

#include <cstring>

#include "eventlog_reading.h"
#include "libtrace-read/import/src/chrome/json_scan.h"
#include "support/sanitizer.h"

namespace evt::testing {
namespace {

constexpr int kSalvaged = 1001;  // events around a place that is broken

std::string event_at(int place) {
  return fmt::format(R"({{"ph":"i","pid":1,"tid":7,"ts":{},"name":"e{}"}})", place, place);
}

// kSalvaged events, and `more` behind half of them.
std::string events_around(std::string_view more, std::string_view between) {
  std::string all;
  for (int i = 0; i < kSalvaged; ++i) {
    if (i > 0) all += between;
    all += event_at(i);
    if (i == kSalvaged / 2) all += fmt::format("{}{}", between, more);
  }
  return all;
}

// How many of them are read, how many are lost, and what is wrong.
std::string summary_of(const std::string& json) {
  auto trace = Trace::from_memory(as_bytes(json));
  if (!trace) return trace.status().message();
  int count = 0;
  Events events = trace->events({});
  while (events.next() != nullptr) ++count;
  const Session& session = trace->sessions().front();
  std::string text = fmt::format("{} read, {} lost{}\n", count, session.lost, session.closed ? "" : ", truncated");
  for (const Damage& damage : trace->damage()) {
    text += fmt::format("{}: {}\n", json.substr(damage.offset, damage.length), damage.reason);
  }
  return text;
}

struct Bad {
  std::string_view text;
  std::string_view comes_of_it;
};
// A place that is no JSON between events, each on a line of its own or all on one.
constexpr Bad kBad[] = {
    {R"({"ph":"i","name":"C:\src\","ts":1})",
     "1001 read, 1 lost\n{\"ph\":\"i\",\"name\":\"C:\\src\\\",\"ts\":1}: no event: it is no JSON\n"},
    {R"({"ph":"i","name":"a"quoted"b","ts":1})",
     "1001 read, 1 lost\n{\"ph\":\"i\",\"name\":\"a\"quoted\"b\",\"ts\":1}: no event: Missing a comma or '}' after an "
     "object member\n"},
    {R"({"ph":"i","name":"a"}"b","ts":1})",
     "1001 read, 1 lost\n{\"ph\":\"i\",\"name\":\"a\"}: no event: it has no time (ts)\n\"b\",\"ts\":1}: it is no "
     "JSON\n"},
    {R"({"ph":"i","name":"a","ts":1}})", "1002 read, 0 lost\n}: it is no JSON\n"},
    {R"({"ph":"i","name":"a","ts":1)",
     "1001 read, 1 lost\n{\"ph\":\"i\",\"name\":\"a\",\"ts\":1: no event: Missing a name for object member\n"},
    {R"({"ph":"i","name":"a","args":{"list":[)",
     "1001 read, 1 lost\n{\"ph\":\"i\",\"name\":\"a\",\"args\":{\"list\":[: no event: it is no JSON\n"},
    {R"({"ph":"i","name":"\,"args":{"list":[{"a":1},{"b":2}]}},{"ph":"i","ts":1,"name":"\})",
     "1001 read, 2 lost\n"
     "{\"ph\":\"i\",\"name\":\"\\,\"args\":{\"list\":[{\"a\":1},{\"b\":2}]}}: no event: Invalid escape character in "
     "string\n{\"ph\":\"i\",\"ts\":1,\"name\":\"\\}: no event: it is no JSON\n"},
    {"\"", "1001 read, 0 lost\n\": it is no JSON\n"},
    {"nothing", "1001 read, 1 lost\nnothing: no event: it is no object\n"},
};

TEST(ChromeSalvage, APlaceThatIsNoJsonCostsNoOtherEvent) {
  for (const Bad& bad : kBad) {
    for (const std::string_view between : {",\n", ",", ", \r\n\t"}) {
      SCOPED_TRACE(fmt::format("{} between '{}'", bad.text, between));
      const std::string all = events_around(bad.text, between);
      EXPECT_EQ(summary_of(fmt::format("[{}]\n", all)), bad.comes_of_it);
      EXPECT_EQ(summary_of(fmt::format("{{\"traceEvents\":[{}\n],\"displayTimeUnit\":\"ms\"}}", all)), bad.comes_of_it);
    }
  }
}

TEST(ChromeSalvage, TheLastEventCostsNeitherTheEndOfTheArrayNorWhatIsBehind) {
  const std::string events = event_at(0) + "," + event_at(1) + ",{\"ph\":\"i\",\"name\":\"\\\",\"ts\":1}";
  constexpr std::string_view kComes =
      "2 read, 1 lost\n{\"ph\":\"i\",\"name\":\"\\\",\"ts\":1}: no event: it is no JSON\n";
  EXPECT_EQ(summary_of("[" + events + "]\n"), kComes);
  EXPECT_EQ(summary_of("[" + events + "\n]\n"), kComes);
  EXPECT_EQ(summary_of("{\"traceEvents\":[" + events + "],\"a\":[{}]}"), kComes);
}

TEST(ChromeSalvage, WhatAFileStatesOfItselfCostsNoEvent) {
  const std::string events = event_at(0) + "," + event_at(1);
  EXPECT_EQ(summary_of("{\"otherData\":{\"command\":\"run \"x\",\"a\":1},\"traceEvents\":[" + events + "]}"),
            "2 read, 0 lost\n{\"command\":\"run \"x\",\"a\":1},\"traceEvents\":[: its member otherData is no JSON\n");
  EXPECT_EQ(summary_of("{\"traceEvents\":[" + events + "],\"otherData\":{\"command\":\"run \"x\"\"},\"a\":1}"),
            "2 read, 0 lost\n{\"command\":\"run \"x\"\"}: its member otherData is no JSON\n");
  EXPECT_EQ(
      summary_of("{\"traceEvents\":[" + events + "],\"otherData\":{\"comm"),
      "2 read, 0 lost, truncated\n{\"comm: the file ends inside a member of its object, or is no JSON from here on\n");
  EXPECT_EQ(summary_of("{\"traceEvents\":[" + events + "],\"otherData\":{x},\"a\":1}"),
            "2 read, 0 lost\n{x}: its member otherData is no JSON\n");
  EXPECT_EQ(summary_of("{\"traceEvents\":[" + events + "],what,\"a\":1}"), "2 read, 0 lost\nwhat: it is no JSON\n");
}

TEST(ChromeSalvage, MoreDocumentsAreReadAndOtherBytesBehindTheFirstAreNamed) {
  const std::string first = "[" + event_at(0) + "]";
  EXPECT_EQ(summary_of(first + "\n[" + event_at(1) + "]\n"), "2 read, 0 lost\n");
  EXPECT_EQ(summary_of(first + "{\"traceEvents\":[" + event_at(1) + "," + event_at(2) + "]}"), "3 read, 0 lost\n");
  EXPECT_EQ(summary_of(first + "\n," + event_at(1) + ",\n" + event_at(2)), "3 read, 0 lost\n");
  EXPECT_EQ(summary_of(first + "\nended at 12:00\n"),
            "1 read, 0 lost\nended at 12:00: it is behind the end of the JSON, and no event\n");
  EXPECT_EQ(summary_of(first + "\n[1] killed\n" + event_at(1)),
            "2 read, 0 lost\n[1] killed: it is behind the end of the JSON, and no event\n");
  EXPECT_EQ(summary_of("{\"traceEvents\":[" + event_at(0) + "]}" + std::string(2, '\0')),
            "1 read, 0 lost\n" + std::string(2, '\0') + ": it is behind the end of the JSON, and no event\n");
}

// A file of `size` bytes, `front` and then `piece` again and again; counts what is read of it.
class Repeated : public ByteSource {
 public:
  Repeated(const std::string& front, const std::string& piece, std::uint64_t size) : bytes_(front) {
    while (bytes_.size() < size) bytes_ += piece;
    bytes_.resize(size);
    size_ = size;
  }
  std::size_t read_at(std::uint64_t offset, std::byte* out, std::size_t size) override {
    if (offset >= size_) return 0;
    size = static_cast<std::size_t>(std::min<std::uint64_t>(size, size_ - offset));
    std::memcpy(out, bytes_.data() + offset, size);
    read_ += size;
    return size;
  }
  std::uint64_t bytes_read() const { return read_; }

 private:
  std::string bytes_;
  std::uint64_t read_ = 0;
};

TEST(ChromeSalvage, TheWorkIsLinearWhateverTheFileHas) {
  constexpr std::uint64_t kSize = 20'000'000 / kEveryCase;
  for (const auto& [front, piece] : std::initializer_list<std::pair<std::string, std::string>>{
           {"[", "\""},
           {"[{\"", "\"\n{\""},
           {"[", "{"},
           {"[", "}"},
           {"[", "{\"\n"},
           {"[", "{\"ph\":"},
           {"[", "[{\"ph\":"},
           {"[", "{\"a\":["},
           {"[{\"ph\":\"", "\\\",{\"ph\":["},
           {"[", "{\"ph\":1,\"a\":[\n"},
           {"[", ",{\"ph\":1,\"a\":{\"b\":[{\"ph\":{}},"},
           {"[]", "[{}]{\"a\":"},
           {"{\"traceEvents\":[]", ",\"a\":{\"b\":[\"c\n"},
           {"[", "[{\"a\":{}},{\"ph\":\"\"}"},
           {"[", std::string(300'000, ' ') + "{\"ph\":1," + std::string(300'000, '\n') + "\"x"}}) {
    SCOPED_TRACE(front + piece.substr(0, 40));
    Repeated file(front, piece, kSize);
    chrome::JsonScan scan(file);
    chrome::JsonScan::Element element;
    while (scan.next(&element)) {
      if (element.kind == chrome::JsonScan::Element::Kind::kObject && element.text.size() % 2 == 0) scan.refuse("odd");
    }
    EXPECT_LE(file.bytes_read(), 3 * kSize);
    EXPECT_LE(scan.looked_at_again(), 5 * kSize + (2 << 20));
  }
}

}  // namespace
}  // namespace evt::testing
