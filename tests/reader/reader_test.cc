// The reader's C interface, as a program in another language uses it.
#include <evt/reader.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "support/command.h"
#include "support/folder.h"
#include "support/text_trace.h"

namespace evt::testing {
namespace {

constexpr std::string_view kTrace =
    "evtrace text 1\n"
    "session uuid=0x000102030405460788090a0b0c0d0e0f start=1767225600.000000000 program=\"app\" pid=77\n"
    "type 1024 job role=mark (id u32 role=object) (took tick_delta) (how enum8 labels=[1=disk]) (name text) "
    "(ratio f64) (ok bool) (key bytes) (sizes u16[])\n"
    "type 1025 tick (n i8)\n"
    "stream 1 \"main\" thread=70\nstream 2 \"other\"\n"
    "0.000000010 1 job id=7 took=0.000000003 how=disk name=\"a b\" ratio=0.5 ok=true key=0x4142 sizes=[1 2]\n"
    "0.000000020 2 tick n=-3\n"
    "0.000000030 1 tick n=4\n";

std::string to_string(const evtr_text& text) { return {text.data, text.size}; }

class Reader : public ::testing::Test {
 protected:
  ~Reader() override { evtr_close(trace_); }

  evtr_trace* open(std::string_view bytes) {
    const std::string path = folder_.write("x.evt", bytes);
    const char* const paths[] = {path.c_str()};
    trace_ = evtr_open(paths, 1, nullptr, &error_);
    EXPECT_NE(trace_, nullptr) << error_.message;
    return trace_;
  }
  evtr_trace* open_text() { return open(trace_from_text(kTrace)); }

  Folder folder_;
  evtr_trace* trace_ = nullptr;
  evtr_error error_ = {};
};

TEST_F(Reader, RefusesAPathThatIsNone) {
  const std::string path = folder_.write("x.evt", trace_from_text(kTrace));
  const char* const paths[] = {path.c_str(), nullptr};
  EXPECT_EQ(evtr_open(paths, 2, nullptr, &error_), nullptr);
  EXPECT_EQ(error_.code, EVT_CODE_INVALID);
  EXPECT_STREQ(error_.message, "path 2 of 2: expected a path, found NULL");
}

TEST_F(Reader, HandsOutWhatATraceStatesOfItself) {
  const evtr_trace* const trace = open_text();
  ASSERT_EQ(evtr_session_count(trace), 1u);
  evtr_session session;
  ASSERT_TRUE(evtr_session_at(trace, 0, &session));
  EXPECT_EQ(to_string(session.program), "app");
  EXPECT_EQ(session.pid, 77u);
  EXPECT_EQ(session.key, 0x0001020304054607u);
  EXPECT_EQ(session.events, 3u);
  EXPECT_EQ(session.stream_count, 2u);
  EXPECT_EQ(session.closed, 1);
  EXPECT_EQ(std::string(session.end.data, session.end.size), "closed");
  evtr_stream stream;
  ASSERT_TRUE(evtr_stream_at(trace, 0, 0, &stream));
  EXPECT_EQ(to_string(stream.name), "main");
  EXPECT_EQ(stream.thread, 70u);
  evtr_type type;
  ASSERT_TRUE(evtr_type_at(trace, 0, 0, &type));
  EXPECT_EQ(to_string(type.name), "job");
  EXPECT_EQ(type.role, static_cast<std::uint32_t>(EVT_ROLE_MARK));
  evtr_field field;
  ASSERT_TRUE(evtr_field_at(trace, 0, 0, 2, &field));
  EXPECT_EQ(to_string(field.name), "how");
  EXPECT_EQ(field.kind, EVT_KIND_ENUMERATION);
}

TEST_F(Reader, FindsTypesAndFields) {
  const evtr_trace* const trace = open_text();
  EXPECT_EQ(evtr_find_type(trace, 0, "tick"), 1u);
  EXPECT_EQ(evtr_find_type(trace, 0, "tock"), EVTR_NONE);
  EXPECT_EQ(evtr_find_field(trace, 0, 0, "took"), 1u);
  EXPECT_EQ(evtr_find_role(trace, 0, 0, EVT_ROLE_OBJECT), 0u);
  EXPECT_EQ(evtr_find_role(trace, 0, 0, EVT_ROLE_CPU), EVTR_NONE);
}

TEST_F(Reader, HasNothingBehindTheLastPlace) {
  const evtr_trace* const trace = open_text();
  evtr_session session;
  evtr_stream stream;
  evtr_type type;
  evtr_field field;
  EXPECT_FALSE(evtr_session_at(trace, 1, &session));
  EXPECT_FALSE(evtr_stream_at(trace, 1, 0, &stream));
  EXPECT_FALSE(evtr_stream_at(trace, 0, 2, &stream));
  EXPECT_FALSE(evtr_type_at(trace, 0, 2, &type));
  EXPECT_FALSE(evtr_field_at(trace, 0, 0, 8, &field));
  EXPECT_EQ(session.events, 0u);
  EXPECT_EQ(evtr_table_name(trace, 1000).size, 0u);
}

TEST_F(Reader, HandsOutEventsWithTheirValues) {
  evtr_events* const events = evtr_events_open(open_text(), nullptr, &error_);
  ASSERT_NE(events, nullptr);
  evtr_event event;
  ASSERT_TRUE(evtr_next(events, &event));
  EXPECT_EQ(event.ns, 10);
  EXPECT_EQ(event.type, 0u);
  const auto value = [&](std::size_t field) {
    evtr_value is;
    EXPECT_TRUE(evtr_value_at(events, field, &is));
    return is;
  };
  EXPECT_EQ(value(0).is.number, 7u);
  EXPECT_EQ(value(1).kind, static_cast<std::uint32_t>(EVTR_VALUE_SIGNED));
  EXPECT_EQ(value(1).is.signed_number, 3);
  EXPECT_EQ(to_string(value(2).text), "disk");
  EXPECT_EQ(value(2).is.number, 1u);
  EXPECT_EQ(to_string(value(3).text), "a b");
  EXPECT_EQ(value(4).is.float_number, 0.5);
  EXPECT_EQ(value(5).is.number, 1u);
  EXPECT_EQ(to_string(value(6).text), "AB");
  EXPECT_EQ(to_string(value(7).text), "[1,2]");
  evtr_value none;
  EXPECT_FALSE(evtr_value_at(events, 8, &none));
  ASSERT_TRUE(evtr_next(events, &event));
  EXPECT_EQ(event.stream, 1u);
  EXPECT_EQ(value(0).is.signed_number, -3);
  EXPECT_TRUE(evtr_next(events, &event));
  EXPECT_FALSE(evtr_next(events, &event));
  EXPECT_FALSE(evtr_events_error(events, &error_));
  evtr_events_close(events);
}

TEST_F(Reader, HandsOutBatchesOfARange) {
  evtr_range range = {};
  range.from_ns = 20;
  range.has_from = 1;
  evtr_events* const events = evtr_events_open(open_text(), &range, &error_);
  std::vector<std::int64_t> times;
  evtr_batch batch;
  while (evtr_next_batch(events, &batch)) times.insert(times.end(), batch.ns, batch.ns + batch.size);
  EXPECT_EQ(times, (std::vector<std::int64_t>{20, 30}));
  evtr_events_close(events);
}

TEST_F(Reader, HandsOutRowsOfAllFields) {
  evtr_events* const events = evtr_events_open(open_text(), nullptr, &error_);
  evtr_rows rows;
  ASSERT_TRUE(evtr_next_rows(events, 2, &rows));
  ASSERT_EQ(rows.size, 2u);
  EXPECT_EQ(rows.ns[1], 20);
  EXPECT_EQ(rows.types[1], 1u);
  EXPECT_EQ(rows.streams[1], 1u);
  ASSERT_EQ(rows.table_count, 2u);
  EXPECT_EQ(rows.table_types[0], 0u);
  EXPECT_EQ(rows.arrays[0]->length, 1);
  EXPECT_STREQ(rows.schemas[0]->children[1]->name, "took");
  EXPECT_EQ(static_cast<const std::int64_t*>(rows.arrays[0]->children[1]->buffers[1])[0], 3);
  EXPECT_EQ(static_cast<const std::int64_t*>(rows.arrays[1]->children[0]->buffers[1])[0], -3);
  ASSERT_TRUE(evtr_next_rows(events, 2, &rows));
  EXPECT_EQ(rows.size, 1u);
  EXPECT_EQ(static_cast<const std::int64_t*>(rows.arrays[0]->children[0]->buffers[1])[0], 4);
  EXPECT_FALSE(evtr_next_rows(events, 2, &rows));
  EXPECT_EQ(rows.size, 0u);
  evtr_events_close(events);
}

TEST_F(Reader, RowsEndWithTheirSession) {
  const std::string first = folder_.write("a.evt", trace_from_text(kTrace));
  const std::string second = folder_.write("b.evt", trace_from_text(kTrace));
  const std::array paths = {first.c_str(), second.c_str()};
  trace_ = evtr_open(paths.data(), paths.size(), nullptr, &error_);
  evtr_events* const events = evtr_events_open(trace_, nullptr, &error_);
  std::vector<std::pair<std::uint32_t, std::size_t>> sizes;
  evtr_rows rows;
  while (evtr_next_rows(events, 100, &rows)) sizes.emplace_back(rows.session, rows.size);
  EXPECT_EQ(sizes, (std::vector<std::pair<std::uint32_t, std::size_t>>{{0, 3}, {1, 3}}));
  evtr_events_close(events);
}

TEST_F(Reader, NumbersTheSessionsOfSeveralTraces) {
  const std::string first = folder_.write("a.evt", trace_from_text(kTrace));
  const std::string second = folder_.write("b.evt", trace_from_text(kTrace));
  const std::array paths = {first.c_str(), second.c_str()};
  trace_ = evtr_open(paths.data(), paths.size(), nullptr, &error_);
  ASSERT_NE(trace_, nullptr);
  evtr_session session;
  ASSERT_TRUE(evtr_session_at(trace_, 1, &session));
  EXPECT_EQ(session.trace, 1u);
  evtr_events* const events = evtr_events_open(trace_, nullptr, &error_);
  std::vector<std::uint32_t> sessions;
  evtr_event event;
  while (evtr_next(events, &event)) sessions.push_back(event.session);
  EXPECT_EQ(sessions, (std::vector<std::uint32_t>{0, 0, 0, 1, 1, 1}));
  evtr_events_close(events);
}

TEST_F(Reader, StatesWhyATraceCannotBeOpened) {
  const std::string path = folder_ / "none.evt";
  const char* const paths[] = {path.c_str()};
  EXPECT_EQ(evtr_open(paths, 1, nullptr, &error_), nullptr);
  EXPECT_EQ(error_.code, EVT_CODE_IO);
  EXPECT_EQ(std::string(error_.message), "cannot open " + path + ": No such file or directory");
  EXPECT_EQ(evtr_open(paths, 0, nullptr, &error_), nullptr);
  EXPECT_STREQ(error_.message, "no path of a trace is given");
}

TEST_F(Reader, ListsWhatIsWrongWithATrace) {
  const std::string whole = trace_from_text(kTrace);
  evtr_trace* const trace = open(std::string_view(whole).substr(0, whole.size() - 40));
  EXPECT_TRUE(evtr_problem(trace, 0, &error_));
  EXPECT_EQ(error_.code, EVT_CODE_TRUNCATED) << error_.message;
  std::size_t number = 0;
  while (evtr_problem(trace, number, &error_)) ++number;
  EXPECT_EQ(error_.code, EVT_OK);
}

TEST_F(Reader, TakesProgramsThatKnowLess) {
  open_text();
  std::array<unsigned char, sizeof(evtr_session)> bytes;
  bytes.fill(0xAA);
  EXPECT_TRUE(evtr_session_at_1(trace_, 0, reinterpret_cast<evtr_session*>(bytes.data()), 8));
  std::uint64_t key = 0;
  std::memcpy(&key, bytes.data(), sizeof key);
  EXPECT_EQ(key, 0x0001020304054607u);
  EXPECT_EQ(bytes[8], 0xAA) << "behind what the program knows";
}

// What a consumer of Arrow does.
class Arrow {
 public:
  Arrow(evtr_trace* trace, const char* table, const evtr_table_options* options = nullptr) {
    is_there = evtr_table(trace, table, options, &stream, &error) != 0;
    if (!is_there) return;
    EXPECT_EQ(stream.get_schema(&stream, &schema), 0);
  }
  ~Arrow() {
    if (!is_there) return;
    schema.release(&schema);
    stream.release(&stream);
  }
  bool next() {
    EXPECT_EQ(stream.get_next(&stream, &array), 0);
    return array.release != nullptr;
  }
  std::string columns() const {
    std::string text;
    for (std::int64_t i = 0; i < schema.n_children; ++i) {
      text += std::string(schema.children[i]->name) + ":" + schema.children[i]->format + " ";
    }
    return text;
  }

  bool is_there = false;
  evtr_error error = {};
  ArrowArrayStream stream = {};
  ArrowSchema schema = {};
  ArrowArray array = {};
};

TEST_F(Reader, HandsOutTablesAsArrow) {
  Arrow jobs(open_text(), "job");
  ASSERT_TRUE(jobs.is_there);
  EXPECT_EQ(jobs.columns(),
            "session:L time:tsn:UTC ns:l stream:L stream_thread:L id:L took:l how:i name:u ratio:g ok:b key:z "
            "sizes:+l ");
  EXPECT_STREQ(jobs.schema.children[7]->dictionary->format, "u");
  EXPECT_STREQ(jobs.schema.children[12]->children[0]->format, "L");
  ASSERT_TRUE(jobs.next());
  EXPECT_EQ(jobs.array.length, 1);
  ASSERT_EQ(jobs.array.n_children, 13);
  EXPECT_EQ(static_cast<const std::uint64_t*>(jobs.array.children[5]->buffers[1])[0], 7u);
  EXPECT_EQ(static_cast<const std::int32_t*>(jobs.array.children[8]->buffers[1])[1], 3);
  EXPECT_EQ(std::memcmp(jobs.array.children[8]->buffers[2], "a b", 3), 0);
  EXPECT_EQ(static_cast<const std::uint8_t*>(jobs.array.children[10]->buffers[1])[0], 1);
  EXPECT_EQ(static_cast<const std::int32_t*>(jobs.array.children[12]->buffers[1])[1], 2);
  jobs.array.release(&jobs.array);
  EXPECT_EQ(jobs.array.release, nullptr);
  EXPECT_FALSE(jobs.next());
}

TEST_F(Reader, MarksNullsInArrow) {
  Arrow ticks(open_text(), "tick");
  ASSERT_TRUE(ticks.next());
  EXPECT_EQ(ticks.array.length, 2);
  // The stream of the first has no thread.
  EXPECT_EQ(ticks.array.children[4]->null_count, 1);
  EXPECT_EQ(static_cast<const std::uint8_t*>(ticks.array.children[4]->buffers[0])[0] & 3, 2);
  EXPECT_EQ(ticks.array.children[2]->null_count, 0);
  EXPECT_EQ(ticks.array.children[2]->buffers[0], nullptr);
  ticks.array.release(&ticks.array);
}

TEST_F(Reader, ArraysOutliveStreamAndTrace) {
  ArrowArray array;
  {
    Arrow ticks(open_text(), "tick");
    evtr_close(trace_);
    trace_ = nullptr;
    ASSERT_TRUE(ticks.next());
    array = ticks.array;
  }
  EXPECT_EQ(static_cast<const std::int64_t*>(array.children[2]->buffers[1])[1], 30);
  array.release(&array);
}

TEST_F(Reader, HandsOutNoMoreRowsThanAreAskedFor) {
  evtr_table_options options = {};
  options.most_rows = 1;
  Arrow ticks(open_text(), "tick", &options);
  int batches = 0;
  for (; ticks.next(); ++batches) ticks.array.release(&ticks.array);
  EXPECT_EQ(batches, 2);
}

TEST_F(Reader, HasTablesByTheirNames) {
  open_text();
  std::string names;
  for (std::size_t i = 0; i < evtr_table_count(trace_); ++i) names += to_string(evtr_table_name(trace_, i)) + " ";
  EXPECT_EQ(names,
            "sessions attributes streams types lost thread_states spans counters marks collections async_spans samples "
            "stacks "
            "frames job tick ");
  const Arrow none(trace_, "tock");
  EXPECT_FALSE(none.is_there);
  EXPECT_STREQ(none.error.message, "there is no table `tock`");
}

TEST_F(Reader, IsUsedFromC) {
  const std::string path = folder_.write("x.evt", trace_from_text(kTrace));
  const Outcome result = run("count_types " + path);
  EXPECT_EQ(result.out, "app: 3 events\n       1 job\n       2 tick\n");
  EXPECT_EQ(result.status, 0);
}

// Names of C++ that leave a library meet those of the program's own copy.
TEST(ReaderLibrary, ExportsItsOwnNamesAlone) {
  const Outcome names = run("nm -D --defined-only " EVT_READER_LIBRARY " | awk '{print $3}' | grep -v '^EVT_1'");
  std::string foreign;
  std::istringstream lines(names.out);
  int count = 0;
  for (std::string name; std::getline(lines, name); ++count) {
    if (name.rfind("evtr_", 0) != 0) foreign += name + "\n";
  }
  EXPECT_EQ(foreign, "");
  EXPECT_EQ(count, 29);
}

}  // namespace
}  // namespace evt::testing
