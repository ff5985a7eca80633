// Ordered rows -> typed events, session by session.
#include <fmt/format.h>

#include <optional>
#include <unordered_map>

#include "trace_data.h"
#include "window.h"

namespace evt {
namespace {

// Types that a trace does not declare are made as they are met, up to so many; more share one that is renamed.
constexpr std::size_t kMostUnknownTypes = 4096;

Field field(const char* name, Kind kind, std::uint32_t width) {
  Field made;
  made.name = name;
  made.kind = kind;
  made.width = width;
  return made;
}

}  // namespace

struct Events::State {
  State(TraceData& from, const EventOptions& opt) : trace(from), options(opt), lost("!lost", 0), jump("!jump", 0) {
    Field cause = field("cause", Kind::kEnumeration, 2);
    cause.labels = {
        {EVT_LOST_RING_FULL, "ring_full"}, {EVT_LOST_TOO_LARGE, "too_large"}, {EVT_LOST_OVERWRITTEN, "overwritten"},
        {EVT_LOST_REENTERED, "reentered"}, {EVT_LOST_SINK, "sink"},           {EVT_LOST_DAMAGE, "damage"}};
    lost.fields_ = {field("count", Kind::kUnsigned, 8), std::move(cause)};
    lost.declared_ = jump.declared_ = true;
  }

  bool next_session();
  EventType& unknown_type(std::uint32_t number);
  void fill(const Row& row);

  TraceData& trace;
  EventOptions options;
  TimeRange range;          // of this session
  std::size_t session = 0;  // behind the one that is read
  SessionData* data = nullptr;
  std::optional<Window> window;
  const ClockMap* clock = nullptr;  // the last row's, and its id
  std::uint16_t clock_id = 0;
  Event event;
  EventType lost;
  EventType jump;
  std::unordered_map<std::uint32_t, std::unique_ptr<EventType>> unknown_types;
  std::optional<EventType> shared_unknown;
  Status schema_error;
  mutable Status status;
};

bool Events::State::next_session() {
  if (session == trace.data.size()) return false;
  data = &trace.data[session++];
  clock = nullptr;
  RowContext context;
  context.blocks = &trace.blocks;
  context.damage = &trace.damage;
  context.damaged_blocks = &trace.damaged_blocks;
  context.by_ns = options.by_ns;
  context.markers = options.markers;
  if (options.range) context.range = range = options.range(*data->session);
  window.emplace(*data, context, options.stream, trace.options.memory_budget);
  unknown_types.clear();
  return true;
}

EventType& Events::State::unknown_type(std::uint32_t number) {
  const auto found = unknown_types.find(number);
  if (found != unknown_types.end()) return *found->second;
  EventType made(fmt::format("type#{}", number), number);
  if (unknown_types.size() < kMostUnknownTypes) {
    return *(unknown_types[number] = std::make_unique<EventType>(std::move(made)));
  }
  return shared_unknown.emplace(std::move(made));
}

void Events::State::fill(const Row& row) {
  event.is_jump_ = row.kind == RowKind::kJump;
  event.is_lost_ = row.kind == RowKind::kLost;
  const EventType* type = event.is_jump_ ? &jump : event.is_lost_ ? &lost : data->types.find(row.type);
  event.type_ = type != nullptr ? type : &unknown_type(row.type);
  event.stream_ = &window->stream_of(row);
  event.session_ = data->session;
  if (clock == nullptr || row.clock != clock_id) {
    clock_id = row.clock;
    clock = &data->clocks.at(clock_id);
  }
  event.clock_ = clock;
  event.ticks_ = row.ticks;
  event.ordinal_ = row.ordinal;
  event.payload_ = event.is_jump_ ? Bytes() : Bytes(row.payload, row.payload_size);
  event.status_ = &schema_error;
  event.copies_.clear();
}

Events::Events(TraceData& trace, const EventOptions& options) : state_(std::make_unique<State>(trace, options)) {}
Events::Events(Events&&) noexcept = default;
Events& Events::operator=(Events&&) noexcept = default;
Events::~Events() = default;

const Event* Events::next() {
  const bool stop = state_->trace.options.strict;
  while (!stop || state_->trace.damage.empty()) {
    if (state_->window) {
      if (const Row* row = state_->window->next()) {
        if (stop && !state_->trace.damage.empty()) return nullptr;  // met on the way to this row
        state_->fill(*row);
        if (state_->options.range && !state_->range.contains(state_->event.ns())) continue;
        return &state_->event;
      }
    }
    if (!state_->next_session()) return nullptr;
  }
  return nullptr;
}

const Status& Events::status() const {
  if (state_->status.ok())
    state_->status = state_->schema_error.ok() ? first_problem(state_->trace) : state_->schema_error;
  return state_->status;
}

std::int64_t Event::ns() const { return ticks_to_ns(ticks_); }

std::int64_t Event::utc_ns() const { return clock_->to_utc(clock_->to_ns(ticks_)); }

std::int64_t Event::ticks_to_ns(std::uint64_t ticks) const {
  return distance_ns(session_->start_ns, clock_->to_ns(ticks));
}

std::int64_t Event::delta_to_ns(std::int64_t ticks) const {
  const std::uint64_t from = ticks_ - static_cast<std::uint64_t>(ticks);
  return distance_ns(clock_->to_ns(from), clock_->to_ns(ticks_));
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
  for (const Field& field : type_->fields()) {
    const std::optional<Value> value = walker.next();
    if (!value || field.name == name) return value;
  }
  return std::nullopt;
}

const decoding::Binding& Event::bind(std::size_t number, decoding::Binding (*make)(const EventType&)) const {
  auto& bindings = type_->bindings_;
  if (number >= bindings.size()) bindings.resize(number + 1);
  if (bindings[number] == nullptr) bindings[number] = std::make_unique<decoding::Binding>(make(*type_));
  const decoding::Binding& binding = *bindings[number];
  if (!binding.error.ok() && status_->ok()) *status_ = binding.error;
  return binding;
}

}  // namespace evt
