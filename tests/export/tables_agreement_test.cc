// Tables beside what else has the same figures: statistics of random traces, and values of events of all of testdata.
#include <evt/analysis/spans.h>
#include <evt/analysis/thread_times.h>
#include <evt/export/tables.h>
#include <evt/text/value_text.h>
#include <fmt/core.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <regex>

#include "analyze/thread_stories.h"
#include "libtrace-read/text/plain_value.h"
#include "support/text_trace.h"
#include "table_lines.h"

namespace evt::testing {
namespace {

using Sums = std::map<std::string, std::uint64_t>;

constexpr const char* kStates[] = {"unknown", "runnable", "running", "waiting", "outside", "ended"};

std::size_t place_of(const Table& table, const std::string& name) {
  std::size_t i = 0;
  while (table.columns[i].name != name) ++i;
  return i;
}

// ns of each thread in each state.
Sums states_of(const Tables& tables) {
  Sums sums;
  const Table& table = *tables.find("thread_states");
  const std::size_t from = place_of(table, "from_ns");
  for_each_row(tables, table.name, {}, [&](const std::vector<std::string>& row) {
    const auto length = std::stoull(row[from + 1]) - std::stoull(row[from]);
    sums[row[place_of(table, "thread")] + " " + row[place_of(table, "state")]] += length;
  });
  return sums;
}

Sums states_of_statistics(Trace& trace) {
  Sums sums;
  Timeline timeline(trace, {});
  while (timeline.next_session()) {
    ThreadTimes times;
    while (const TimelineItem* const item = timeline.next()) times.take(*item);
    for (const ThreadTimes::Row& row : times.rows(end_ns_of(timeline.actors().session()))) {
      const auto number = timeline.actors().threads()[row.thread].number;
      for (std::size_t i = 0; i < ThreadTimes::kStates; ++i) {
        if (row.ns[i] > 0) sums[fmt::format("{} {}", number, kStates[i])] += row.ns[i];
      }
    }
  }
  return sums;
}

// How many, how long, and their own time, by kind and name.
Sums spans_of(const Tables& tables) {
  Sums sums;
  const Table& table = *tables.find("spans");
  for_each_row(tables, table.name, {}, [&](const std::vector<std::string>& row) {
    const std::string key = row[place_of(table, "kind")] + " " + row[place_of(table, "name")];
    if (row[place_of(table, "outcome")] != "ended") {
      ++sums[key + " unfinished"];
      return;
    }
    ++sums[key + " count"];
    sums[key + " self"] += std::stoull(row[place_of(table, "self_ns")]);
    sums[key + " total"] += std::stoull(row[place_of(table, "duration_ns")]);
  });
  return sums;
}

Sums spans_of_statistics(Trace& trace) {
  Sums sums;
  Timeline timeline(trace, {});
  while (timeline.next_session()) {
    Spans spans(timeline, {});
    while (const TimelineItem* const item = timeline.next()) spans.take(*item);
    for (const SpanKind kind : {SpanKind::kSpan, SpanKind::kCall}) {
      for (const Spans::Row& row : spans.rows(kind)) {
        const std::string key =
            std::string(kind == SpanKind::kCall ? "call" : "span") + " " + timeline.names().text(row.name);
        if (row.unfinished > 0) sums[key + " unfinished"] += row.unfinished;
        if (row.lengths.count() == 0) continue;
        sums[key + " count"] += row.lengths.count();
        sums[key + " self"] += row.self_ns;
        sums[key + " total"] += row.lengths.sum();
      }
    }
  }
  return sums;
}

TEST(TableAgreement, OfStatesAndSpansWithStatisticsOfRandomTraces) {
  for (unsigned seed = 0; seed < 200 && !::testing::Test::HasFailure(); ++seed) {
    const agreement::Story story(seed);
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, story.text()));
    const std::string bytes = trace_from_text(story.text());
    Trace trace = open_trace(bytes);
    Trace* const pointer = &trace;
    const Tables tables({&pointer, 1});
    Sums states = states_of(tables);
    Sums expected = states_of_statistics(trace);
    // Of threads whose states no event records, statistics have no row.
    std::erase_if(states,
                  [&](const auto& each) { return each.first.ends_with("unknown") && !expected.contains(each.first); });
    EXPECT_EQ(states, expected);
    EXPECT_EQ(spans_of(tables), spans_of_statistics(trace));
  }
}

// As value_json() has it; a number as what it is.
std::string json_of(const Column& column, const ColumnValues& values, std::size_t row) {
  if (values.is_null(row)) return "null";
  if (column.is_list) {
    Column element = column;
    element.is_list = false;
    std::string text = "[";
    for (auto i = values.ends()[row]; i < values.ends()[row + 1]; ++i) {
      if (text.size() > 1) text += ',';
      text += json_of(element, values.elements(), static_cast<std::size_t>(i));
    }
    return text + "]";
  }
  switch (column.kind) {
    case ColumnKind::kBool:
      return values.number(row) != 0 ? "true" : "false";
    case ColumnKind::kText:
      return text_from([&](TextBuffer& out) { append_json_text(out, values.text(row)); });
    case ColumnKind::kBytes: {
      std::string text = "\"0x";
      for (const char c : values.text(row)) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
      return text + "\"";
    }
    default:
      return value_at(column, values, row);
  }
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at)) text.replace(at, from.size(), to);
  return text;
}

// Beyond the letter: JSON escapes U+FFFD, has enumerations without a label and truth values that are neither 0 nor 1 as
// numbers, and a float of 4 bytes in its own width.
bool is_same(const Column& column, const std::string& is, std::string expected) {
  expected = replaced(expected, "\\ufffd", "\xEF\xBF\xBD");
  if (column.kind == ColumnKind::kBool) expected = std::regex_replace(expected, std::regex("[0-9]+"), "true");
  if (is == expected) return true;
  if (column.is_dictionary) return replaced(is, "\"", "") == replaced(expected, "\"", "");
  if (column.kind != ColumnKind::kFloat || column.is_list) return false;
  const std::string bare = replaced(expected, "\"", "");
  return is == bare || static_cast<float>(std::strtod(is.c_str(), nullptr)) == std::strtof(bare.c_str(), nullptr);
}

// Each event of a table, beside the same one of the reader.
void expect_same_events(Trace& trace, const Tables& tables, const Table& table) {
  Events events = trace.events();
  Tables::Rows rows = tables.read(std::array{&table}, {});
  // A type that is called as a table of all traces is.
  const std::string type = table.name.substr(table.name.starts_with("event.") ? 6 : 0);
  const auto next_event = [&] {
    const Event* event = events.next();
    while (event != nullptr && (event->type().name() != type || !event->type().declared())) event = events.next();
    return event;
  };
  std::uint64_t compared = 0;
  while (const TableBatch* const batch = rows.next()) {
    for (std::size_t row = 0; row < batch->rows(); ++row, ++compared) {
      const Event* const event = next_event();
      ASSERT_NE(event, nullptr);
      EXPECT_EQ(static_cast<std::int64_t>(batch->columns[2].number(row)), event->ns());
      EXPECT_EQ(batch->columns[3].number(row), event->stream().id);
      FieldWalker walker = event->values();
      while (const auto value = walker.next()) {
        std::size_t i = 5;
        while (i < table.columns.size() && table.columns[i].name != value->field().name) ++i;
        ASSERT_LT(i, table.columns.size()) << table.name << "." << value->field().name;
        const std::string is = json_of(table.columns[i], batch->columns[i], row);
        const std::string expected = value_json(*event, *value);
        EXPECT_TRUE(is_same(table.columns[i], is, expected))
            << table.name << "." << value->field().name << ": " << is << " instead of " << expected;
      }
    }
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_EQ(next_event(), nullptr) << table.name << " after " << compared;
}

constexpr std::size_t kTablesOfAll = 12;  // come first

TEST(TableAgreement, OfEventsWithValuesOfTheReader) {
  std::uint64_t traces = 0;
  const std::filesystem::path folder = std::filesystem::path(EVT_SOURCE_FOLDER) / "testdata" / "v1";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".evt") continue;
    SCOPED_TRACE(entry.path().string());
    auto trace = Trace::open(entry.path().string());
    if (!trace || trace->sessions().size() != 1) continue;
    Trace* const pointer = &*trace;
    const Tables tables({&pointer, 1});
    for (std::size_t i = kTablesOfAll; i < tables.all().size(); ++i)
      expect_same_events(*trace, tables, tables.all()[i]);
    ++traces;
  }
  EXPECT_GT(traces, 10u);
}

}  // namespace
}  // namespace evt::testing
