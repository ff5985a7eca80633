// Samples of stacks, from a file of another format -> a trace of one session.
#pragma once

#include <evt/recode.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "libtrace-read/core/src/source/byte_source.h"
#include "libtrace-read/edit/src/trace_output.h"
#include "libtrace-read/import/src/imported_types.h"
#include "libtrace-read/import/src/row_sort.h"

namespace evt {
class ImportedRows;
}  // namespace evt

namespace evt::samples {

// Takes samples in any order of time. Each stack is kept once; the samples of stacks beyond the limits share one. The
// same file always gives the same trace. Refers to the file while it lives.
class SampledTrace {
 public:
  struct Thread {
    std::string name;
    std::uint64_t number = 0;  // the system's; 0: none
    std::uint64_t process = 0;
  };
  struct Frame {
    std::string_view function;
    std::string_view module{};  // path; empty: unknown
    std::uint32_t line = 0;     // 0: unknown
  };
  struct Sample {
    std::int64_t ns = 0;
    std::uint32_t thread = 0;
    std::uint32_t type = 0;
    std::uint64_t weight_ns = 0;
  };

  // `format`: what made the file, as the trace states it.
  SampledTrace(ByteSource& file, const char* format) : file_(file), format_(format) {}

  // The number of a thread. A later call with this key changes its name.
  std::uint32_t thread(std::string_view key, const Thread& thread);
  // The number of a type of samples; of waits, if they are.
  std::uint32_t type(const std::string& name, bool is_wait = false);
  // The number of a frame; 0 beyond the limits.
  std::uint32_t frame(const Frame& frame);
  // Each event of the type stands for an unknown number of samples.
  void set_sums(std::uint32_t type) { sums_.push_back(type); }
  // Frames by their numbers, the innermost first, at least one. Returns false if the sample is left out, because the
  // weights add up to more than a trace can have.
  bool add(const Sample& sample, const std::vector<std::uint32_t>& frames);
  // The weight of all samples.
  std::int64_t weight_ns() const { return static_cast<std::int64_t>(weight_ns_); }
  // Samples are lost, at a place that cannot be read.
  void lose(Damage damage, std::int64_t ns, std::uint64_t samples = 1);
  // A place that cannot be read costs no sample. Places are in the order of the file.
  void note(Damage damage);
  // A sentence about the file, other than damage.
  void note(std::string sentence) { notes_.push_back(std::move(sentence)); }
  void set_start_utc_ns(std::int64_t ns) { start_utc_ns_ = ns; }

  // The trace, after the last sample. Errors: kNotATrace, if there is damage and no sample; kIo.
  Result<std::unique_ptr<ByteSource>> finish();

 private:
  static constexpr std::size_t kInMemory = 12 << 20;
  static constexpr std::size_t kMaxStrings = 300'000;
  static constexpr std::size_t kMaxStringsSize = 24 << 20;
  static constexpr std::size_t kMaxThreads = 65'536;
  static constexpr std::size_t kMaxDamage = 10'000;
  static constexpr std::size_t kMaxDepth = 512;

  struct RowFront {
    std::uint32_t type;  // 0: a loss
    std::uint32_t thread;
  };
  struct SampleFields {
    std::uint8_t stack[4];
    std::uint8_t weight[8];
  };

  std::uint32_t intern(std::string_view text);
  std::uint32_t intern_row(std::uint32_t type, Bytes fields);
  std::uint32_t stack_of(std::vector<std::uint32_t> frames);
  void put(std::int64_t ns, const RowFront& front, Bytes fields);
  void add_other_stacks();
  Status write(const TakeBytes& take);
  void add_session(TraceOutput* out, const Session::Uuid& uuid) const;
  void add_types(TraceOutput* out) const;
  void add_facts(TraceOutput* out) const;
  void add_threads(TraceOutput* out);
  void add_strings(TraceOutput* out) const;
  void put_rows(TraceOutput* out);
  void put_row(const RowSort::Row& row, ImportedRows* rows) const;

  ByteSource& file_;
  const char* format_;
  ImportedTypes types_;
  std::unordered_map<std::string, std::uint32_t> strings_;  // ids
  std::size_t strings_size_ = 0;
  std::unordered_map<std::string, std::uint32_t> thread_places_;
  std::vector<Thread> threads_;
  std::size_t threads_size_ = 0;  // what their keys and names take
  std::optional<std::uint32_t> other_threads_;
  RowSort rows_{kInMemory};
  bool has_room_ = true;  // for rows
  std::vector<std::byte> row_;
  std::uint64_t weight_ns_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t others_ = 0;  // samples of stacks beyond the limits
  std::uint32_t other_stacks_ = 0;
  std::uint32_t last_thread_ = 0;
  std::int64_t first_ns_ = INT64_MAX;
  std::int64_t start_utc_ns_ = 0;
  std::vector<Damage> damage_;
  std::vector<std::string> notes_;
  std::vector<std::uint32_t> sums_;
};

}  // namespace evt::samples
