// What Spans hold.
#pragma once

#include <evt/analysis/spans.h>

#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

#include "span_stack.h"
#include "tracing_cost.h"

namespace evt {

class Spans::Impl {
 public:
  struct OfKind {
    Role naming;  // of the field that has the name
    EventNames names;
    std::vector<Row> rows;
    std::vector<std::uint32_t> by_name;
    std::unordered_map<std::uint64_t, std::uint32_t> by_pair;  // of a name and a thread
    Doubts doubts;
  };

  Impl(const Session& session, const Options& options);

  void take(const RoleEvent& event);
  void restart(std::int64_t ns);
  OfKind& of(SpanKind kind) { return kinds_[static_cast<std::size_t>(kind)]; }
  const OfKind& of(SpanKind kind) const { return kinds_[static_cast<std::size_t>(kind)]; }
  std::vector<Open> open() const;

 private:
  static constexpr std::size_t kKinds = 2;

  struct OfStream {
    std::array<SpanStack, kKinds> stacks;
    SpentHistory spent;
  };

  OfStream& of(const StreamInfo& stream) { return streams_[static_cast<std::size_t>(&stream - first_stream_)]; }
  SpanStack& stack(const RoleEvent& event, SpanKind kind) {
    return of(*event.stream).stacks[static_cast<std::size_t>(kind)];
  }
  std::uint64_t spent_on(const StreamInfo& stream) const { return cost_ ? cost_->spent_ps(stream) : 0; }

  void fold(const FoldedActors& gone);
  void begin(const RoleEvent& event, SpanKind kind);
  void end(const RoleEvent& event, SpanKind kind);
  void complete(const RoleEvent& event, SpanKind kind);
  void count(const SpanStack::Ended& ended, std::uint32_t row, OfKind* kind) const;
  std::uint32_t row_of(std::uint32_t name, std::uint32_t thread, OfKind* kind) const;

  const StreamInfo* first_stream_;
  bool by_thread_;
  std::optional<TracingCost> cost_;
  std::array<OfKind, kKinds> kinds_;
  std::vector<OfStream> streams_;
  std::int64_t since_ = INT64_MIN;  // counting began
};

}  // namespace evt
