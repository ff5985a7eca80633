// Rows that strings hold (FORMAT.md, section 8.5): what reading, cutting and merging make of them.
#include <evt/block_writer.h>
#include <evt/cut.h>
#include <fmt/core.h>

#include "libtrace-read/core/src/event/interned_fields.h"
#include "merged_traces.h"
#include "support/text_trace.h"

namespace evt::testing {
namespace {

// A string of the text form that holds a row of a type with fields of 4 bytes each.
std::string row_string(std::uint32_t id, std::uint32_t type, const std::vector<std::uint32_t>& fields) {
  std::string line = fmt::format("string {} \"", id);
  const auto add = [&line](std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) line += fmt::format("\\x{:02x}", value >> (8 * i) & 0xFF);
  };
  add(EVT_DELTA_IN_STRING, 4);
  add(type, 2);
  add(8 + 4 * fields.size(), 2);
  for (const std::uint32_t field : fields) add(field, 4);
  return line + "\"\n";
}

std::string front_of(int who) {
  return fmt::format(
      "evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e{:02x} start=1767225600.000000000 "
      "program=\"p{}\"\n",
      who, who);
}

// Samples whose stacks share frames: `sample` refers to stacks, a stack to its caller's and to a frame, a frame to the
// name of a function. The numbers of each program are its own.
std::string sampled(int who, std::uint32_t first_type, const std::vector<std::string>& functions) {
  std::string text = front_of(who) + fmt::format("type {} sample (stack reference)\n", first_type) +
                     fmt::format("type {} frame (function interned) (line u32)\n", first_type + 1) +
                     fmt::format("type {} stack (frames reference[])\n", first_type + 2) + "stream 1 \"s\"\n";
  std::uint32_t id = 1;
  for (const std::string& function : functions) {
    text += fmt::format("string {} \"{}\"\n", id, function);
    text += row_string(id + 1, first_type + 1, {id, 7});
    id += 2;
  }
  // All frames, the last one innermost: an array has its count of 2 bytes in front, so two frames take a row by hand.
  text += fmt::format("string {} \"\\xff\\xff\\xff\\xff\\x{:02x}\\x{:02x}\\x12\\x00\\x02\\x00", id,
                      (first_type + 2) & 0xFF, (first_type + 2) >> 8);
  text += "\\x04\\x00\\x00\\x00\\x02\\x00\\x00\\x00\"\n";
  text += fmt::format("0.{:09} 1 sample stack=0x{:02x}000000\n", who * 1000, id);
  return trace_from_text(text);
}

// What a string means: its text, or its row with everything that it leads to.
std::string meaning(const Session& session, std::uint32_t id) {
  const auto found = session.strings.find(id);
  if (found == session.strings.end()) return fmt::format("#{}", id);
  const auto row = row_in(found->second);
  if (!row) return found->second;
  const auto type = std::find_if(session.types.begin(), session.types.end(),
                                 [&](const EventType& each) { return each.number() == row->number(); });
  if (type == session.types.end()) return fmt::format("type#{}", row->number());
  std::string text = type->name() + "(";
  for_each_interned(*type, row->fields(),
                    [&](const std::byte* at) { text += meaning(session, evt_load_u32(at)) + " "; });
  return text + ")";
}

// The same of all references of all events.
std::string meanings(Trace trace) {
  EXPECT_TRUE(trace.status().ok()) << trace.status().message();
  std::string text;
  Events events = trace.events();
  while (const Event* const event = events.next()) {
    text += event->type().name() + ":";
    for_each_interned(event->type(), event->payload(),
                      [&](const std::byte* at) { text += " " + meaning(trace.sessions()[0], evt_load_u32(at)); });
    text += "\n";
  }
  return text;
}

std::string cut_of(const std::string& bytes, bool anonymous = false) {
  Trace trace = open_trace(bytes);
  CutOptions options;
  options.anonymous = anonymous;
  std::string out;
  EXPECT_TRUE(cut(trace, options, into(&out)).ok());
  return out;
}

constexpr const char* kOfTheFirst = "sample: stack(frame(run ) frame(main ) )\n";
constexpr const char* kOfTheSecond = "sample: stack(frame(work ) frame(main ) )\n";

TEST(StringRows, OfTracesThatShareFramesAreMerged) {
  const std::string first = sampled(1, 1024, {"main", "run"});
  const std::string second = sampled(2, 1025, {"main", "work"});
  ASSERT_EQ(meanings(open_trace(first)), kOfTheFirst);
  const std::string both = merged({first, second});
  EXPECT_EQ(meanings(open_trace(both)), std::string(kOfTheFirst) + kOfTheSecond);
  // The frame of main is there once: names of three functions, three frames, two stacks.
  EXPECT_EQ(open_trace(both).sessions()[0].strings.size(), 8u);
  EXPECT_EQ(open_trace(both).sessions()[0].row_strings.size(), 5u);
  const std::string third = sampled(3, 1025, {"main", "work"});
  EXPECT_EQ(meanings(open_trace(merged({both, third}))), std::string(kOfTheFirst) + kOfTheSecond + kOfTheSecond);
}

TEST(StringRows, AreKeptByACutWithWhatTheyLeadTo) {
  const std::string trace = sampled(1, 1024, {"main", "run"});
  EXPECT_EQ(meanings(open_trace(cut_of(trace))), kOfTheFirst);
  EXPECT_EQ(meanings(open_trace(cut_of(trace, true))), kOfTheFirst);
}

// The names of functions, modules and source files go; stacks, lines and what other events say stay.
TEST(StringRows, OfFramesLoseTheirNamesInAnAnonymousCut) {
  const std::string bytes = trace_from_text(
      front_of(1) +
      "type 1024 sample role=sample (stack reference role=stack)\n"
      "type 1025 frame role=frame (function interned role=function) (module interned role=module) (file interned) "
      "(line u32 role=line)\n"
      "type 1026 stack role=frames (frame reference role=stack)\n"
      "type 1027 call role=call (function interned role=function)\n"
      "type 1028 listed role=sample (stack interned[] role=stack)\n"
      "type 1029 told role=frame (function text role=function)\n"
      "stream 1 \"s\"\nstring 1 \"secret_function\"\nstring 2 \"/home/me/secret_module\"\n"
      "string 3 \"secret_file.cc\"\nstring 4 \"write\"\nstring 7 \"secret_name\"\n" +
      row_string(5, 1025, {1, 2, 3, 7}) + row_string(6, 1026, {5}) + row_string(8, 1025, {4, 2, 3, 9}) +
      "string 9 \"\\xff\\xff\\xff\\xff\\x05\\x04\\x0e\\x00\\x04\\x00told\"\n" +
      "0.000000001 1 sample stack=0x06000000\n0.000000002 1 sample stack=0x08000000\n"
      "0.000000003 1 call function=\"write\"\n0.000000004 1 listed stack=[\"secret_name\"]\n"
      "0.000000005 1 sample stack=0x09000000\n");
  EXPECT_THAT(meanings(open_trace(bytes)), ::testing::HasSubstr("secret_function"));
  const std::string anonymous = cut_of(bytes, true);
  EXPECT_EQ(meanings(open_trace(anonymous)),
            "sample: stack(frame(#1 #2 #3 ) )\nsample: frame(write #2 #3 )\ncall: write\nlisted: #7\nsample: #9\n");
  EXPECT_EQ(anonymous.find("secret"), std::string::npos);
  EXPECT_EQ(anonymous.find("told"), anonymous.npos);
  EXPECT_EQ(merged({anonymous, trace_from_text(front_of(2))}).find("secret"), std::string::npos);
}

TEST(StringRows, AreKeptByWhatWritesEventsAgain) {
  const std::string trace = sampled(1, 1024, {"main", "run"});
  Trace opened = open_trace(trace);
  std::string out;
  const evt_sink sink = [](void* to, const void* bytes, std::size_t size) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(bytes), size);
    return 0;
  };
  BlockWriter writer(sink, &out);
  for (const Event& event : opened.events()) writer.write(event);
  ASSERT_TRUE(writer.close().ok());
  EXPECT_EQ(meanings(open_trace(out)), kOfTheFirst);
}

TEST(StringRows, ReferToTheSameUnknownNumbersOfNobody) {
  const std::string lines = "type 1024 t (r reference)\nstream 1 \"s\"\n" + row_string(1, 1030, {5}) +
                            row_string(2, 1024, {9}) + "0.000000001 1 t r=0x01000000\n0.000000002 1 t r=0x02000000\n";
  const std::string other = "type 1030 other\ntype 1024 x\nstream 1 \"s\"\nstring 9 \"nine\"\nstring 1 \"one\"\n";
  const std::string both = merged({trace_from_text(front_of(1) + lines), trace_from_text(front_of(2) + other)});
  EXPECT_EQ(meanings(open_trace(both)), "t: type#1030\nt: t(#9 )\n");
}

// What the reader says of strings that lead to one another.
std::string damage_of(const std::string& lines) {
  const std::string bytes =
      trace_from_text(front_of(1) + "type 1024 t (r reference)\ntype 1025 timed (at ticks)\nstream 1 \"s\"\n" + lines);
  Trace trace = open_trace(bytes);
  std::string text;
  for (const Damage& damage : trace.damage()) text += damage.reason + "\n";
  for (const std::uint32_t id : trace.sessions()[0].row_strings) text += fmt::format("row {}\n", id);
  return text;
}

TEST(StringRows, NestThreeDeep) {
  EXPECT_EQ(damage_of(row_string(1, 1024, {2}) + row_string(2, 1024, {3}) + row_string(3, 1024, {0})),
            "row 3\nrow 2\nrow 1\n");
  EXPECT_EQ(damage_of(row_string(4, 1024, {1}) + row_string(1, 1024, {2}) + row_string(2, 1024, {3}) +
                      row_string(3, 1024, {0})),
            "string 4 holds a row whose references nest more than 3 deep, or in a circle\n"
            "row 3\nrow 2\nrow 1\n");
}

TEST(StringRows, ThatLeadToThemselvesAreDamage) {
  EXPECT_EQ(damage_of(row_string(1, 1024, {2}) + row_string(2, 1024, {1}) + row_string(3, 1024, {3})),
            "string 1 holds a row whose references nest more than 3 deep, or in a circle\n"
            "string 2 holds a row whose references nest more than 3 deep, or in a circle\n"
            "string 3 holds a row whose references nest more than 3 deep, or in a circle\n");
}

TEST(StringRows, HaveNoTimes) {
  EXPECT_EQ(
      damage_of("string 1 \"\\xff\\xff\\xff\\xff\\x01\\x04\\x10\\x00\\x01\\x02\\x03\\x04\\x05\\x06\\x07\\x08\"\n"),
      "string 1 holds a row with a time\n");
}

// The front of a row is no row.
TEST(StringRows, AreWholeRows) {
  EXPECT_EQ(damage_of("string 1 \"\\xff\\xff\\xff\\xff\\x00\\x04\\x0c\\x00\\x01\\x00\\x00\"\n"), "");
}

}  // namespace
}  // namespace evt::testing
