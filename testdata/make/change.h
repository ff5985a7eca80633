// Changes of blocks that leave their checksums right.
#pragma once

#include <functional>
#include <string>

#include "core/raw_trace.h"

namespace evt::testing {

using ChangePayload = std::function<void(std::string&)>;

// Gives a part another payload. To be done before TRAILER says how long the session is.
inline void change_payload(RawTrace& trace, std::size_t part, const ChangePayload& change) {
  std::string& bytes = trace.part(part);
  const BlockHeader header = header_of(bytes);
  std::string payload = bytes.substr(header.header_size, header.payload_size);
  change(payload);
  bytes.resize(header.header_size);
  bytes += payload;
  bytes.append(padding_after(bytes.size()), '\0');
  trace.header(
      [&](BlockHeader& h) {
        h.payload_size = h.raw_size = static_cast<std::uint32_t>(payload.size());
        h.payload_crc = crc32c(0, payload.data(), payload.size());
      },
      part);
}

// Some bytes of the fixed part of SESSION are these.
inline void change_session(RawTrace& trace, std::size_t offset, const std::string& bytes) {
  change_payload(trace, 0, [&](std::string& payload) {
    payload.replace(session_fixed_at(payload) + offset, bytes.size(), bytes);
  });
}

}  // namespace evt::testing
