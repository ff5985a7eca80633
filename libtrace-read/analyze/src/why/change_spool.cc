#include "change_spool.h"

#include <errno.h>
#include <fmt/core.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "libtrace-read/core/src/base/read_at.h"
#include "libtrace-read/core/src/base/temporary_file.h"

namespace evt {

ChangeSpool::ChangeSpool(std::size_t most_bytes)
    : most_pages_(std::max<std::size_t>(most_bytes / (kPage * sizeof(Change)), 2)) {}

ChangeSpool::~ChangeSpool() {
  if (fd_ >= 0) ::close(fd_);
}

void ChangeSpool::fail(const char* what) {
  if (status_.ok())
    status_ = {Code::kIo, fmt::format("cannot {} the temporary file of waits: {}", what, strerror(errno))};
}

std::uint64_t ChangeSpool::add(const Change& change) {
  if (size_ % kPage == 0) {
    make_room();
    pages_.push_back({std::make_unique<Change[]>(kPage), 0, true});
    in_memory_.push_back(pages_.size() - 1);
  }
  edit(size_) = change;
  return size_++;
}

Change& ChangeSpool::edit(std::uint64_t index) {
  Page& page = page_of(index);
  page.is_dirty = true;
  return page.changes[index % kPage];
}

ChangeSpool::Page& ChangeSpool::page_of(std::uint64_t index) {
  const auto number = static_cast<std::size_t>(index / kPage);
  Page& page = pages_[number];
  page.used = ++uses_;
  if (page.changes != nullptr) [[likely]]
    return page;
  make_room();
  page.changes = std::make_unique<Change[]>(kPage);
  in_memory_.push_back(number);
  constexpr std::size_t kBytes = kPage * sizeof(Change);
  errno = EIO;  // where the file is too short
  if (read_at(fd_, std::uint64_t{number} * kBytes, page.changes.get(), kBytes) == kBytes) return page;
  fail("read");
  std::fill_n(page.changes.get(), kPage, Change());
  return page;
}

// Writes the page that was not used for longest, if there are too many.
void ChangeSpool::make_room() {
  if (in_memory_.size() < most_pages_) return;
  const auto oldest = std::ranges::min_element(in_memory_, {}, [this](std::size_t page) { return pages_[page].used; });
  Page& page = pages_[*oldest];
  if (page.is_dirty) {
    if (fd_ < 0) fd_ = temporary_file();
    constexpr std::size_t kBytes = kPage * sizeof(Change);
    const auto* const bytes = reinterpret_cast<const std::byte*>(page.changes.get());
    const auto place = static_cast<off_t>(std::uint64_t{*oldest} * kBytes);
    if (fd_ < 0 || ::lseek(fd_, place, SEEK_SET) != place || !write_fully(fd_, bytes, kBytes)) fail("write");
  }
  page.changes.reset();
  page.is_dirty = false;
  *oldest = in_memory_.back();
  in_memory_.pop_back();
}

}  // namespace evt
