#include "metadata_log.h"

#include <string.h>

namespace evt {
namespace {

// Small enough that a damaged one costs little; a single record may be larger.
constexpr std::size_t kBlockSize = 256 << 10;
// Precedes the payload of a collected block: its type and size.
constexpr std::size_t kCollectedHead = 2 * sizeof(std::uint32_t);

std::size_t record_size(std::uint16_t block_type, const std::uint8_t* record) {
  if (block_type == EVT_BLOCK_STRINGS) return EVT_STRING_RECORD_SIZE + std::size_t{evt_load_u32(record + 4)};
  return evt_load_u32(record);
}

}  // namespace

void MetadataLog::append_front(Buffer& out, std::uint64_t session_id) const {
  BlockFramer framer(session_id);
  append_block(out, framer.front(EVT_BLOCK_SESSION, session_.data(), session_.size()), session_.data(),
               session_.size());
  framer.count();
  append_block(out, framer.front(EVT_BLOCK_CLOCK, clock_.data(), clock_.size()), clock_.data(), clock_.size());
}

bool MetadataLog::write_front(BlockOutput& out) const {
  if (!session_.ok() || !clock_.ok()) return out.no_memory(session_.size() + clock_.size());
  return out.write(EVT_BLOCK_SESSION, session_.data(), session_.size()) &&
         out.write(EVT_BLOCK_CLOCK, clock_.data(), clock_.size());
}

// Calls write(type, payload, size) for each block of the list starting at `from`. `*done` is how far it came.
template <typename Write>
bool MetadataLog::write_records(const Records& list, std::size_t from, std::size_t* done, Write write) {
  while (from < list.records.size()) {
    Buffer payload;
    payload.append_u32(0);
    std::uint32_t count = 0;
    std::size_t to = from;
    while (to < list.records.size() && payload.size() < kBlockSize) {
      const std::uint8_t* const record = list.records.data() + to;
      const std::size_t size = record_size(list.block_type, record);
      payload.append(record, size);
      to += size;
      ++count;
    }
    lacks_memory_ = !payload.ok();
    if (lacks_memory_) return false;
    evt_store_u32(payload.data(), count);
    if (!write(list.block_type, payload.data(), payload.size())) return false;
    from = *done = to;
  }
  return true;
}

bool MetadataLog::add_clock(std::uint16_t id, std::uint64_t start_ticks, std::int64_t start_ns) {
  const std::size_t before = later_clocks_.size();
  std::uint8_t* const payload = later_clocks_.extend(clock_.size());
  if (payload == nullptr) {
    later_clocks_.truncate(before);
    return false;
  }
  memcpy(payload, clock_.data(), clock_.size());
  restart_clock(payload, id, start_ticks, start_ns);
  return true;
}

void MetadataLog::take_back_clock() { later_clocks_.truncate(later_clocks_.size() - clock_.size()); }

template <typename Write>
bool MetadataLog::write_clocks(std::size_t from, std::size_t* done, Write write) const {
  for (; from < later_clocks_.size(); *done = from += clock_.size()) {
    if (!write(EVT_BLOCK_CLOCK, later_clocks_.data() + from, clock_.size())) return false;
  }
  return true;
}

template <typename Write>
bool MetadataLog::write_new(Write write) {
  const bool written = write_clocks(later_clocks_written_, &later_clocks_written_, write) &&
                       write_records(types_, types_.written, &types_.written, write) &&
                       write_records(streams_, streams_.written, &streams_.written, write) &&
                       write_records(strings_, strings_.written, &strings_.written, write) &&
                       write_records(facts_, facts_.written, &facts_.written, write);
  if (written) {
    forget_written(streams_);
    forget_written(facts_);
  }
  return written;
}

void MetadataLog::forget_written(Records& list) {
  list.records.clear();
  list.written = 0;
}

bool MetadataLog::write_pending(BlockOutput& out) {
  const auto write = [&](std::uint16_t type, const void* payload, std::size_t size) {
    return out.write(type, payload, size);
  };
  return write_new(write) || (lacks_memory_ && out.no_memory(kBlockSize));
}

bool MetadataLog::publish(Ring& ring, std::uint64_t session_id) {
  const auto append = [&](std::uint16_t type, const void* payload, std::size_t size) {
    return ring.append_to_log(type, payload, size, session_id);
  };
  return write_new(append);
}

void MetadataLog::release() {
  session_.release();
  clock_.release();
  later_clocks_.release();
  types_.records.release();
  streams_.records.release();
  strings_.records.release();
  facts_.records.release();
}

bool MetadataLog::gather(Buffer& all, const Buffer& streams, const Buffer& facts) {
  const auto append = [&](std::uint16_t type, const void* payload, std::size_t size) {
    collect(all, type, payload, size);
    return all.ok();
  };
  Records living{EVT_BLOCK_STREAMS, {}, 0};
  living.records.append(streams.data(), streams.size());
  Records last{EVT_BLOCK_FACTS, {}, 0};
  last.records.append(facts.data(), facts.size());
  std::size_t done = 0;
  return append(EVT_BLOCK_SESSION, session_.data(), session_.size()) &&
         append(EVT_BLOCK_CLOCK, clock_.data(), clock_.size()) && write_clocks(0, &done, append) &&
         write_records(types_, 0, &done, append) && write_records(living, 0, &done, append) &&
         write_records(strings_, 0, &done, append) && write_records(last, 0, &done, append);
}

void MetadataLog::collect(Buffer& all, std::uint16_t type, const void* payload, std::size_t size) {
  all.append_u32(type);
  all.append_u32(static_cast<std::uint32_t>(size));
  all.append(payload, size);
}

std::size_t MetadataLog::collected_size(const Buffer& all, std::size_t at) {
  return kCollectedHead + evt_load_u32(all.data() + at + sizeof(std::uint32_t));
}

bool MetadataLog::write_collected(BlockOutput& out, const Buffer& all, std::size_t* written) {
  while (*written < all.size()) {
    const std::uint8_t* const block = all.data() + *written;
    const std::size_t size = collected_size(all, *written);
    const auto type = static_cast<std::uint16_t>(evt_load_u32(block));
    if (!out.write(type, block + kCollectedHead, size - kCollectedHead)) return false;
    *written += size;
  }
  return true;
}

}  // namespace evt
