// Ordered rows -> typed events, session by session.
#include <functional>
#include <optional>
#include <string_view>

#include "libtrace-read/core/src/order/window.h"
#include "libtrace-read/core/src/session/event_time.h"
#include "libtrace-read/core/src/session/type_lookup.h"
#include "trace_data.h"

namespace evt {

// The arrays of a batch. Not in an unnamed namespace: a field of Events::State, which is in none, has this type.
class EventArrays {
 public:
  // Takes all remaining ones.
  const EventBatch& fill(const Session& session, rows::Ordered& from) {
    const auto count = static_cast<std::size_t>(from.end - from.next);
    if (arrays_ == nullptr) arrays_ = std::make_unique<Arrays>();
    Arrays& to = *arrays_;
    for (std::size_t i = 0; i < count; ++i) {
      const rows::Row& row = from.rows[*from.next++ & (rows::Ordered::kMax - 1)];
      const rows::Piece& piece = from.pieces[row.piece];
      to.ns[i] = distance_ns(session.start_ns, piece.clock->to_ns(row.ticks));
      to.types[i] = row.type;
      to.streams[i] = piece.stream;
      to.payloads[i] = {row.payload, row.payload_size};
    }
    batch_ = {&session, {to.ns, count}, {to.types, count}, {to.streams, count}, {to.payloads, count}};
    return batch_;
  }

 private:
  struct Arrays {
    std::int64_t ns[rows::Ordered::kMax];
    const EventType* types[rows::Ordered::kMax];
    const StreamInfo* streams[rows::Ordered::kMax];
    Bytes payloads[rows::Ordered::kMax];
  };
  std::unique_ptr<Arrays> arrays_;
  EventBatch batch_;
};

struct Events::State {
  State(TraceData& from, const EventOptions& opt) : trace(from), options(opt) {}

  bool next_session(Event* to);
  bool must_stop() const { return trace.options.strict && !trace.ledger.damage().empty(); }

  TraceData& trace;
  EventOptions options;
  std::size_t session = 0;  // after the current one
  std::optional<TypeLookup> types;
  std::optional<Window> window;
  Event event;
  EventArrays batch;
  Status schema_error;
  mutable Status status;
};

bool Events::State::next_session(Event* to) {
  if (session == trace.data.size()) return false;
  SessionData& data = trace.data[session++];
  window.reset();  // it refers to the types
  RowContext context;
  context.blocks = &trace.blocks;
  context.verifier = &trace.verifier;
  context.ledger = &trace.ledger;
  context.session_number = data.number;
  context.types = &types.emplace(data.types);
  if (options.by_ns) context.order = OrderBy::kNs;
  context.markers = options.markers;
  context.ends = options.ends;
  if (options.range) context.range = options.range(*data.session);
  window.emplace(data, context, options.stream, trace.options);
  to->session_ = data.session;
  to->status_ = &schema_error;
  return true;
}

Events::Events(TraceData& trace, const EventOptions& options)
    : state_(std::make_unique<State>(trace, options)), event_(&state_->event) {}

bool Events::next_window() {
  State& state = *state_;
  while (!state.must_stop()) {
    if (state.window && state.window->fill()) {
      if (state.must_stop()) return false;  // met on the way to these rows
      ordered_ = state.window->ordered();
      event_->rows_ = ordered_.rows;
      event_->pieces_ = ordered_.pieces;
      return true;
    }
    if (!state.next_session(event_)) break;
  }
  return false;
}

const EventBatch* Events::next_batch() {
  if (ordered_.next == ordered_.end && !next_window()) return nullptr;
  return &state_->batch.fill(*event_->session_, ordered_);
}

const Status& Events::status() const {
  if (state_->status.ok())
    state_->status = state_->schema_error.ok() ? first_problem(state_->trace) : state_->schema_error;
  return state_->status;
}

std::int64_t Event::ns() const { return EventTime::ns_of(*this); }

std::int64_t Event::utc_ns() const { return piece().clock->to_utc(piece().clock->to_ns(row_->ticks)); }

bool Event::is_known(std::uint64_t ticks) const { return piece().clock->knows(ticks); }

bool Event::is_known_time(const Value& value) const {
  // A writer states when losses began on the clock that it has at their end.
  if (value.is_sequence() || is_lost()) return true;
  if (value.kind() == Kind::kTicks) return is_known(ticks_in(value));
  const std::int64_t delta = value.as_signed();
  return delta <= 0 || is_known(recorded_ticks() - static_cast<std::uint64_t>(delta));
}

std::int64_t Event::ticks_to_ns(std::uint64_t ticks) const {
  return distance_ns(session_->start_ns, piece().clock->to_ns(ticks));
}

std::int64_t Event::delta_to_ns(std::int64_t ticks) const {
  const std::uint64_t to = recorded_ticks();
  std::uint64_t delta = static_cast<std::uint64_t>(ticks);
  if (is_lost()) delta = std::min(delta, to);  // unsigned, and a loss cannot begin before tick 0
  const std::uint64_t from = to - delta;
  return distance_ns(piece().clock->to_ns(from), piece().clock->to_ns(to));
}

std::int64_t Event::ns_to_utc(std::int64_t ns) const {
  std::int64_t at = 0;
  if (__builtin_add_overflow(session_->start_ns, ns, &at)) at = ns < 0 ? INT64_MIN : INT64_MAX;
  return piece().clock->to_utc(at);
}

std::uint64_t Event::recorded_ticks() const {
  if (type().meaning().twin_of.empty() || type().fields().empty()) return row_->ticks;
  const Field& since = type().fields().back();
  if (since.kind != Kind::kTicks || since.width != sizeof(std::uint64_t)) return row_->ticks;
  const std::optional<Value> value = this->value(type().fields().size() - 1);
  return value && value->bytes().size() == sizeof(std::uint64_t) ? value->as_unsigned() : row_->ticks;
}

std::optional<Value> Event::value(std::size_t index) const {
  FieldWalker walker = values();
  for (std::size_t i = 0; i < index; ++i) {
    if (!walker.next()) return std::nullopt;
  }
  return walker.next();
}

std::optional<Value> Event::value(std::string_view name) const {
  FieldWalker walker = values();
  for (const Field& field : type().fields()) {
    const std::optional<Value> value = walker.next();
    if (!value || field.name == name) return value;
  }
  return std::nullopt;
}

std::optional<Value> Event::value(Role role) const {
  const decoding::RoleField* const field = type().role_field(role);
  std::optional<Value> found = field != nullptr ? value(std::size_t{field->index}) : std::nullopt;
  if (found && found->is_absent()) found.reset();
  return found;
}

// For a field after one of variable size, or an absent one.
bool Event::odd_number(const decoding::RoleField& field, std::uint64_t* number) const {
  const std::optional<Value> found = value(std::size_t{field.index});
  if (!found || found->is_sequence() || found->is_absent()) return false;
  const Kind kind = found->kind();
  // Whether two of these are equal is all that anybody asks: a hash will do.
  const bool is_id = field.role == Role::kSpanId || field.role == Role::kFlow;
  if (kind == Kind::kBytes && is_id && found->field().known()) {
    *number = std::hash<std::string_view>{}(found->as_text());
    return true;
  }
  if (found->field().shape != Shape::kFixed) return false;
  if (kind == Kind::kFloat || kind == Kind::kText || kind == Kind::kBytes) return false;
  *number = found->as_unsigned();
  return true;
}

bool Event::odd_text(Role role, std::string_view* text) const {
  const std::optional<Value> found = value(role);
  if (!found || found->kind() != Kind::kText || found->is_sequence()) return false;
  *text = found->as_text();
  return true;
}

const decoding::Binding& Event::bind(std::size_t number, decoding::Binding (*make)(const EventType&)) const {
  auto& bindings = type().bindings_;
  if (number >= bindings.size()) bindings.resize(number + 1);
  if (bindings[number] == nullptr) bindings[number] = std::make_unique<decoding::Binding>(make(type()));
  const decoding::Binding& binding = *bindings[number];
  if (!binding.error.ok() && status_->ok()) *status_ = binding.error;
  return binding;
}

}  // namespace evt
