#include "schedule_events.h"

#include <evt/events.h>

#include <optional>
#include <queue>
#include <string>
#include <vector>

namespace evt::bench {
namespace {

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

// Two calls, one in the other.
class PairOfCalls {
 public:
  using Ids = evt::Types<evt::events::CallBegin, evt::events::CallEnd, evt::events::CallComplete>;
  PairOfCalls(evt::Writer& writer, Noise& noise, const Schedule& of)
      : ids_(writer.declare<evt::events::CallBegin, evt::events::CallEnd, evt::events::CallComplete>()),
        noise_(noise),
        is_complete_(of.calls == Calls::kComplete) {
    for (std::uint32_t i = 0; i < of.names; ++i) names_.push_back(writer.intern("call " + std::to_string(i)));
    resource_ = writer.intern("disk");
  }

  // Between those moments. Returns how many events that were.
  std::uint64_t emit(evt::Stream& stream, std::uint64_t from, std::uint64_t to) {
    const std::uint64_t step = (to - from) / 6;
    const evt::Interned outer = names_[noise_.below(names_.size())];
    const evt::Interned inner = names_[noise_.below(names_.size())];
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

// Events of many types, in turn.
class ManyTypes {
 public:
  ManyTypes(evt::Writer& writer, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::string name = "kind." + std::to_string(i);
      evt_field value = {};
      value.name = "value";
      value.kind = EVT_KIND_UNSIGNED;
      value.width = 4;
      evt_event_type type = {};
      type.name = name.c_str();
      type.fields = &value;
      type.field_count = 1;
      ids_.push_back(evt_declare(writer.get(), &type, nullptr));
    }
  }

  void emit(const evt::Stream& stream, std::uint64_t ticks) {
    evt_row row = evt_begin_at(stream.get(), ids_[next_], ticks);
    evt_u32(&row, static_cast<std::uint32_t>(next_));
    evt_commit(&row);
    next_ = (next_ + 1) % ids_.size();
  }

 private:
  std::vector<const evt_type*> ids_;
  std::size_t next_ = 0;
};

}  // namespace

const evt_clock kScheduleClock = {nullptr, nullptr, 1'000'000'000, 0, 1, 0, nullptr};

void emit_schedule(evt::Writer& writer, const Schedule& of) {
  const auto types = writer.declare<evt::events::ThreadRun, evt::events::ThreadStop>();
  std::vector<evt::Stream> streams;
  const std::uint32_t count = of.streams != 0 ? of.streams : of.calls == Calls::kNone ? of.cpus / 2 : of.cpus;
  for (std::uint32_t i = 0; i < count; ++i) streams.push_back(writer.stream("cpus " + std::to_string(i)));
  std::vector<bool> runs(of.threads + 1);
  std::priority_queue<Cpu> cpus;
  for (std::uint32_t i = 0; i < of.cpus; ++i) cpus.push({i * 100, i, 0});
  Noise noise;
  std::optional<PairOfCalls> calls;
  if (of.calls != Calls::kNone) calls.emplace(writer, noise, of);
  std::optional<ManyTypes> kinds;
  if (of.types != 0) kinds.emplace(writer, of.types);
  for (std::uint64_t done = 0; done < of.events; ++done) {
    Cpu cpu = cpus.top();
    cpus.pop();
    evt::Stream& stream = streams[cpu.number % count];
    if (cpu.thread != 0) {
      stream.emit_at(cpu.ticks, types, evt::events::ThreadStop{.thread = cpu.thread});
      if (kinds) kinds->emit(stream, cpu.ticks);
      done += kinds ? 1 : 0;
      runs[cpu.thread] = false;
      cpu.thread = 0;
      cpu.ticks += 200 + noise.below(2000);
    } else {
      do {
        cpu.thread = static_cast<std::uint32_t>(1 + noise.below(of.threads));
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
