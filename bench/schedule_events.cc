#include "schedule_events.h"

#include <evt/events.h>

#include <optional>
#include <queue>
#include <string>
#include <vector>

namespace evt::bench {
namespace {

constexpr std::uint32_t kThreads = 1000;
constexpr std::uint32_t kCpus = 16;
constexpr std::uint32_t kStreams = 8;

// Noise that is the same each time.
class Noise {
 public:
  std::uint64_t below(std::uint64_t bound) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ % bound;
  }

 private:
  std::uint64_t state_ = 88172645463325252;
};

struct Cpu {
  std::uint64_t ticks = 0;  // something happens there next
  std::uint32_t number = 0;
  std::uint32_t thread = 0;  // that runs there, from 1 on
  bool operator<(const Cpu& other) const { return ticks > other.ticks; }
};

// Two calls, one in the other, of which each thread makes some of 24.
class PairOfCalls {
 public:
  using Ids = evt::Types<evt::events::CallBegin, evt::events::CallEnd, evt::events::CallComplete>;
  PairOfCalls(evt::Writer& writer, Noise& noise, bool is_complete)
      : ids_(writer.declare<evt::events::CallBegin, evt::events::CallEnd, evt::events::CallComplete>()),
        noise_(noise),
        is_complete_(is_complete) {
    for (int i = 0; i < kNames; ++i) names_.push_back(writer.intern("call " + std::to_string(i)));
    resource_ = writer.intern("disk");
  }

  // Between those moments. Returns how many events that were.
  std::uint64_t emit(evt::Stream& stream, std::uint64_t from, std::uint64_t to) {
    const std::uint64_t step = (to - from) / 6;
    const evt::Interned outer = names_[noise_.below(kNames)];
    const evt::Interned inner = names_[noise_.below(kNames)];
    if (is_complete_) {
      complete(stream, from + 2 * step, from + 3 * step, inner);
      complete(stream, from + step, from + 4 * step, outer);
      return 2;
    }
    begin(stream, from + step, outer);
    begin(stream, from + 2 * step, inner);
    stream.emit_at(from + 3 * step, ids_, evt::events::CallEnd{.function = inner, .amount = 4096});
    stream.emit_at(from + 4 * step, ids_, evt::events::CallEnd{.function = outer, .amount = 4096});
    return 4;
  }

 private:
  static constexpr int kNames = 24;

  void begin(evt::Stream& stream, std::uint64_t ticks, evt::Interned function) {
    stream.emit_at(ticks, ids_,
                   evt::events::CallBegin{.function = function, .object = 3, .resource = resource_, .amount = 4096});
  }

  void complete(evt::Stream& stream, std::uint64_t from, std::uint64_t to, evt::Interned function) {
    const evt::TickDelta duration{static_cast<std::int64_t>(to - from)};
    stream.emit_at(to, ids_,
                   evt::events::CallComplete{
                       .function = function, .object = 3, .resource = resource_, .amount = 4096, .duration = duration});
  }

  Ids ids_;
  Noise& noise_;
  bool is_complete_;
  std::vector<evt::Interned> names_;
  evt::Interned resource_;
};

}  // namespace

const evt_clock kScheduleClock = {nullptr, nullptr, 1'000'000'000, 0, 1, 0, nullptr};

void emit_schedule(evt::Writer& writer, std::uint64_t events, Calls with) {
  const auto types = writer.declare<evt::events::ThreadRun, evt::events::ThreadStop>();
  std::vector<evt::Stream> streams;
  const std::uint32_t count = with == Calls::kNone ? kStreams : kCpus;
  for (std::uint32_t i = 0; i < count; ++i) streams.push_back(writer.stream("cpus " + std::to_string(i)));
  std::vector<bool> runs(kThreads + 1);
  std::priority_queue<Cpu> cpus;
  for (std::uint32_t i = 0; i < kCpus; ++i) cpus.push({i * 100, i, 0});
  Noise noise;
  std::optional<PairOfCalls> calls;
  if (with != Calls::kNone) calls.emplace(writer, noise, with == Calls::kComplete);
  for (std::uint64_t done = 0; done < events; ++done) {
    Cpu cpu = cpus.top();
    cpus.pop();
    evt::Stream& stream = streams[cpu.number % count];
    if (cpu.thread != 0) {
      stream.emit_at(cpu.ticks, types, evt::events::ThreadStop{.thread = cpu.thread});
      runs[cpu.thread] = false;
      cpu.thread = 0;
      cpu.ticks += 200 + noise.below(2000);
    } else {
      do {
        cpu.thread = static_cast<std::uint32_t>(1 + noise.below(kThreads));
      } while (runs[cpu.thread]);
      runs[cpu.thread] = true;
      stream.emit_at(cpu.ticks, types, evt::events::ThreadRun{.thread = cpu.thread, .cpu = cpu.number});
      const std::uint64_t begin = cpu.ticks;
      cpu.ticks += 1000 + noise.below(50'000);
      if (calls) done += calls->emit(stream, begin, cpu.ticks);
    }
    cpus.push(cpu);
  }
}

}  // namespace evt::bench
