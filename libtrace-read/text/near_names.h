// Suggestions for misspelled names that users give.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace evt {

// Names in `known` that `given` may stand for, the nearest first and at most three: `given` is the beginning of one (at
// least two letters), or becomes one by at most two edits, by one if it has three letters or fewer. An edit inserts,
// drops or replaces a byte, or swaps two neighbours. Case does not matter. Does not contain `given` itself.
std::vector<std::string> near_names(std::string_view given, const std::vector<std::string>& known);

// The end of a sentence: "; did you mean cpu?", "; did you mean cpu or cpus?". Empty if none is near. Does not escape
// control characters: the code that prints the sentence does.
std::string did_you_mean(std::string_view given, const std::vector<std::string>& known);
std::string did_you_mean_one_of(const std::vector<std::string>& names);

// The word itself; quotes for an empty one, which would leave a gap in the sentence.
std::string word_in_sentence(const std::string& word);

}  // namespace evt
