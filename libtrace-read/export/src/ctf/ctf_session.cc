#include "ctf_session.h"

#include <evt/timeline.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "kernel_events.h"
#include "libtrace-read/text/shown.h"
#include "tsdl.h"

namespace evt {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::size_t kPacket = 1 << 20;
constexpr std::size_t kSmallPacket = 4 << 10;
constexpr std::size_t kPackets = 32 << 20;     // all that are open
constexpr std::size_t kMostFiles = 64;         // per stream
constexpr std::size_t kMostUndeclared = 4096;  // types
constexpr std::uint32_t kOfStreams = 0;        // stream classes
constexpr std::uint32_t kOfCpus = 1;

// Alignment is in bits: everything starts at the next byte.
constexpr std::string_view kNumbers =
    "typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
    "typealias integer { size = 16; align = 8; signed = false; } := uint16_t;\n"
    "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
    "typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
    "typealias integer { size = 8; align = 8; signed = true; } := int8_t;\n"
    "typealias integer { size = 16; align = 8; signed = true; } := int16_t;\n"
    "typealias integer { size = 32; align = 8; signed = true; } := int32_t;\n"
    "typealias integer { size = 64; align = 8; signed = true; } := int64_t;\n"
    "typealias integer { size = 8; align = 8; signed = false; base = 16; } := byte_t;\n"
    "typealias floating_point { exp_dig = 8; mant_dig = 24; align = 8; } := float;\n"
    "typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; } := double;\n";

void append_stream_class(TextBuffer& out, std::uint32_t number) {
  fmt::format_to(std::back_inserter(out),
                 "stream {{\n  id = {};\n"
                 "  packet.context := struct {{\n"
                 "    time_t timestamp_begin;\n    time_t timestamp_end;\n    uint64_t content_size;\n"
                 "    uint64_t packet_size;\n    uint64_t events_discarded;\n{}  }};\n"
                 "  event.header := struct {{\n    uint32_t id;\n    time_t timestamp;\n  }};\n}};\n",
                 number, number == kOfCpus ? "    uint32_t cpu_id;\n" : "");
}

void append_entry(TextBuffer& out, std::string_view name, std::string_view text) {
  if (text.empty()) return;
  fmt::format_to(std::back_inserter(out), "  {} = ", name);
  append_tsdl_text(out, text);
  out += ";\n";
}

}  // namespace

CtfSession::CtfSession(const Session& session, std::string folder, bool has_cpus, CtfFiles& files,
                       CtfDifferences& differences)
    : session_(session),
      folder_(std::move(folder)),
      has_cpus_(has_cpus),
      files_(files),
      differences_(differences),
      origin_ns_(std::min<std::int64_t>(first_event_ns(session), 0)) {
  if (__builtin_add_overflow(session.start_utc_ns, origin_ns_, &offset_ns_)) offset_ns_ = session.start_utc_ns;
  most_time_ = static_cast<std::uint64_t>(INT64_MAX - std::max<std::int64_t>(offset_ns_, 0));
  differences_.has_facts = differences_.has_facts || !session.facts.empty();
  for (const EventType& type : session.types) classes_of(type);
}

// Readers compute ns since 1970 in 64 bits from it.
std::uint64_t CtfSession::time_of(std::int64_t ns) {
  const auto time = static_cast<std::uint64_t>(ns) - static_cast<std::uint64_t>(origin_ns_);
  if (ns >= origin_ns_ && time <= most_time_) return time;
  ++differences_.moved;
  return ns < origin_ns_ ? 0 : most_time_;
}

StreamFile& CtfSession::add_file(const std::string& name, std::uint32_t stream_class,
                                 std::optional<std::uint32_t> cpu) {
  const PacketFront front = {session_.uuid, stream_class, all_files_.size(), cpu};
  return all_files_.emplace_back(folder_ + name, front);
}

CtfSession::Stream& CtfSession::stream_of(const StreamInfo& stream) {
  return *streams_.of(&stream, [&] {
    auto made = std::make_unique<Stream>();
    made->name = fmt::format("stream_{}", stream.id);
    made->text = stream.name;
    add_file(*made);
    return made;
  });
}

void CtfSession::add_file(Stream& stream) {
  const std::size_t number = stream.files.size() + 1;
  const std::string name = number == 1 ? stream.name : fmt::format("{}_{}", stream.name, number);
  stream.files.push_back(&add_file(name, kOfStreams, std::nullopt));
  fmt::format_to(std::back_inserter(names_of_files_), "  {} = {};\n", name,
                 text_from([&](TextBuffer& out) { append_tsdl_text(out, stream.text); }));
}

// The file in which time does not step back; `time` becomes later if there are too many files.
StreamFile& CtfSession::file_at(Stream& stream, std::uint64_t* time) {
  if (stream.files.front()->last() <= *time) return *stream.files.front();
  ++differences_.late;
  const auto fits = [&](const StreamFile* file) { return file->last() <= *time; };
  const auto found = std::ranges::find_if(stream.files, fits);
  if (found != stream.files.end()) return **found;
  if (stream.files.size() < kMostFiles) {
    add_file(stream);
  } else {
    ++differences_.moved;
    *time = stream.files.back()->last();
  }
  return *stream.files.back();
}

CtfSession::Classes* CtfSession::classes_of(const EventType& type) {
  const auto make = [&] {
    auto made = std::make_unique<Classes>();
    made->usual = add_class(type, EventForm::of(type));
    differences_.add_type(type);
    return made;
  };
  if (type.declared()) return declared_.of(&type, make).get();
  const auto known = undeclared_.find(type.number());
  if (known != undeclared_.end()) return known->second.get();
  if (undeclared_.size() >= kMostUndeclared) return nullptr;
  return (undeclared_[type.number()] = make()).get();
}

std::unique_ptr<EventClass> CtfSession::add_class(const EventType& type, const EventForm& form) {
  auto added = std::make_unique<EventClass>(type, form, class_count_++);
  event_classes_ += added->declaration();
  differences_.names += added->changed_names();
  return added;
}

bool CtfSession::take(const Event& event) {
  if (event.is_lost()) return take_loss(event);
  if (event.is_jump()) ++differences_.jumps;
  if (event.is_jump() || event.is_end()) return true;
  Classes* const classes = classes_of(event.type());
  if (classes == nullptr) {
    ++differences_.undeclared;
    return true;
  }
  differences_.impossible_stamps += event.has_impossible_stamp() ? 1 : 0;
  std::uint64_t time = time_of(event.ns());
  StreamFile& file = file_at(stream_of(event.stream()), &time);
  const std::size_t before = file.size();
  TextBuffer& out = file.begin_event(classes->usual->id(), time);
  if (!classes->usual->append(out, event)) {
    out.cut(before);
    const EventClass& other = other_class(*classes, event);
    other.append(file.begin_event(other.id(), time), event);
  }
  return write_if_full(file);
}

const EventClass& CtfSession::other_class(Classes& classes, const Event& event) {
  const EventForm form = EventForm::of(event);
  ++(form.texts_are_bytes ? differences_.zeros_in_texts : differences_.other_forms);
  std::unique_ptr<EventClass>& other = classes.others[form];
  if (other == nullptr) other = add_class(event.type(), form);
  return *other;
}

bool CtfSession::write_if_full(StreamFile& file) {
  const std::size_t most = std::clamp(kPackets / all_files_.size(), kSmallPacket, kPacket);
  return file.size() < most || file.write_packet(files_, most == kPacket);
}

bool CtfSession::take_loss(const Event& event) {
  ++differences_.losses;
  const auto count = event.value("count");
  const auto duration = event.value("duration");
  const std::uint64_t to = time_of(event.ns());
  const std::int64_t ns = duration ? event.delta_to_ns(duration->as_signed()) : 0;
  const std::uint64_t from = ns > 0 ? to - std::min(to, static_cast<std::uint64_t>(ns)) : to;
  return stream_of(event.stream()).files.front()->lose(count ? count->as_unsigned() : 1, from, to, files_);
}

bool CtfSession::take(std::uint32_t cpu, std::uint32_t event_class, std::int64_t ns, std::string_view fields) {
  StreamFile*& file = cpus_[cpu];
  if (file == nullptr) file = &add_file(fmt::format("cpu_{}", cpu), kOfCpus, cpu);
  file->begin_event(event_class, std::max(time_of(ns), file->last())) += fields;
  return write_if_full(*file);
}

bool CtfSession::end() {
  for (StreamFile& file : all_files_) {
    if (!file.write_packet(files_, false)) return false;
  }
  for (const StreamInfo& stream : session_.streams) differences_.streams += streams_.find(&stream) == nullptr ? 1 : 0;
  TextBuffer metadata;
  append_metadata(metadata);
  return files_.append(folder_ + "metadata", metadata.text());
}

void CtfSession::append_metadata(TextBuffer& out) const {
  out += "/* CTF 1.8 */\n";
  out += kNumbers;
  out += "trace {\n  major = 1;\n  minor = 8;\n  uuid = \"";
  out += uuid_text(session_.uuid);
  out +=
      "\";\n  byte_order = le;\n  packet.header := struct {\n    uint32_t magic;\n    uint8_t uuid[16];\n"
      "    uint32_t stream_id;\n    uint64_t stream_instance_id;\n  };\n};\n";
  out += "env {\n  tracer_name = \"evtrace\";\n";
  if (has_cpus_) append_entry(out, "domain", "kernel");
  append_entry(out, "hostname", session_.host);
  append_entry(out, "procname", session_.program);
  if (session_.pid != 0) fmt::format_to(std::back_inserter(out), "  vpid = {};\n", session_.pid);
  fmt::format_to(std::back_inserter(out), "  session_start = {};\n", session_.start_utc_ns);
  out += names_of_files_;
  const std::int64_t behind = (offset_ns_ % kSecond + kSecond) % kSecond;
  fmt::format_to(
      std::back_inserter(out),
      "}};\nclock {{\n  name = session;\n  freq = {};\n  offset_s = {};\n  offset = {};\n"
      "  absolute = TRUE;\n}};\n"
      "typealias integer {{ size = 64; align = 8; signed = false; map = clock.session.value; }} := time_t;\n",
      kSecond, (offset_ns_ - behind) / kSecond, behind);
  append_stream_class(out, kOfStreams);
  out += event_classes_;
  if (!has_cpus_) return;
  append_stream_class(out, kOfCpus);
  out += kKernelEventClasses;
}

}  // namespace evt
