#include "session_texts.h"

#include <fmt/format.h>

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
  std::string text = "aligned by " + words_of(NumberList::kAlignment, part.alignment);
  if (part.offset_ns != 0) {
    text += ": offset " + seconds_text(part.offset_ns) + " s";
  }
  if (part.drift_ps != 0) text += fmt::format(", drift {:+} ps/s", part.drift_ps);
  text += part.bound_ns == 0 ? "; exact" : fmt::format("; within {} ns", part.bound_ns);
  // These are as right as what they rely on.
  if (part.alignment == EVT_ALIGNED_UTC) text += " if both UTC clocks were";
  if (part.alignment == EVT_ALIGNED_BY_HAND) text += " if the offset is";
  return text;
}

}  // namespace evt::report
