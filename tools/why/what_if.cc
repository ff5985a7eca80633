#include "why/what_if.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/time_spec.h"
#include "libtrace-read/text/name_pattern.h"

namespace evt::tools {
namespace {

constexpr double kWhole = 1e9;  // parse_length() takes a number without a unit as seconds

}  // namespace

// A name may have = in it.
std::optional<WhatIf> WhatIf::parse(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == text.npos || equals == 0) return {};
  WhatIf asked;
  asked.text = text;
  asked.part = text.substr(0, equals);
  std::string value = text.substr(equals + 1);
  const bool is_factor = value.size() > 1 && value.back() == 'x' && std::isdigit(value[value.size() - 2]) != 0;
  if (is_factor) value.pop_back();
  const std::optional<std::int64_t> length = parse_length(value);
  if (!length || *length < 0) return {};
  if (!is_factor) {
    asked.most_ns = *length;
    return asked;
  }
  asked.factor = static_cast<double>(*length) / kWhole;
  return asked.factor < 1 ? std::optional(asked) : std::nullopt;
}

WhatIfs::WhatIfs(const std::vector<WhatIf>& asked, Timeline& timeline, Why& why, const WhyWords& words)
    : asked_(&asked), timeline_(&timeline), why_(&why), words_(&words) {
  if (!asked.empty()) why.set_groups([this](std::uint32_t name) { return groups_of(name); });
}

std::uint16_t WhatIfs::groups_of(std::uint32_t name) {
  if (name >= groups_.size()) groups_.resize(name + std::size_t{1});
  if (groups_[name]) return *groups_[name];
  const std::string& text = timeline_->names().text(name);
  unsigned groups = 0;
  for (std::size_t i = 0; i < asked_->size(); ++i) {
    const std::string& part = (*asked_)[i].part;
    if (text == part || matches_name(part, text)) groups |= 1U << i;
  }
  groups_[name] = static_cast<std::uint16_t>(groups);
  return *groups_[name];
}

// lock:orders
std::string WhatIfs::about(std::uint32_t target) const {
  const std::string resource = words_->resource(target);
  const std::string object = words_->object(target);
  return resource.empty() || object.empty() ? "" : resource + ":" + object;
}

std::vector<bool> WhatIfs::targets_of(const WhatIf& asked) const {
  std::vector<bool> targets;
  for (std::uint32_t i = 0; i < why_->targets().size(); ++i) {
    const std::string text = about(i);
    targets.push_back(!text.empty() && (text == asked.part || matches_name(asked.part, text)));
  }
  return targets;
}

bool WhatIfs::is_there(std::size_t index) const {
  const auto is_in = [&](const std::optional<std::uint16_t>& groups) { return (groups.value_or(0) >> index & 1) != 0; };
  return std::ranges::any_of(groups_, is_in) || std::ranges::count(targets_of((*asked_)[index]), true) > 0;
}

Table WhatIfs::table(const WhyInterval& interval) {
  Table table("what_if", 1,
              {{.name = "what if"},
               {.name = "sooner", .kind = CellKind::kDuration},
               {.name = "share", .kind = CellKind::kPercent}});
  for (std::size_t i = 0; i < asked_->size(); ++i) {
    if (!is_there(i)) continue;
    const WhatIf& asked = (*asked_)[i];
    const Why::Shorter shorter{static_cast<unsigned>(i), targets_of(asked), asked.factor, asked.most_ns};
    const auto sooner = static_cast<std::uint64_t>(
        why_->sooner(interval.thread, interval.range.from_ns, interval.range.to_ns, shorter));
    table.add({asked.text, Cell(sooner), report::percent_of(sooner, interval.length())});
  }
  return table;
}

std::vector<std::string> WhatIfs::nothing() const {
  std::vector<std::string> known;
  for (std::uint32_t i = 0; i < groups_.size(); ++i) {
    if (groups_[i]) known.push_back(timeline_->names().text(i));
  }
  for (std::uint32_t i = 0; i < why_->targets().size(); ++i) known.push_back(about(i));
  std::erase(known, "");
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < asked_->size(); ++i) {
    if (!is_there(i))
      sentences.push_back("--what-if: " + none_called("span, call or object", (*asked_)[i].part, known));
  }
  return sentences;
}

}  // namespace evt::tools
