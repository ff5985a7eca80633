#include "chrome_threads.h"

#include <algorithm>

#include "format-spec/src/base/shorten_text.h"
#include "libtrace-read/core/src/base/read_number.h"

namespace evt::chrome {
namespace {

constexpr std::size_t kMaxText = 256;

std::uint64_t number_in(std::string_view text) { return read_number<std::uint64_t>(text).value_or(0); }

}  // namespace

std::string ChromeThreads::shortened(std::string_view text) {
  return std::string(text.substr(0, shorten_at_character(text.data(), text.size(), kMaxText)));
}

std::uint32_t ChromeThreads::thread(std::string_view process, std::string_view thread) {
  process = process.substr(0, kMaxText);
  thread = thread.substr(0, kMaxText);
  key_.assign(process);
  key_ += '\0';
  key_ += thread;
  const auto known = thread_places_.find(key_);
  if (known != thread_places_.end()) return known->second;
  auto place = process_places_.find(std::string(process));
  const bool is_over =
      threads_.size() >= kMaxThreads || (place == process_places_.end() && processes_.size() == kMaxProcesses);
  if (is_over && !beyond_) {
    beyond_ = static_cast<std::uint32_t>(threads_.size());
    threads_.push_back({static_cast<std::uint32_t>(processes_.size() - 1), "other threads", ""});
  }
  if (is_over) return *beyond_;
  if (place == process_places_.end()) {
    place = process_places_.emplace(process, static_cast<std::uint32_t>(processes_.size())).first;
    processes_.push_back({std::string(process), "", number_in(process)});
  }
  const auto number = static_cast<std::uint32_t>(threads_.size());
  threads_.push_back({place->second, std::string(thread), "", number_in(thread)});
  thread_places_.emplace(key_, number);
  return number;
}

void ChromeThreads::make_streams() {
  std::vector<std::uint32_t> order(threads_.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  // Events of the process itself come after its threads.
  std::ranges::stable_sort(order, [this](std::uint32_t a, std::uint32_t b) {
    return std::pair(threads_[a].process, threads_[a].id.empty()) <
           std::pair(threads_[b].process, threads_[b].id.empty());
  });
  streams_.assign(processes_.size(), {0, 0});
  std::uint32_t next = 1;
  for (const std::uint32_t i : order) {
    Thread& thread = threads_[i];
    auto& [first, count] = streams_[thread.process];
    if (thread.id.empty() && count > 0) {
      thread.stream = first;
      continue;
    }
    if (count++ == 0) first = next;
    thread.stream = next++;
    thread.has_own_stream = true;
  }
}

std::string ChromeThreads::stream_name(const Thread& thread) const {
  if (!thread.name.empty()) return thread.name;
  if (thread.id.empty()) return process_name(processes_[thread.process]);
  return thread.number != 0 ? "thread " + thread.id : thread.id;
}

std::string ChromeThreads::process_name(const Process& process) const {
  if (!process.name.empty()) return process.name;
  return process.number != 0 || process.id.empty() ? "process " + process.id : process.id;
}

}  // namespace evt::chrome
