#include "why_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "libtrace-read/text/name_pattern.h"
#include "libtrace-read/text/near_names.h"
#include "thread_groups.h"

namespace evt::report {
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

std::uint64_t distance(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : b - a; }

}  // namespace

std::string none_called(const char* what, const std::string& name, std::vector<std::string> known) {
  std::string end = did_you_mean(name, known);
  if (known.size() > kMostListed) known.resize(kMostListed);
  if (end.empty() && !known.empty()) end = fmt::format("; there are {}", fmt::join(known, ", "));
  return fmt::format("no {} is called {}{}", what, word_in_sentence(name), end);
}

Status WhyAsked::check() const {
  if (nth < 1 || nth > WhySearch::kMostNth) {
    return {Code::kInvalid, fmt::format("nth: expected 1 to {}, found {}", WhySearch::kMostNth, nth)};
  }
  if (percent && !(*percent >= 0 && *percent <= 100)) {
    return {Code::kInvalid, fmt::format("percentile: expected 0 to 100, found {}", *percent)};
  }
  const int choices = (nth > 1 ? 1 : 0) + (at ? 1 : 0) + (percent ? 1 : 0);
  if (choices > 1) return {Code::kInvalid, "expected one of nth, at and percentile"};
  if (choices > 0 && name.empty()) {
    return {Code::kInvalid, "expected the name of a span or call with nth, at and percentile"};
  }
  return {};
}

WhySearch::WhySearch(Timeline& timeline, const WhyAsked& asked, std::optional<std::uint64_t> length)
    : timeline_(&timeline), asked_(&asked), range_(asked.range_in(timeline.actors().session())), length_(length) {}

// Its name may come later than it does.
bool WhySearch::wants_thread(std::uint32_t index) {
  if (asked_->thread.empty()) return true;
  KnownThread& thread = known(&threads_, index);
  const std::string& name = timeline_->actors().threads()[index].name;
  if (!thread.is_known || thread.name != name) {
    const std::vector<std::string> names = names_of_thread(timeline_->actors(), index);
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
  if (!asked_->name.empty()) {
    const std::optional<WhyInterval> found = interval_of(item);
    // Spans that took no time are counted, as evt stats spans does, but leave nothing to explain.
    if (found && !length_ && !asked_->at) lengths_.add(found->length());
    if (found && found->length() > 0 && length_ != 0U) take_span(*found);
    return;
  }
  forget_folded(item);
  if (item.thread >= Actor::kOthers) return;
  const bool does = item.kind == ItemKind::kBegan || item.kind == ItemKind::kEnded || item.kind == ItemKind::kState;
  if (does && !item.is_open && item.ns <= range_.to_ns) known(&threads_, item.thread).acted = ++acts_;
}

// Indexes of these threads will belong to others.
void WhySearch::forget_folded(const TimelineItem& item) {
  if (item.kind != ItemKind::kFold) return;
  for (const std::uint32_t index : item.event->fold->all()) {
    if (index < threads_.size()) threads_[index] = {};
  }
}

std::optional<WhyInterval> WhySearch::interval_of(const TimelineItem& item) {
  forget_folded(item);
  if (item.kind != ItemKind::kEnded || item.thread >= Actor::kOthers) return {};
  if (!wants_name(item.name) || !wants_thread(item.thread)) return {};
  WhyInterval found;
  found.thread = item.thread;
  found.name = item.name;
  found.range = {item.began_ns, item.ended_ns};
  found.has_ended = !item.is_open;
  const bool is_there = found.range.from_ns >= range_.from_ns && found.range.to_ns <= range_.to_ns;
  return is_there ? std::optional(found) : std::nullopt;
}

void WhySearch::take_span(const WhyInterval& found) {
  if (asked_->at) {
    const std::int64_t at = asked_->at(timeline_->actors().session());
    // The innermost one begins last.
    const bool is_there = found.range.from_ns <= at && at < found.range.to_ns;
    if (is_there && (!found_ || found_->range.from_ns <= found.range.from_ns)) found_ = found;
    return;
  }
  if (length_) {
    if (!found_ || distance(found.length(), *length_) < distance(found_->length(), *length_)) found_ = found;
    return;
  }
  if (asked_->slow) return all_lengths_.push_back(found.length());
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
  if (asked_->at || asked_->slow) return;
  if (asked_->percent) {
    if (!length_ && lengths_.count() > 0) length_ = lengths_.quantile(*asked_->percent / 100);
    return;
  }
  if (slowest_.size() < asked_->nth) return;
  found_ = slowest_.front();
  found_->rank = asked_->nth;
  found_->count = lengths_.count();
}

// That of the first process whose main thread did something. Parts come in the order of their starts.
std::uint32_t WhySearch::main_thread() {
  const Session& session = timeline_->actors().session();
  for (const StreamInfo& stream : session.streams) {
    const std::uint32_t part = timeline_->actors().part_of(stream);
    const std::string* const pid =
        part == Actor::kNone ? nullptr : session.fact(EVT_FACT_SCOPE_PART, part, EVT_FACT_PART_PID);
    const std::string process = pid != nullptr ? *pid : std::to_string(session.pid);
    if (stream.thread == 0 || std::to_string(stream.thread) != process) continue;
    const std::uint32_t thread = timeline_->actors().thread_of(stream);
    if (thread < threads_.size() && threads_[thread].acted > 0) return thread;
  }
  return Actor::kNone;
}

// All that the thread did; if none is asked for, the main thread, or else the one that did something last.
void WhySearch::choose_thread() {
  WhyInterval all;
  std::uint64_t last = 0;
  std::size_t wanted = 0;
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    const bool is_recorder = asked_->thread.empty() && timeline_->actors().threads()[i].name == Actor::kRecorder;
    if (threads_[i].acted == 0 || is_recorder || !wants_thread(i)) continue;
    ++wanted;
    if (threads_[i].acted > last) all.thread = i;
    last = std::max(last, threads_[i].acted);
  }
  if (last == 0 || (wanted > 1 && !asked_->thread.empty())) return;
  const std::uint32_t main = asked_->thread.empty() ? main_thread() : Actor::kNone;
  if (main != Actor::kNone) all.thread = main;
  all.range = {std::max(range_.from_ns, timeline_->first_ns()), std::min(range_.to_ns, timeline_->end_ns())};
  if (all.range.from_ns < all.range.to_ns) found_ = all;
}

std::vector<std::string> WhySearch::names_of_threads(bool only_wanted) {
  std::vector<std::string> names;
  const ThreadTexts texts(timeline_->actors());
  const std::uint32_t count = std::min(timeline_->actors().threads().size(), Actor::kOthers);
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool is_listed = !timeline_->actors().threads()[i].is_idle && (!only_wanted || wants_thread(i));
    if (is_listed) names.push_back(texts.of(i));
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
  if (length_ == 0U || (!asked_->slow && count > 0 && count >= asked_->nth)) {
    return fmt::format("that {} took no time, as far as its events can tell", asked_->name);
  }
  if (count > 1 && asked_->slow) return fmt::format("fewer than two of {} took any time", asked_->name);
  if (count > 0 && asked_->slow) return fmt::format("there is 1 of {}, expected two or more with --slow", asked_->name);
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

}  // namespace evt::report
