// What kind of file a command makes, by the name of its output.
#pragma once

#include <evt/status.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace evt::tools {

enum class OutputFormat : std::uint8_t {
  kTrace,
  kText,
  kJson,
  kCsv,
  kCtf,               // a folder
  kParquet,           // the same
  kClickHouseTables,  // statements
  kClickHouseInsert,
  kRowBinary,  // rows of a table
  kChrome,     // from here on what other programs draw
  kPerfetto,
  kFolded,
  kSpeedscope,
  kPprof,
  kWaveform,
};
// What several traces together are.
constexpr bool is_for_clickhouse(OutputFormat format) {
  return format >= OutputFormat::kClickHouseTables && format <= OutputFormat::kRowBinary;
}
// No text: a terminal gets none.
constexpr bool is_binary(OutputFormat format) {
  return format == OutputFormat::kTrace || format == OutputFormat::kRowBinary || format == OutputFormat::kPerfetto ||
         format == OutputFormat::kPprof;
}
constexpr bool is_picture(OutputFormat format) { return format >= OutputFormat::kChrome; }

// evt (or trace), text, json, csv, ctf, parquet, clickhouse-ddl, clickhouse-insert, rowbinary, chrome, perfetto,
// folded, pprof, speedscope, vcd.
std::optional<OutputFormat> format_called(const std::string& name);
// Those names, for help and sentences.
std::vector<std::string> format_names();

// By the suffix, in any case; nothing for a name that has another, or none. Of a suffix of several formats, the first.
std::optional<OutputFormat> format_by_suffix(const std::string& path);
// Whether a file with the name may be of the format: one with a suffix of others alone may not.
bool may_be(OutputFormat format, const std::string& path);
// `.evt, .txt, ...`, each once.
std::string format_suffixes();
// .evt; empty for a name without one, which may be of any format. A folder's may have a slash behind it.
std::string suffix_of(const std::string& path);

// An error if the name of an output has the suffix of another format than a trace. "-" is standard output.
Status check_trace_name(const std::string& path);

}  // namespace evt::tools
