#include "run/run_progress.h"

#include <evt/analysis/event_names.h>
#include <evt/trace.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/table_forms.h"
#include "libtrace-read/text/shown.h"
#include "libtrace-record/collect/session_folder.h"
#include "libtrace-record/sched/clock_time.h"
#include "run/run_tables.h"

namespace evt::tools {
namespace {

constexpr std::size_t kListed = 4;

// The largest first: "NAME VALUE, ...".
template <typename Text>
std::string listed(std::vector<std::pair<std::uint64_t, std::string>> all, Text text) {
  std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(all.size(), kListed); ++i) {
    words.push_back(fmt::format("{} {}", all[i].second, text(all[i].first)));
  }
  if (all.size() > kListed) words.push_back(counted(all.size() - kListed, "other"));
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
}

// Of a session.
class NamedCalls {
 public:
  explicit NamedCalls(const Session& session) : names_(session) {}
  void take(const Event& call) {
    const std::uint32_t name = names_.of(call, Role::kFunction);
    if (name >= counts_.size()) counts_.resize(std::size_t{name} + 1);
    ++counts_[name];
  }
  void add_to(std::map<std::string, std::uint64_t>* calls) const {
    for (std::uint32_t i = 0; i < counts_.size(); ++i) {
      if (counts_[i] > 0) (*calls)[names_.text(i)] += counts_[i];
    }
  }

 private:
  EventNames names_;
  std::vector<std::uint64_t> counts_;
};

}  // namespace

RunProgress::RunProgress(pid_t pid, std::string folder, std::int64_t every_ns)
    : pid_(pid),
      folder_(std::move(folder)),
      every_ns_(every_ns),
      began_ns_(record::now_of(CLOCK_MONOTONIC)),
      last_ns_(began_ns_) {}

std::vector<std::string> RunProgress::look() {
  const std::int64_t now = record::now_of(CLOCK_MONOTONIC);
  if (now - last_ns_ < every_ns_) return {};
  std::vector<std::string> sentences = {cpu_sentence(now), threads_sentence(), calls_sentence(now)};
  last_ns_ = now;
  return sentences;
}

std::string RunProgress::cpu_sentence(std::int64_t now_ns) {
  clockid_t clock = 0;
  const std::int64_t cpu = clock_getcpuclockid(pid_, &clock) == 0 ? std::max(cpu_ns_, record::now_of(clock)) : cpu_ns_;
  const auto since = static_cast<std::uint64_t>(cpu - std::exchange(cpu_ns_, cpu));
  const auto elapsed = static_cast<std::uint64_t>(now_ns - began_ns_);
  return fmt::format("after {}: cpu {}, {} of it in the last {}", duration_text(elapsed),
                     duration_text(static_cast<std::uint64_t>(cpu)), duration_text(since),
                     duration_text(static_cast<std::uint64_t>(now_ns - last_ns_)));
}

std::string RunProgress::threads_sentence() {
  Threads now = record::ThreadClocks::times_of(pid_);
  std::vector<std::pair<std::uint64_t, std::string>> ran;
  for (const auto& [thread, times] : now) {
    const auto before = threads_.find(thread);
    const std::uint64_t ns = times.ran_ns - (before != threads_.end() ? before->second.ran_ns : 0);
    if (ns > 0) ran.emplace_back(ns, times.name == Actor::kRecorder ? "(recording)" : shown(times.name));
  }
  threads_ = std::move(now);
  return fmt::format("  {}: {}", counted(threads_.size(), "thread"), listed(std::move(ran), duration_text));
}

std::string RunProgress::calls_sentence(std::int64_t now_ns) {
  std::map<std::string, std::uint64_t> calls;
  std::uint64_t events = 0;
  bool are_all = true;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
    const bool is_of_run = at->path().filename().string().starts_with(record::kRunSession);
    const bool is_session = at->path().extension() == ".evt" && !is_of_run;
    if (is_session) are_all &= count_calls(at->path().string(), now_ns, &calls, &events);
  }
  counted_ns_ = now_ns;
  std::vector<std::pair<std::uint64_t, std::string>> all;
  for (const auto& [function, count] : calls) all.emplace_back(count, shown(function));
  return fmt::format("  calls{}: {}", are_all ? "" : fmt::format(" among the first {} events", kMaxEvents),
                     listed(std::move(all), [](std::uint64_t count) { return std::to_string(count); }));
}

// A program that is about to begin, or to end, may have no session that can be read.
bool RunProgress::count_calls(const std::string& file, std::int64_t now_ns, std::map<std::string, std::uint64_t>* calls,
                              std::uint64_t* events) const {
  auto trace = Trace::open(file);
  if (!trace) return true;
  EventOptions wanted;
  wanted.range = [&](const Session& session) {
    const std::int64_t from = counted_ns_ == INT64_MIN ? INT64_MIN : counted_ns_ - session.start_ns;
    return TimeRange{from, now_ns - session.start_ns - 1};
  };
  Events all = trace->events(wanted);
  std::map<const Session*, NamedCalls> counted;
  while (const Event* const event = all.next()) {
    if (++*events > kMaxEvents) break;
    const Role role = event->type().role();
    if (role == Role::kCallBegin || role == Role::kCall)
      counted.try_emplace(&event->session(), event->session()).first->second.take(*event);
  }
  for (const auto& [session, named] : counted) named.add_to(calls);
  return *events <= kMaxEvents;
}

}  // namespace evt::tools
