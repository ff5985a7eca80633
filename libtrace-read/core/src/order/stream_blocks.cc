#include "stream_blocks.h"

#include <algorithm>
#include <cstring>

#include "format-spec/src/block/crc32c.h"
#include "libtrace-read/core/src/base/damaged.h"

namespace evt {
namespace {

// Writers make no larger ones, except for one large event.
constexpr std::size_t kOrdinaryBlock = 256 << 10;

}  // namespace

Status StreamBlocks::open() {
  place_.open = true;
  place_.stored_at = 0;
  Status status;
  MultiplexedBlocks::Part part;
  if (is_piece()) {
    status = context_.multiplexed->find(&block_of(place_.part), piece(), &part);
    place_.rows_of_part = header_of(part.piece, block().events.clock_id, block().events.bound_ticks);
  } else {
    if (!block().verified) status = context_.verifier->verify(&block_of(place_.part));
    place_.rows_of_part = block().events;
  }
  if (!status.ok()) return status;
  status = open_slice();
  if (status.ok()) place_.stored_at = part.stored_at;
  ask_ahead();
  return status;
}

// Reads the first rows of the block.
Status StreamBlocks::open_slice() {
  const std::shared_ptr<DecodeAhead::Ticket> ticket = std::move(place_.ahead);
  if (is_piece() || ticket == nullptr || ticket->block.offset != block().offset) {
    Status status = read_slice(0, 0);
    return status.ok() && BlockDecoder::is_plain(block()) ? check_plain() : status;
  }
  context_.ahead->finish(*ticket, *context_.decoder);
  if (ticket->status.ok()) begin_slice(ticket->slice, 0);
  return ticket->status;
}

// A block that is decoded as a whole can be decoded in advance.
void StreamBlocks::ask_ahead() {
  const std::size_t next = place_.part + 1;
  if (context_.ahead == nullptr || next == parts_.size()) return;
  Block& block = block_of(next);
  if (parts_[next].piece != StreamSpan::kWhole) {
    // Other streams first need the blocks before blocks that are far ahead.
    if (parts_[next].block == parts_[place_.part].block + 1) context_.multiplexed->expect(&block, context_.ahead);
    return;
  }
  // An error is reported when the block is opened.
  if (!block.verified && !context_.verifier->verify(&block).ok()) return;
  const std::size_t size = block.events.rows_size;
  if (BlockDecoder::is_plain(block) || size > context_.slice_size) return;
  SharedBuffer slice = context_.slices->make(size);
  place_.ahead = context_.ahead->ask(block, std::move(slice));
}

void StreamBlocks::leave() {
  place_.part += 1;
  place_.open = false;
}

void StreamBlocks::drop_slice() {
  if (place_.slice == nullptr) return;
  const Bytes left = rows();
  place_.slice_start += place_.at;
  place_.at = 0;
  if (place_.open && !is_stored() && !context_.spooled->has(run_, source(), place_.slice_start)) {
    context_.spooled->keep(run_, source(), place_.slice_start, left.data(), left.size());
  }
  context_.slices->keep(std::move(place_.slice));
}

void StreamBlocks::begin_slice(SharedBuffer slice, std::uint64_t start) {
  if (place_.slice != nullptr) context_.slices->keep(std::move(place_.slice));
  place_.slice = std::move(slice);
  place_.slice_start = start;
  place_.at = 0;
}

// The decoder checks what it decodes. Uncompressed rows may be larger than the slice.
Status StreamBlocks::check_plain() {
  const bool whole = place_.slice->size == block().header.payload_size;
  const std::uint32_t crc =
      whole ? crc32c(0, place_.slice->data.get(), place_.slice->size) : context_.blocks->checksum(block());
  const std::uint32_t payload_crc = block().header.payload_crc;
  const std::uint32_t rows_crc = block().events.rows_crc;
  if (crc == payload_crc && crc == rows_crc) return {};
  return wrong_checksum("payload", crc, crc == payload_crc ? rows_crc : payload_crc);
}

// Reads at least `wanted` bytes of rows from `start` on, more if a slice has more.
Status StreamBlocks::read_slice(std::uint64_t start, std::size_t wanted) {
  const std::uint64_t left = place_.rows_of_part.rows_size - start;
  const auto size =
      static_cast<std::size_t>(std::min<std::uint64_t>(left, std::max<std::uint64_t>(wanted, context_.slice_size)));
  SharedBuffer slice = context_.slices->make(size);
  if (Status status = fill_slice(start, wanted, slice.get()); !status.ok()) return status;
  if (slice->size < std::min<std::uint64_t>(left, wanted)) return damaged("its rows cannot be read again");
  begin_slice(std::move(slice), start);
  return {};
}

// Fills the slice with as many bytes as are available at once, at least `wanted` if the block has them.
Status StreamBlocks::fill_slice(std::uint64_t start, std::size_t wanted, BufferBytes* slice) {
  if (is_stored()) {
    slice->size = context_.blocks->read(block(), place_.stored_at + start, slice->data.get(), slice->size);
    return {};
  }
  const std::uint64_t all = place_.rows_of_part.rows_size;
  const std::size_t got = context_.spooled->read(run_, source(), start, slice->data.get(), slice->size);
  if (got == 0 || got < std::min<std::uint64_t>(wanted, all - start)) return unpack_slice(start, slice);
  slice->size = got;
  return {};
}

// A compressed block is decompressed as a whole, even if only a part of it can be kept in memory. The rest is spooled.
Status StreamBlocks::unpack_slice(std::uint64_t start, BufferBytes* slice) {
  Bytes rows;
  std::uint64_t stored_at = 0;
  Status status;
  if (is_piece()) {
    MultiplexedBlocks::Part part;
    status = context_.multiplexed->find(&block_of(place_.part), piece(), &part);
    rows = part.rows;
    stored_at = part.stored_at;
  } else if (slice->size == place_.rows_of_part.rows_size) {
    return context_.decoder->decode(block(), slice->data.get());
  } else {
    status = context_.decode_whole(block());
    rows = context_.whole;
  }
  if (!status.ok()) return status;
  if (rows.empty() && stored_at != 0) {
    place_.stored_at = stored_at;
    return fill_slice(start, 0, slice);
  }
  if (rows.size() < start + slice->size) return damaged("its rows cannot be read again");
  rows = rows.subspan(static_cast<std::size_t>(start));
  std::memcpy(slice->data.get(), rows.data(), slice->size);
  if (stored_at != 0) return {};
  // A small multiplexed block stays in memory for all its streams.
  if (is_piece() && rows.size() == slice->size && block().events.rows_size <= kOrdinaryBlock) return {};
  // From the start of the slice on: the run may release the rest of it, and need it again.
  context_.spooled->keep(run_, source(), start, rows.data(), rows.size());
  return {};
}

}  // namespace evt
