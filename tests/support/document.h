// The fenced blocks of a document in Markdown.
#pragma once

#include <string>
#include <vector>

namespace evt::testing {

struct Fence {
  std::string language;  // what is behind the first fence: "sh", "text of one run"
  std::string text;
  std::size_t begin = 0;  // of the text in the document
  bool follows = false;   // there is nothing between it and the block before
};

// In their order.
std::vector<Fence> fences_of(const std::string& document);

}  // namespace evt::testing
