// Traces of threads and what goes on in them, made at random, with all that is true of them.
#pragma once

#include <evt/timeline.h>
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace evt::testing::agreement {

inline constexpr std::int64_t kOpen = INT64_MAX;
inline constexpr std::string_view kTypes =
    "type 1 thread.create role=threadCreate (thread u64 role=thread)\n"
    "type 4 thread.run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
    "type 5 thread.stop role=threadStop (thread u64 role=thread) (reason enum16 role=reason "
    "labels=[0=unknown 1=preempted 2=yielded 3=blocked 4=sleeping 5=finished 6=called_out])\n"
    "type 6 thread.wake role=threadWake (thread u64 role=thread)\n"
    "type 8 thread.exit role=threadExit (thread u64 role=thread)\n"
    "type 13 mark role=mark (message text role=message)\n"
    "type 21 gc.start role=gcStart (generation u16 role=generation)\n"
    "type 22 gc.end role=gcEnd\n"
    "type 23 gc.idle role=gcIdle\ntype 24 gc.work role=gcWork\ntype 25 gc.done role=gcDone\n"
    "type 26 process.stopped role=stopped (duration tick_delta role=duration)\n"
    "type 1024 span.open role=spanBegin (thread u64 role=thread) (name text role=name)\n"
    "type 1025 span.close role=spanEnd (thread u64 role=thread)\n"
    "type 1026 span.whole role=span (thread u64 role=thread) (name text role=name) "
    "(duration tick_delta role=duration)\n"
    "type 1027 call.open role=callBegin (thread u64 role=thread) (function text role=function)\n"
    "type 1028 call.close role=callEnd (thread u64 role=thread)\n"
    "type 1029 call.whole role=call (thread u64 role=thread) (function text role=function) "
    "(duration tick_delta role=duration)\n"
    "type 1060 gc.begin role=gcStart (thread u64 role=thread) (generation u16 role=generation)\n"
    "stream 1 \"1\"\nstream 2 \"2\"\nstream 3 \"3\"\nstream 4 \"4\"\nstream 5 \"5\"\n";

struct Change {
  std::int64_t ns = 0;
  ThreadState state = ThreadState::kUnknown;
  std::uint32_t cpu = 0;
};

struct Instance {
  std::string name;
  bool is_call = false;
  bool is_complete = false;
  std::int64_t began = 0;
  std::int64_t ended = kOpen;
};

// Of a thread, from the first event about it to its end; its number may be another's afterwards.
struct Life {
  std::uint64_t number = 0;
  std::size_t ordinal = 0;  // of those of this number
  std::int64_t first = 0;
  std::int64_t last = kOpen;
  std::int64_t earliest = 0;        // nothing of it is before
  std::int64_t shown = kOpen;       // when an event first showed it to run or stop
  std::vector<Change> changes;      // in order of events
  std::vector<Instance> instances;  // those that were recorded by begin and end in order of their begins

  std::string key() const { return fmt::format("t{}#{}", number, ordinal); }
  bool exists(std::int64_t from, std::int64_t to) const { return first <= from && to <= last; }
  Change at(std::int64_t ns) const {
    Change now;
    for (const Change& each : changes)
      if (each.ns <= ns) now = each;
    return now;
  }
  const Instance* innermost(std::int64_t from, std::int64_t to) const {
    const Instance* found = nullptr;
    for (const Instance& each : instances) {
      if (each.began > from || each.ended < to) continue;
      if (found == nullptr || each.began >= found->began) found = &each;
    }
    return found;
  }
};

struct Collection {
  std::uint32_t stream = 0;
  std::int64_t began = 0;
  std::int64_t ended = kOpen;
  std::vector<std::pair<std::int64_t, std::string>> phases{};  // since when: idle, work, done
  std::size_t life = SIZE_MAX;                                 // of the thread on which it works, if it does

  bool goes_on(std::int64_t from, std::int64_t to) const { return began <= from && ended >= to; }
  std::string phase(std::int64_t ns) const {
    std::string latest = "work";
    for (const auto& [since, phase] : phases)
      if (since <= ns) latest = phase;
    // Nobody else takes part, for whom it would wait.
    return latest == "done" ? "work" : latest;
  }
};

// Of the process, in which they all are; apart from one another.
struct Stop {
  std::int64_t began = 0;
  std::int64_t ended = 0;
};

class Story {
 public:
  explicit Story(unsigned seed)
      : random_(seed), has_losses_(seed % 4 == 1), has_collections_(seed % 3 == 1), has_stops_(seed % 7 == 3) {
    if (seed % 5 == 2) step_ = 700'000'000;
    threads_ = 2 + pick(4);
    cpus_ = 1 + pick(3);
    streams_ = 1 + pick(3);
    for (std::uint64_t number = 1; number <= threads_; ++number)
      if (pick(4) == 0) never_run_.insert(number);
    for (std::uint32_t left = 60 + pick(140); left > 0;) left -= step() ? 1 : 0;
    for (Collection& each : collections_)
      if (each.ended == kOpen) end_collection(each);
    now_ += pick(step_);
    stream_ = streams_;
    event("mark message=\"end\"");
  }

  std::string text() const { return text_; }
  std::int64_t end_ns() const { return now_; }
  const std::vector<Life>& lives() const { return lives_; }
  const std::vector<Collection>& collections() const { return collections_; }

  bool is_stopped(std::int64_t from, std::int64_t to) const {
    return std::any_of(stops_.begin(), stops_.end(),
                       [&](const Stop& stop) { return stop.began <= from && stop.ended >= to; });
  }

  // A collector works on the thread.
  bool collects_on(const Life& life, std::int64_t from, std::int64_t to) const {
    return std::any_of(collections_.begin(), collections_.end(), [&](const Collection& each) {
      return each.life < lives_.size() && &lives_[each.life] == &life && each.goes_on(from, to);
    });
  }

  // All moments at which anything begins, changes or ends.
  std::set<std::int64_t> moments() const {
    std::set<std::int64_t> moments = moments_;
    moments.insert(0);
    for (const Life& life : lives_)
      for (const Instance& each : life.instances) moments.insert(each.began);
    return moments;
  }

 private:
  static std::string seconds(std::int64_t ns) {
    return fmt::format("{}.{:09}", ns / 1'000'000'000, ns % 1'000'000'000);
  }
  std::uint32_t pick(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }

  std::string a_name() { return std::string(1, static_cast<char>('a' + pick(3))); }

  void event(const std::string& what) {
    text_ += fmt::format("{} {} {}\n", seconds(now_), stream_, what);
    moments_.insert(now_);
  }

  // Equal times are on one stream, as those of several would be in the order of the streams.
  void go_on() {
    if (pick(4) == 0 && stream_ <= streams_) return;
    now_ += 1 + pick(step_);
    stream_ = 1 + pick(streams_);
  }

  void end_collection(Collection& collection) {
    now_ += 1 + pick(step_);
    stream_ = collection.stream;
    event("gc.end");
    collection.ended = now_;
  }

  void change_phase(Collection& collection) {
    static constexpr const char* kPhases[] = {"idle", "work", "done"};
    now_ += 1 + pick(step_);
    stream_ = collection.stream;
    collection.phases.emplace_back(now_, kPhases[pick(3)]);
    event("gc." + collection.phases.back().second);
  }

  bool step_elsewhere() {
    if (has_losses_ && pick(12) == 0) {
      now_ += 1 + pick(step_);
      stream_ = 1 + pick(streams_ + (has_collections_ ? 2 : 0));
      event(fmt::format("!lost count={} cause=ring_full duration={}", 1 + pick(9), seconds(pick(step_) % now_)));
      return true;
    }
    if (has_stops_ && pick(8) == 0) {
      now_ += 1 + pick(step_);
      stream_ = 1 + pick(streams_);
      const std::int64_t since = stops_.empty() ? 0 : stops_.back().ended;
      const std::int64_t began = std::max<std::int64_t>(since, now_ - 1 - pick(4 * step_));
      event("process.stopped duration=" + seconds(now_ - began));
      moments_.insert(began);
      stops_.push_back({began, now_});
      return true;
    }
    if (!has_collections_ || pick(8) > 0) return false;
    const std::uint32_t stream = streams_ + 1 + pick(2);
    for (Collection& each : collections_) {
      if (each.stream != stream || each.ended != kOpen) continue;
      pick(3) == 0 ? end_collection(each) : change_phase(each);
      return true;
    }
    now_ += 1 + pick(step_);
    stream_ = stream;
    collections_.push_back({stream, now_, kOpen, {}, pick(2) == 0 ? an_open_life() : SIZE_MAX});
    const std::size_t life = collections_.back().life;
    event(life == SIZE_MAX ? fmt::format("gc.start generation={}", stream)
                           : fmt::format("gc.begin thread={} generation={}", lives_[life].number, stream));
    return true;
  }

  std::size_t an_open_life() {
    const std::size_t first = pick(static_cast<std::uint32_t>(lives_.size()) + 1);
    for (std::size_t i = first; i < lives_.size(); ++i)
      if (lives_[i].last == kOpen) return i;
    return SIZE_MAX;
  }

  // False if what was tried at random is not possible.
  bool step() {
    if (step_elsewhere()) return true;
    const std::uint64_t number = 1 + pick(threads_);
    std::size_t ordinal = 0;
    Life* life = nullptr;
    for (Life& each : lives_) {
      if (each.number != number) continue;
      ++ordinal;
      life = each.last == kOpen ? &each : nullptr;
    }
    go_on();
    const bool is_new = life == nullptr;
    const bool creates = is_new && (ordinal > 0 || pick(2) == 0);
    if (is_new) {
      life = &lives_.emplace_back();
      life->number = number;
      life->ordinal = ordinal;
      life->first = now_;
      life->earliest = creates ? now_ : 0;
    }
    if (!(creates ? change(*life, "create", "", ThreadState::kRunnable) : do_something(*life))) {
      if (is_new) lives_.pop_back();
      return false;
    }
    return true;
  }

  bool do_something(Life& life) {
    const ThreadState state = life.at(now_).state;
    const bool runs = state == ThreadState::kRunning;
    switch (pick(16)) {
      case 0:
      case 1:
      case 2:
        return !runs && run(life);
      case 3:
      case 4:
        return (runs || (state == ThreadState::kUnknown && pick(3) == 0)) && stop(life);
      case 5:
        return !runs && change(life, "wake", "", ThreadState::kRunnable);
      case 6:
        return pick(4) == 0 && change(life, "exit", "", ThreadState::kEnded);
      case 7:
      case 8:
      case 9:
      case 10:
        return begin(life);
      case 11:
      case 12:
      case 13:
        return end(life);
      default:
        return complete(life);
    }
  }

  bool change(Life& life, std::string_view what, const std::string& more, ThreadState state, std::uint32_t cpu = 0) {
    event(fmt::format("thread.{} thread={}{}", what, life.number, more));
    life.changes.push_back({now_, state, cpu});
    if (state == ThreadState::kEnded) life.last = now_;
    return true;
  }

  bool run(Life& life) {
    const std::uint32_t cpu = pick(cpus_);
    if (never_run_.contains(life.number)) return false;
    for (const Life& each : lives_) {
      const Change is = each.at(now_);
      if (is.state == ThreadState::kRunning && is.cpu == cpu) return false;
    }
    life.shown = std::min(life.shown, now_);
    return change(life, "run", fmt::format(" cpu={}", cpu), ThreadState::kRunning, cpu);
  }

  bool stop(Life& life) {
    if (never_run_.contains(life.number)) return false;
    life.shown = std::min(life.shown, now_);
    switch (pick(8)) {
      case 0:
        return change(life, "stop", " reason=finished", ThreadState::kEnded);
      case 1:
      case 2:
        return change(life, "stop", " reason=blocked", ThreadState::kWaiting);
      case 3:
      case 4:
        return change(life, "stop", " reason=sleeping", ThreadState::kWaiting);
      default:
        return change(life, "stop", " reason=preempted", ThreadState::kRunnable);
    }
  }

  std::string record(const Life& life, const Instance& instance, std::string_view how) const {
    return fmt::format("{}.{} thread={} {}=\"{}\"", instance.is_call ? "call" : "span", how, life.number,
                       instance.is_call ? "function" : "name", instance.name);
  }

  bool begin(Life& life) {
    const Instance instance{a_name(), pick(2) == 0, false, now_};
    for (const Instance& each : life.instances)
      if (each.is_complete && each.began == now_) return false;
    event(record(life, instance, "open"));
    life.instances.push_back(instance);
    return true;
  }

  bool end(Life& life) {
    for (std::size_t i = life.instances.size(); i-- > 0;) {
      Instance& each = life.instances[i];
      if (each.ended != kOpen) continue;
      event(fmt::format("{}.close thread={}", each.is_call ? "call" : "span", life.number));
      each.ended = now_;
      return true;
    }
    return false;
  }

  // False as well if it began before another ended that began before it, or with one: neither is inside the other then.
  bool complete(Life& life) {
    std::int64_t began = now_ - pick(6 * step_);
    if (pick(3) == 0) began = life.changes.empty() ? life.first : life.changes.front().ns;
    if (!life.instances.empty() && pick(2) == 0)
      began = std::min(now_, life.instances[pick(static_cast<std::uint32_t>(life.instances.size()))].ended);
    const Instance instance{a_name(), pick(2) == 0, true, began, now_};
    if (began < life.earliest) return false;
    for (const Instance& each : life.instances) {
      if (each.began == began || (each.began > began && each.ended == kOpen)) return false;
      if (each.began < began && began < each.ended && each.ended <= now_) return false;
    }
    event(record(life, instance, "whole") + " duration=" + seconds(now_ - began));
    life.instances.push_back(instance);
    life.first = std::min(life.first, began);
    return true;
  }

  std::mt19937 random_;
  bool has_losses_;
  bool has_collections_;
  bool has_stops_;
  std::uint32_t step_ = 40;
  std::uint32_t threads_ = 0;
  std::uint32_t cpus_ = 0;
  std::uint32_t streams_ = 0;  // those behind are collectors
  std::set<std::uint64_t> never_run_;
  std::int64_t now_ = 0;
  std::uint32_t stream_ = 1;
  std::string text_ = std::string(kTypes);
  std::set<std::int64_t> moments_;
  std::vector<Life> lives_;
  std::vector<Collection> collections_;
  std::vector<Stop> stops_;
};

using Figures = std::map<std::string, std::uint64_t>;  // those that are 0 are left out

inline std::string words_of(const Figures& figures) {
  std::string words;
  for (const auto& [key, value] : figures)
    if (value != 0) words += fmt::format("{} = {}\n", key, value);
  return words;
}

// By index: as those of one number exist one after the other, the n-th index is the n-th of them.
inline std::vector<std::string> thread_keys(Timeline& timeline) {
  std::vector<std::string> keys;
  std::map<std::uint64_t, std::size_t> ordinals;
  for (const Actor& each : timeline.actors().threads().all())
    keys.push_back(each.is_stream ? "stream" : fmt::format("t{}#{}", each.number, ordinals[each.number]++));
  return keys;
}

}  // namespace evt::testing::agreement
