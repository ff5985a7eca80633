// An INDEX block as a later version might write it: FORMAT.md, section 6.6.
#include "archive.h"
#include "change.h"
#include "format-spec/src/base/capnp_message.h"

namespace evt::testing {
namespace {

std::string number(std::uint64_t value) {
  std::uint8_t bytes[kMaxNumber];
  return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(store_number(bytes, value) - bytes)};
}

// A message whose structs are longer than they are now.
std::string later_index_info() {
  Buffer out;
  CapnpMessage message(out);
  const auto root = message.root({1, 2});
  message.set_u64(root, 0, ~0ull);
  const auto streams = message.set_struct_list(CapnpMessage::slot(root, 0), 2, {7, 2});
  for (std::uint32_t i = 0; i < 2; ++i) {
    const auto stream = CapnpMessage::element(streams, i);
    message.set_u32(stream, 0, i + 1);
    message.set_u64(stream, 8, 1);
    message.set_u64(stream, 16, i == 0 ? 1 : 9);
    message.set_u64(stream, 24, i == 0 ? 1 : 9);
    for (std::uint32_t later = 32; later < 56; later += 8) message.set_u64(stream, later, ~0ull);
    message.set_text(CapnpMessage::slot(stream, 1), "later");
  }
  message.set_text(CapnpMessage::slot(root, 1), "later");
  return {reinterpret_cast<const char*>(out.data()), out.size()};
}

// The entries, each with three bytes behind what is known of it.
std::string longer_entries(const std::string& payload, std::size_t begin, std::size_t end) {
  std::string longer;
  for (std::size_t at = begin; at < end;) {
    const auto size = static_cast<std::uint8_t>(payload[at]);  // of small entries, one byte
    longer += number(size + 3u) + payload.substr(at + 1, size) + "???";
    at += 1u + size;
  }
  return longer;
}

// Fixed part, entries and message: all are longer.
void lengthen_index(std::string& payload) {
  const std::size_t begin = EVT_INDEX_FIXED_SIZE;
  const std::string entries = longer_entries(payload, begin, begin + evt_load_u32(&payload[24]));
  const std::string info = later_index_info();
  payload.resize(begin);
  payload.replace(0, 2, le16(begin + 8));
  payload.replace(24, 8, le32(entries.size()) + le32(info.size()));
  payload += "????????" + entries + info;
}

// The same events; with an index that this version can use in spite of all.
RawTrace longer_index() {
  RawTrace trace = ordinary_trace();
  trace.block(77, "an unknown block, in the index too");
  trace.events(1, Rows().tick(1, 1)).block(EVT_BLOCK_PRIVATE, "mine").events(2, Rows().tick(9, 9)).index();
  change_payload(trace, trace.size() - 1, lengthen_index);
  return trace.trailer();
}

// Two rows of a layout and codec that have no number yet, and two that can be read.
RawTrace index_of_new_layout() {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1));
  trace.events(1, Rows().tick(2, 2).tick(3, 3)).events_header([](EventsHeader& e) { e.layout = 9; });
  trace.header([](BlockHeader& h) { h.codec = 9; });
  return trace.events(2, Rows().tick(9, 9)).index().trailer();
}

// The last INDEX block has, behind its table of streams, how far before it each INDEX block begins: a reader of a file
// behind a slow line can ask for all of them at once.
RawTrace index_of_indexes() {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1)).index().events(2, Rows().tick(9, 9)).index();
  const std::uint64_t distance = trace.offset_of(trace.size() - 1) - trace.offset_of(5);
  change_payload(trace, trace.size() - 1, [&](std::string& payload) {
    Buffer out;
    CapnpMessage message(out);
    const auto root = message.root({0, 2});
    const auto streams = message.set_struct_list(CapnpMessage::slot(root, 0), 2, {4, 1});
    for (std::uint32_t i = 0; i < 2; ++i) {
      const auto stream = CapnpMessage::element(streams, i);
      message.set_u32(stream, 0, i + 1);
      for (std::uint32_t at = 8; at < 32; at += 8) message.set_u64(stream, at, at == 8 || i == 0 ? 1 : 9);
    }
    const auto places = message.set_struct_list(CapnpMessage::slot(root, 1), 1, {1, 0});
    message.set_u64(CapnpMessage::element(places, 0), 0, distance);
    payload.resize(payload.size() - evt_load_u32(&payload[28]));
    payload.replace(28, 4, le32(out.size()));
    payload.append(reinterpret_cast<const char*>(out.data()), out.size());
  });
  return trace.trailer();
}

}  // namespace

void make_future_index(const Archive& archive) {
  archive.add("future/index_longer.evt", longer_index());
  archive.add("future/index_of_layout.evt", index_of_new_layout());
  archive.add("future/index_of_indexes.evt", index_of_indexes());
}

}  // namespace evt::testing
