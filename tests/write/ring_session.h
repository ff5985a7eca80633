// Sessions with a ring, in a file: what the tests of the ring and its flusher record with.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "format-spec/src/ring/ring_layout.h"
#include "support/folder.h"
#include "support/sanitizer.h"
#include "write/recording.h"

namespace evt::testing {

inline std::ptrdiff_t number_of_threads() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

// Does `work` in a child and returns how it ended, as waitpid does; a child that does not end within a minute is ended.
template <typename Work>
int in_child(Work work) {
  if (!kForkChildMayAllocate) {
    EXPECT_EQ(number_of_threads(), 1) << kForkChildMayNotAllocate;
  }
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    work();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

// A program that ends as a killed one does, the moment it has done its work.
template <typename Work>
void killed_after(Work work) {
  const int status = in_child([&] {
    work();
    kill(getpid(), SIGKILL);
  });
  ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "it ended by itself: " << status;
}

// Memory that children share.
template <typename T>
T* shared() {
  void* const memory = mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("mmap");
  return new (memory) T{};
}

inline std::string ring_path(const Session& session) { return "/dev/shm/" + session.ring_name; }

// What this process has in memory; a sanitizer keeps what was freed, but knows what was not.
inline std::uint64_t bytes_in_use() {
  if constexpr (kSanitizer) return __sanitizer_get_current_allocated_bytes();
  std::uint64_t pages = 0;
  std::uint64_t resident = 0;
  if (!(std::ifstream("/proc/self/statm") >> pages >> resident)) throw std::runtime_error("statm");
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

inline Trace open_file(const std::string& path, bool rings = true) {
  ReadOptions options;
  options.rings = rings;
  auto trace = Trace::open(path, options);
  if (!trace) throw std::runtime_error("no trace: " + trace.status().message());
  return *std::move(trace);
}

// The numbers of the ticks of a trace, in its order.
inline std::vector<std::uint32_t> ticks_in(Trace& trace) {
  std::vector<std::uint32_t> numbers;
  Events events = trace.events();
  while (const Event* event = events.next()) {
    if (const auto tick = event->as<Tick>()) numbers.push_back(tick->n);
  }
  return numbers;
}
// The same of a trace that has all that was written.
inline std::vector<std::uint32_t> ticks_in(const std::string& path) {
  Trace trace = open_file(path);
  std::vector<std::uint32_t> numbers = ticks_in(trace);
  if (!trace.status().ok()) throw std::runtime_error("read: " + trace.status().message());
  return numbers;
}

// begin, begin + 1, ... end - 1
inline std::vector<std::uint32_t> numbers(std::uint32_t begin, std::uint32_t end) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t n = begin; n < end; ++n) all.push_back(n);
  return all;
}

inline void emit_ticks(Stream stream, const Types<Tick>& types, std::uint32_t begin, std::uint32_t end) {
  for (std::uint32_t n = begin; n < end; ++n) stream.emit(types, Tick{n});
}

// What became of the events that were emitted, by the trace: those that came, and those that !lost rows tell of.
struct Fate {
  std::uint64_t came = 0;
  std::uint64_t lost[EVT_LOST_CAUSES] = {};
  std::uint64_t lost_rows = 0;
};
inline Fate fate_of(Trace& trace) {
  Fate fate;
  EventOptions options;
  options.markers = true;
  Events events = trace.events(options);
  while (const Event* event = events.next()) {
    if (!event->is_lost()) {
      fate.came += event->is_jump() ? 0 : 1;
      continue;
    }
    ++fate.lost_rows;
    fate.lost[event->value("cause")->as_unsigned()] += event->value("count")->as_unsigned();
  }
  if (!events.status().ok()) throw std::runtime_error("read: " + events.status().message());
  return fate;
}

// A folder with traces in it.
class RingTest : public ::testing::Test {
 protected:
  RingTest() {
    info_.program = "test";
    info_.exact = 1;
    info_.start_utc_ns = ordinary_session().start_utc_ns;
  }

  // A session "test" of a name of its own, with the clock of the tests, waiting for ever when the ring is full.
  evt_options options() {
    static std::random_device random;
    for (std::uint8_t& byte : info_.uuid) byte = static_cast<std::uint8_t>(random());
    evt_options options = {};
    options.session = &info_;
    options.clock = &clock.clock;
    options.full_wait_ms = EVT_WAIT_FOR_EVER;
    return options;
  }
  Writer open(const std::string& at) {
    auto writer = Writer::open(at, options());
    if (!writer) throw std::runtime_error("open: " + writer.status().message());
    return *std::move(writer);
  }
  Writer open() { return open(path); }

  // The text of a trace, without its first two lines: they tell which session it is.
  static std::string text_of(Trace& trace) {
    const std::string text = testing::text_of(trace);
    return text.substr(text.find('\n', text.find('\n') + 1) + 1);
  }
  std::string text() const {
    Trace trace = open_file(path);
    return text_of(trace);
  }

  // The names of the files in the folder, in order.
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  Folder folder;
  std::string path = folder / "a.evt";
  StepClock clock;

 private:
  evt_session_info info_ = {};
};

}  // namespace evt::testing
