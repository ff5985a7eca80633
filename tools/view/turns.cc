#include "turns.h"

namespace evt::tools {

Turns::Turn::Turn(Turns& turns, Urgency urgency) : turns_(turns) {
  std::unique_lock lock(turns_.mutex_);
  if (urgency == Urgency::kUrgent) {
    ++turns_.urgent_;
    turns_.changed_.wait(lock, [this] { return !turns_.is_taken_; });
    --turns_.urgent_;
  } else {
    turns_.changed_.wait(lock, [this] { return !turns_.is_taken_ && turns_.urgent_ == 0 && turns_.given_way_ == 0; });
  }
  turns_.is_taken_ = true;
}

void Turns::Turn::give_way() {
  std::unique_lock lock(turns_.mutex_);
  if (turns_.urgent_ == 0) return;
  turns_.is_taken_ = false;
  ++turns_.given_way_;
  turns_.changed_.notify_all();
  turns_.changed_.wait(lock, [this] { return !turns_.is_taken_ && turns_.urgent_ == 0; });
  --turns_.given_way_;
  turns_.is_taken_ = true;
}

Turns::Turn::~Turn() {
  {
    const std::lock_guard lock(turns_.mutex_);
    turns_.is_taken_ = false;
  }
  turns_.changed_.notify_all();
}

}  // namespace evt::tools
