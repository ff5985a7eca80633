// All that an item of a timeline has, as words.
#pragma once

#include <evt/timeline.h>
#include <fmt/core.h>

#include <string>

namespace evt::testing {

// By what traces call it: indexes follow the order in which a timeline met them.
inline std::string words_of_thread(std::uint32_t thread, const Actors& actors) {
  if (thread >= actors.threads().size()) return "none";
  const Actor& actor = actors.threads()[thread];
  return fmt::format("{}{}", actor.is_stream ? "#" : "", actor.number);
}

inline std::string words_of(const TimelineItem& item, Timeline& timeline) {
  std::string words = fmt::format("{} kind={}", item.ns, static_cast<int>(item.kind));
  const auto add = [&](const char* name, auto value) { words += fmt::format(" {}={}", name, value); };
  add("state", static_cast<int>(item.state));
  add("before", static_cast<int>(item.before));
  add("phases", static_cast<int>(item.phase) * 10 + static_cast<int>(item.phase_before));
  for (const bool flag : {item.is_call, item.is_complete, item.is_open, item.is_cut, item.is_uncertain, item.overlaps,
                          item.is_negative, item.is_wanted, item.resumes}) {
    words += flag ? " 1" : " 0";
  }
  add("thread", words_of_thread(item.thread, timeline.actors()));
  add("cpu", item.cpu);
  const bool is_named = item.kind == ItemKind::kBegan || item.kind == ItemKind::kEnded;
  add("other", item.kind == ItemKind::kWake || is_named ? words_of_thread(item.other, timeline.actors())
                                                        : fmt::format("{}", item.other));
  if (is_named) add("name", timeline.names().text(item.name));
  add("depth", item.depth);
  add("part", item.part);
  add("value", item.value);
  add("began", item.began_ns);
  add("ended", item.ended_ns);
  add("stream", item.stream != nullptr ? item.stream->id : 0);
  if (item.call != nullptr) add("amount", item.call->amount);
  if (item.event != nullptr && item.event->event != nullptr) add("type", item.event->event->type().name());
  return words;
}

}  // namespace evt::testing
