// Names that users give, in sentences: what a misspelled one was probably meant to be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace evt {

// Those of `known` that `given` may have been meant for, the nearest first and no more than three: `given` is how one
// begins (with two letters at least), or becomes one by two edits at most, by one if it has three letters or fewer. An
// edit inserts, drops or replaces a byte, or swaps two neighbours. Upper and lower case are the same. What is spelled
// as `given` is none of them.
std::vector<std::string> near_names(std::string_view given, const std::vector<std::string>& known);

// These as the end of a sentence: "; did you mean cpu?", "; did you mean cpu or cpus?". Empty when none is near.
// Control characters are left as they are: what prints the sentence escapes them.
std::string did_you_mean(std::string_view given, const std::vector<std::string>& known);
std::string did_you_mean_one_of(const std::vector<std::string>& names);

// The word itself; quotes for an empty one, which would be a gap in the sentence.
std::string word_in_sentence(const std::string& word);

}  // namespace evt
