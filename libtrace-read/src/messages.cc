#include "messages.h"

#include <capnp/message.h>
#include <kj/exception.h>

#include <cstring>

#include "metadata.capnp.h"

namespace evt {
namespace {

constexpr std::size_t kNesting = 8;

std::string text(capnp::Text::Reader reader) { return {reader.begin(), reader.size()}; }

// Calls read(root) with the message as a Root; the one place where an exception of Cap'n Proto is caught.
template <typename Root, typename Read>
bool with_message(Bytes message, Read read) {
  const std::size_t words = message.size() / sizeof(capnp::word);
  if (words == 0 || message.size() % sizeof(capnp::word) != 0) return message.empty();
  // Records stand at any offset; the library wants words.
  std::vector<std::uint64_t> aligned(words);
  std::memcpy(aligned.data(), message.data(), message.size());
  const kj::ArrayPtr<const capnp::word> segment(reinterpret_cast<const capnp::word*>(aligned.data()), words);
  capnp::ReaderOptions limits;
  limits.traversalLimitInWords = 4 * words + 64;
  limits.nestingLimit = kNesting;
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

void read_field(metadata::FieldInfo::Reader info, Field* field) {
  field->name = text(info.getName());
  field->description = text(info.getDescription());
  field->kind = static_cast<Kind>(info.getKind());
  field->shape = static_cast<Shape>(info.getShape());
  field->width = info.getWidth();
  field->role = static_cast<Role>(info.getRole());
  field->unit = static_cast<Unit>(info.getUnit());
  for (const auto label : info.getLabels()) field->labels.push_back({label.getValue(), text(label.getText())});
}

}  // namespace

bool read_session_info(Bytes message, Session* out) {
  return with_message<metadata::SessionInfo>(message, [out](metadata::SessionInfo::Reader info) {
    out->pid = info.getPid();
    out->program = text(info.getProgram());
    out->host = text(info.getHost());
    out->boot_id = text(info.getBootId());
    out->writer = text(info.getWriter());
    for (const auto word : info.getCommandLine()) out->command_line.push_back(text(word));
  });
}

bool read_clock_info(Bytes message, ClockInfo* out) {
  return with_message<metadata::ClockInfo>(message, [out](metadata::ClockInfo::Reader info) {
    out->name = text(info.getName());
    out->host = text(info.getHost());
    out->boot_id = text(info.getBootId());
  });
}

bool read_stream_info(Bytes message, StreamInfo* out) {
  return with_message<metadata::StreamInfo>(message, [out](metadata::StreamInfo::Reader info) {
    out->thread = info.getThread();
    out->process = info.getProcess();
    out->name = text(info.getName());
  });
}

bool read_event_type_info(Bytes message, Role* role, std::vector<Field>* fields) {
  return with_message<metadata::EventTypeInfo>(message, [&](metadata::EventTypeInfo::Reader info) {
    *role = static_cast<Role>(info.getRole());
    for (const auto field : info.getFields()) {
      if (fields->size() == EVT_MAX_FIELDS) break;
      fields->emplace_back();
      read_field(field, &fields->back());
    }
  });
}

}  // namespace evt
