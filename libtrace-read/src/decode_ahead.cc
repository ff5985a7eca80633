#include "decode_ahead.h"

#include <unistd.h>

namespace evt {

DecodeAhead::DecodeAhead(BlockReader& blocks) : cores_(sysconf(_SC_NPROCESSORS_ONLN)), decoder_(blocks) {}

DecodeAhead::~DecodeAhead() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  asked_.notify_all();
  if (running_) pthread_join(thread_, nullptr);
}

std::shared_ptr<DecodeAhead::Ticket> DecodeAhead::ask(const Block& block, Slice slice) {
  auto ticket = std::make_shared<Ticket>();
  ticket->block = block;
  ticket->slice = std::move(slice);
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(ticket);
  }
  asked_.notify_one();
  if (!running_) running_ = pthread_create(&thread_, nullptr, run, this) == 0;
  if (!running_) cores_ = 1;  // what is asked for is decoded when it is needed
  return ticket;
}

void* DecodeAhead::run(void* self) {
  static_cast<DecodeAhead*>(self)->work();
  return nullptr;
}

void DecodeAhead::finish(Ticket& ticket, BlockDecoder& decoder) {
  using State = Ticket::State;
  std::unique_lock lock(mutex_);
  if (ticket.state == State::kWaiting) {
    ticket.state = State::kBegun;
    lock.unlock();
    ticket.wrong = decoder.decode(ticket.block, ticket.slice->data.get());
    lock.lock();
    ticket.state = State::kDone;
  }
  done_.wait(lock, [&] { return ticket.state == State::kDone; });
}

void DecodeAhead::work() {
  using State = Ticket::State;
  std::unique_lock lock(mutex_);
  for (;;) {
    asked_.wait(lock, [&] { return stop_ || !queue_.empty(); });
    if (stop_) return;
    const std::shared_ptr<Ticket> ticket = std::move(queue_.front());
    queue_.pop_front();
    if (ticket->state != State::kWaiting) continue;
    ticket->state = State::kBegun;
    lock.unlock();
    std::string wrong = decoder_.decode(ticket->block, ticket->slice->data.get());
    lock.lock();
    ticket->wrong = std::move(wrong);
    ticket->state = State::kDone;
    done_.notify_all();
  }
}

}  // namespace evt
