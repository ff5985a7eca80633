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

// Identifies a regular file of this machine, whatever its path.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint32_t owner = 0;  // its user; the two members above identify the file

  bool operator==(const FileIdentity& other) const { return device == other.device && inode == other.inode; }
};

// The file that bytes are made from.
struct MadeFrom {
  std::uint64_t size = 0;
  std::uint64_t spooled = 0;       // for a pipe: its bytes in a temporary file
  std::vector<Damage> damage;      // at the file's own offsets
  std::vector<std::string> notes;  // about the file, other than damage
};

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  std::uint64_t size() const { return size_; }
  const std::string& name() const { return name_; }
  // Number of bytes from a pipe in a temporary file.
  std::uint64_t spooled_bytes() const { return spooled_; }
  // Size of the file itself, if these bytes are made from it.
  std::uint64_t file_size() const { return made_from_ != 0 ? made_from_ : size_; }
  // Damage of that file, at its own offsets.
  const std::vector<Damage>& damage() const { return damage_; }
  // Sentences about that file, other than damage.
  const std::vector<std::string>& notes() const { return notes_; }
  // Nothing for a pipe and for bytes in memory.
  const std::optional<FileIdentity>& identity() const { return identity_; }
  // True if these bytes are, or contain, that file's.
  virtual bool has(const FileIdentity& file) const { return identity_ && *identity_ == file; }
  // The same file in its present state, through the same descriptor; null if there is no file.
  virtual std::unique_ptr<ByteSource> again() const { return nullptr; }

  // Copies up to `size` bytes from `offset` on and returns how many there were: fewer only at the end of the file, or
  // if it cannot be read.
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

// A seekable file, closed at the end if it is owned.
std::unique_ptr<ByteSource> file_source(int fd, bool owned, std::string name, const struct stat& facts);
// A temporary file of `size` bytes, which is owned.
std::unique_ptr<ByteSource> temporary_source(int fd, std::string name, std::uint64_t size);
// Bytes that outlive it, and bytes that it owns.
std::unique_ptr<ByteSource> memory_source(Bytes bytes);
std::unique_ptr<ByteSource> memory_source(std::vector<std::byte> bytes, std::string name);

// The first `size` bytes of `front`, followed by `more`.
std::unique_ptr<ByteSource> append_to(std::unique_ptr<ByteSource> front, std::uint64_t size,
                                      std::vector<std::byte> more);

}  // namespace evt
