// Messages as our Cap'n Proto encoder makes them, and as libcapnp makes and reads them.
#pragma once

#include <capnp/message.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "format-spec/src/base/buffer.h"
#include "format-spec/src/session/metadata_records.h"
#include "metadata.capnp.h"

namespace evt::testing {

using Words = std::vector<std::uint64_t>;

inline Words words_of(const std::uint8_t* bytes, std::size_t size) {
  EXPECT_EQ(size % 8, 0u);
  Words words(size / 8);
  if (size > 0) std::memcpy(words.data(), bytes, size);
  return words;
}

// The messages as our encoder makes them, cut out of their records.
inline Words session_info(const evt_session_info& session) {
  Buffer out;
  append_session(out, session, 0);
  const std::size_t line = std::string_view(reinterpret_cast<const char*>(out.data()), out.size()).find('\n') + 1;
  const std::size_t message = (line + 7) / 8 * 8 + EVT_SESSION_FIXED_SIZE;
  return words_of(out.data() + message, out.size() - message);
}

inline Words clock_info(const ClockRecord& clock, const evt_session_info& session) {
  Buffer out;
  append_clock(out, clock, session);
  return words_of(out.data() + EVT_CLOCK_FIXED_SIZE, out.size() - EVT_CLOCK_FIXED_SIZE);
}

inline Words stream_info(const evt_stream_info& stream) {
  Buffer out;
  append_stream_record(out, stream);
  return words_of(out.data() + EVT_STREAM_RECORD_SIZE, out.size() - EVT_STREAM_RECORD_SIZE);
}

inline Words event_type_info(const evt_event_type& type) {
  Buffer out;
  append_type_record(out, type, 1024);
  const std::size_t message = EVT_TYPE_RECORD_SIZE + std::strlen(type.name);
  return words_of(out.data() + message, out.size() - message);
}

// libcapnp's side: one large first segment, so that everything is in it.
class Theirs {
 public:
  template <typename Root>
  typename Root::Builder root() {
    return builder_.initRoot<Root>();
  }
  Words words() {
    const auto segments = builder_.getSegmentsForOutput();
    EXPECT_EQ(segments.size(), 1u);
    const auto bytes = segments[0].asBytes();
    return words_of(bytes.begin(), bytes.size());
  }

 private:
  capnp::MallocMessageBuilder builder_{1 << 14};
};

// A message of ours, as libcapnp reads it.
template <typename Root>
class Read {
 public:
  explicit Read(Words words)
      : words_(std::move(words)),
        segment_(reinterpret_cast<const capnp::word*>(words_.data()), words_.size()),
        reader_(kj::arrayPtr(&segment_, 1)) {}
  typename Root::Reader root() { return reader_.getRoot<Root>(); }
  std::string text() { return kj::str(root()).cStr(); }
  Words canonical() {
    const kj::Array<capnp::word> words = capnp::canonicalize(root());
    return words_of(words.asBytes().begin(), words.asBytes().size());
  }

 private:
  Words words_;
  kj::ArrayPtr<const capnp::word> segment_;
  capnp::SegmentArrayMessageReader reader_;
};

}  // namespace evt::testing
