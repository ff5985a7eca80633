#include "sampled_trace.h"

#include <evt/describe.h>
#include <evt/events.h>
#include <evt/format.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "format-spec/src/base/shorten_text.h"
#include "format-spec/src/row/row_writer.h"
#include "libtrace-read/core/src/base/record_list.h"
#include "libtrace-read/edit/src/uuid_digest.h"
#include "libtrace-read/import/src/imported_rows.h"
#include "libtrace-read/import/src/importers.h"

namespace evt::samples {
namespace {

constexpr std::uint64_t kMaxNs = std::uint64_t{1} << 61;  // 73 years
constexpr std::size_t kMaxName = 4096;                    // bytes of a function, module or thread

std::string_view shortened(std::string_view text) {
  return text.substr(0, shorten_at_character(text.data(), text.size(), kMaxName));
}

template <std::size_t kCount>
evt_event_type described(const char* name, evt_role role, const evt_field (&fields)[kCount]) {
  evt_event_type type = {};
  type.name = name;
  type.role = static_cast<std::uint16_t>(role);
  type.fields = fields;
  type.field_count = kCount;
  return type;
}

template <typename Record, typename Append>
void add_records(const std::vector<Record>& list, std::uint16_t block, TraceOutput* out, Append append) {
  RecordList records;
  const auto put = [&](Bytes payload) { out->add_metadata(block, payload); };
  for (std::uint32_t i = 0; i < list.size(); ++i) {
    append(records.next(), i + 1, list[i]);
    if (records.is_full()) records.put(put);
  }
  records.put(put);
}

}  // namespace

std::uint32_t SampledTrace::thread(std::string_view key, const Thread& thread) {
  const std::string name(shortened(thread.name));
  const bool has_room = thread_places_.size() < kMaxThreads && threads_size_ < kMaxStringsSize;
  const auto [known, is_new] =
      has_room ? thread_places_.try_emplace(std::string(key), static_cast<std::uint32_t>(threads_.size()))
               : std::pair(thread_places_.find(std::string(key)), false);
  if (known == thread_places_.end()) {
    if (!other_threads_) {
      other_threads_ = static_cast<std::uint32_t>(threads_.size());
      threads_.push_back({"other threads"});
    }
    return *other_threads_;
  }
  if (is_new) threads_.push_back({name, thread.number, thread.process});
  if (is_new) threads_size_ += key.size() + name.size();
  threads_[known->second].name = name;
  return known->second;
}

std::uint32_t SampledTrace::type(const std::string& name, bool is_wait) {
  const evt_field sample[] = {EVT_FIELD_REFERENCE("stack", EVT_ROLE_STACK),
                              EVT_FIELD_U64("weight", EVT_ROLE_WEIGHT, EVT_UNIT_NANOSECONDS)};
  const evt_field wait[] = {EVT_FIELD_REFERENCE("stack", EVT_ROLE_STACK),
                            EVT_FIELD_U64("waited", EVT_ROLE_DURATION, EVT_UNIT_NANOSECONDS)};
  return types_.add(described(name.c_str(), EVT_ROLE_SAMPLE, is_wait ? wait : sample));
}

// Returns 0 beyond the limits.
std::uint32_t SampledTrace::intern(std::string_view text) {
  const auto known = strings_.find(std::string(text));
  if (known != strings_.end()) return known->second;
  const bool is_over = strings_.size() >= kMaxStrings || strings_size_ + text.size() > kMaxStringsSize;
  if (is_over && other_stacks_ == 0) return 0;
  strings_size_ += text.size();
  return strings_.emplace(text, static_cast<std::uint32_t>(strings_.size() + 1)).first->second;
}

std::uint32_t SampledTrace::intern_row(std::uint32_t type, Bytes fields) {
  Buffer row;
  std::uint8_t* const place = row.extend(RowWriter::size_of_event(type, fields.size()));
  if (place == nullptr) return 0;
  std::memcpy(RowWriter(place).event(EVT_DELTA_IN_STRING, type, fields.size()), fields.data(), fields.size());
  return intern({reinterpret_cast<const char*>(row.data()), row.size()});
}

std::uint32_t SampledTrace::frame(const Frame& frame) {
  const std::uint32_t function = intern(shortened(frame.function));
  const std::uint32_t module = intern(shortened(frame.module));
  if (function == 0 || module == 0) return 0;
  std::uint8_t fields[12];
  evt_store_u32(fields, function);
  evt_store_u32(fields + 4, module);
  evt_store_u32(fields + 8, frame.line);
  return intern_row(EVT_EVENT_STACK_FRAME, std::as_bytes(std::span(fields)));
}

// Returns 0 beyond the limits.
std::uint32_t SampledTrace::stack_of(std::vector<std::uint32_t> frames) {
  if (frames.size() > kMaxDepth) {
    frames.resize(kMaxDepth);
    frames.back() = frame({events::kTruncatedStack});
  }
  if (std::ranges::find(frames, 0) != frames.end()) return 0;
  std::vector<std::uint8_t> fields(2 + 4 * frames.size());
  evt_store_u16(fields.data(), static_cast<std::uint16_t>(frames.size()));
  for (std::size_t i = 0; i < frames.size(); ++i) evt_store_u32(fields.data() + 2 + 4 * i, frames[i]);
  return intern_row(EVT_EVENT_STACK_FRAMES, std::as_bytes(std::span(fields)));
}

bool SampledTrace::add(const Sample& sample, const std::vector<std::uint32_t>& frames) {
  if (sample.weight_ns > kMaxNs - weight_ns_) return false;
  weight_ns_ += sample.weight_ns;
  ++count_;
  last_thread_ = sample.thread;
  const std::uint32_t stack = stack_of(frames);
  if (stack == 0) ++others_;
  SampleFields fields;
  evt_store_u32(fields.stack, stack);
  evt_store_u64(fields.weight, sample.weight_ns);
  put(sample.ns, {sample.type, sample.thread}, std::as_bytes(std::span(&fields, 1)));
  return true;
}

void SampledTrace::lose(Damage damage, std::int64_t ns, std::uint64_t samples) {
  damage.reason = "no sample: " + damage.reason;
  note(std::move(damage));
  put(ns, {0, last_thread_}, std::as_bytes(std::span(&samples, 1)));
}

void SampledTrace::put(std::int64_t ns, const RowFront& front, Bytes fields) {
  const Bytes begin = std::as_bytes(std::span(&front, 1));
  row_.assign(begin.begin(), begin.end());
  row_.insert(row_.end(), fields.begin(), fields.end());
  first_ns_ = std::min(first_ns_, ns);
  has_room_ = rows_.add({ns, 0, row_}) && has_room_;
}

void SampledTrace::note(Damage damage) {
  if (damage_.size() < kMaxDamage) return damage_.push_back(std::move(damage));
  damage_.back().length = damage.offset + damage.length - damage_.back().offset;
}

void SampledTrace::add_other_stacks() {
  if (others_ == 0) return;
  other_stacks_ = UINT32_MAX;  // no limit
  other_stacks_ = stack_of({frame({"[other stacks]"})});
  note({file_.size(), 0,
        fmt::format("there are more stacks than {} names, frames and stacks, or {} MiB of them: {} sample{} in "
                    "[other stacks]",
                    kMaxStrings, kMaxStringsSize >> 20, others_, others_ == 1 ? " is" : "s are")});
}

Result<std::unique_ptr<ByteSource>> SampledTrace::finish() {
  if (count_ == 0 && !damage_.empty()) {
    return Status(Code::kNotATrace, fmt::format("{} has no sample: {}", file_.name(), damage_.front().reason));
  }
  if (!rows_.finish() || !has_room_) {
    return Status(Code::kIo, fmt::format("no room in a temporary file for the samples of {}", file_.name()));
  }
  add_other_stacks();
  MadeFrom from;
  from.size = file_.file_size();
  from.spooled = file_.spooled_bytes();
  from.damage = std::move(damage_);
  from.damage.insert(from.damage.end(), file_.damage().begin(), file_.damage().end());
  from.notes = std::move(notes_);
  return imported_source(file_.name(), std::move(from), [this](const TakeBytes& take) { return write(take); });
}

Status SampledTrace::write(const TakeBytes& take) {
  UuidDigest digest;
  digest.add(std::string(format_));
  digest.add(file_, 0);
  TraceOutput out(take, evt_session_id(digest.uuid().data()), std::nullopt);
  add_session(&out, digest.uuid());
  add_types(&out);
  add_facts(&out);
  add_threads(&out);
  add_strings(&out);
  put_rows(&out);
  out.end();
  if (out.status().ok() && !rows_.ok()) {
    return {Code::kIo, fmt::format("cannot read the temporary file of {}", file_.name())};
  }
  return out.status();
}

void SampledTrace::add_session(TraceOutput* out, const Session::Uuid& uuid) const {
  evt_session_info info = {};
  info.writer = format_;
  info.start_utc_ns = start_utc_ns_;
  info.exact = 1;
  std::memcpy(info.uuid, uuid.data(), sizeof info.uuid);
  add_imported_session(info, kZeroTicks, out);
}

void SampledTrace::add_types(TraceOutput* out) const {
  const evt_field frame[] = {EVT_FIELD_INTERNED("function", EVT_ROLE_FUNCTION),
                             EVT_FIELD_INTERNED("module", EVT_ROLE_MODULE), EVT_FIELD_U32("line", EVT_ROLE_LINE)};
  const evt_field frames[] = {EVT_FIELD_ARRAY(EVT_KIND_REFERENCE, 4, "frames", EVT_ROLE_STACK)};
  RecordList records;
  append_type_record(records.next(), described("stack.frame", EVT_ROLE_FRAME, frame), EVT_EVENT_STACK_FRAME);
  append_type_record(records.next(), described("stack.frames", EVT_ROLE_FRAMES, frames), EVT_EVENT_STACK_FRAMES);
  const auto put = [out](Bytes payload) { out->add_metadata(EVT_BLOCK_TYPES, payload); };
  records.put(put);
  types_.put(put);
}

void SampledTrace::add_facts(TraceOutput* out) const {
  RecordList records;
  for (const std::uint32_t type : sums_) {
    evt_fact_info fact = {};
    fact.scope = EVT_FACT_SCOPE_TYPE;
    fact.id = type;
    fact.key = EVT_FACT_SUMS_OF_SAMPLES;
    fact.key_size = sizeof EVT_FACT_SUMS_OF_SAMPLES - 1;
    fact.value = "1";
    fact.value_size = 1;
    append_fact_record(records.next(), fact);
  }
  records.put([out](Bytes payload) { out->add_metadata(EVT_BLOCK_FACTS, payload); });
}

void SampledTrace::add_threads(TraceOutput* out) {
  if (threads_.empty()) threads_.push_back({"samples"});
  add_records(threads_, EVT_BLOCK_STREAMS, out, [](Buffer& to, std::uint32_t id, const Thread& thread) {
    evt_stream_info info = {};
    info.name = thread.name.c_str();
    info.id = id;
    info.thread = thread.number;
    info.process = thread.process;
    append_stream_record(to, info);
  });
}

void SampledTrace::add_strings(TraceOutput* out) const {
  std::vector<const std::string*> by_id(strings_.size());
  for (const auto& [text, id] : strings_) by_id[id - 1] = &text;
  add_records(by_id, EVT_BLOCK_STRINGS, out, [](Buffer& to, std::uint32_t id, const std::string* text) {
    append_string_record(to, id, text->data(), static_cast<std::uint32_t>(text->size()));
  });
}

void SampledTrace::put_rows(TraceOutput* out) {
  ImportedRows rows(*out);
  while (const RowSort::Row* const row = rows_.next()) put_row(*row, &rows);
  rows.flush();
}

void SampledTrace::put_row(const RowSort::Row& row, ImportedRows* rows) const {
  RowFront front;
  std::memcpy(&front, row.bytes.data(), sizeof front);
  const Bytes rest = row.bytes.subspan(sizeof front);
  const std::uint64_t ticks = kZeroTicks + static_cast<std::uint64_t>(row.ns - first_ns_);
  if (front.type == 0) {
    std::uint64_t count = 0;
    std::memcpy(&count, rest.data(), sizeof count);
    return rows->lost(front.thread + 1, ticks, EVT_LOST_DAMAGE, count, 0);
  }
  SampleFields fields;
  std::memcpy(&fields, rest.data(), sizeof fields);
  if (evt_load_u32(fields.stack) == 0) evt_store_u32(fields.stack, other_stacks_);
  rows->event(front.thread + 1, ticks, front.type, std::as_bytes(std::span(&fields, 1)));
}

}  // namespace evt::samples
