#include "output_format.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "libtrace-read/text/letter_case.h"

namespace evt::tools {
namespace {

struct Known {
  const char* name;
  OutputFormat format;
  const char* suffix;  // empty: none, the name alone chooses it
};
constexpr Known kKnown[] = {{"evt", OutputFormat::kTrace, ".evt"},
                            {"text", OutputFormat::kText, ".txt"},
                            {"json", OutputFormat::kJson, ".jsonl"},
                            {"csv", OutputFormat::kCsv, ".csv"},
                            {"ctf", OutputFormat::kCtf, ".ctf"},
                            {"parquet", OutputFormat::kParquet, ".parquet"},
                            {"clickhouse-ddl", OutputFormat::kClickHouseTables, ""},
                            {"clickhouse-insert", OutputFormat::kClickHouseInsert, ""},
                            {"rowbinary", OutputFormat::kRowBinary, ""},
                            {"speedscope", OutputFormat::kSpeedscope, ".speedscope.json"},
                            {"chrome", OutputFormat::kChrome, ".json"},
                            {"perfetto", OutputFormat::kPerfetto, ".pftrace"},
                            {"perfetto", OutputFormat::kPerfetto, ".perfetto-trace"},
                            {"folded", OutputFormat::kFolded, ".folded"},
                            {"pprof", OutputFormat::kPprof, ".pb.gz"},
                            {"vcd", OutputFormat::kWaveform, ".vcd"},
                            {"trace", OutputFormat::kTrace, ".evt"},
                            {"json", OutputFormat::kJson, ".json"},
                            {"speedscope", OutputFormat::kSpeedscope, ".json"}};

std::string without_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

bool has_suffix(const std::string& path, const Known& known) {
  return *known.suffix != 0 && !suffix_of(path).empty() && in_lower_case(without_slashes(path)).ends_with(known.suffix);
}

template <typename Test>
std::optional<OutputFormat> format_where(Test test) {
  const auto found = std::ranges::find_if(kKnown, test);
  return found != std::end(kKnown) ? std::optional(found->format) : std::nullopt;
}

}  // namespace

std::optional<OutputFormat> format_called(const std::string& name) {
  return format_where([&](const Known& known) { return known.name == name; });
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const Known& known : kKnown) {
    const bool is_new = std::ranges::find(names, known.name) == names.end();
    if (is_new && known.name != std::string_view("trace")) names.emplace_back(known.name);
  }
  return names;
}

std::optional<OutputFormat> format_by_suffix(const std::string& path) {
  return format_where([&](const Known& known) { return has_suffix(path, known); });
}

bool may_be(OutputFormat format, const std::string& path) {
  const auto found = std::ranges::find_if(
      kKnown, [&](const Known& known) { return known.format == format && has_suffix(path, known); });
  return found != std::end(kKnown) || !format_by_suffix(path);
}

std::string format_suffixes() {
  std::vector<std::string_view> suffixes;
  for (const Known& known : kKnown) {
    const bool is_new = std::ranges::find(suffixes, known.suffix) == suffixes.end();
    if (is_new && *known.suffix != 0) suffixes.emplace_back(known.suffix);
  }
  return fmt::format("{}", fmt::join(suffixes, ", "));
}

std::string suffix_of(const std::string& path) {
  const std::string folder = without_slashes(path);
  const std::string name = folder.substr(folder.rfind('/') + 1);
  const std::size_t dot = name.rfind('.');
  // A dot in front hides a file.
  return dot == name.npos || dot == 0 || dot + 1 == name.size() ? "" : name.substr(dot);
}

Status check_trace_name(const std::string& path) {
  if (path == "-" || suffix_of(path).empty() || format_by_suffix(path) == OutputFormat::kTrace) return {};
  return {Code::kInvalid,
          fmt::format("expected a name that ends in .evt, because the output is a trace, found {}", path)};
}

}  // namespace evt::tools
