#include "checkpoint_making.h"

#include "format-spec/src/row/row_writer.h"
#include "replay.h"

namespace evt {
namespace {

// Decides when a session gets a checkpoint. To try takes work for all that a state has: so that is not often either.
class Pace {
 public:
  explicit Pace(const HistoryOptions& options) : options_(options) {}

  void step(const RoleEvent& event) {
    ++events_;
    ++seen_;
    if (event.event != nullptr)
      row_bytes_ += RowWriter::size_of_event(event.event->type().number(), event.event->payload().size());
  }
  bool is_due() const { return events_ >= options_.events_per_checkpoint && is_small(expected_); }
  // At the end of the session: what is asked most often is the whole of it.
  bool is_due_at_end() const { return events_ > 0 && seen_ >= options_.events_per_checkpoint && is_small(expected_); }
  // Bytes that the next one may take beside the rows, so that all checkpoints stay small.
  std::uint64_t most() const {
    if (options_.rows_per_byte == 0) return UINT64_MAX;
    const std::uint64_t all = row_bytes_ / options_.rows_per_byte;
    return all > spent_ ? all - spent_ : 0;
  }
  // The next is expected to be of this size too. None: no further one can be kept.
  void tried(std::optional<std::uint64_t> size) {
    events_ = 0;
    is_over_ = !size;
    expected_ = size.value_or(0);
    if (is_small(expected_)) spent_ += expected_;
  }

 private:
  bool is_small(std::uint64_t size) const { return !is_over_ && size <= most(); }

  const HistoryOptions& options_;
  std::uint64_t seen_ = 0;
  std::uint64_t events_ = 0;  // since the last try
  std::uint64_t row_bytes_ = 0;
  std::uint64_t spent_ = 0;
  std::uint64_t expected_ = 0;
  bool is_over_ = false;
};

// False: it has more threads or cpus than are followed. Which of them are folded differs from checkpoint to checkpoint,
// so all is read each time.
bool make_session(std::uint32_t number, RoleEvents& roles, const HistoryOptions& options,
                  CheckpointFileWriter& writer) {
  const std::uint64_t rows = roles.actors().session().rows;
  Replay replay(roles);
  Pace pace(options);
  const auto keep = [&](std::int64_t ns) {
    Archive state;
    replay.archive(state);
    pace.tried(writer.append(number, ns, std::move(state), pace.most()));
  };
  std::uint64_t seen = 0;
  while (const RoleEvent* const event = roles.next()) {
    if (++seen % 65536 == 0 && options.progress) options.progress(seen, rows);
    writer.drop(number, event->recorded_ns);
    replay.take(*event);
    pace.step(*event);
    if (!pace.is_due()) continue;
    if (roles.actors().has_others()) return false;
    if (replay.can_be_kept() && roles.coming_ns() > event->ns) keep(event->ns);
  }
  if (pace.is_due_at_end() && replay.can_be_kept()) keep(roles.actors().now());
  return !roles.actors().has_others();
}

}  // namespace

EventOptions events_of_history() {
  EventOptions options;
  options.markers = true;
  return options;
}

Status make_checkpoints(Trace& trace, const HistoryOptions& options, CheckpointFileWriter& writer,
                        bool* too_many_actors) {
  const std::size_t known = trace.damage().size();
  Events events = trace.events(events_of_history());
  RoleEvents roles(trace, events);
  for (std::uint32_t i = 0; roles.next_session(); ++i) {
    *too_many_actors = !make_session(i, roles, options, writer);
    if (*too_many_actors) return {};
  }
  // A reader that starts at a checkpoint does not meet the damage before it: so no file is kept, and each run reports
  // it.
  if (trace.damage().size() > known) return {};
  return writer.complete(trace);
}

}  // namespace evt
