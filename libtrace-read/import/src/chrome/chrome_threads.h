// Processes and threads of a file, as named by its events.
#pragma once

#include <evt/describe.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace evt::chrome {

// Threads beyond the limits share the thread that is added last, whose events have no meaning: they are from several.
class ChromeThreads {
 public:
  static constexpr std::size_t kMaxProcesses = 1024;  // EVT_MAX_ORIGINS
  static constexpr std::size_t kMaxThreads = 65536;

  struct Process {
    std::string id;
    std::string name;
    std::uint64_t number = 0;  // the system's; 0: none
  };
  struct Thread {
    std::uint32_t process = 0;
    std::string id;  // empty for the process itself
    std::string name;
    std::uint64_t number = 0;
    std::uint32_t stream = 0;  // its id, once there are streams
    bool has_own_stream = false;
  };

  // Its place.
  std::uint32_t thread(std::string_view process, std::string_view thread);
  Process& process_of(std::uint32_t thread) { return processes_[threads_[thread].process]; }
  void name(std::uint32_t thread, std::string_view name) { threads_[thread].name = shortened(name); }
  void name_process(std::uint32_t thread, std::string_view name) { process_of(thread).name = shortened(name); }

  const std::vector<Process>& processes() const { return processes_; }
  const std::vector<Thread>& threads() const { return threads_; }
  // True if it is the one for those beyond the limits.
  bool is_beyond(std::uint32_t thread) const { return beyond_ == thread; }
  bool is_over() const { return beyond_.has_value(); }

  // Numbers them: threads of a process are consecutive, and events of the process itself go to its first thread.
  void make_streams();
  std::string stream_name(const Thread& thread) const;
  std::string process_name(const Process& process) const;
  // Streams of a process: the first id and their number.
  std::pair<std::uint32_t, std::uint32_t> streams_of(std::uint32_t process) const { return streams_[process]; }

 private:
  static std::string shortened(std::string_view text);

  std::vector<Process> processes_;
  std::vector<Thread> threads_;
  std::unordered_map<std::string, std::uint32_t> process_places_;
  std::unordered_map<std::string, std::uint32_t> thread_places_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> streams_;
  std::string key_;
  std::optional<std::uint32_t> beyond_;
};

}  // namespace evt::chrome
