#include "row_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "libtrace-read/text/name_pattern.h"
#include "libtrace-read/text/near_names.h"

namespace evt::tools {
namespace {

using view::TrackKind;

struct KindName {
  const char* all;
  const char* one;
  TrackKind kind;
};
constexpr KindName kKinds[] = {{"cpus", "cpu", TrackKind::kCpu},
                               {"threads", "thread", TrackKind::kThread},
                               {"spans", "span", TrackKind::kSpan},
                               {"async", "async", TrackKind::kAsync},
                               {"counters", "counter", TrackKind::kCounter},
                               {"marks", "mark", TrackKind::kMark},
                               {"events", "event", TrackKind::kEvents}};
// Those of the page alone.
constexpr const char* kNotDrawn[] = {"sparks", "objects", "object", "tracer", "samples"};

bool is_drawn(TrackKind kind) {
  return kind != TrackKind::kSparks && kind != TrackKind::kObject && kind != TrackKind::kTracer &&
         kind != TrackKind::kSamples;
}

}  // namespace

std::optional<RowChoice> RowChoice::parse(const std::string& text, std::string* sentence) {
  RowChoice choice;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string word = text.substr(at, end - at);
    const std::size_t colon = std::min(word.find(':'), word.size());
    const std::string kind = word.substr(0, colon);
    const auto known = std::find_if(std::begin(kKinds), std::end(kKinds),
                                    [&](const KindName& each) { return kind == each.all || kind == each.one; });
    if (std::find(std::begin(kNotDrawn), std::end(kNotDrawn), kind) != std::end(kNotDrawn)) {
      *sentence = fmt::format("{}: only the page of evt view has such rows", kind);
      return std::nullopt;
    }
    if (known == std::end(kKinds)) {
      std::vector<std::string> names;
      for (const KindName& each : kKinds) names.emplace_back(each.all);
      *sentence =
          fmt::format("expected {} or KIND:GLOB, found {}{}", fmt::join(names, ", "), word, did_you_mean(kind, names));
      return std::nullopt;
    }
    choice.words_.push_back({word, known->kind, colon < word.size() ? word.substr(colon + 1) : "*"});
    at = end + 1;
  }
  return choice;
}

bool RowChoice::wants(TrackKind kind, const std::string& name) const {
  if (words_.empty()) return kind != TrackKind::kEvents && is_drawn(kind);
  bool wanted = false;
  for (const Word& word : words_) {
    if (word.kind == kind && matches_name(word.pattern, name)) wanted = word.is_met = true;
  }
  return wanted;
}

std::vector<std::string> RowChoice::unmet() const {
  std::vector<std::string> unmet;
  for (const Word& word : words_) {
    if (!word.is_met) unmet.push_back(word.text);
  }
  return unmet;
}

}  // namespace evt::tools
