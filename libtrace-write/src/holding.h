// Holds a mutex while it lives.
#pragma once

#include <pthread.h>

namespace evt {

class Holding {
 public:
  explicit Holding(pthread_mutex_t& mutex) : mutex_(mutex) { pthread_mutex_lock(&mutex_); }
  ~Holding() { pthread_mutex_unlock(&mutex_); }
  Holding(const Holding&) = delete;
  Holding& operator=(const Holding&) = delete;

 private:
  pthread_mutex_t& mutex_;
};

}  // namespace evt
