// Ten thousand threads at once, each with a stream of its own.
#include <pthread.h>

#include <latch>

#include "write/ring_session.h"

namespace evt::testing {
namespace {

class TenThousandThreads : public RingTest {};

// More than a default stack for each has room for.
TEST_F(TenThousandThreads, HaveAStreamEach) {
  constexpr std::uint32_t kThreads = kSanitizer ? 1'000 : 10'000;
  struct Shared {
    Writer writer;
    Types<Tick> types;
    std::latch all_have_emitted{kThreads};
  };
  Shared shared{open(), {}};
  shared.types = shared.writer.declare<Tick>();
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 128 << 10);
  std::vector<pthread_t> threads;
  const auto run = [](void* of) -> void* {
    Shared& with = *static_cast<Shared*>(of);
    emit_ticks(with.writer.this_thread(), with.types, 0, 5);
    with.all_have_emitted.arrive_and_wait();
    emit_ticks(with.writer.this_thread(), with.types, 5, 10);
    return nullptr;
  };
  while (threads.size() < kThreads && pthread_create(&threads.emplace_back(), &small, run, &shared) == 0) {
  }
  pthread_attr_destroy(&small);
  const auto missing = static_cast<std::ptrdiff_t>(kThreads - threads.size());
  if (missing > 0) shared.all_have_emitted.count_down(missing);
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  EXPECT_TRUE(shared.writer.close().ok());
  Trace trace = open_file(path);
  EXPECT_EQ(trace.status().message(), "");
  EXPECT_EQ(trace.sessions()[0].streams.size(), kThreads);
  for (const StreamInfo& stream : trace.sessions()[0].streams) ASSERT_EQ(stream.rows, 10u) << stream.id;
  EXPECT_EQ(ticks_in(trace).size(), 10 * kThreads);
}

}  // namespace
}  // namespace evt::testing
