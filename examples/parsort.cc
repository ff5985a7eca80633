// Parallel quicksort on a small work-stealing scheduler (work_stealing.h) that records what its workers do:
//
//   parsort [-n N] [-c CUTOFF] [-r REPEATS] [-w WORKERS] [-o FILE] [-t TALLY]
//
// Sorts the same N random numbers REPEATS times (0: until it is killed), parts of more than CUTOFF in parallel, and
// checks each result. Traces to FILE, one stream per worker. Without -o tracing is off: the streams record nothing, and
// the program is otherwise the same.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "traced_program.h"

namespace {

using work_stealing::Spark;
using work_stealing::TracedProgram;
using work_stealing::Worker;

using Numbers = std::vector<std::uint32_t>;
using Part = std::span<std::uint32_t>;

constexpr unsigned kMaxN = 100'000'000;
constexpr unsigned kMaxRepeats = 1'000'000;

// Hoare's partition. Returns where the second part begins, none of whose numbers is less than any of the first; neither
// is empty. REQUIRES: two numbers at least.
std::size_t split(Part part) {
  // Of two numbers the middle one is the first: a pivot that is larger than all before the last would split nothing.
  const std::uint32_t first = part.front(), middle = part[(part.size() - 1) / 2], last = part.back();
  const std::uint32_t pivot = std::max(std::min(first, middle), std::min(std::max(first, middle), last));
  for (std::size_t low = 0, high = part.size() - 1;; ++low, --high) {
    while (part[low] < pivot) ++low;
    while (part[high] > pivot) --high;
    if (low >= high) return high + 1;
    std::swap(part[low], part[high]);
  }
}

void parallel_sort(Worker& worker, Part part, std::size_t cutoff);

class SortSpark : public Spark {
 public:
  SortSpark(Part part, std::size_t cutoff) : part_(part), cutoff_(cutoff) {}
  void run(Worker& worker) override { parallel_sort(worker, part_, cutoff_); }

 private:
  const Part part_;
  const std::size_t cutoff_;
};

void parallel_sort(Worker& worker, Part part, std::size_t cutoff) {
  if (part.size() <= cutoff) return std::sort(part.begin(), part.end());
  const std::size_t middle = split(part);
  SortSpark first(part.first(middle), cutoff);
  worker.fork(first);
  parallel_sort(worker, part.subspan(middle), cutoff);
  worker.join(first);
}

Numbers random_numbers(unsigned count) {
  std::mt19937 random;  // as it begins by default: each run sorts the same
  Numbers numbers(count);
  for (std::uint32_t& number : numbers) number = static_cast<std::uint32_t>(random());
  return numbers;
}

}  // namespace

int main(int argc, char** argv) {
  unsigned n = 100'000;
  unsigned cutoff = 1000;
  unsigned repeats = 1;
  TracedProgram program(
      "parsort", "none",
      {{'n', "N", 0, kMaxN, &n}, {'c', "CUTOFF", 1, kMaxN, &cutoff}, {'r', "REPEATS", 0, kMaxRepeats, &repeats}});
  if (!program.parse(argc, argv)) return 2;

  const Numbers input = random_numbers(n);
  Numbers expected = input;
  std::sort(expected.begin(), expected.end());
  unsigned sorted = 0;
  const bool ok = program.run([&](Worker& worker) {
    for (unsigned i = 0; repeats == 0 || i < repeats; ++i) {
      Numbers numbers = input;
      parallel_sort(worker, numbers, cutoff);
      if (numbers == expected) ++sorted;
    }
    std::printf("sorted %u numbers, %u of %u times\n", n, sorted, repeats);
  });
  if (ok && sorted != repeats) std::fprintf(stderr, "parsort: a result is not sorted\n");
  return ok && sorted == repeats ? 0 : 1;
}
