#include "counts_file.h"

#include <fmt/core.h>
#include <string.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>

#include "libtrace-record/hooks/count_file.h"
#include "libtrace-record/sched/clock_time.h"

namespace evt::record {
namespace {

std::string text_of(const char* text, std::size_t room) { return {text, strnlen(text, room)}; }

// Nanoseconds of the ticks of a table.
class Scale {
 public:
  // From the moments at which the process has read both clocks, and the present one if it is of the same boot.
  explicit Scale(const run_count_header& header) {
    const double ticks = static_cast<double>(header.last.ticks - header.first.ticks);
    const double ns = static_cast<double>(header.last.monotonic_ns - header.first.monotonic_ns);
    if (header.last.ticks > header.first.ticks && ns > 0) ns_per_tick_ = ns / ticks;
  }

  std::uint64_t ns(std::uint64_t ticks) const {
    return static_cast<std::uint64_t>(std::llround(std::min(static_cast<double>(ticks) * ns_per_tick_, 9e18)));
  }

 private:
  double ns_per_tick_ = 1;
};

// Between which numbers of ticks a bucket is.
std::uint64_t middle_of(unsigned bucket) {
  if (bucket < 8) return bucket;
  const unsigned shift = bucket / 4 - 1;
  const std::uint64_t low = std::uint64_t{4 + bucket % 4} << shift;
  return low + (std::uint64_t{1} << shift) / 2;
}

class Reader {
 public:
  explicit Reader(std::string bytes) : bytes_(std::move(bytes)) {}

  bool read(CountsFile* file) {
    if (bytes_.size() < RUN_CHUNK) return false;
    run_count_header header;
    memcpy(&header, bytes_.data(), sizeof header);
    if (memcmp(header.magic, RUN_COUNT_MAGIC, sizeof header.magic) != 0 || header.version != RUN_COUNT_VERSION) {
      return false;
    }
    file->program = text_of(header.program, sizeof header.program);
    file->process = header.process;
    file->start_utc_ns = header.start_utc_ns;
    file->start_ns = static_cast<std::int64_t>(header.first.monotonic_ns);
    file->is_short = header.is_short != 0;
    note_moment(&header, file);
    for (std::uint32_t i = 0; i < std::min<std::uint32_t>(header.threads, RUN_COUNT_THREADS); ++i) {
      file->threads.push_back({header.thread[i].number, text_of(header.thread[i].name, sizeof header.thread[i].name)});
    }
    for (std::size_t at = RUN_CHUNK; at + RUN_CHUNK <= bytes_.size(); at += RUN_CHUNK) read_names(at);
    const Scale scale(header);
    for (std::size_t at = RUN_CHUNK; at + RUN_CHUNK <= bytes_.size(); at += RUN_CHUNK) {
      read_cells(at, header.is_timed != 0, scale, file);
    }
    return true;
  }

 private:
  struct Names {
    std::string function;
    std::string library;
    std::string caller;
  };

  // The longer both clocks were compared, the better: until now, if they continued.
  static void note_moment(run_count_header* header, CountsFile* file) {
    // A file that was overwritten may have any number here.
    const auto start_ns = static_cast<std::uint64_t>(header->start_utc_ns);
    const auto booted_ns = static_cast<std::uint64_t>(now_of(CLOCK_REALTIME) - now_of(CLOCK_MONOTONIC));
    const auto step_ns = static_cast<std::int64_t>(booted_ns - (start_ns - header->first.monotonic_ns));
    constexpr std::int64_t kSteps = 2'000'000'000;  // by which the wall clock may step in between
    if (step_ns >= kSteps || step_ns <= -kSteps) return;
    file->last_ticks = header->last.ticks;
    file->restricted_ticks = header->restricted.ticks;
#if defined(__x86_64__)
    if (header->first.ticks != header->first.monotonic_ns) {
      header->last = {__builtin_ia32_rdtsc(), static_cast<std::uint64_t>(now_of(CLOCK_MONOTONIC))};
    }
#endif
  }

  run_chunk chunk_at(std::size_t at) const {
    run_chunk chunk;
    memcpy(&chunk, bytes_.data() + at, sizeof chunk);
    chunk.used = std::min<std::uint32_t>(chunk.used, RUN_CHUNK);
    return chunk;
  }

  void read_names(std::size_t chunk_at_byte) {
    const run_chunk chunk = chunk_at(chunk_at_byte);
    if (chunk.kind != RUN_CHUNK_NAMES) return;
    const std::size_t end = chunk_at_byte + chunk.used;
    for (std::size_t at = chunk_at_byte + sizeof chunk; at + sizeof(run_count_name) <= end;) {
      run_count_name name;
      memcpy(&name, bytes_.data() + at, sizeof name);
      std::size_t size = sizeof name;
      for (const std::uint16_t each : name.sizes) size += each;
      if (at + size > end) return;
      const char* const texts = bytes_.data() + at + sizeof name;
      names_[name.import] = {std::string(texts, name.sizes[0]), std::string(texts + name.sizes[0], name.sizes[1]),
                             std::string(texts + name.sizes[0] + name.sizes[1], name.sizes[2])};
      at += (size + 7) / 8 * 8;
    }
  }

  void read_cells(std::size_t chunk_at_byte, bool is_timed, const Scale& scale, CountsFile* file) {
    const run_chunk chunk = chunk_at(chunk_at_byte);
    if (chunk.kind != RUN_CHUNK_CELLS) return;
    const std::size_t end = chunk_at_byte + chunk.used;
    for (std::size_t at = chunk_at_byte + sizeof chunk; at + sizeof(run_cell) <= end; at += sizeof(run_cell)) {
      run_cell cell;
      memcpy(&cell, bytes_.data() + at, sizeof cell);
      const auto names = names_.find(cell.import);
      if (begun_calls(cell) == 0 || names == names_.end() || cell.thread >= file->threads.size()) continue;
      CountedFunction& counted = file->functions.emplace_back();
      counted.name = names->second.function;
      counted.library = names->second.library;
      counted.caller = names->second.caller;
      counted.thread = cell.thread;
      counted.calls = begun_calls(cell);
      if (is_timed) add_times(cell, scale, &counted);
    }
  }

  static std::uint64_t begun_calls(const run_cell& cell) {
    const auto untimed = static_cast<std::uint64_t>(std::max<std::int32_t>(0, cell.untimed));
    return cell.calls - std::min(cell.calls, untimed);
  }

  static void add_times(const run_cell& cell, const Scale& scale, CountedFunction* counted) {
    std::uint64_t returned = 0;
    for (unsigned bucket = 0; bucket < RUN_BUCKETS; ++bucket) {
      if (cell.lengths[bucket] == 0) continue;
      returned += cell.lengths[bucket];
      counted->lengths_ns.push_back(scale.ns(middle_of(bucket)));
      counted->times.push_back(cell.lengths[bucket]);
    }
    const std::uint64_t left = cell.awaited - std::min(cell.awaited, returned);
    counted->returned = counted->calls - std::min(counted->calls, left);
    if (returned == 0) return;
    counted->timed = std::min(cell.timed, counted->returned);
    counted->total_ns = scale.ns(cell.ticks);
    counted->shortest_ns = scale.ns(cell.shortest);
    counted->longest_ns = scale.ns(cell.longest);
  }

  std::string bytes_;
  std::map<std::uint32_t, Names> names_;
};

}  // namespace

Result<CountsFile> read_counts(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return Status(Code::kIo, fmt::format("{}: {}", path, strerror(errno)));
  CountsFile file;
  std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (!Reader(std::move(bytes)).read(&file)) {
    return Status(Code::kNotATrace, fmt::format("{}: no table of counted calls", path));
  }
  return file;
}

}  // namespace evt::record
