#include "messages.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>
#include <unordered_map>

#include "capnp_decode.h"
#include "metadata.capnp.h"

namespace evt {
namespace {

constexpr int kNesting = 8;

std::string text(capnp::Text::Reader reader) { return {reader.begin(), reader.size()}; }

// A list of structs without any words can claim any length: what a message describes takes at least a word.
std::size_t most_elements(Bytes message) { return message.size() / sizeof(capnp::word); }

// The first of a value is its label, others are kept for code that copies the type; labels that two values share are
// marked.
void sort_labels(std::vector<Field::Label>* labels) {
  const auto by_value = [](const Field::Label& a, const Field::Label& b) { return a.value < b.value; };
  std::stable_sort(labels->begin(), labels->end(), by_value);
  std::unordered_map<std::string_view, std::set<std::uint64_t>> values;
  for (const Field::Label& label : *labels) values[label.text].insert(label.value);
  for (Field::Label& label : *labels) label.shared = values[label.text].size() > 1;
}

void read_field(metadata::FieldInfo::Reader info, std::size_t most, Field* field) {
  field->name = text(info.getName());
  field->description = text(info.getDescription());
  field->kind = static_cast<Kind>(info.getKind());
  field->shape = static_cast<Shape>(info.getShape());
  field->width = info.getWidth();
  field->role = static_cast<Role>(info.getRole());
  field->unit = static_cast<Unit>(info.getUnit());
  for (const auto label : info.getLabels()) {
    if (field->labels.size() == most) break;
    field->labels.push_back({label.getValue(), text(label.getText())});
  }
  sort_labels(&field->labels);
}

void read_part(metadata::MergedPart::Reader info, MergedPart* part) {
  const auto origin = info.getOrigin();
  if (origin.size() == part->origin.size()) std::copy(origin.begin(), origin.end(), part->origin.begin());
  part->name = text(info.getName());
  part->first_stream = info.getFirstStream();
  part->stream_count = info.getStreamCount();
  part->alignment = static_cast<std::uint16_t>(info.getAlignment());
  part->ended = info.getEnded();
  part->offset_ns = info.getOffset();
  part->drift_ps = info.getDrift();
  part->pivot_ns = info.getPivot();
  part->bound_ns = info.getBound();
}

}  // namespace

bool read_session_info(Bytes message, Session* out) {
  return with_message<metadata::SessionInfo>(message, kNesting, [out, message](metadata::SessionInfo::Reader info) {
    out->pid = info.getPid();
    out->program = text(info.getProgram());
    out->host = text(info.getHost());
    out->boot_id = text(info.getBootId());
    out->writer = text(info.getWriter());
    out->ring_name = text(info.getRingName());
    out->ring_kind = static_cast<std::uint16_t>(info.getRingKind());
    if (info.getRingKind() == metadata::RingKind::SHARED) out->ring = RingState::kAway;  // until it is found
    if (info.getRingKind() == metadata::RingKind::PRIVATE) out->ring = RingState::kPrivate;
    for (const auto word : info.getCommandLine()) out->command_line.push_back(text(word));  // a pointer each
    for (const auto origin : info.getOrigins()) {
      if (origin.size() != out->uuid.size()) continue;
      std::copy(origin.begin(), origin.end(), out->origins.emplace_back().begin());
    }
    for (const auto part : info.getParts()) {
      if (out->parts.size() == std::min<std::size_t>(EVT_MAX_ORIGINS, most_elements(message))) break;
      read_part(part, &out->parts.emplace_back());
    }
    out->cut = text(info.getCut());
  });
}

bool read_clock_info(Bytes message, ClockInfo* out) {
  return with_message<metadata::ClockInfo>(message, kNesting, [out](metadata::ClockInfo::Reader info) {
    out->name = text(info.getName());
    out->host = text(info.getHost());
    out->boot_id = text(info.getBootId());
  });
}

bool read_stream_info(Bytes message, StreamInfo* out) {
  return with_message<metadata::StreamInfo>(message, kNesting, [out](metadata::StreamInfo::Reader info) {
    out->thread = info.getThread();
    out->process = info.getProcess();
    out->name = text(info.getName());
  });
}

bool read_index_info(Bytes message, std::vector<IndexedStream>* streams) {
  return with_message<metadata::IndexInfo>(message, kNesting, [&, message](metadata::IndexInfo::Reader info) {
    for (const auto from : info.getStreams()) {
      if (streams->size() == most_elements(message)) break;
      IndexedStream& stream = streams->emplace_back();
      stream.id = from.getId();
      stream.rows = from.getRows();
      stream.first_ticks = from.getFirstTicks();
      stream.last_ticks = from.getLastTicks();
      std::size_t most = EVT_LOST_CAUSES;
      for (const auto loss : from.getLost()) {
        if (most-- == 0) break;
        if (loss.getCause() < EVT_LOST_CAUSES) stream.lost[loss.getCause()] = loss.getCount();
      }
    }
  });
}

bool read_event_type_info(Bytes message, Role* role, std::vector<Field>* fields) {
  return with_message<metadata::EventTypeInfo>(message, kNesting, [&, message](metadata::EventTypeInfo::Reader info) {
    *role = static_cast<Role>(info.getRole());
    // One more than allowed, so that the caller sees that there are too many.
    for (const auto field : info.getFields()) {
      if (fields->size() == std::min<std::size_t>(EVT_MAX_FIELDS + 1, most_elements(message))) break;
      read_field(field, most_elements(message), &fields->emplace_back());
    }
  });
}

}  // namespace evt
