// Parallel Fibonacci on a small work-stealing scheduler (work_stealing.h) that records what its workers do:
//
//   parfib [-n N] [-c CUTOFF] [-w WORKERS] [-o FILE] [-t TALLY]
//
// Computes fib(N), in parallel above CUTOFF, and traces to FILE, one stream per worker. With `-o none` tracing is off:
// the streams record nothing, and the program is otherwise the same.
#include <cstdint>
#include <cstdio>

#include "traced_program.h"

namespace {

using work_stealing::Spark;
using work_stealing::TracedProgram;
using work_stealing::Worker;

constexpr unsigned kMaxN = 93;  // the last that fits 64 bits

std::uint64_t sequential_fib(unsigned n) { return n < 2 ? n : sequential_fib(n - 1) + sequential_fib(n - 2); }

std::uint64_t parallel_fib(Worker& worker, unsigned n, unsigned cutoff);

class FibSpark : public Spark {
 public:
  FibSpark(unsigned n, unsigned cutoff) : n_(n), cutoff_(cutoff) {}
  void run(Worker& worker) override { result_ = parallel_fib(worker, n_, cutoff_); }
  std::uint64_t result() const { return result_; }

 private:
  const unsigned n_;
  const unsigned cutoff_;
  std::uint64_t result_ = 0;
};

std::uint64_t parallel_fib(Worker& worker, unsigned n, unsigned cutoff) {
  if (n <= cutoff || n < 2) return sequential_fib(n);
  FibSpark first(n - 1, cutoff);
  worker.fork(first);
  const std::uint64_t second = parallel_fib(worker, n - 2, cutoff);
  worker.join(first);
  return first.result() + second;
}

}  // namespace

int main(int argc, char** argv) {
  unsigned n = 30;
  unsigned cutoff = 18;
  TracedProgram program("parfib", "parfib.evt", {{'n', "N", 0, kMaxN, &n}, {'c', "CUTOFF", 0, kMaxN, &cutoff}});
  if (!program.parse(argc, argv)) return 2;
  const bool ok = program.run([&](Worker& worker) {
    std::printf("fib(%u) = %ju\n", n, static_cast<std::uintmax_t>(parallel_fib(worker, n, cutoff)));
  });
  return ok ? 0 : 1;
}
