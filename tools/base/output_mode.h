// Who may read what is made of other files.
#pragma once

#include <sys/stat.h>

#include <string>
#include <vector>

namespace evt::tools {

// Nobody who may not read each of the inputs, and only those whom the umask leaves. Their owner may write it, too.
class OutputMode {
 public:
  // "-" is standard input; a folder is what is in it. What is no file has no mode, and is taken for its owner's alone.
  static OutputMode of(const std::vector<std::string>& inputs);
  static OutputMode of_owner_alone() { return OutputMode(0); }

  // Of a file, or a folder, of this group.
  mode_t of_file(gid_t group) const;
  mode_t of_folder(gid_t group) const;
  // Makes the folders of this path that are not there. False with errno.
  bool make_folders(const std::string& path) const;

 private:
  explicit OutputMode(mode_t most) : most_(most) {}
  void add(const std::string& path);
  void add(const struct stat& input);

  struct Shared {
    gid_t group;
    mode_t mode;
  };
  mode_t most_;                 // of any file
  std::vector<Shared> shared_;  // by groups that may read inputs: each with what all of its inputs allow
};

}  // namespace evt::tools
