// One stream of a CTF trace as a trace of its own.
#pragma once

#include <string>

namespace evt::ctf {

// A temporary folder with links to the stream's file and to the trace's metadata, gone with this: the library reads
// whole folders. Another stream that is damaged is not met.
class StreamFolder {
 public:
  // The path of a file that has its metadata beside it.
  explicit StreamFolder(const std::string& stream);
  StreamFolder(const StreamFolder&) = delete;
  StreamFolder& operator=(const StreamFolder&) = delete;
  ~StreamFolder();

  // Its name is that of the folder in which the stream is; empty if it could not be made, for which there is error().
  const std::string& path() const { return path_; }
  const std::string& error() const { return error_; }

 private:
  std::string temporary_;
  std::string path_;
  std::string error_;
};

}  // namespace evt::ctf
