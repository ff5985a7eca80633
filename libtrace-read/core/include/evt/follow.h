// Follows a program that is being recorded: its events in time order, soon after they were emitted, until it ends.
//
//   auto follow = evt::Follow::open("app.evt");
//   if (!follow) return fail(follow.status());
//   do {
//     while (const evt::Event* e = follow->next()) use(*e);
//   } while (follow->wait());
//   if (!follow->status().ok()) return fail(follow->status());
//
// An event is returned when the delay has passed since the reader met it, or a later one, in the file or in the ring:
// what is in order until then is returned in order. What comes later still is returned at once, as late. Holds no more
// than the events of the delay, and what the trace states about itself.
#pragma once

#include <evt/trace.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

struct FollowOptions {
  std::chrono::milliseconds delay{200};
  // The times and streams that are returned. `range` is asked once for each session, when the reader meets it.
  EventOptions events{};
  // Called by wait() with what came since the look before, as it is stored: bytes of the file, whole blocks in their
  // order; and now and then blocks of the ring with the rows that the file lacks (RECOVERED). When the next bytes of
  // the file come, the file may have the rows of such blocks: from then on those blocks are void, and what the file
  // still lacks comes again. Events are not returned. False: wait() returns false.
  std::function<bool(Bytes blocks)> blocks{};
  // Keeps what a pipe brings in an unlinked temporary file, so that whole() has it too.
  bool keeps_pipe = false;
};

class Follow {
 public:
  // Opens a trace. One that does not grow, such as a compressed file, is read to its end. When the writer goes on in
  // another file of the session, that one is looked for in the folder of this one. The codes of Trace::open().
  static Result<Follow> open(const std::string& path, const FollowOptions& options = {});
  // Follows a descriptor, which stays the caller's: a pipe is read as its blocks come. Messages call it `name`.
  static Result<Follow> open(int descriptor, const std::string& name, const FollowOptions& options = {});

  // The next event that is due; null: nothing now. Valid until the next call, or wait().
  const Event* next();
  // The event that next() returned last is before others that were returned before.
  bool is_late() const;
  // Events returned as late, so far.
  std::uint64_t late() const;

  // Skipped parts, so far, by their places in the file or the pipe; at most the first 1,000.
  std::vector<Damage> damage() const;

  // Sleeps until there may be something, 50 ms at most, and looks at the trace again. Returns false after the last
  // event: the writer has closed the session, or is dead and its ring has been read; or if status() is not ok.
  bool wait();
  // Ok, or why the trace cannot be followed any further.
  const Status& status() const;

  // Everything that is new since the look before, and what the trace states: its sessions have all types and texts,
  // and of their streams, rows and losses those that are new. Valid until wait().
  Trace& trace();
  // The files that were followed and are still there, the first one first; none for a pipe.
  std::vector<std::string> files() const;
  // The trace as it is now, of all these files, or of what a pipe brought. Codes: kInvalid: that was not kept; kIo: it
  // could not be kept, or a file was removed meanwhile.
  Result<Trace> whole() const;

 private:
  struct State;
  explicit Follow(std::unique_ptr<State> state);
  static Result<Follow> of(std::unique_ptr<State> state);
  Hidden<State> state_;
};

}  // namespace evt
#pragma GCC visibility pop
