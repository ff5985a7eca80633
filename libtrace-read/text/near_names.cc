#include "near_names.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "letter_case.h"

namespace evt {
namespace {

constexpr std::size_t kMaxNames = 3;
constexpr std::size_t kMaxEdits = 2;
constexpr std::size_t kShortName = 3;  // two edits would change most of it
constexpr std::size_t kShortestPrefix = 2;

// The number of edits between the two, where no part is edited twice (optimal string alignment).
std::size_t edits_between(std::string_view from, std::string_view to) {
  // Rows of the table: for the first i - 1, i and i + 1 bytes of `from`, by the number of bytes of `to`.
  std::vector<std::size_t> older(to.size() + 1);
  std::vector<std::size_t> old(to.size() + 1);
  std::vector<std::size_t> now(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) old[j] = j;
  for (std::size_t i = 0; i < from.size(); ++i) {
    now[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = old[j] + (from[i] == to[j] ? 0 : 1);
      now[j + 1] = std::min({replaced, old[j + 1] + 1, now[j] + 1});
      const bool swapped = i > 0 && j > 0 && from[i] == to[j - 1] && from[i - 1] == to[j];
      if (swapped) now[j + 1] = std::min(now[j + 1], older[j - 1] + 1);
    }
    older.swap(old);
    old.swap(now);
  }
  return old[to.size()];
}

// Their distance; nothing if they cannot be two spellings of one name.
std::optional<std::size_t> distance(std::string_view given, std::string_view known) {
  // A beginning is as good a guess as one edit.
  const bool is_beginning = given.size() >= kShortestPrefix && known.starts_with(given);
  if (is_beginning && known.size() > given.size()) return 1;
  const std::size_t longer = std::max(given.size(), known.size());
  const std::size_t shorter = std::min(given.size(), known.size());
  const std::size_t most = shorter <= kShortName ? 1 : kMaxEdits;
  if (shorter == 0 || longer - shorter > most) return std::nullopt;
  const std::size_t edits = edits_between(given, known);
  // Names without a common byte are not misspellings.
  return edits <= most && edits < shorter ? std::optional(edits) : std::nullopt;
}

}  // namespace

std::vector<std::string> near_names(std::string_view given, const std::vector<std::string>& known) {
  const std::string name = in_lower_case(given);
  std::vector<std::pair<std::size_t, const std::string*>> found;
  for (const std::string& each : known) {
    const bool is_new =
        each != given && std::none_of(found.begin(), found.end(), [&](const auto& one) { return *one.second == each; });
    const auto apart = is_new ? distance(name, in_lower_case(each)) : std::nullopt;
    if (!apart) continue;
    // After those that are as near.
    const auto place = std::upper_bound(found.begin(), found.end(), *apart,
                                        [](std::size_t mine, const auto& one) { return mine < one.first; });
    found.insert(place, {*apart, &each});
    if (found.size() > kMaxNames) found.pop_back();
  }
  std::vector<std::string> names;
  names.reserve(found.size());
  for (const auto& [apart, each] : found) names.push_back(*each);
  return names;
}

std::string did_you_mean(std::string_view given, const std::vector<std::string>& known) {
  return did_you_mean_one_of(near_names(given, known));
}

std::string did_you_mean_one_of(const std::vector<std::string>& names) {
  if (names.empty()) return "";
  std::string sentence = "; did you mean ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) sentence += i + 1 == names.size() ? " or " : ", ";
    sentence += names[i];
  }
  return sentence + "?";
}

std::string word_in_sentence(const std::string& word) { return word.empty() ? "\"\"" : word; }

}  // namespace evt
