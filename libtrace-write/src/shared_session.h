// The session of evt_session, which several libraries of one process hold.
#pragma once

namespace evt {

// In a fork child: the parent's is none of its own. It is alone, whoever held the lock.
void forget_shared_session();

}  // namespace evt
