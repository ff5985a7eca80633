// Timelines as files of other programs: from the text form of a trace.
#pragma once

#include <evt/export/timeline_export.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "support/text_trace.h"

namespace evt::testing {

inline constexpr std::string_view kPictureTypes =
    "evtrace text 1\n"
    "session uuid=0x000102030405460788090a0b0c0d0e0f start=1767225600.000000000 program=\"app\" pid=77\n"
    "type 1 thread.create role=threadCreate (thread u64 role=thread)\n"
    "type 2 thread.name role=threadName (thread u64 role=thread) (name text role=name)\n"
    "type 4 thread.run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
    "type 5 thread.stop role=threadStop (thread u64 role=thread) (reason enum16 role=reason "
    "labels=[1=preempted 3=blocked])\n"
    "type 8 thread.exit role=threadExit (thread u64 role=thread)\n"
    "type 13 mark role=mark (message text role=message)\n"
    "type 1024 open role=spanBegin (thread u64 role=thread) (name text role=name)\n"
    "type 1025 close role=spanEnd (thread u64 role=thread) (name text role=name) (bytes u32)\n"
    "type 1026 whole role=call (thread u64 role=thread) (function text role=function) (took tick_delta role=duration)\n"
    "type 1027 heap role=counter (name text role=name) (bytes u64 role=value unit=bytes)\n"
    "type 1028 send role=flowOut (thread u64 role=thread) (id u64 role=flow)\n"
    "type 1029 receive role=flowIn (thread u64 role=thread) (id u64 role=flow)\n"
    "type 1030 job.done (job u32) (ok bool) (who text)\n"
    "type 1031 ask role=asyncBegin (name text role=name) (id u64 role=spanId)\n"
    "type 1032 answer role=asyncEnd (name text role=name) (id u64 role=spanId)\n"
    "stream 1 \"log\"\n";

class Pictures : public ::testing::Test {
 protected:
  std::string file_of(const std::unique_ptr<TimelineExport>& file, const std::string& text,
                      std::function<bool(const Event&)> wanted = nullptr) {
    return file_of_bytes(file, trace_from_text(std::string(kPictureTypes) + text), std::move(wanted));
  }

  std::string file_of_bytes(const std::unique_ptr<TimelineExport>& file, const std::string& bytes,
                            std::function<bool(const Event&)> wanted = nullptr) {
    Trace trace = open_trace(bytes);
    const Timeline::Options options = {.wanted = std::move(wanted)};
    if (file->looks_first()) {
      Timeline first(trace, options);
      while (first.next_session()) {
        file->look_at_session(first);
        while (const TimelineItem* const item = first.next()) file->look(*item);
        file->end_look();
      }
    }
    TextBuffer out;
    file->begin(out, trace);
    Timeline timeline(trace, options);
    while (timeline.next_session()) {
      file->begin_session(out, timeline);
      while (const TimelineItem* const item = timeline.next()) file->take(out, *item);
      file->end_session(out);
    }
    file->end(out);
    left_out_ = file->left_out();
    return std::string(out.text());
  }

  std::vector<std::string> left_out_;
};

// A thread that runs on two cpus, with a call in a span.
inline constexpr const char* kLife =
    "0.000001000 1 thread.create thread=7\n"
    "0.000002000 1 thread.name thread=7 name=\"worker\"\n"
    "0.000002500 1 thread.run thread=7 cpu=0\n"
    "0.000003000 1 open thread=7 name=\"step\"\n"
    "0.000004750 1 whole thread=7 function=\"read\" took=0.000001250\n"
    "0.000005000 1 thread.stop thread=7 reason=blocked\n"
    "0.000006000 1 thread.run thread=7 cpu=1\n"
    "0.000007000 1 close thread=7 name=\"step\" bytes=9\n"
    "0.000009000 1 thread.exit thread=7\n";

}  // namespace evt::testing
