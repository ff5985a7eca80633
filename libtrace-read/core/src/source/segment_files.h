// The files of a session's segments, one after another, as one source (FORMAT.md, section 6.7).
#pragma once

#include <evt/status.h>
#include <evt/trace.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "byte_source.h"

namespace evt {

class SegmentFiles : public ByteSource {
 public:
  // In the order in which they were written, session by session in the order of their first files: by the first block
  // of each. Of files that begin with the same block, the largest counts; the others are duplicates, and left out. An
  // empty file, which a killed program may leave, is left out. Code kIo: one cannot be opened; kNotATrace: one does not
  // begin with a block.
  static Result<std::unique_ptr<SegmentFiles>> open(std::span<const std::string> paths);

  // The file or files of `given`, and more; null if `given` does not begin with a block. Keeps its name.
  static std::unique_ptr<SegmentFiles> with(std::shared_ptr<ByteSource> given,
                                            const std::vector<std::shared_ptr<ByteSource>>& more);
  // Null if it is another source.
  static const SegmentFiles* of(const ByteSource& source) { return dynamic_cast<const SegmentFiles*>(&source); }

  // Trace::files_of_traces() of them.
  static std::vector<std::vector<std::size_t>> together(std::span<const std::string> paths);

  // Where each begins.
  const std::vector<Trace::File>& files() const { return files_; }
  // Names of the files that were left out.
  const std::vector<std::string>& duplicates() const { return duplicates_; }

  bool has(const FileIdentity& file) const override;
  std::size_t read_at(std::uint64_t offset, std::byte* out, std::size_t size) override;
  // With the last file in its present state.
  std::unique_ptr<ByteSource> again() const override;

 private:
  struct Member {
    std::shared_ptr<ByteSource> source;
    std::uint64_t begin = 0;
  };
  class Order;
  void add(std::shared_ptr<ByteSource> source);

  std::vector<Member> members_;
  std::uint64_t file_bytes_ = 0;
  std::vector<Trace::File> files_;
  std::vector<std::string> duplicates_;
};

}  // namespace evt
