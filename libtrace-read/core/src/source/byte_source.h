// The bottom of the reader: bytes at offsets, wherever they come from.
#pragma once

#include <evt/session.h>
#include <evt/status.h>
#include <sys/stat.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace evt {

// Which regular file of this machine it is, whatever its path.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint32_t owner = 0;  // its user; by the two above it is known already which file it is

  bool operator==(const FileIdentity& other) const { return device == other.device && inode == other.inode; }
};

// The file that bytes are made from.
struct MadeFrom {
  std::uint64_t size = 0;
  std::uint64_t spooled = 0;       // of a pipe: bytes of it in a temporary file
  std::vector<Damage> damage;      // at the file's own places
  std::vector<std::string> notes;  // sentences about it that are no damage
};

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  std::uint64_t size() const { return size_; }
  const std::string& name() const { return name_; }
  // How many bytes of a pipe are in a temporary file.
  std::uint64_t spooled_bytes() const { return spooled_; }
  // Of the file itself, if these bytes are made from it.
  std::uint64_t file_size() const { return made_from_ != 0 ? made_from_ : size_; }
  // Of that file, at its own places.
  const std::vector<Damage>& damage() const { return damage_; }
  // Sentences about that file that are no damage.
  const std::vector<std::string>& notes() const { return notes_; }
  // Nothing for a pipe and for bytes in memory.
  const std::optional<FileIdentity>& identity() const { return identity_; }
  // Whether these bytes are, or have, that file's.
  virtual bool has(const FileIdentity& file) const { return identity_ && *identity_ == file; }
  // The same file as it is by now, through the same descriptor; null if there is no file.
  virtual std::unique_ptr<ByteSource> again() const { return nullptr; }

  // Copies up to `size` bytes from `offset` on and returns how many there were: fewer only at the end of the file, or
  // where it cannot be read.
  virtual std::size_t read_at(std::uint64_t offset, std::byte* out, std::size_t size) = 0;

  // States that these bytes are made from another file.
  void set_made_from(MadeFrom from);

 protected:
  std::string name_;
  std::uint64_t size_ = 0;
  std::uint64_t spooled_ = 0;
  std::uint64_t made_from_ = 0;
  std::vector<Damage> damage_;
  std::vector<std::string> notes_;
  std::optional<FileIdentity> identity_;
};

// A file that can be seeked, closed at the end if it is owned.
std::unique_ptr<ByteSource> file_source(int fd, bool owned, std::string name, const struct stat& facts);
// A temporary file of `size` bytes, which is owned.
std::unique_ptr<ByteSource> temporary_source(int fd, std::string name, std::uint64_t size);
// Bytes that outlive it, and such that it keeps.
std::unique_ptr<ByteSource> memory_source(Bytes bytes);
std::unique_ptr<ByteSource> memory_source(std::vector<std::byte> bytes, std::string name);

// The first `size` bytes of `front`, and `more` behind them.
std::unique_ptr<ByteSource> append_to(std::unique_ptr<ByteSource> front, std::uint64_t size,
                                      std::vector<std::byte> more);

}  // namespace evt
