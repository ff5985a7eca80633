// Folded stacks, as stackcollapse-perf.pl, inferno and evt convert write them: on each line the names of a stack, the
// outermost first, with semicolons between them, a space and a number.
#include <evt/events.h>
#include <fmt/core.h>

#include <optional>

#include "libtrace-read/core/src/base/read_number.h"
#include "libtrace-read/core/src/source/importer.h"
#include "libtrace-read/import/src/importers.h"
#include "line_reader.h"
#include "sampled_trace.h"

namespace evt {
namespace samples {
namespace {

struct FoldedLine {
  std::string_view stack;
  std::uint64_t number = 0;
};

std::optional<FoldedLine> folded_line(std::string_view line) {
  const std::size_t space = line.rfind(' ');
  if (space == std::string_view::npos || space == 0) return std::nullopt;
  const auto number = read_number<std::uint64_t>(line.substr(space + 1));
  return number ? std::optional(FoldedLine{line.substr(0, space), *number}) : std::nullopt;
}

std::optional<char> escaped_byte(std::string_view text) {
  if (text.size() < 4 || !text.starts_with("\\x")) return std::nullopt;
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + 4, value, 16);
  return end == text.data() + 4 ? std::optional(static_cast<char>(value)) : std::nullopt;
}

// The name whose separators and control characters evt convert has written as \x3b and so on.
std::string unescaped(std::string_view name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto byte = escaped_byte(name.substr(i));
    text += byte.value_or(name[i]);
    if (byte) i += 3;
  }
  return text;
}

class FoldedReader {
 public:
  explicit FoldedReader(ByteSource& file) : lines_(file), trace_(file, "folded stacks") {}

  Result<std::unique_ptr<ByteSource>> run() {
    type_ = trace_.type("folded.sample");
    trace_.set_sums(type_);
    trace_.note("folded stacks state no unit: their numbers are read as nanoseconds");
    while (lines_.next()) {
      if (lines_.is_too_long()) {
        refuse(fmt::format("is longer than {} KiB", LineReader::kMax >> 10));
      } else if (!lines_.line().empty()) {
        take(lines_.line());
      }
    }
    return trace_.finish();
  }

 private:
  void take(std::string_view text) {
    const auto line = folded_line(text);
    if (!line) return refuse("does not end in a space and a whole number below 2^64");
    const std::size_t first = line->stack.find(';');
    const std::string thread = unescaped(line->stack.substr(0, first));
    frames_.clear();
    std::string_view rest = first == std::string_view::npos ? events::kUnknownName : line->stack.substr(first + 1);
    for (std::size_t end = 0; end != std::string_view::npos;) {
      end = rest.rfind(';');
      const std::string name = unescaped(rest.substr(end + 1));
      frames_.push_back(trace_.frame({name.empty() ? events::kUnknownName : std::string_view(name)}));
      rest = rest.substr(0, end);
    }
    const SampledTrace::Sample sample{trace_.weight_ns(), trace_.thread(thread, {thread}), type_, line->number};
    if (!trace_.add(sample, frames_)) refuse("makes the sum of all numbers larger than 2^61");
  }

  void refuse(std::string_view why) {
    trace_.lose({lines_.offset(), lines_.size(), fmt::format("line {} {}", lines_.number(), why)}, trace_.weight_ns());
  }

  LineReader lines_;
  SampledTrace trace_;
  std::uint32_t type_ = 0;
  std::vector<std::uint32_t> frames_;
};

}  // namespace
}  // namespace samples

// The first line is a stack, and one of these has a semicolon.
bool is_folded(Bytes front) {
  std::string_view text(reinterpret_cast<const char*>(front.data()), std::min(front.size(), Importer::kBytes));
  if (text.starts_with("evtrace text")) return false;
  bool is_first = true;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    const auto stack = samples::folded_line(line);
    if (is_first && !stack) return false;
    if (stack && stack->stack.find(';') != std::string_view::npos) return true;
    is_first = false;
  }
  return false;
}

Result<std::unique_ptr<ByteSource>> open_folded(std::unique_ptr<ByteSource> file) {
  return samples::FoldedReader(*file).run();
}

}  // namespace evt
