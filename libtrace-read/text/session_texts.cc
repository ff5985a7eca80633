#include "session_texts.h"

#include <fmt/format.h>
#include <string.h>

#include <charconv>
#include <vector>

#include "enum_names.h"
#include "number_with_unit.h"

namespace evt::report {

std::string sampling_text(const LeftOut& left_out) {
  const bool by_key = left_out.sampled_by == EVT_SAMPLED_KEY;
  if (left_out.one_in == 0) return by_key ? "all but some keys" : "all but some events of each stream and type";
  return fmt::format("all but 1 of {} {}", left_out.one_in, by_key ? "keys" : "events of each stream and type");
}

std::string alignment_text(const MergedPart& part) {
  if (part.alignment == EVT_ALIGNED_NONE) return "its time is that of the trace";
  const bool is_by_clocks = part.alignment == EVT_ALIGNED_UTC;
  std::string text = "aligned by " + (is_by_clocks ? "wall clock" : words_of(NumberList::kAlignment, part.alignment));
  std::vector<std::string> added;
  if (part.offset_ns != 0) added.push_back("offset " + duration_with_unit(static_cast<double>(part.offset_ns)));
  if (part.drift_ps != 0) added.push_back(fmt::format("drift {:+} ps/s", part.drift_ps));
  if (!added.empty()) text += fmt::format(" ({})", fmt::join(added, ", "));
  // These are as accurate as what they rely on.
  if (is_by_clocks) return text + "; as accurate as the two clocks";
  if (part.alignment == EVT_ALIGNED_BY_HAND) return text + "; as accurate as the offset";
  return text + (part.bound_ns == 0 ? "; exact" : fmt::format("; within {} ns", part.bound_ns));
}

std::string exit_text(std::string_view exit) {
  constexpr std::string_view kSignal = "signal ";
  if (!exit.starts_with(kSignal)) return fmt::format("status {}", exit);
  int number = 0;
  std::from_chars(exit.data() + kSignal.size(), exit.data() + exit.size(), number);
  return fmt::format("{} ({})", exit, strsignal(number));
}

std::string exits_text(const Session& session) {
  std::vector<std::string> exits;
  for (const Fact& fact : session.facts) {
    if (fact.key == EVT_FACT_EXIT) exits.push_back(exit_text(fact.value));
  }
  return fmt::format("{}", fmt::join(exits, ", "));
}

}  // namespace evt::report
