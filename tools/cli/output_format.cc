#include "output_format.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

namespace evt::tools {
namespace {

struct Known {
  const char* name;
  OutputFormat format;
  const char* suffix;
};
constexpr Known kKnown[] = {{"evt", OutputFormat::kTrace, ".evt"},
                            {"text", OutputFormat::kText, ".txt"},
                            {"json", OutputFormat::kJson, ".json"},
                            {"csv", OutputFormat::kCsv, ".csv"},
                            {"trace", OutputFormat::kTrace, ".evt"}};

template <typename Test>
std::optional<OutputFormat> format_where(Test test) {
  const auto found = std::find_if(std::begin(kKnown), std::end(kKnown), test);
  return found != std::end(kKnown) ? std::optional(found->format) : std::nullopt;
}

}  // namespace

std::optional<OutputFormat> format_called(const std::string& name) {
  return format_where([&](const Known& known) { return known.name == name; });
}

std::optional<OutputFormat> format_by_suffix(const std::string& path) {
  std::string suffix = suffix_of(path);
  for (char& c : suffix) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return format_where([&](const Known& known) { return known.suffix == suffix; });
}

std::string suffix_of(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  const std::size_t dot = name.rfind('.');
  // A dot in front hides a file.
  return dot == name.npos || dot == 0 || dot + 1 == name.size() ? "" : name.substr(dot);
}

Status check_trace_name(const std::string& path) {
  if (path == "-" || suffix_of(path).empty() || format_by_suffix(path) == OutputFormat::kTrace) return {};
  return {Code::kInvalid, fmt::format("expected a name that ends in .evt, as a trace is made, found {}", path)};
}

}  // namespace evt::tools
