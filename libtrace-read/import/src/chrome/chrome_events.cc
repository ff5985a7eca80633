#include "chrome_events.h"

#include <errno.h>
#include <fmt/format.h>
#include <string.h>

#include <algorithm>

#include "decimal_time.h"
#include "format-spec/src/base/shorten_text.h"
#include "json_words.h"
#include "libtrace-read/core/src/base/read_number.h"
#include "libtrace-read/core/src/source/foreign_files.h"

namespace evt::chrome {
namespace {

constexpr std::size_t kFront = 4096;                          // that shows what else it is
constexpr std::string_view kOwnOrigin = "evtraceStartUtcNs";  // written by the exporter
constexpr std::string_view kFactKey = "org.chromium.trace_event.";
constexpr std::size_t kMaxShownFact = 64;

std::uint64_t mixed(std::uint64_t hash, std::string_view text) {
  hash = (hash ^ text.size()) * 0xFF51'AFD7'ED55'8CCD;
  for (const char c : text) hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100'0000'01B3;
  return hash ^ hash >> 33;
}

bool is_there(const JsonValue& value) { return value.kind != JsonKind::kNone; }

EventKind kind_of(char phase) {
  switch (phase) {
    case 'X':
      return EventKind::kSpan;
    case 'B':
      return EventKind::kSpanBegin;
    case 'E':
      return EventKind::kSpanEnd;
    case 'b':
    case 'S':
      return EventKind::kAsyncBegin;
    case 'e':
    case 'F':
      return EventKind::kAsyncEnd;
    case 'n':
    case 'T':
    case 'p':
      return EventKind::kAsyncInstant;
    case 'i':
    case 'I':
    case 'R':
      return EventKind::kMark;
    case 's':
      return EventKind::kFlowOut;
    case 't':
    case 'f':
      return EventKind::kFlowIn;
    default:
      return EventKind::kOther;
  }
}

}  // namespace

Status ChromeEvents::run() {
  JsonScan::Element element;
  bool has_looked = false;
  while (has_room_ && scan_.next(&element)) {
    // evt writes this before events.
    if (!has_looked) is_own_ = property_number(kOwnOrigin).has_value();
    has_looked = true;
    take(element);
  }
  if (scan_.has_events() && has_room_) end_file();
  if (!has_room_ || !rows_.finish()) {
    return {Code::kIo, fmt::format("cannot sort the events of {}: {}", file_.name(), strerror(errno))};
  }
  if (!scan_.has_events()) return no_events();
  if (understood_ == 0 && refused_ > 0) {
    return {Code::kNotATrace, fmt::format("{} is JSON and not a trace: {}", file_.name(), damage_.front().reason)};
  }
  return {};
}

Status ChromeEvents::no_events() {
  std::vector<std::byte> front(kFront);
  front.resize(file_.read_at(0, front.data(), front.size()));
  const std::string what = foreign_file_of(front) != nullptr ? describe_foreign(front) : "it has no array traceEvents";
  return {Code::kNotATrace, fmt::format("{} is JSON and not a trace: {}", file_.name(), what)};
}

void ChromeEvents::end_file() {
  put_loss();
  take_properties();
  facts_left_out_ += scan_.properties_left_out();
  if (facts_left_out_ > 0) note_facts();
  types_.name_ends();
  if (threads_.is_over()) {
    note(
        {file_.size(), 0,
         fmt::format("there are more than {} processes or {} threads: events of those beyond are without their meaning",
                     ChromeThreads::kMaxProcesses, ChromeThreads::kMaxThreads)});
  }
}

std::vector<std::string> ChromeEvents::notes() const {
  std::vector<std::string> all;
  if (scan_.lacks_bracket()) {
    all.emplace_back("its array of events has no end, which the format allows: its writer may have been killed");
  }
  if (negative_ == 1) {
    all.push_back(fmt::format("the duration of the event at offset {} is negative", first_negative_));
  } else if (negative_ > 1) {
    all.push_back(
        fmt::format("the durations of {} events are negative, the first at offset {}", negative_, first_negative_));
  }
  return all;
}

void ChromeEvents::note_facts() {
  const std::uint64_t more = facts_left_out_ - names_left_out_.size();
  note({file_.size(), 0,
        fmt::format("{} fact{} left out, too long or too many: {}{}", facts_left_out_,
                    facts_left_out_ == 1 ? " is" : "s are", fmt::join(names_left_out_, ", "),
                    more > 0 ? fmt::format(" and {} more", more) : "")});
}

void ChromeEvents::leave_out(std::string_view fact) {
  ++facts_left_out_;
  if (names_left_out_.size() < kMaxNamed) {
    names_left_out_.emplace_back(fact.substr(0, shorten_at_character(fact.data(), fact.size(), kMaxShownFact)));
  }
}

void ChromeEvents::note(Damage damage) {
  if (damage_.size() < kMaxDamage) return damage_.push_back(std::move(damage));
  damage_.back().length = damage.offset + damage.length - damage_.back().offset;
}

void ChromeEvents::refuse(const JsonScan::Element& element, std::string_view why) {
  if (why.ends_with('.')) why.remove_suffix(1);
  note({element.offset, element.size, fmt::format("no event: {}", why)});
  ++refused_;
  ++lost_;
}

void ChromeEvents::take(const JsonScan::Element& element) {
  switch (element.kind) {
    case JsonScan::Element::Kind::kObject:
      return read(element);
    case JsonScan::Element::Kind::kTooLong:
      return refuse(element, fmt::format("it is longer than {} MiB", JsonScan::kMaxEvent >> 20));
    case JsonScan::Element::Kind::kOther:
      return refuse(element, "it is no object");
    case JsonScan::Element::Kind::kBroken:
      return note_broken(element);
  }
}

// Notes bytes that are not JSON, with at most one event in them.
void ChromeEvents::note_broken(const JsonScan::Element& element) {
  if (element.holds_event && !element.is_cut) return refuse(element, element.why);
  note({element.offset, element.size, std::string(element.why)});
  lost_ += element.holds_event ? 1 : 0;
}

void ChromeEvents::read(const JsonScan::Element& element) {
  std::string_view wrong = reader_.read(element.text);
  if (!wrong.empty() && mend_json(element.text, &mended_)) {
    const std::string_view still_wrong = reader_.read(mended_);
    if (still_wrong.empty()) wrong = {};
  }
  if (!wrong.empty()) return scan_.refuse(wrong);
  offset_ = element.offset;
  const char* const why = understand(reader_.event());
  if (why != nullptr) return refuse(element, why);
  ++understood_;
}

std::uint64_t ChromeEvents::id_of(const ChromeEvent& event, bool is_flow) const {
  const JsonValue& id = is_there(event.id2) ? event.id2 : event.id;
  std::uint64_t hash = mixed(is_flow ? 1 : 2, id.text);
  hash = mixed(mixed(hash, event.category.text), event.scope.text);
  if (is_flow) hash = mixed(hash, event.name.text);
  // Local ids belong to one process.
  const bool is_local = is_there(event.id2) && event.id2.text.find("\"local\"") != std::string_view::npos;
  return is_local ? mixed(hash, event.process.text) : hash;
}

// For files that evt wrote: slices are spans and calls by their category, and others that are drawn from data without
// events here; those that overlap are asynchronous.
EventKind ChromeEvents::kind_of_own(const ChromeEvent& event, char phase, std::uint32_t thread, std::int64_t ns,
                                    std::int64_t* duration_ns) {
  const std::string_view category = event.category.text;
  const bool is_call = category == "call";
  const bool is_span = category == "span";
  if (thread >= open_.size()) open_.resize(thread + std::size_t{1});
  switch (phase) {
    case 'B': {
      const EventKind kind = is_call ? EventKind::kCallBegin : is_span ? EventKind::kSpanBegin : EventKind::kOther;
      std::vector<EventKind>& open = open_[thread];
      if (open.size() < kMaxOpen) open.push_back(kind);
      return kind;
    }
    case 'E': {
      std::vector<EventKind>& open = open_[thread];
      const EventKind kind = open.empty() ? EventKind::kSpanBegin : open.back();
      if (!open.empty()) open.pop_back();
      return kind == EventKind::kCallBegin ? EventKind::kCallEnd
             : kind == EventKind::kOther   ? EventKind::kOther
                                           : EventKind::kSpanEnd;
    }
    case 'b':
      if (!is_call && !is_span) return EventKind::kAsyncBegin;
      if (open_async_.size() < kMaxOpen) {
        open_async_[id_of(event, false)] = {ns, is_call ? EventKind::kCall : EventKind::kSpan};
      }
      return EventKind::kOther;
    case 'e': {
      const auto open = open_async_.find(id_of(event, false));
      if (open == open_async_.end()) return EventKind::kAsyncEnd;
      const OpenAsync begun = open->second;
      open_async_.erase(open);
      *duration_ns = ns - begun.ns;
      return begun.kind;
    }
    case 'X':
      return EventKind::kOther;
    case 'i':
      return category == "event" ? EventKind::kOther : EventKind::kMark;
    default:
      return kind_of(phase);
  }
}

// Why it is not an event; null if it is one.
const char* ChromeEvents::understand(const ChromeEvent& event) {
  if (event.phase.kind != JsonKind::kText || event.phase.text.size() != 1) return "its phase (ph) is no character";
  const char phase = event.phase.text[0];
  if (phase == 'M') {
    name(event);
    return nullptr;
  }
  if (event.time.kind != JsonKind::kNumber && event.time.kind != JsonKind::kText) return "it has no time (ts)";
  const std::optional<std::int64_t> time = ns_of_microseconds(event.time.text);
  if (!time) return "its time (ts) is no number of microseconds, or out of range";
  std::int64_t duration_ns = 0;
  const bool has_ended = phase != 'X' || (is_there(event.duration) && event.duration.kind != JsonKind::kNull);
  if (phase == 'X' && has_ended) {
    const std::optional<std::int64_t> duration = ns_of_microseconds(event.duration.text);
    if (!duration) return "its duration (dur) is no number of microseconds, or out of range";
    duration_ns = *duration;
    if (duration_ns < 0 && negative_++ == 0) first_negative_ = offset_;
  }
  const std::int64_t ns = *time + duration_ns;
  const std::uint32_t thread = threads_.thread(event.process.text, event.thread.text);
  last_thread_ = thread;
  last_ns_ = ns;
  first_ns_ = std::min({first_ns_, *time, ns});
  put_loss();
  ChromeTypes::Facts facts;
  facts.duration_ns = duration_ns;
  facts.kind = is_own_ ? kind_of_own(event, phase, thread, ns, &facts.duration_ns) : kind_of(phase);
  if (facts.kind == EventKind::kSpan && !has_ended) facts.kind = EventKind::kSpanUnfinished;
  if (threads_.is_beyond(thread)) facts.kind = EventKind::kOther;
  if (phase == 'C' && take_counter(event, ns)) return nullptr;
  const bool is_flow = facts.kind == EventKind::kFlowOut || facts.kind == EventKind::kFlowIn;
  const bool is_async = facts.kind == EventKind::kAsyncBegin || facts.kind == EventKind::kAsyncEnd ||
                        facts.kind == EventKind::kAsyncInstant;
  if (is_flow || is_async) facts.id = id_of(event, is_flow);
  // If several spans end at one time, the inner ones end first: they are shorter.
  const bool is_whole = facts.kind == EventKind::kSpan || facts.kind == EventKind::kCall;
  const std::uint64_t rank =
      is_whole ? static_cast<std::uint64_t>(std::max<std::int64_t>(0, facts.duration_ns)) : UINT64_MAX;
  row_.resize(kRowFront);
  put(thread, ns, rank, types_.add(event, facts, &row_));
  return nullptr;
}

// A counter belongs to its process, whichever threads write it, and its events are all on the first of these.
std::uint32_t ChromeEvents::thread_of_counter(const ChromeEvent& event, std::uint32_t thread) {
  if (threads_.is_beyond(thread)) return thread;
  const JsonValue& id = is_there(event.id2) ? event.id2 : event.id;
  const std::uint64_t key = mixed(mixed(mixed(3, event.process.text), event.name.text), id.text);
  const auto known = counters_.find(key);
  if (known != counters_.end()) return known->second;
  if (counters_.size() == kMaxOpen) return threads_.thread(event.process.text, "");
  counters_.emplace(key, thread);
  return thread;
}

// One name with several ids means several counters, as in `heap[a]`. In files that evt wrote each has an id: names
// suffice if their threads distinguish them.
std::string ChromeEvents::counter_name(const ChromeEvent& event, std::uint32_t thread) {
  const JsonValue& id = is_there(event.id2) ? event.id2 : event.id;
  bool has_own_name = !is_there(id);
  if (is_own_ && !has_own_name && own_counters_.size() < kMaxOpen) {
    const std::uint64_t number = mixed(4, id.text);
    has_own_name = own_counters_.try_emplace(mixed(thread, event.name.text), number).first->second == number;
  }
  return has_own_name ? std::string(event.name.text) : fmt::format("{}[{}]", event.name.text, id.text);
}

// Makes an event of each of its arguments. Returns false if it has none.
bool ChromeEvents::take_counter(const ChromeEvent& event, std::int64_t ns) {
  const auto count = std::ranges::count_if(event.members, [](const JsonMember& member) { return member.is_argument; });
  if (count == 0) return false;
  const std::uint32_t thread = thread_of_counter(event, last_thread_);
  const std::string name = counter_name(event, thread);
  std::string called;
  for (const JsonMember& member : event.members) {
    if (!member.is_argument) continue;
    called = name;
    if (count > 1) called += " " + std::string(member.key);
    ChromeTypes::Facts facts;
    facts.kind = EventKind::kCounter;
    facts.counter = called;
    facts.value = &member;
    facts.has_thread = thread != last_thread_;
    row_.resize(kRowFront);
    put(thread, ns, UINT64_MAX, types_.add(event, facts, &row_));
  }
  return true;
}

// An event of phase M: names, and facts that are kept.
void ChromeEvents::name(const ChromeEvent& event) {
  const std::uint32_t thread = threads_.thread(event.process.text, event.thread.text);
  if (threads_.is_beyond(thread)) return leave_out(event.name.text);
  const auto argument = std::ranges::find_if(
      event.members, [](const JsonMember& member) { return member.is_argument && member.key == "name"; });
  const bool is_name = argument != event.members.end() && argument->value.kind == JsonKind::kText;
  if (is_name && event.name.text == "process_name") return threads_.name_process(thread, argument->value.text);
  if (is_name && event.name.text == "thread_name") return threads_.name(thread, argument->value.text);
  ChromeFact fact;
  fact.of = event.name.text.starts_with("thread_") ? ChromeFact::Of::kThread : ChromeFact::Of::kProcess;
  fact.thread = thread;
  fact.key = event.name.text;
  fact.value = event.args.text;
  add_fact(std::move(fact));
}

void ChromeEvents::add_fact(ChromeFact fact) {
  const std::size_t size = sizeof fact + kFactKey.size() + fact.key.size() + fact.value.size();
  const bool fits = kFactKey.size() + fact.key.size() <= EVT_MAX_FACT_KEY && fact.value.size() <= EVT_MAX_FACT_VALUE;
  if (!fits || facts_size_ + size > kMaxFacts) return leave_out(fact.key);
  fact.key.insert(0, kFactKey);
  facts_size_ += size;
  facts_.push_back(std::move(fact));
}

std::optional<std::int64_t> ChromeEvents::property_number(std::string_view key) const {
  for (const auto& [name, text] : scan_.properties()) {
    const auto number = name == key ? read_number<std::int64_t>(text) : std::nullopt;
    if (number) return number;
  }
  return std::nullopt;
}

void ChromeEvents::take_properties() {
  origin_utc_ns_ = property_number(kOwnOrigin);
  // PyTorch and clang state what their time 0 is, the latter in microseconds.
  if (!origin_utc_ns_) origin_utc_ns_ = property_number("baseTimeNanoseconds");
  const std::int64_t began_us = property_number("beginningOfTime").value_or(0);
  if (!origin_utc_ns_ && began_us > 0 && began_us < INT64_MAX / 1000) origin_utc_ns_ = began_us * 1000;
  for (const auto& [key, value] : scan_.properties()) {
    if (key == kOwnOrigin || key == "displayTimeUnit") continue;
    if (value.empty()) {
      leave_out(key);
      continue;
    }
    add_fact({ChromeFact::Of::kFile, 0, key, value});
  }
}

void ChromeEvents::put(std::uint32_t thread, std::int64_t ns, std::uint64_t rank, std::uint32_t type) {
  memcpy(row_.data(), &type, sizeof type);
  memcpy(row_.data() + sizeof type, &thread, sizeof thread);
  has_room_ = has_room_ && rows_.add({ns, rank, row_});
}

// Events that were refused lately, at the latest event.
void ChromeEvents::put_loss() {
  if (lost_ == 0 || threads_.threads().empty()) return;
  row_.resize(kRowFront);
  const auto* const count = reinterpret_cast<const std::byte*>(&lost_);
  row_.insert(row_.end(), count, count + sizeof lost_);
  first_ns_ = std::min(first_ns_, last_ns_);
  put(last_thread_, last_ns_, UINT64_MAX, kLoss);
  lost_ = 0;
}

}  // namespace evt::chrome
