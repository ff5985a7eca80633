#include "row_writer.h"

#include <string.h>

namespace evt {
namespace {

bool is_wide(std::uint32_t number) { return number > 0xFFFF; }
std::uint16_t stored_type(std::uint32_t number) {
  return is_wide(number) ? std::uint16_t{EVT_ROW_WIDE} : static_cast<std::uint16_t>(number);
}
std::size_t number_size(std::uint32_t number) { return is_wide(number) ? sizeof number : 0; }

}  // namespace

std::size_t RowWriter::size_of_event(std::uint32_t number, std::size_t fields) {
  const std::size_t payload = number_size(number) + fields;
  const bool is_large = RowHeader::kSmall + payload > RowHeader::kMaxSmallRow;
  return RowHeader::size_of(is_large) + payload;
}

void RowWriter::time_base(std::uint64_t ticks, std::uint32_t flags) {
  evt_store_u64(at_, RowHeader::word(0, EVT_ROW_TIME_BASE, kTimeBaseSize));
  evt_store_u64(at_ + RowHeader::kSmall, ticks);
  evt_store_u32(at_ + RowHeader::kSmall + sizeof ticks, flags);
  at_ += kTimeBaseSize;
}

void RowWriter::lost(std::uint32_t delta, std::uint16_t cause, std::uint64_t count, std::uint64_t duration) {
  evt_store_u64(at_, RowHeader::word(delta, EVT_ROW_LOST, kLostSize));
  evt_store_u64(at_ + RowHeader::kSmall, count);
  evt_store_u16(at_ + RowHeader::kSmall + sizeof count, cause);
  evt_store_u64(at_ + RowHeader::kSmall + sizeof count + sizeof cause, duration);
  at_ += kLostSize;
}

void RowWriter::end(std::uint32_t delta) {
  evt_store_u64(at_, RowHeader::word(delta, EVT_ROW_END, kEndSize));
  at_ += kEndSize;
}

std::uint8_t* RowWriter::event(std::uint32_t delta, std::uint32_t number, std::size_t fields) {
  RowHeader header;
  header.delta = delta;
  header.type = stored_type(number);
  header.size = size_of_event(number, fields);
  header.is_large = header.size > RowHeader::kMaxSmallRow;
  header.write(at_);
  std::uint8_t* const behind_number = at_ + header.header_size() + number_size(number);
  if (is_wide(number)) evt_store_u32(at_ + header.header_size(), number);
  at_ += header.size;
  return behind_number;
}

std::uint8_t* RowWriter::begin_event(std::uint32_t number) { return at_ + RowHeader::kSmall + number_size(number); }

void RowWriter::end_event(std::uint32_t delta, std::uint32_t number, const std::uint8_t* end) {
  const std::uint8_t* const fields = begin_event(number);
  const auto size = static_cast<std::size_t>(end - fields);
  const std::size_t growth = size_of_event(number, size) - static_cast<std::size_t>(end - at_);
  if (growth != 0) memmove(at_ + (fields - at_) + growth, fields, size);
  event(delta, number, size);
}

void RowWriter::set_number(std::uint8_t* row, std::uint32_t number) {
  const std::uint64_t head = RowHeader::word_at(row);
  if (is_wide(number)) {
    evt_store_u32(row + RowHeader::size_of(RowHeader::small_size_of(head) == 0), number);
  } else {
    evt_store_u64(row, RowHeader::word(RowHeader::delta_of(head), static_cast<std::uint16_t>(number),
                                       RowHeader::small_size_of(head)));
  }
}

}  // namespace evt
