// A part says the same of its range as the whole does, whatever reads it.
#include <evt/cut.h>
#include <evt/export/tables.h>
#include <fmt/core.h>

#include <random>
#include <sstream>

#include "analyze/thread_stories.h"
#include "pictures.h"
#include "table_lines.h"

namespace evt::testing {
namespace {

std::string part_of(Trace& whole, TimeRange range) {
  std::string bytes;
  CutOptions options;
  options.range = [range](const Session&) { return range; };
  const Status status = cut(whole, options, [&](Bytes more) {
    bytes.append(reinterpret_cast<const char*>(more.data()), more.size());
    return 0;
  });
  EXPECT_TRUE(status.ok()) << status.message();
  return bytes;
}

// Lines of the table in any order, without the numbers of spans, which count from the first.
std::multiset<std::string> rows_of(Trace& trace, const std::string& table, TimeRange range) {
  Tables::Options options;
  options.range = [range](const Session&) { return range; };
  std::istringstream lines(lines_of(Tables(std::vector<Trace*>{&trace}), table, options));
  std::multiset<std::string> rows;
  for (std::string line; std::getline(lines, line);) {
    rows.insert(table == "spans" ? line.substr(line.find(' ', line.find(' ') + 1)) : line);
  }
  return rows;
}

TEST(TablesOfACut, AreThoseOfTheRangeInTheWhole) {
  for (unsigned seed = 0; seed < 200 && !::testing::Test::HasFailure(); ++seed) {
    const agreement::Story story(seed);
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, story.text()));
    const std::string bytes = trace_from_text(story.text());
    Trace whole = open_trace(bytes);
    std::mt19937 random(seed);
    const auto end = static_cast<std::uint64_t>(story.end_ns());
    const auto a = static_cast<std::int64_t>(random() % end);
    const auto b = static_cast<std::int64_t>(random() % end);
    const TimeRange range = {std::min(a, b), std::max(a, b)};
    const std::string part_bytes = part_of(whole, range);
    Trace part = open_trace(part_bytes);
    for (const std::string table : {"thread_states", "spans", "marks", "counters"}) {
      EXPECT_EQ(rows_of(part, table, {}), rows_of(whole, table, range))
          << table << " from " << range.from_ns << " to " << range.to_ns;
    }
  }
}

}  // namespace
}  // namespace evt::testing
