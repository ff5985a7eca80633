#include "segment_files.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "format-spec/src/block/block_header.h"
#include "libtrace-read/core/src/base/raw_bytes.h"

namespace evt {

Result<std::unique_ptr<SegmentFiles>> SegmentFiles::open(std::span<const std::string> paths) {
  struct Found {
    std::size_t session;  // in the order in which they are met
    std::uint64_t block_no;
    std::shared_ptr<ByteSource> source;
  };
  std::vector<Found> found;
  std::unordered_map<std::uint64_t, std::size_t> sessions;
  for (const std::string& path : paths) {
    auto source = open_file(path);
    if (!source) return source.status();
    std::byte front[EVT_BLOCK_HEADER_MAX];
    const std::size_t got = (*source)->read_at(0, front, sizeof front);
    BlockHeader header;
    if (got == 0 && paths.size() > 1) continue;
    if (load_block_header(raw(front), got, &header) != HeaderState::kGood) {
      return Status(Code::kNotATrace, path + " does not begin with a block of a trace: it is no segment of a session");
    }
    const std::size_t session = sessions.try_emplace(header.session_id, sessions.size()).first->second;
    found.push_back({session, header.block_no, *std::move(source)});
  }
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return std::tuple(a.session, a.block_no, b.source->size()) < std::tuple(b.session, b.block_no, a.source->size());
  });
  if (found.empty()) return Status(Code::kNotATrace, paths.front() + " and the others are empty: there is no segment");
  auto files = std::make_unique<SegmentFiles>();
  const Found* before = nullptr;
  for (const Found& one : found) {
    const bool is_known = before != nullptr && before->session == one.session && before->block_no == one.block_no;
    is_known ? files->duplicates_.push_back(one.source->name()) : files->add(one.source);
    if (!is_known) before = &one;
  }
  return files;
}

void SegmentFiles::add(std::shared_ptr<ByteSource> source) {
  files_.push_back({source->name(), size_});
  name_ = members_.empty() ? source->name() : files_.front().name + " and others";
  identity_ = source->identity();
  members_.push_back({source, size_});
  size_ += source->size();
}

bool SegmentFiles::has(const FileIdentity& file) const {
  return std::any_of(members_.begin(), members_.end(), [&](const Member& member) { return member.source->has(file); });
}

std::size_t SegmentFiles::read_at(std::uint64_t offset, std::byte* out, std::size_t size) {
  std::size_t done = 0;
  auto at = std::upper_bound(members_.begin(), members_.end(), offset,
                             [](std::uint64_t wanted, const Member& member) { return wanted < member.begin; });
  for (at -= at == members_.begin() ? 0 : 1; at != members_.end() && done < size; ++at) {
    const std::uint64_t in_file = offset + done - at->begin;
    const std::uint64_t left = at->source->size() - std::min(at->source->size(), in_file);
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(left, size - done));
    const std::size_t got = wanted == 0 ? 0 : at->source->read_at(in_file, out + done, wanted);
    done += got;
    if (got < wanted) break;
  }
  return done;
}

std::unique_ptr<ByteSource> SegmentFiles::again() const {
  if (members_.empty()) return nullptr;
  std::shared_ptr<ByteSource> last = members_.back().source->again();
  if (last == nullptr) return nullptr;
  auto files = std::make_unique<SegmentFiles>();
  for (const Member& member : members_) files->add(&member == &members_.back() ? last : member.source);
  files->duplicates_ = duplicates_;
  return files;
}

}  // namespace evt
