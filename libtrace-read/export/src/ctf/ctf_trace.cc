#include <evt/export/ctf_trace.h>

#include "ctf_sessions.h"

namespace evt {

class CtfTrace::Impl : public CtfSessions {
 public:
  using CtfSessions::CtfSessions;
};

CtfTrace::CtfTrace(const Trace& trace, CtfFiles& files) : impl_(std::make_unique<Impl>(trace, false, files)) {}
CtfTrace::~CtfTrace() = default;

bool CtfTrace::take(const Event& event) {
  CtfSession* const session = impl_->go_to(event.session());
  return session != nullptr && session->take(event);
}

bool CtfTrace::end() { return impl_->end(); }
std::vector<std::string> CtfTrace::left_out() const { return impl_->differences().sentences(); }

}  // namespace evt
