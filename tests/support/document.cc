#include "support/document.h"

namespace evt::testing {

std::vector<Fence> fences_of(const std::string& document) {
  std::vector<Fence> fences;
  const std::string mark = "```";
  std::size_t before = 0;
  for (std::size_t at = document.find("\n" + mark); at != std::string::npos; at = document.find("\n" + mark, at)) {
    const std::size_t language = at + 1 + mark.size();
    const std::size_t begin = document.find('\n', language) + 1;
    const std::size_t end = document.find(mark + "\n", begin);
    const bool follows = !fences.empty() && document.find_first_not_of('\n', before) == at + 1;
    fences.push_back(
        {document.substr(language, begin - 1 - language), document.substr(begin, end - begin), begin, follows});
    at = before = end + mark.size();
  }
  return fences;
}

}  // namespace evt::testing
