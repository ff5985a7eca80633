// CTF traces in memory, from the text form of a trace.
#pragma once

#include <evt/export/ctf_trace.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "support/text_trace.h"

namespace evt::testing {

class FilesInMemory : public CtfFiles {
 public:
  bool append(const std::string& path, std::string_view bytes) override {
    if (appends_left_ == 0) return false;
    --appends_left_;
    files_[path] += bytes;
    return true;
  }
  void fail_after(std::size_t appends) { appends_left_ = appends; }
  // Their names, in order.
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& [name, bytes] : files_) names.push_back(name);
    return names;
  }
  const std::string& operator[](const std::string& name) const { return files_.at(name); }

 private:
  std::map<std::string, std::string> files_;
  std::size_t appends_left_ = SIZE_MAX;
};

class CtfTraces : public ::testing::Test {
 protected:
  // False if some event could not be taken.
  bool write(const std::string& text, const std::function<bool(const Event&)>& wanted = nullptr) {
    const std::string bytes = trace_from_text(text);
    Trace trace = open_trace(bytes);
    CtfTrace ctf(trace, files_);
    bool goes_on = true;
    for (const Event& event : trace.events({.markers = true})) {
      if (wanted == nullptr || wanted(event)) goes_on = goes_on && ctf.take(event);
    }
    goes_on = goes_on && ctf.end();
    left_out_ = ctf.left_out();
    return goes_on;
  }
  void write_with_kernel_names(const std::string& text) {
    const std::string bytes = trace_from_text(text);
    Trace trace = open_trace(bytes);
    const auto file = ctf_kernel_trace(files_);
    TextBuffer nothing;
    file->begin(nothing, trace);
    Timeline timeline(trace, {});
    while (timeline.next_session()) {
      file->begin_session(nothing, timeline);
      while (const TimelineItem* const item = timeline.next()) file->take(nothing, *item);
      file->end_session(nothing);
    }
    file->end(nothing);
    EXPECT_EQ(nothing.size(), 0u);
    left_out_ = file->left_out();
  }
  // Of the metadata what describes events.
  std::string event_classes() const {
    const std::string& metadata = files_["metadata"];
    return metadata.substr(metadata.find("event {"));
  }

  FilesInMemory files_;
  std::vector<std::string> left_out_;
};

}  // namespace evt::testing
