#include "segment_files.h"

#include <evt/decompression.h>
#include <evt/segments.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "format-spec/src/block/block_header.h"
#include "libtrace-read/core/src/base/raw_bytes.h"
#include "libtrace-read/core/src/base/read_at.h"
#include "open_source.h"

namespace evt {
namespace {

// A file that begins with a block of a session.
struct Ends {
  std::uint64_t session = 0;
  bool is_segment = false;  // not the whole session
};

bool is_more(int fd, std::uint64_t size, std::uint64_t session) {
  for (const std::uint32_t payload : {EVT_TRAILER_FIXED_SIZE, EVT_TRAILER_SEGMENT_SIZE}) {
    std::byte bytes[EVT_BLOCK_HEADER_SIZE];
    const std::uint64_t from_end = sizeof bytes + payload;
    BlockHeader header;
    if (size < from_end || read_at(fd, size - from_end, bytes, sizeof bytes) != sizeof bytes) continue;
    if (load_block_header(raw(bytes), sizeof bytes, &header) != HeaderState::kGood) continue;
    if (header.session_id == session && header.type == EVT_BLOCK_TRAILER) return (header.flags & EVT_FLAG_MORE) != 0;
  }
  return false;
}

// The first bytes of a file, decompressed.
std::size_t read_front(int fd, std::byte* out, std::size_t size) {
  const std::size_t got = read_at(fd, 0, out, size);
  if (compression_of({out, got}) == nullptr) return got;
  std::uint64_t at = 0;
  Decompression decompression([&](std::byte* to, std::size_t wanted) {
    const std::size_t taken = read_at(fd, at, to, wanted);
    at += taken;
    return taken;
  });
  return decompression.read(out, size);
}

// Nothing for anything but a regular file: reading may consume it. The end of a compressed file is not looked for.
std::optional<Ends> ends_of(const std::string& path) {
  struct stat facts;
  if (::stat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return std::nullopt;
  std::byte front[EVT_BLOCK_HEADER_MAX];
  BlockHeader header;
  std::optional<Ends> ends;
  if (load_block_header(raw(front), read_front(fd, front, sizeof front), &header) == HeaderState::kGood) {
    const bool is_later = header.type == EVT_BLOCK_SESSION && (header.flags & EVT_FLAG_CONTINUED) != 0;
    ends =
        Ends{header.session_id, is_later || is_more(fd, static_cast<std::uint64_t>(facts.st_size), header.session_id)};
  }
  ::close(fd);
  return ends;
}

constexpr std::size_t kMinDigits = 6;  // a number in the name of a segment has as many

// The places of numbers in a name: where each begins, and how long it is.
std::vector<std::pair<std::size_t, std::size_t>> numbers_in(const std::string& name) {
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (std::size_t at = 0; at < name.size();) {
    std::size_t end = at;
    while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end])) != 0) ++end;
    if (end - at >= kMinDigits) places.emplace_back(at, end - at);
    at = end + 1;
  }
  return places;
}

// True if a number at one of these places is all in which two names differ.
bool differs_in_number(const std::string& name, const std::vector<std::pair<std::size_t, std::size_t>>& places,
                       const std::string& other) {
  return std::ranges::any_of(places, [&](const auto& place) {
    const auto [at, length] = place;
    const std::string front = name.substr(0, at);
    const std::string back = name.substr(at + length);
    if (other.size() < front.size() + kMinDigits + back.size()) return false;
    if (!other.starts_with(front) || !other.ends_with(back)) return false;
    const std::string number = other.substr(at, other.size() - front.size() - back.size());
    return std::ranges::all_of(number, [](unsigned char c) { return std::isdigit(c) != 0; });
  });
}

}  // namespace

std::uint64_t first_session_of(const std::string& path) {
  const std::optional<Ends> ends = ends_of(path);
  return ends ? ends->session : 0;
}

std::vector<std::string> segments_beside(const std::string& path, std::uint64_t session_id) {
  const std::size_t slash = path.rfind('/');
  const std::string front = slash == path.npos ? "" : path.substr(0, slash + 1);
  const std::string name = path.substr(front.size());
  const auto places = numbers_in(name);
  std::vector<std::string> names = {name};
  std::error_code error;
  if (!places.empty()) {
    for (std::filesystem::directory_iterator entry(front.empty() ? "." : front, error), end; !error && entry != end;
         entry.increment(error)) {
      const std::string other = entry->path().filename().string();
      if (other != name && differs_in_number(name, places, other)) names.push_back(other);
    }
  }
  std::ranges::sort(names, [](const std::string& a, const std::string& b) {
    return std::pair(a.size(), std::string_view(a)) < std::pair(b.size(), std::string_view(b));
  });
  std::vector<std::string> paths;
  // The number of a session is no secret: another user may write it into a file.
  struct stat facts;
  const uid_t owner = ::stat(path.c_str(), &facts) == 0 ? facts.st_uid : ::geteuid();
  for (const std::string& each : names) {
    const std::string one = front + each;
    const bool is_of_owner = ::stat(one.c_str(), &facts) == 0 && facts.st_uid == owner;
    if (is_of_owner && first_session_of(one) == session_id) paths.push_back(one);
  }
  return paths;
}

std::vector<std::vector<std::size_t>> SegmentFiles::together(std::span<const std::string> paths) {
  std::vector<std::optional<Ends>> ends;
  std::unordered_set<std::uint64_t> in_segments;
  for (const std::string& path : paths) {
    ends.push_back(paths.size() > 1 ? ends_of(path) : std::nullopt);
    if (ends.back() && ends.back()->is_segment) in_segments.insert(ends.back()->session);
  }
  std::vector<std::vector<std::size_t>> traces;
  std::unordered_map<std::uint64_t, std::size_t> by_session;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const bool is_of_several = ends[i] && in_segments.contains(ends[i]->session);
    const auto [place, is_first] =
        is_of_several ? by_session.try_emplace(ends[i]->session, traces.size()) : std::pair(by_session.end(), true);
    if (is_first) {
      traces.push_back({i});
    } else {
      traces[place->second].push_back(i);
    }
  }
  return traces;
}

class SegmentFiles::Order {
 public:
  // Returns false if it does not begin with a block.
  bool add(std::shared_ptr<ByteSource> source) {
    std::byte front[EVT_BLOCK_HEADER_MAX];
    const std::size_t got = source->read_at(0, front, sizeof front);
    BlockHeader header;
    if (load_block_header(raw(front), got, &header) != HeaderState::kGood) return false;
    const std::size_t session = sessions_.try_emplace(header.session_id, sessions_.size()).first->second;
    found_.push_back({session, header.block_no, std::move(source)});
    return true;
  }

  // The files in their order. None: null.
  std::unique_ptr<SegmentFiles> files() {
    std::ranges::stable_sort(found_, [](const Found& a, const Found& b) {
      return std::tuple(a.session, a.block_no, b.source->size()) < std::tuple(b.session, b.block_no, a.source->size());
    });
    if (found_.empty()) return nullptr;
    auto files = std::make_unique<SegmentFiles>();
    const Found* before = nullptr;
    for (const Found& one : found_) {
      const bool is_known = before != nullptr && before->session == one.session && before->block_no == one.block_no;
      is_known ? files->duplicates_.push_back(one.source->name()) : files->add(one.source);
      if (!is_known) before = &one;
    }
    return files;
  }

 private:
  struct Found {
    std::size_t session;  // in the order in which they are met
    std::uint64_t block_no;
    std::shared_ptr<ByteSource> source;
  };
  std::vector<Found> found_;
  std::unordered_map<std::uint64_t, std::size_t> sessions_;
};

Result<std::unique_ptr<SegmentFiles>> SegmentFiles::open(std::span<const std::string> paths) {
  Order order;
  for (const std::string& path : paths) {
    auto source = open_file(path);
    if (!source) return source.status();
    if ((*source)->size() == 0 && paths.size() > 1) continue;
    if (order.add(*std::move(source))) continue;
    return Status(Code::kNotATrace, path + " does not begin with a block of a trace: it is no segment of a session");
  }
  auto files = order.files();
  if (files != nullptr) return files;
  return Status(Code::kNotATrace, paths.front() + " and the others are empty: there is no segment");
}

std::unique_ptr<SegmentFiles> SegmentFiles::with(std::shared_ptr<ByteSource> given,
                                                 const std::vector<std::shared_ptr<ByteSource>>& more) {
  Order order;
  const SegmentFiles* const several = of(*given);
  bool any = false;
  if (several == nullptr) any = order.add(given);
  if (several != nullptr) {
    for (const Member& member : several->members_) any |= order.add(member.source);
  }
  for (const std::shared_ptr<ByteSource>& source : more) order.add(source);
  auto files = any ? order.files() : nullptr;
  if (files == nullptr) return nullptr;
  if (several != nullptr) files->duplicates_ = several->duplicates_;
  files->name_ = given->name();
  return files;
}

void SegmentFiles::add(std::shared_ptr<ByteSource> source) {
  files_.push_back({source->name(), size_});
  name_ = members_.empty() ? source->name() : files_.front().name + " and others";
  identity_ = source->identity();
  for (Damage damage : source->damage()) {
    damage.offset = size_ + std::min(damage.offset, source->size());
    damage_.push_back(std::move(damage));
  }
  members_.push_back({source, size_});
  size_ += source->size();
  file_bytes_ += source->file_size();
  if (file_bytes_ != size_) made_from_ = file_bytes_;
}

bool SegmentFiles::has(const FileIdentity& file) const {
  return std::ranges::any_of(members_, [&](const Member& member) { return member.source->has(file); });
}

std::size_t SegmentFiles::read_at(std::uint64_t offset, std::byte* out, std::size_t size) {
  std::size_t done = 0;
  auto at = std::ranges::upper_bound(members_, offset, {}, &Member::begin);
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
  files->name_ = name_;
  files->duplicates_ = duplicates_;
  return files;
}

}  // namespace evt
