#include "thread_groups.h"

#include <fmt/core.h>

#include <algorithm>

#include "analysis.h"
#include "libtrace-read/text/name_pattern.h"
#include "libtrace-read/text/near_names.h"

namespace evt::report {

std::string number_text(const Actors& actors, std::uint32_t thread) {
  const Cell number = actor_cell(actors, actors.threads(), thread);
  return number.text() != nullptr ? *number.text() : std::to_string(*number.as_unsigned());
}

std::string thread_text(const Actors& actors, std::uint32_t thread) {
  if (thread == Actor::kOthers) return number_text(actors, thread);
  const Actor& actor = actors.threads()[thread];
  if (actor.name.empty()) return "thread " + number_text(actors, thread);
  if (actor.part == Actor::kNone) return actor.name;
  return fmt::format("{}:{}", actors.session().part_name(actor.part), actor.name);
}

ThreadTexts::ThreadTexts(const Actors& actors) : actors_(&actors) {
  const std::uint32_t count = std::min(actors.threads().size(), Actor::kOthers);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!actors.threads()[i].name.empty()) ++threads_[thread_text(actors, i)];
  }
}

std::string ThreadTexts::of(std::uint32_t thread) const {
  std::string text = thread_text(*actors_, thread);
  const auto known = threads_.find(text);
  if (known == threads_.end() || known->second == 1) return text;
  return fmt::format("{} ({})", number_text(*actors_, thread), actors_->threads()[thread].name);
}

std::vector<std::string> names_of_thread(const Actors& actors, std::uint32_t thread) {
  std::vector<std::string> names = {number_text(actors, thread), thread_text(actors, thread)};
  if (thread == Actor::kOthers) return names;
  const Actor& actor = actors.threads()[thread];
  if (actor.part != Actor::kNone) names.push_back((actor.is_stream ? "#" : "") + std::to_string(actor.number));
  if (actor.part != Actor::kNone && !actor.name.empty()) names.push_back(actor.name);
  return names;
}

std::optional<std::uint32_t> ThreadGroups::pattern_of(std::uint32_t thread) const {
  const std::vector<std::string> names = names_of_thread(*actors_, thread);
  const auto found = std::ranges::find_if(patterns_, [&](const std::string& pattern) {
    return std::ranges::any_of(names, [&](const std::string& name) { return matches_name(pattern, name); });
  });
  if (found == patterns_.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - patterns_.begin());
}

std::optional<std::uint32_t> ThreadGroups::of(std::uint32_t thread) {
  std::optional<std::uint32_t> pattern = 0;
  if (!patterns_.empty()) pattern = pattern_of(thread);
  if (!pattern || by_ == By::kPattern) return pattern;
  if (by_ == By::kAll) return 0;
  if (by_ == By::kThread) return thread;
  const auto [place, is_new] =
      by_name_.try_emplace(thread_text(*actors_, thread), static_cast<std::uint32_t>(names_.size()));
  if (is_new) names_.push_back(place->first);
  return place->second;
}

std::vector<const char*> ThreadGroups::columns() const {
  if (by_ == By::kThread) return {"thread", "thread name"};
  if (by_ == By::kPattern) return {"threads"};
  return {};
}

Table::Row ThreadGroups::cells(std::uint32_t group) const {
  if (by_ == By::kThread) {
    return {actor_cell(*actors_, actors_->threads(), group), actor_name(actors_->threads(), group)};
  }
  if (by_ == By::kPattern) return {patterns_[group]};
  return {};
}

// Threads that share a name are shown with their numbers.
std::string ThreadGroups::text(std::uint32_t group) const {
  if (by_ == By::kPattern) return patterns_[group];
  if (by_ == By::kName) return names_[group];
  if (by_ == By::kAll) return "all";
  const std::string text = thread_text(*actors_, group);
  const bool is_named = group != Actor::kOthers && !actors_->threads()[group].name.empty();
  return is_named ? fmt::format("{} ({})", text, number_text(*actors_, group)) : text;
}

std::vector<Unmet> ThreadGroups::unmet() const {
  std::vector<Unmet> all;
  std::vector<std::string> known;
  for (std::uint32_t i = 0; i < actors_->threads().size(); ++i) {
    const std::vector<std::string> names = names_of_thread(*actors_, i);
    known.insert(known.end(), names.begin(), names.end());
  }
  for (const std::string& pattern : patterns_) {
    if (std::ranges::any_of(known, [&](const std::string& name) { return matches_name(pattern, name); })) continue;
    all.push_back({fmt::format("thread {}: no thread has such a name", word_in_sentence(pattern)), pattern, known});
  }
  return all;
}

}  // namespace evt::report
