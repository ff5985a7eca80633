#include "flame_tree.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "libtrace-read/text/number_with_unit.h"

namespace evt::view {
namespace {

constexpr const char* kAll = "all";
constexpr std::string_view kEscaped = "\\x3b";  // a separator that is part of a name

// The outermost first.
struct Path {
  std::vector<std::string_view> names;
  std::uint64_t ns = 0;
};

Path path_of(const FlameTree::Stack& stack, bool inverted) {
  Path path{{}, stack.second};
  const std::string_view names = stack.first;
  for (std::size_t at = 0; at <= names.size();) {
    const std::size_t end = std::min(names.find(';', at), names.size());
    path.names.push_back(names.substr(at, end - at));
    at = end + 1;
  }
  if (inverted) std::ranges::reverse(path.names);
  return path;
}

// Of paths that begin alike the longer one comes first: what is on a box begins where it does.
bool comes_before(const Path& one, const Path& other) {
  const auto [a, b] = std::ranges::mismatch(one.names, other.names);
  const bool is_end = a == one.names.end() || b == other.names.end();
  return is_end ? a != one.names.end() : *a < *b;
}

std::string name_of(std::string_view frame) {
  std::string name(frame);
  for (std::size_t at = 0; (at = name.find(kEscaped, at)) != std::string::npos; ++at) {
    name.replace(at, kEscaped.size(), ";");
  }
  return name;
}

}  // namespace

FlameTree::FlameTree(const std::vector<Stack>& stacks, bool inverted, std::uint64_t parts) {
  std::vector<Path> paths;
  std::uint64_t total = 0;
  for (const Stack& stack : stacks) {
    if (stack.second == 0) continue;
    paths.push_back(path_of(stack, inverted));
    total += stack.second;
  }
  if (total == 0) return;
  std::ranges::sort(paths, comes_before);
  boxes_.push_back({kAll, 0, 0, total, 0});
  std::vector<std::size_t> open;  // boxes on the first one
  std::uint64_t now = 0;
  const auto close_to = [&](std::size_t depth) {
    while (open.size() > depth) {
      Box& box = boxes_[open.back()];
      box.sum = now - box.from;
      if (box.sum < total / parts) boxes_.resize(open.back());
      open.pop_back();
    }
  };
  const std::vector<std::string_view>* before = nullptr;
  for (const Path& path : paths) {
    std::size_t common = 0;
    if (before != nullptr) {
      const auto [differs, unused] = std::ranges::mismatch(path.names, *before);
      common = static_cast<std::size_t>(differs - path.names.begin());
    }
    close_to(common);
    for (std::size_t i = common; i < path.names.size(); ++i) {
      open.push_back(boxes_.size());
      boxes_.push_back({name_of(path.names[i]), static_cast<std::uint32_t>(i + 1), now, 0, 0});
    }
    boxes_[open.back()].self += path.ns;
    now += path.ns;
    before = &path.names;
  }
  close_to(0);
}

std::uint32_t FlameTree::depth() const {
  return boxes_.empty() ? 0 : std::ranges::max_element(boxes_, {}, &Box::depth)->depth + 1;
}

std::string FlameTree::sentence(const Box& box) const {
  const double percent = 100 * static_cast<double>(box.sum) / static_cast<double>(total());
  return fmt::format("{}: {}, {:.1f} %", box.name, report::duration_text(box.sum), percent);
}

}  // namespace evt::view
