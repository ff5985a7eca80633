#include "messages.h"

#include <capnp/message.h>
#include <evt/schema.h>
#include <kj/exception.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "metadata.capnp.h"

namespace evt {
namespace {

// Calls read(root) with the message, one segment without a table, as a Root: the only place where an exception of Cap'n
// Proto is caught. Returns false if it is damaged, whatever was read before; an empty message has only defaults, and
// need not be read.
template <typename Root, typename Read>
bool with_message(Bytes message, int nesting, Read read) {
  const std::size_t words = message.size() / sizeof(capnp::word);
  if (words == 0 || message.size() % sizeof(capnp::word) != 0) return message.empty();
  // Records begin at any offset; the library needs aligned words.
  std::vector<std::uint64_t> aligned(words);
  std::memcpy(aligned.data(), message.data(), message.size());
  const kj::ArrayPtr<const capnp::word> segment(reinterpret_cast<const capnp::word*>(aligned.data()), words);
  capnp::ReaderOptions limits;
  limits.traversalLimitInWords = 4 * words + 64;
  limits.nestingLimit = nesting;
  bool ok = true;
  try {
    const kj::ArrayPtr<const capnp::word> segments[] = {segment};
    capnp::SegmentArrayMessageReader reader(kj::arrayPtr(segments, 1), limits);
    read(reader.getRoot<Root>());
  } catch (const kj::Exception&) {
    ok = false;
  }
  return ok;
}

constexpr int kNesting = 8;

std::string text(capnp::Text::Reader reader) { return {reader.begin(), reader.size()}; }

// A list of structs without words can claim any length: each real element takes at least a word.
std::size_t most_elements(Bytes message) { return message.size() / sizeof(capnp::word); }

// The first text of a value is its label, others are kept for code that copies the type; labels that two values share
// are marked.
void sort_labels(std::vector<Field::Label>* labels) {
  const auto by_value = [](const Field::Label& a, const Field::Label& b) { return a.value < b.value; };
  std::ranges::stable_sort(*labels, by_value);
  std::unordered_map<std::string_view, std::set<std::uint64_t>> values;
  for (const Field::Label& label : *labels) values[label.text].insert(label.value);
  for (Field::Label& label : *labels) label.shared = values[label.text].size() > 1;
}

void read_texts(capnp::List<capnp::Text>::Reader from, std::size_t most, std::vector<std::string>* texts) {
  for (const auto each : from) {
    if (texts->size() == most) break;
    texts->push_back(text(each));
  }
}

// A meaning that does not fit the field's kind is ignored.
void read_field_meaning(metadata::FieldInfo::Reader info, Field* field) {
  field->scope = static_cast<Scope>(info.getScope());
  field->unit_text = text(info.getUnitText());
  read_texts(info.getTags(), EVT_MAX_TAGS, &field->tags);
  const bool is_number = field->known() && field->kind != Kind::kText && field->kind != Kind::kBytes;
  if (is_number && info.getHasAbsent()) field->absent = info.getAbsent();
  field->is_flags = is_number && field->kind == Kind::kEnumeration && info.getIsFlags();
  const bool is_whole = is_number && (field->kind == Kind::kUnsigned || field->kind == Kind::kSigned);
  field->scale = is_whole ? info.getScale() : std::int8_t{0};
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
  read_field_meaning(info, field);
}

// Fields that the type does not have are ignored.
void read_facet(metadata::Facet::Reader info, std::size_t field_count, Facet* facet) {
  facet->role = static_cast<Role>(info.getRole());
  for (const auto field : info.getFields()) {
    if (facet->fields.size() == field_count) break;
    if (field.getField() >= field_count) continue;
    facet->fields.push_back({field.getField(), static_cast<Role>(field.getRole())});
  }
}

void read_type_meaning(metadata::EventTypeInfo::Reader info, std::size_t field_count, std::size_t most,
                       TypeMeaning* meaning) {
  for (const auto facet : info.getFacets()) {
    if (meaning->facets.size() == std::min<std::size_t>(EVT_MAX_FACETS, most)) break;
    read_facet(facet, std::min(field_count, most), &meaning->facets.emplace_back());
  }
  meaning->twin_of = text(info.getTwinOf());
  meaning->source_file = text(info.getSource().getFile());
  meaning->source_line = info.getSource().getLine();
  meaning->source_function = text(info.getSource().getFunction());
  read_texts(info.getTags(), EVT_MAX_TAGS, &meaning->tags);
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

LeftOut read_left_out(metadata::LeftOut::Reader info) {
  LeftOut left_out;
  left_out.has_range = info.getHasRange();
  left_out.from_ns = info.getFrom();
  left_out.to_ns = info.getTo();
  read_texts(info.getStreams(), EVT_MAX_ORIGINS, &left_out.streams);
  left_out.stream_count = info.getStreamCount();
  read_texts(info.getTypes(), EVT_MAX_ORIGINS, &left_out.types);
  left_out.type_count = info.getTypeCount();
  left_out.sampled_by = static_cast<std::uint16_t>(info.getSampledBy());
  left_out.one_in = info.getOneIn();
  left_out.others = info.getOthers();
  return left_out;
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
      if (out->origins.size() == EVT_MAX_ORIGINS) break;
      std::copy(origin.begin(), origin.end(), out->origins.emplace_back().begin());
    }
    for (const auto part : info.getParts()) {
      if (out->parts.size() == std::min<std::size_t>(EVT_MAX_ORIGINS, most_elements(message))) break;
      read_part(part, &out->parts.emplace_back());
    }
    out->cut = text(info.getCut());
    if (info.getLeftOut().getIsCut()) out->left_out = read_left_out(info.getLeftOut());
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

bool read_index_info(Bytes message, const std::function<void(const IndexedStream&)>& take) {
  return with_message<metadata::IndexInfo>(message, kNesting, [&, message](metadata::IndexInfo::Reader info) {
    std::size_t most_streams = most_elements(message);
    for (const auto from : info.getStreams()) {
      if (most_streams-- == 0) break;
      IndexedStream stream;
      stream.id = from.getId();
      stream.rows = from.getRows();
      stream.first_ticks = from.getFirstTicks();
      stream.last_ticks = from.getLastTicks();
      std::size_t most = EVT_LOST_CAUSES;
      for (const auto loss : from.getLost()) {
        if (most-- == 0) break;
        if (loss.getCause() < EVT_LOST_CAUSES) stream.lost[loss.getCause()] = loss.getCount();
      }
      take(stream);
    }
  });
}

bool read_event_type_info(Bytes message, Role* role, std::vector<Field>* fields, TypeMeaning* meaning) {
  return with_message<metadata::EventTypeInfo>(message, kNesting, [&, message](metadata::EventTypeInfo::Reader info) {
    *role = static_cast<Role>(info.getRole());
    // One more than allowed, so that the caller notices that there are too many.
    for (const auto field : info.getFields()) {
      if (fields->size() == std::min<std::size_t>(EVT_MAX_FIELDS + 1, most_elements(message))) break;
      read_field(field, most_elements(message), &fields->emplace_back());
    }
    read_type_meaning(info, fields->size(), most_elements(message), meaning);
  });
}

std::vector<std::string> overstated_fields(Bytes message) {
  std::vector<std::string> names;
  with_message<metadata::EventTypeInfo>(message, kNesting, [&, message](metadata::EventTypeInfo::Reader info) {
    std::size_t most = std::min<std::size_t>(EVT_MAX_FIELDS, most_elements(message));
    for (const auto each : info.getFields()) {
      if (most-- == 0) break;
      Field field;
      read_field(each, 0, &field);
      const bool is_kept = each.getIsFlags() == field.is_flags && each.getScale() == field.scale &&
                           each.getHasAbsent() == field.absent.has_value() && each.getTags().size() <= EVT_MAX_TAGS;
      if (!is_kept) names.push_back(field.name);
    }
  });
  return names;
}

}  // namespace evt
