#include "live_threads.h"

#include <asm/unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace evt::record {
namespace {

struct SystemCall {
  std::int64_t number;
  const char* name;
};
constexpr SystemCall kSystemCalls[] = {
#include "system_calls.inc"
};

std::string content_of(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string folder_of(pid_t process) { return fmt::format("/proc/{}/task", process); }

// PID (NAME) STATE ...; the name may have anything in it.
void read_stat(const std::string& stat, LiveThread* thread) {
  const std::size_t begin = stat.find('(');
  const std::size_t end = stat.rfind(')');
  if (begin == stat.npos || end == stat.npos || end + 2 >= stat.size()) return;
  thread->name = stat.substr(begin + 1, end - begin - 1);
  thread->state = stat[end + 2];
}

}  // namespace

// "running"; "-1 SP PC"; "NUMBER ARGUMENTS SP PC".
void look_at_call(pid_t process, LiveThread* thread) {
  const std::string line = content_of(fmt::format("{}/{}/syscall", folder_of(process), thread->number));
  long long number = 0;
  unsigned long first = 0;
  thread->call.reset();
  thread->argument = 0;
  thread->registers = {};
  const int read = sscanf(line.c_str(), "%lld %lx", &number, &first);
  if (read < 1) return;
  thread->call = number;
  if (read == 2 && number >= 0) thread->argument = first;
  const std::size_t last = line.rfind(' ');
  if (last == line.npos || last == 0 || line.rfind(' ', last - 1) == line.npos) return;
  sscanf(line.c_str() + line.rfind(' ', last - 1), "%lx %lx", &thread->registers.stack, &thread->registers.pc);
}

bool waits_at(const LiveThread& thread, std::uint64_t begin, std::uint64_t size) {
  return thread.call == __NR_futex && thread.argument >= begin && thread.argument - begin < size;
}

Result<std::vector<LiveThread>> threads_of(pid_t process) {
  std::vector<LiveThread> threads;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder_of(process), none)) {
    const std::string path = entry.path();
    const std::string number = entry.path().filename();
    LiveThread& thread = threads.emplace_back();
    std::from_chars(number.data(), number.data() + number.size(), thread.number);
    read_stat(content_of(path + "/stat"), &thread);
    look_at_call(process, &thread);
    thread.kernel = content_of(path + "/wchan");
    if (thread.kernel == "0") thread.kernel.clear();
  }
  if (threads.empty()) return Status(Code::kIo, fmt::format("there is no process {}", process));
  std::ranges::sort(threads, {}, &LiveThread::number);
  return threads;
}

std::optional<std::string> hidden_by(pid_t process) {
  const int descriptor = open(fmt::format("/proc/{}/mem", process).c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return strerror(errno);
  close(descriptor);
  return std::nullopt;
}

std::string name_of_system_call(std::int64_t number) {
  const auto* const known = std::ranges::find(kSystemCalls, number, &SystemCall::number);
  return known != std::end(kSystemCalls) ? known->name : fmt::format("system call {}", number);
}

}  // namespace evt::record
