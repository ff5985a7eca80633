// What kind of file a command makes, by the name of its output.
#pragma once

#include <evt/status.h>

#include <cstdint>
#include <optional>
#include <string>

namespace evt::tools {

enum class OutputFormat : std::uint8_t { kTrace, kText, kJson, kCsv };

// evt (or trace), text, json, csv.
std::optional<OutputFormat> format_called(const std::string& name);
// Those names, for help and sentences.
inline constexpr const char* kFormatNames = "evt|text|json|csv";

// By the suffix, in any case: .evt, .txt, .json, .csv; nothing for a name that has another, or none.
std::optional<OutputFormat> format_by_suffix(const std::string& path);
// .evt; empty for a name without one, which may be of any format.
std::string suffix_of(const std::string& path);

// An error if the name of an output has the suffix of another format than a trace. "-" is standard output.
Status check_trace_name(const std::string& path);

}  // namespace evt::tools
