// Processes and threads of a file, as its events name them.
#pragma once

#include <evt/describe.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace evt::chrome {

// What is beyond the limits is the thread that is added last, whose events mean nothing: they are of several.
class ChromeThreads {
 public:
  static constexpr std::size_t kMaxProcesses = 1024;  // EVT_MAX_ORIGINS
  static constexpr std::size_t kMaxThreads = 65536;

  struct Process {
    std::string id;
    std::string name;
    std::uint64_t number = 0;  // of the system; 0: none
  };
  struct Thread {
    std::uint32_t process = 0;
    std::string id;  // empty for what is the process's
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
  // Whether it is that of those beyond the limits.
  bool is_beyond(std::uint32_t thread) const { return beyond_ == thread; }
  bool is_over() const { return beyond_.has_value(); }

  // Numbers them: threads of a process one behind the other, and what is a process's own goes to its first thread.
  void make_streams();
  std::string stream_name(const Thread& thread) const;
  std::string process_name(const Process& process) const;
  // Streams of a process: the first id and how many.
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
