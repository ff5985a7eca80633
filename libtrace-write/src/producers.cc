#include "producers.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace evt {

bool wait_until_idle(const StreamState& stream, std::uint64_t max_ns) {
  const std::uint64_t deadline = monotonic_ns() + max_ns;
  while (__atomic_load_n(&stream.hot.busy, __ATOMIC_ACQUIRE) != 0) {
    if (monotonic_ns() > deadline) return false;
    const timespec pause = {0, 20'000};
    nanosleep(&pause, nullptr);
  }
  return true;
}

bool prepare_barriers() { return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0; }

bool order_producers() {
  return prepare_barriers() && syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

void switch_off_producers(Recording& recording) {
  recording.streams().switch_off();
  if (!order_producers()) __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

}  // namespace evt
