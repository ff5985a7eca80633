#include "flame_tree.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "libtrace-read/text/number_with_unit.h"

namespace evt::view {
namespace {

constexpr const char* kAll = "all";
constexpr std::string_view kEscaped = "\\x3b";  // a separator that is part of a name

// The names of a path, the outermost first, or the innermost.
class Names {
 public:
  Names(std::string_view path, bool inverted) : rest_(path), inverted_(inverted) {}

  std::optional<std::string_view> next() {
    if (!rest_) return std::nullopt;
    const std::size_t at = inverted_ ? rest_->rfind(';') : rest_->find(';');
    if (at == std::string_view::npos) return std::exchange(rest_, std::nullopt);
    const std::string_view before = rest_->substr(0, at);
    const std::string_view behind = rest_->substr(at + 1);
    rest_ = inverted_ ? before : behind;
    return inverted_ ? behind : before;
  }

 private:
  std::optional<std::string_view> rest_;
  bool inverted_;
};

// Of paths that begin alike the longer one comes first: what is on a box begins where it does.
bool comes_before(Names one, Names other) {
  while (true) {
    const std::optional<std::string_view> a = one.next();
    const std::optional<std::string_view> b = other.next();
    if (!a || !b) return a.has_value();
    if (*a != *b) return *a < *b;
  }
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
  // Without a copy of their names, of which there may be many.
  std::vector<const Stack*> paths;
  std::uint64_t total = 0;
  for (const Stack& stack : stacks) {
    if (stack.second == 0) continue;
    paths.push_back(&stack);
    total += stack.second;
  }
  if (total == 0) return;
  const auto names_of = [inverted](const Stack& stack) { return Names(stack.first, inverted); };
  std::ranges::sort(paths, [&](const Stack* a, const Stack* b) { return comes_before(names_of(*a), names_of(*b)); });
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
  std::optional<Names> before;
  for (const Stack* const path : paths) {
    Names names = names_of(*path);
    std::uint32_t depth = 0;
    std::optional<std::string_view> name = names.next();
    while (before && name && before->next() == name) {
      ++depth;
      name = names.next();
    }
    close_to(depth);
    for (; name; name = names.next()) {
      open.push_back(boxes_.size());
      boxes_.push_back({name_of(*name), ++depth, now, 0, 0});
    }
    boxes_[open.back()].self += path->second;
    now += path->second;
    before = names_of(*path);
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
