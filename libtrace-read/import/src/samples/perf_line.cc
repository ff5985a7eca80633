#include "perf_line.h"

#include <algorithm>

#include "libtrace-read/core/src/base/read_number.h"

namespace evt::samples {
namespace {

constexpr std::uint64_t kMaxSeconds = std::uint64_t{1} << 30;
constexpr std::string_view kSpace = " \t";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kSpace);
  return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
}

// Takes the first word.
std::string_view take_word(std::string_view* text) {
  *text = trimmed(*text);
  const std::string_view word = text->substr(0, text->find_first_of(kSpace));
  text->remove_prefix(word.size());
  return word;
}

std::string_view take_last_word(std::string_view* text) {
  *text = trimmed(*text);
  const std::string_view word = text->substr(text->find_last_of(kSpace) + 1);
  text->remove_suffix(word.size());
  return word;
}

// "5.000001:", to the microsecond or the nanosecond.
std::optional<std::int64_t> time_in(std::string_view word) {
  if (!word.ends_with(':')) return std::nullopt;
  const std::size_t dot = word.find('.');
  const std::string_view fraction = word.substr(std::min(dot, word.size() - 1) + 1);
  const auto seconds = read_number<std::uint64_t>(word.substr(0, dot));
  const auto parts =
      read_number<std::uint64_t>(fraction.substr(0, fraction.size() - std::min<std::size_t>(fraction.size(), 1)));
  if (!seconds || !parts || *seconds > kMaxSeconds) return std::nullopt;
  if (fraction.size() != 7 && fraction.size() != 10) return std::nullopt;
  return static_cast<std::int64_t>(*seconds * 1'000'000'000 + *parts * (fraction.size() == 7 ? 1000 : 1));
}

bool is_cpu(std::string_view word) { return word.size() > 2 && word.front() == '[' && word.back() == ']'; }

// "19" or "17/19".
bool take_numbers(std::string_view word, PerfFront* front) {
  const std::size_t slash = word.find('/');
  const auto thread = read_number<std::int64_t>(word.substr(slash == std::string_view::npos ? 0 : slash + 1));
  const auto process = slash == std::string_view::npos ? 0 : read_number<std::int64_t>(word.substr(0, slash));
  if (!thread || !process) return false;
  front->thread = static_cast<std::uint64_t>(std::max<std::int64_t>(*thread, 0));
  front->process = static_cast<std::uint64_t>(std::max<std::int64_t>(*process, 0));
  return true;
}

bool is_hex(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Takes the module off the end, with its parentheses; nothing if there is none.
std::string_view take_module(std::string_view* text) {
  std::size_t begin = text->size();
  for (int depth = 0; begin > 0;) {
    const char c = (*text)[--begin];
    depth += c == ')' ? 1 : c == '(' ? -1 : 0;
    if (depth == 0) break;
  }
  if (!text->ends_with(')') || (begin > 0 && (*text)[begin - 1] != ' ')) return "";
  constexpr std::string_view kDeleted = " (deleted)";
  std::string_view module = text->substr(begin + 1, text->size() - begin - 2);
  if (module.ends_with(kDeleted)) module.remove_suffix(kDeleted.size());
  *text = text->substr(0, begin > 0 ? begin - 1 : 0);
  return module;
}

}  // namespace

bool PerfFront::is_tracepoint() const {
  const std::size_t colon = event.find(':');
  if (colon == std::string_view::npos || event.starts_with("mem:")) return false;
  const std::string_view after = event.substr(colon + 1);
  return after.substr(0, after.find(':')).find_first_not_of("ukhGHIpPSDWebRX") != std::string_view::npos;
}

// A command may have spaces, so its end is found from the time, the first word of that form.
std::optional<PerfFront> perf_front(std::string_view line) {
  std::string_view rest = line;
  for (std::string_view word = take_word(&rest); !word.empty(); word = take_word(&rest)) {
    const auto ns = time_in(word);
    if (!ns) continue;
    PerfFront front;
    front.ns = *ns;
    std::string_view before = line.substr(0, static_cast<std::size_t>(word.data() - line.data()));
    std::string_view numbers = take_last_word(&before);
    if (is_cpu(numbers)) numbers = take_last_word(&before);
    if (!take_numbers(numbers, &front)) continue;
    front.command = trimmed(before);
    std::string_view event = take_word(&rest);
    front.period = read_number<std::uint64_t>(event);
    if (front.period) event = take_word(&rest);
    front.is_record = event.starts_with("PERF_RECORD_");
    if (!front.is_record && (event.size() < 2 || !event.ends_with(':'))) return std::nullopt;
    front.event = event.substr(0, event.size() - 1);
    front.rest = trimmed(rest);
    return front;
  }
  return std::nullopt;
}

std::optional<PerfFrame> perf_frame(std::string_view line) {
  std::string_view rest = line;
  if (!is_hex(take_word(&rest))) return std::nullopt;
  rest = trimmed(rest);
  PerfFrame frame;
  frame.module = take_module(&rest);
  frame.is_inlined = frame.module == "inlined";
  if (frame.is_inlined || frame.module == "[unknown]") frame.module = "";
  const std::size_t offset = rest.rfind("+0x");
  frame.function =
      rest.substr(0, offset != std::string_view::npos && is_hex(rest.substr(offset + 3)) ? offset : rest.size());
  if (frame.function == "[unknown]") frame.function = "";
  return frame;
}

std::optional<std::uint32_t> perf_source_line(std::string_view line) {
  const std::string_view text = trimmed(line);
  const std::size_t colon = text.rfind(':');
  return colon == std::string_view::npos ? std::nullopt : read_number<std::uint32_t>(text.substr(colon + 1));
}

}  // namespace evt::samples
