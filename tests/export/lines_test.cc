// Events and values as text, by a program that links the reader.
#include <evt/export/csv_lines.h>
#include <evt/export/json_lines.h>
#include <evt/export/pretty_printer.h>
#include <evt/export/text_form_lines.h>
#include <evt/text/value_text.h>

#include "support/text_trace.h"

namespace evt::testing {
namespace {

constexpr std::string_view kText =
    "evtrace text 1\n"
    "session uuid=0x000102030405460788090a0b0c0d0e0f start=1767225600.000000000 program=\"test\"\n"
    "type 1024 read (file text) (sizes u32[]) (took tick_delta) (how enum8 labels=[0=cached 1=disk]) (key bytes)\n"
    "stream 1 \"main\"\n"
    "0.000000010 1 read file=\"a\\\"b\" sizes=[1 22] took=0.000000005 how=disk key=0x00ff\n";

class Lines : public ::testing::Test {
 protected:
  std::string text_of(EventLines& lines) {
    TextBuffer out;
    lines.begin(out, "x.evt", trace_);
    Events events = trace_.events({.markers = true, .by_ns = true});
    while (const Event* const event = events.next()) lines.append(out, *event);
    lines.end(out);
    return std::string(out.text());
  }
  // Of each field of the event.
  template <typename AsText>
  std::vector<std::string> values(AsText as_text) {
    std::vector<std::string> texts;
    Events events = trace_.events();
    const Event* const event = events.next();
    FieldWalker walker = event->values();
    while (const auto value = walker.next()) texts.push_back(as_text(*event, *value));
    return texts;
  }

  std::string bytes_ = trace_from_text(kText);
  Trace trace_ = open_trace(bytes_);
};

TEST_F(Lines, ForPeopleHaveColumns) {
  EXPECT_EQ(text_of(*pretty_printer({})),
            "   0.000000010  main  read file=\"a\\\"b\" sizes=[1 22] took=0.000000005 how=disk key=0x00ff\n");
}

TEST_F(Lines, AsJsonAreObjects) {
  EXPECT_EQ(text_of(*json_lines({})),
            "{\"ns\":10,\"stream\":\"main\",\"stream_id\":1,\"event\":\"read\",\"fields\":{\"file\":\"a\\\"b\","
            "\"sizes\":[1,22],\"took\":5,\"how\":\"disk\",\"key\":\"0x00ff\"}}\n");
}

TEST_F(Lines, AsCsvHaveAColumnForEachField) {
  EXPECT_EQ(text_of(*csv_lines({}, {&trace_}, [](const EventType&) { return true; })),
            "ns,stream,event,file,sizes,took,how,key,rest\r\n"
            "10,main,read,\"a\"\"b\",\"[1,22]\",5,disk,0x00ff,\r\n");
}

TEST_F(Lines, AsTextFormMakeTheSameTraceAgain) {
  const std::string text = text_of(*text_form_lines());
  EXPECT_EQ(trace_from_text(text), bytes_) << text;
}

TEST_F(Lines, OfValuesAreThoseOfTheDump) {
  EXPECT_EQ(values(value_text), (std::vector<std::string>{"\"a\\\"b\"", "[1 22]", "0.000000005", "disk", "0x00ff"}));
}

TEST_F(Lines, OfValuesAsJsonAreTheirOwn) {
  EXPECT_EQ(values(value_json), (std::vector<std::string>{"\"a\\\"b\"", "[1,22]", "5", "\"disk\"", "\"0x00ff\""}));
}

}  // namespace
}  // namespace evt::testing
