// Texts as numbers, from 0 on in the order in which they are met.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace evt::view {

class NameIds {
 public:
  std::uint32_t of(const std::string& text) {
    const auto [place, is_new] = ids_.emplace(text, static_cast<std::uint32_t>(texts_.size()));
    if (is_new) texts_.push_back(text);
    return place->second;
  }
  const std::vector<std::string>& all() const { return texts_; }

 private:
  std::unordered_map<std::string, std::uint32_t> ids_;
  std::vector<std::string> texts_;
};

}  // namespace evt::view
