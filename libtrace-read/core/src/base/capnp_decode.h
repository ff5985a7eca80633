// The one place where an exception of Cap'n Proto is caught.
#pragma once

#include <capnp/message.h>
#include <evt/schema.h>
#include <kj/exception.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace evt {

// Calls read(root) with the message, one segment without a table, as a Root. False when it is damaged, whatever was
// read until then; an empty message is one of defaults, which need not be read.
template <typename Root, typename Read>
bool with_message(Bytes message, int nesting, Read read) {
  const std::size_t words = message.size() / sizeof(capnp::word);
  if (words == 0 || message.size() % sizeof(capnp::word) != 0) return message.empty();
  // Records begin at any offset; the library wants words.
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

}  // namespace evt
