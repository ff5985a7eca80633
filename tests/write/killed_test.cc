// Programs that are killed while they record: the file and the ring together have all that was emitted. How many are
// killed is EVT_KILLS; ./dev kills sets a large number.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <thread>

#include "support/folder.h"
#include "write/ring_session.h"

namespace {

struct Step {
  std::uint32_t thread = 0;
  std::uint64_t n = 0;
  evt::Interned word;
};

}  // namespace

template <>
inline constexpr auto evt::schema<Step> = evt::event("step", "", evt::field("thread", &Step::thread),
                                                     evt::field("n", &Step::n), evt::field("word", &Step::word));

namespace evt::testing {
namespace {

constexpr std::uint32_t kMaxThreads = 4;

// What the killed program had done, in memory that outlives it.
struct Progress {
  struct alignas(64) Thread {
    std::atomic<std::uint64_t> emitted;
  };
  Thread threads[kMaxThreads];
};

Progress* shared_progress() {
  void* const memory = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("mmap");
  return new (memory) Progress{};
}

// Emits as fast as it can, declares types and interns words meanwhile, until it is killed.
void work(Writer& writer, std::uint32_t number, Progress::Thread& progress) {
  Stream stream = writer.stream("thread " + std::to_string(number));
  auto types = writer.declare<Step>();
  for (std::uint64_t n = 0;; ++n) {
    Interned word;
    if (n % 1000 == 0) {
      const std::string name = "word " + std::to_string(number) + " " + std::to_string(n / 1000 % 5000);
      word = writer.intern(name);
      const std::string type_name = "type " + std::to_string(n / 1000 % 5000);
      const RuntimeType type(type_name.c_str(), {EVT_FIELD_U64("n")});
      stream.emit_with(*writer.declare(type.type), [&](RowBuilder& row) { row.add(n); });
    }
    stream.emit(types, Step{number, n, word});
    progress.emitted.store(n + 1, std::memory_order_relaxed);
  }
}

[[noreturn]] void record_until_killed(const std::string& path, std::uint32_t threads, Progress& progress) {
  evt_options options = {};
  options.full_wait_ms = EVT_WAIT_FOR_EVER;
  auto writer = Writer::open(path, options);
  if (!writer) _exit(1);
  leave_out_events_of_writer(*writer);
  std::vector<std::thread> running;
  for (std::uint32_t i = 0; i < threads; ++i) {
    running.emplace_back([&, i] { work(*writer, i, progress.threads[i]); });
  }
  for (std::thread& thread : running) thread.join();
  _exit(2);
}

// The events of each thread, each a step further than the one before, and nothing that has no name.
void expect_all(Trace& trace, std::uint32_t threads, const Progress& progress) {
  std::map<std::uint32_t, std::uint64_t> next;
  EventOptions options;
  options.markers = true;
  Events events = trace.events(options);
  while (const Event* event = events.next()) {
    ASSERT_FALSE(event->is_lost());
    ASSERT_TRUE(event->type().declared()) << event->type().name();
    const auto step = event->as<Step>();
    if (!step) continue;
    ASSERT_EQ(step->n, next[step->thread]) << "of thread " << step->thread;
    ++next[step->thread];
    if (step->n % 1000 == 0) {
      const std::string* const word = event->session().text(step->word);
      ASSERT_NE(word, nullptr);
      ASSERT_EQ(*word, "word " + std::to_string(step->thread) + " " + std::to_string(step->n / 1000 % 5000));
    }
  }
  ASSERT_EQ(events.status().message(), "");
  for (std::uint32_t i = 0; i < threads; ++i) ASSERT_GE(next[i], progress.threads[i].emitted.load());
}

std::uint64_t kills() {
  const char* const text = std::getenv("EVT_KILLS");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 10;
}

TEST(KilledAnonymously, LosesNothing) {
  if (kThreadSanitizer) GTEST_SKIP() << "does not let children of programs with threads be";
  const Folder folder;
  const std::string path = folder / "a.evt";
  killed_after([&] {
    evt_options options = {};
    options.anonymous = 1;
    auto writer = Writer::open(path, options);
    if (!writer) _exit(1);
    Stream stream = writer->stream("a");
    const auto types = writer->declare<Step>();
    for (std::uint64_t n = 0; n < 1'000; ++n) stream.emit(types, Step{1, n, {}});
    kill(getpid(), SIGKILL);
  });
  Trace trace = open_file(path);
  EXPECT_EQ(trace.sessions()[0].program, "");
  EXPECT_EQ(trace.sessions()[0].ring, RingState::kRecovered);
  std::uint64_t n = 0;
  Events events = trace.events();
  while (const Event* event = events.next()) EXPECT_EQ(event->as<Step>()->n, n++);
  EXPECT_EQ(n, 1'000u);
  remove_rings_of(folder);
}

class Killed : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(Killed, LosesNothing) {
  if (kThreadSanitizer) GTEST_SKIP() << "does not let children of programs with threads be";
  const std::uint32_t threads = GetParam();
  std::mt19937 random(threads);
  std::uint64_t rows_in_rings = 0;
  for (std::uint64_t i = 0; i < kills(); ++i) {
    SCOPED_TRACE(i);
    const Folder folder;
    const std::string path = folder / "a.evt";
    Progress* const progress = shared_progress();
    const pid_t child = fork();
    if (child == 0) record_until_killed(path, threads, *progress);
    // Half of them as they begin, half of them in the middle of their work.
    while (i % 2 == 1 && progress->threads[0].emitted == 0 && waitpid(child, nullptr, WNOHANG) == 0) usleep(100);
    usleep(static_cast<useconds_t>(random() % 60'000));
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it ended by itself: " << WEXITSTATUS(status);
    if (std::filesystem::exists(path) && std::filesystem::file_size(path) > 0) {
      auto trace = Trace::open(path);
      ASSERT_TRUE(trace.ok()) << trace.status().message();
      ASSERT_NO_FATAL_FAILURE(expect_all(*trace, threads, *progress));
      rows_in_rings += trace->sessions()[0].ring_rows;
    }
    remove_rings_of(folder);
    munmap(progress, sizeof *progress);
  }
  EXPECT_GT(rows_in_rings, 0u);
}

INSTANTIATE_TEST_SUITE_P(WithThreads, Killed, ::testing::Values(1u, 4u));

}  // namespace
}  // namespace evt::testing
