// Which rows a user wants to see.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "libtrace-view/rows/rows.h"

namespace evt::tools {

// Kinds of rows, each with a pattern for their names or without: cpus,thread:worker*
class RowChoice {
 public:
  // Nothing, and the sentence, if a word is none of these.
  static std::optional<RowChoice> parse(const std::string& text, std::string* sentence);

  // Without a choice, all but the rows of events and those of the page alone.
  bool wants(view::TrackKind kind, const std::string& name) const;
  bool is_made() const { return !words_.empty(); }
  // Words that no row matched so far.
  std::vector<std::string> unmet() const;

 private:
  struct Word {
    std::string text;
    view::TrackKind kind = view::TrackKind::kCpu;
    std::string pattern;
    mutable bool is_met = false;
  };

  std::vector<Word> words_;
};

}  // namespace evt::tools
