// Any side file beside a trace, checksums made right: what is said of any moment, and of any range, is what can have
// been; and no more memory is taken than the file is worth.
#include <evt/analysis/state_history.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <optional>

#include "actor_cell.h"
#include "allocation.h"
#include "forged_state.h"
#include "fuzz_target.h"
#include "input.h"
#include "own_folder.h"
#include "text_form.h"

namespace {

using fuzz::ForgedState;

// Three threads in turn on two cpus, which at times do not say that they stop.
std::string text_of_trace() {
  std::string text =
      "evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e0f start=0.000000000 program=\"fuzz\"\n"
      "type 4 run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
      "type 5 stop role=threadStop (thread u64 role=thread)\ntype 13 mark\nstream 1 \"a\"\nstream 2 \"b\"\n";
  for (unsigned i = 0; i < 60; ++i) {
    const std::string front = fmt::format("0.{:09} {} ", 100 + i * 10, 1 + i % 2);
    if (i % 11 == 10) {
      text += front + "mark\n";
    } else if (i % 4 < 2) {
      text += front + fmt::format("run thread={} cpu={}\n", i % 3, i % 2);
    } else {
      text += front + fmt::format("stop thread={}\n", (i - 2) % 3);
    }
  }
  return text;
}

// The trace, and what an honest side file of it has.
struct Honest {
  Honest() {
    umask(077);  // what others may write is not believed
    evt::Status status;
    bytes = fuzz::trace_of(text_of_trace(), &status);
    FUZZ_CHECK(status.ok());
    trace.emplace(std::move(*evt::Trace::from_memory(fuzz::as_bytes(bytes))));
    options.side_file = folder / "state";
    options.events_per_checkpoint = 4;
    options.rows_per_byte = 0;
    evt::StateHistory(*trace, options).at(0, 0);
    state = fuzz::state_in(options.side_file);
    std::ifstream in(options.side_file, std::ios::binary);
    file.assign(std::istreambuf_iterator<char>(in), {});
    FUZZ_CHECK(state.words.size() > 8);
  }

  fuzz::OwnFolder folder;
  std::string bytes;
  std::optional<evt::Trace> trace;
  evt::HistoryOptions options;
  ForgedState state;
  std::string file;
};

template <typename T>
T& any_of(std::vector<T>& all, unsigned number) {
  return all[number % all.size()];
}

// Another number in the directory, which may be one that cannot be.
void lie(Input& in, evt::StateDirectory* directory) {
  evt::StateDirectory::OfSession& session = directory->sessions.front();
  const std::uint8_t what = in.u8();
  evt::StateCheckpoint& checkpoint = any_of(session.checkpoints, in.u8());
  const std::uint64_t number = in.u64();
  const auto small = static_cast<std::uint32_t>(number);
  switch (what % 12) {
    case 0:
      checkpoint.ns = static_cast<std::int64_t>(number);
      break;
    case 1:
      checkpoint.offset = number;
      break;
    case 2:
      checkpoint.size = small;
      break;
    case 3:
      checkpoint.words = small;
      break;
    case 4:
      checkpoint.is_delta = !checkpoint.is_delta;
      break;
    case 5:
      any_of(session.cell_threads, what) = small;
      break;
    case 6:
      any_of(session.cell_cpus, what) = small;
      break;
    case 7:
      any_of(session.threads, what).number = number;
      break;
    case 8:
      session.threads.resize(1 + number % 100);
      break;
    case 9:
      session.checkpoints.push_back(session.checkpoints[number % session.checkpoints.size()]);
      break;
    case 10:
      any_of(session.threads, what).part = small;
      break;
    case 11:
      any_of(session.cpus, what).part = small;
      break;
  }
}

// Other words, then another directory.
void write_lies(Input& in, const Honest& honest) {
  ForgedState state = honest.state;
  for (unsigned changes = in.u8() % 8; changes > 0; --changes) {
    std::vector<std::uint64_t>& words = any_of(state.words, in.u8());
    any_of(words, in.u8()) += in.u64();
  }
  const bool resizes = in.u8() % 8 == 7;
  if (resizes) any_of(state.words, in.u8()).resize(1 + in.u8());
  FUZZ_CHECK(fuzz::write_state(honest.options.side_file, state, [&](evt::StateDirectory* directory) {
    for (unsigned lies = in.u8() % 4; lies > 0; --lies) lie(in, directory);
  }));
}

// Who they are, as evt stats prints them.
void print(const evt::SessionState& state) {
  for (const evt::CpuTime::Cell& cell : state.cpu.cells(state.actors.now())) {
    FUZZ_CHECK(!evt::tools::actor_cell(state.actors, state.actors.threads(), cell.thread).is_empty());
    FUZZ_CHECK(!evt::tools::actor_cell(state.actors, state.actors.cpus(), cell.cpu).is_empty());
    FUZZ_CHECK(evt::tools::actor_name(state.actors.threads(), cell.thread).text() != nullptr);
  }
}

// No cpu is busy in a range for longer than it is, and no thread runs for longer.
void check_range(const evt::SessionState& before, const evt::SessionState& after, evt::TimeRange range) {
  const auto most = static_cast<std::uint64_t>(range.to_ns - range.from_ns);
  std::map<std::pair<bool, std::uint32_t>, std::uint64_t> sums;
  const std::vector<evt::CpuTime::Cell> was = before.cpu.cells(range.from_ns);
  const std::vector<evt::CpuTime::Cell> is = after.cpu.cells(range.to_ns);
  FUZZ_CHECK(was.size() <= is.size());
  for (std::size_t i = 0; i < is.size(); ++i) {
    const std::uint64_t base = i < was.size() ? was[i].ns : 0;
    FUZZ_CHECK(is[i].ns >= base);
    FUZZ_CHECK((sums[{false, is[i].thread}] += is[i].ns - base) <= most);
    FUZZ_CHECK((sums[{true, is[i].cpu}] += is[i].ns - base) <= most);
  }
  FUZZ_CHECK(after.counts.all() >= before.counts.all());
  FUZZ_CHECK(after.counts.all() <= after.actors.session().rows);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Honest honest;
  Input in(data, size);
  if (in.u8() % 2 == 0) {
    write_lies(in, honest);
  } else {
    std::filesystem::remove(honest.options.side_file);
    std::ofstream(honest.options.side_file, std::ios::binary) << fuzz::with_directory(honest.file, in.rest());
  }
  const std::int64_t end = honest.trace->sessions().front().last_ns;
  const AllocationLimit limit(64 << 20);
  evt::StateHistory history(*honest.trace, honest.options);
  for (const std::int64_t ns : {std::int64_t{0}, end / 3, end - 1, end, end + 1000}) {
    check_range(evt::SessionState(honest.trace->sessions().front()), history.at(0, ns), {0, ns});
  }
  for (const evt::TimeRange range : {evt::TimeRange{end / 4, end / 2}, evt::TimeRange{end / 2, end}}) {
    const auto [before, after] = history.between(0, range);
    check_range(before, after, range);
    print(before);
    print(after);
  }
  FUZZ_CHECK(history.status().ok());
  std::filesystem::remove(honest.options.side_file);
  return 0;
}
