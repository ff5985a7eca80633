// What the session's thread key calls when a thread ends.
#pragma once

namespace evt {

// Seals the thread's stream.
void seal_thread_stream(void* stream);

}  // namespace evt
