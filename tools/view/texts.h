// Texts that are each written once, by their places.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace evt::tools {

// In the order in which they came.
class Texts {
 public:
  std::size_t place(const std::string& text) {
    const auto [found, is_new] = places_.emplace(text, all_.size());
    if (is_new) all_.push_back(text);
    return found->second;
  }
  const std::vector<std::string>& all() const { return all_; }

 private:
  std::map<std::string, std::size_t> places_;
  std::vector<std::string> all_;
};

}  // namespace evt::tools
