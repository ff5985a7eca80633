#include "why/why_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "libtrace-read/report/shared/thread_groups.h"
#include "libtrace-read/text/name_pattern.h"
#include "libtrace-read/text/near_names.h"

namespace evt::tools {
namespace {

constexpr std::size_t kMostListed = 8;

// The slowest first; of two of one length, the earlier.
bool comes_before(const WhyInterval& a, const WhyInterval& b) {
  return a.length() != b.length() ? a.length() > b.length() : a.range.from_ns < b.range.from_ns;
}

template <typename T>
T& known(std::vector<T>* all, std::uint32_t index) {
  if (index >= all->size()) all->resize(index + std::size_t{1});
  return (*all)[index];
}

bool is_yes(const std::optional<bool>& wanted) { return wanted.value_or(false); }

std::string none_called(const char* what, const std::string& name, std::vector<std::string> known) {
  std::string end = did_you_mean(name, known);
  if (known.size() > kMostListed) known.resize(kMostListed);
  if (end.empty() && !known.empty()) end = fmt::format("; there are {}", fmt::join(known, ", "));
  return fmt::format("no {} is called {}{}", what, word_in_sentence(name), end);
}

std::uint64_t distance(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : b - a; }

}  // namespace

WhySearch::WhySearch(Timeline& timeline, const WhyAsked& asked, std::optional<std::uint64_t> length)
    : timeline_(&timeline), asked_(&asked), length_(length) {
  const Session& session = timeline.actors().session();
  if (asked.from) range_.from_ns = asked.from->in(session);
  if (asked.to) range_.to_ns = asked.to->in(session);
}

// Its name may come later than it does.
bool WhySearch::wants_thread(std::uint32_t index) {
  if (asked_->thread.empty()) return true;
  KnownThread& thread = known(&threads_, index);
  const std::string& name = timeline_->actors().threads()[index].name;
  if (!thread.is_known || thread.name != name) {
    const std::vector<std::string> names = report::names_of_thread(timeline_->actors(), index);
    thread.name = name;
    thread.is_known = true;
    thread.is_wanted =
        std::ranges::any_of(names, [&](const std::string& each) { return matches_name(asked_->thread, each); });
  }
  return thread.is_wanted;
}

bool WhySearch::wants_name(std::uint32_t name) {
  std::optional<bool>& wanted = known(&wanted_names_, name);
  if (!wanted) {
    const std::string& text = timeline_->names().text(name);
    wanted = text == asked_->name || matches_name(asked_->name, text);
  }
  return *wanted;
}

void WhySearch::take(const TimelineItem& item) {
  if (item.thread >= Actor::kOthers) return;
  if (!asked_->name.empty()) {
    if (item.kind == ItemKind::kEnded) take_span(item);
    return;
  }
  const bool does = item.kind == ItemKind::kBegan || item.kind == ItemKind::kEnded || item.kind == ItemKind::kState;
  if (does && !item.is_open && item.ns <= range_.to_ns) known(&threads_, item.thread).acted = ++acts_;
}

void WhySearch::take_span(const TimelineItem& item) {
  if (!wants_name(item.name) || !wants_thread(item.thread)) return;
  WhyInterval found;
  found.thread = item.thread;
  found.name = item.name;
  found.range = {item.began_ns, item.ended_ns};
  found.has_ended = !item.is_open;
  if (found.range.from_ns >= found.range.to_ns || found.range.from_ns < range_.from_ns ||
      found.range.to_ns > range_.to_ns) {
    return;
  }
  if (asked_->at) {
    const std::int64_t at = asked_->at->in(timeline_->actors().session());
    // The innermost one begins last.
    const bool is_there = found.range.from_ns <= at && at < found.range.to_ns;
    if (is_there && (!found_ || found_->range.from_ns <= found.range.from_ns)) found_ = found;
    return;
  }
  if (length_) {
    if (!found_ || distance(found.length(), *length_) < distance(found_->length(), *length_)) found_ = found;
    return;
  }
  lengths_.add(found.length());
  if (asked_->percent) return;
  slowest_.push_back(found);
  std::ranges::push_heap(slowest_, comes_before);
  if (slowest_.size() <= asked_->nth) return;
  std::ranges::pop_heap(slowest_, comes_before);
  slowest_.pop_back();
}

void WhySearch::finish() {
  asked_->name.empty() ? choose_thread() : choose_span();
  if (found_ && !asked_->name.empty()) found_->text = timeline_->names().text(found_->name);
}

void WhySearch::choose_span() {
  if (asked_->at) return;
  if (asked_->percent) {
    if (!length_ && lengths_.count() > 0) length_ = lengths_.quantile(*asked_->percent / 100);
    return;
  }
  if (slowest_.size() < asked_->nth) return;
  found_ = slowest_.front();
  found_->rank = asked_->nth;
  found_->count = lengths_.count();
}

// All that the thread did, which is the one that did something last if none is asked for.
void WhySearch::choose_thread() {
  WhyInterval all;
  std::uint64_t last = 0;
  std::size_t wanted = 0;
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    if (threads_[i].acted == 0 || !wants_thread(i)) continue;
    ++wanted;
    if (threads_[i].acted > last) all.thread = i;
    last = std::max(last, threads_[i].acted);
  }
  if (last == 0 || (wanted > 1 && !asked_->thread.empty())) return;
  all.range = {std::max(range_.from_ns, timeline_->first_ns()), std::min(range_.to_ns, timeline_->end_ns())};
  if (all.range.from_ns < all.range.to_ns) found_ = all;
}

std::vector<std::string> WhySearch::names_of_threads(bool only_wanted) {
  std::vector<std::string> names;
  const std::uint32_t count = std::min(timeline_->actors().threads().size(), Actor::kOthers);
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool is_listed = !timeline_->actors().threads()[i].is_idle && (!only_wanted || wants_thread(i));
    if (is_listed) names.push_back(report::thread_text(timeline_->actors(), i));
  }
  return names;
}

std::string WhySearch::nothing() {
  std::vector<std::string> names = names_of_threads(true);
  if (names.empty() && !asked_->thread.empty()) return none_called("thread", asked_->thread, names_of_threads(false));
  if (!asked_->thread.empty() && asked_->name.empty() && names.size() > 1) {
    if (names.size() > kMostListed) names.resize(kMostListed);
    return fmt::format("--thread {} matches {}; name one", asked_->thread, fmt::join(names, ", "));
  }
  if (asked_->name.empty()) return "nothing was recorded there";
  const std::uint64_t count = lengths_.count();
  if (count > 0) return fmt::format("there are {} of {}, found --nth {}", count, asked_->name, asked_->nth);
  if (std::ranges::any_of(wanted_names_, is_yes)) {
    return fmt::format("no {} is where --at, --thread, --from and --to look", asked_->name);
  }
  names.clear();
  for (std::uint32_t i = 0; i < wanted_names_.size(); ++i) {
    if (wanted_names_[i]) names.push_back(timeline_->names().text(i));
  }
  return names.empty() ? "no span or call was recorded" : none_called("span or call", asked_->name, std::move(names));
}

}  // namespace evt::tools
