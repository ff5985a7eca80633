#include "ctf_sessions.h"

#include <evt/export/ctf_trace.h>

namespace evt {

CtfSession* CtfSessions::go_to(const Session& session) {
  while (!session_ || &session_->session() != &session) {
    if (!begin_next()) return nullptr;
  }
  return &*session_;
}

bool CtfSessions::end() {
  while (next_ < trace_.sessions().size()) {
    if (!begin_next()) return false;
  }
  const bool ended = !session_ || session_->end();
  session_.reset();
  return ended;
}

bool CtfSessions::begin_next() {
  if (session_ && !session_->end()) return false;
  const bool is_alone = trace_.sessions().size() == 1;
  session_.emplace(trace_.sessions()[next_], is_alone ? "" : "session_" + std::to_string(next_) + "/", has_cpus_,
                   files_, differences_);
  ++next_;
  return true;
}

class CtfTrace::Impl : public CtfSessions {
 public:
  using CtfSessions::CtfSessions;
};

CtfTrace::CtfTrace(const Trace& trace, CtfFiles& files) : impl_(std::make_unique<Impl>(trace, false, files)) {}

bool CtfTrace::take(const Event& event) {
  CtfSession* const session = impl_->go_to(event.session());
  return session != nullptr && session->take(event);
}

bool CtfTrace::end() { return impl_->end(); }
std::vector<std::string> CtfTrace::left_out() const { return impl_->differences().sentences(); }

}  // namespace evt
