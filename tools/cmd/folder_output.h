// A folder that appears under its name when it is complete: of a CTF trace.
#pragma once

#include <evt/export/ctf_trace.h>
#include <evt/status.h>

#include <string>

#include "base/output_mode.h"

namespace evt::tools {

// Written beside its place, gone if it is never complete. A signal that would end the program is one more reason why
// it cannot be written; it ends the program when the files are gone. One at a time in a program.
class FolderOutput : public CtfFiles {
 public:
  // What is there already is replaced if it is a CTF trace that this made, or empty.
  // Errors: kIo.
  static Result<FolderOutput> open(const std::string& path, const OutputMode& mode);
  FolderOutput(FolderOutput&& other) noexcept;
  FolderOutput& operator=(FolderOutput&&) = delete;
  ~FolderOutput() override;

  bool append(const std::string& path, std::string_view bytes) override;
  const Status& status() const { return status_; }
  // Gives it its name.
  Status complete();

 private:
  FolderOutput(std::string path, const OutputMode& mode) : path_(std::move(path)), mode_(mode) {}

  std::string path_;
  OutputMode mode_;
  std::string temporary_;  // empty: there is none any more
  Status status_;
};

}  // namespace evt::tools
