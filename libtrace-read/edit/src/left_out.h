// What a cut leaves out of a session, and what was left out of it before -> what the new session states.
#pragma once

#include <evt/cut.h>
#include <evt/describe.h>

#include <vector>

namespace evt {

// Refers to nothing: its texts are its own.
LeftOut left_out_by(const CutOptions& options, const Session& session, const TimeRange& range);

// Of parts that become one session: what is left out of some of them. Nothing if none states it.
void add_left_out(const std::optional<LeftOut>& part, std::optional<LeftOut>* of_all);

// As an encoder takes it.
class DescribedLeftOut {
 public:
  explicit DescribedLeftOut(const LeftOut& from);
  DescribedLeftOut(const DescribedLeftOut&) = delete;
  DescribedLeftOut& operator=(const DescribedLeftOut&) = delete;
  // Refers to this object and to what it was made of.
  const evt_left_out* message() const { return &message_; }

 private:
  std::vector<const char*> streams_;
  std::vector<const char*> types_;
  evt_left_out message_ = {};
};

}  // namespace evt
