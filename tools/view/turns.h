// One thread at a time, and those that somebody waits for first.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace evt::tools {

// Any thread.
class Turns {
 public:
  // Patient threads have their turn when no urgent one waits.
  enum class Urgency : std::uint8_t { kUrgent, kPatient };

  // A thread has its turn as long as this exists.
  class Turn {
   public:
    explicit Turn(Turns& turns, Urgency urgency = Urgency::kUrgent);
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn();
    // Urgent threads that wait have their turns first, and no patient one has.
    void give_way();

   private:
    Turns& turns_;
  };

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_taken_ = false;
  unsigned urgent_ = 0;     // that wait
  unsigned given_way_ = 0;  // that go on when those had their turns
};

}  // namespace evt::tools
