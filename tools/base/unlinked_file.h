// A file in the folder of temporary files (TMPDIR) that has no name: it is gone with its owner, however that ends.
#pragma once

#include <evt/decode.h>
#include <evt/status.h>

namespace evt::tools {

class UnlinkedFile {
 public:
  static Result<UnlinkedFile> make();
  UnlinkedFile(UnlinkedFile&& other) noexcept;
  UnlinkedFile& operator=(UnlinkedFile&&) = delete;
  ~UnlinkedFile();

  int descriptor() const { return descriptor_; }
  // All of them, behind those before; 0, or an errno.
  int write(Bytes bytes);

 private:
  explicit UnlinkedFile(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

}  // namespace evt::tools
