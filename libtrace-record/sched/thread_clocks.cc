#include "thread_clocks.h"

#include <fmt/core.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "clock_time.h"
#include "declare.h"

namespace evt::record {
namespace {

constexpr std::uint64_t kEveryNs = 1'000'000'000;

bool read_times(const std::string& folder, ThreadClocks::Times* times) {
  FILE* const file = fopen((folder + "/schedstat").c_str(), "re");
  if (file == nullptr) return false;
  unsigned long long ran = 0;
  unsigned long long delayed = 0;
  const int found = fscanf(file, "%llu %llu", &ran, &delayed);
  fclose(file);
  times->ran_ns = ran;
  times->delayed_ns = delayed;
  return found == 2;
}

std::string read_name(const std::string& folder) {
  char name[64] = "";
  FILE* const file = fopen((folder + "/comm").c_str(), "re");
  if (file == nullptr) return "";
  if (fgets(name, sizeof name, file) == nullptr) name[0] = '\0';
  fclose(file);
  name[strcspn(name, "\n")] = '\0';
  return name;
}

}  // namespace

std::map<std::uint64_t, ThreadClocks::Times> ThreadClocks::times_of(pid_t pid) {
  std::map<std::uint64_t, Times> all;
  std::error_code error;
  const std::string tasks = fmt::format("/proc/{}/task", pid);
  for (std::filesystem::directory_iterator at(tasks, error), end; !error && at != end; at.increment(error)) {
    Times times;
    if (!read_times(at->path().string(), &times)) continue;
    times.name = read_name(at->path().string());
    all[strtoull(at->path().filename().c_str(), nullptr, 10)] = times;
  }
  return all;
}

void ThreadClocks::open(evt_writer* writer, pid_t pid) {
  pid_ = pid;
  stream_ = evt_stream_open(writer, "thread times");
  sum_ = declare(writer, "run.thread_time", "how long a thread has run, or has waited for a cpu, so far",
                 EVT_ROLE_COUNTER_TOTAL,
                 {of_boot(EVT_FIELD_U64("thread", EVT_ROLE_THREAD)), EVT_FIELD_INTERNED("name", EVT_ROLE_NAME),
                  EVT_FIELD_U64("value", EVT_ROLE_VALUE, EVT_UNIT_NANOSECONDS)});
  ran_ = evt_intern(writer, "ran", 3);
  delayed_ = evt_intern(writer, "waited for a cpu", strlen("waited for a cpu"));
}

void ThreadClocks::record(std::uint64_t thread, const Times& times) {
  const auto emit = [&](std::uint32_t what, std::uint64_t ns) {
    evt_row row = evt_begin(stream_, sum_);
    if (row.p == nullptr) return;
    evt_u64(&row, thread);
    evt_u32(&row, what);
    evt_u64(&row, ns);
    evt_commit(&row);
  };
  emit(ran_, times.ran_ns);
  emit(delayed_, times.delayed_ns);
}

void ThreadClocks::sample() {
  const auto now = static_cast<std::uint64_t>(now_of(CLOCK_MONOTONIC));
  // The last sample is taken after the process has ended.
  const bool has_ended = !std::filesystem::exists(fmt::format("/proc/{}/task/{}/cwd", pid_, pid_));
  if (stream_ == nullptr || (now - sampled_at_ns_ < kEveryNs && !has_ended)) return;
  sampled_at_ns_ = now;
  std::set<pid_t> before = std::move(processes_);
  processes_.clear();
  before.insert(pid_);
  for (const pid_t process : before) find_children(process);
  for (const pid_t process : processes_) read_process(process);
}

// The process, if it is there, and all that it started.
void ThreadClocks::find_children(pid_t process) {
  std::error_code error;
  std::filesystem::directory_iterator at(fmt::format("/proc/{}/task", process), error);
  if (error || !processes_.insert(process).second) return;
  for (const std::filesystem::directory_iterator end; !error && at != end; at.increment(error)) {
    FILE* const file = fopen((at->path() / "children").c_str(), "re");
    if (file == nullptr) continue;  // it has ended, or the kernel does not list children
    std::vector<pid_t> children;
    for (int child = 0; fscanf(file, "%d", &child) == 1;) children.push_back(child);
    fclose(file);
    for (const pid_t child : children) find_children(child);
  }
}

void ThreadClocks::read_process(pid_t process) {
  for (const auto& [thread, times] : times_of(process)) record(thread, threads_[thread] = times);
}

}  // namespace evt::record
