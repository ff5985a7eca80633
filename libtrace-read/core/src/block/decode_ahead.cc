#include "decode_ahead.h"

#include <unistd.h>

#include <new>

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

std::shared_ptr<DecodeAhead::Ticket> DecodeAhead::ask(const Block& block, SharedBuffer slice) {
  auto ticket = std::make_shared<Ticket>();
  ticket->block = block;
  ticket->slice = std::move(slice);
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(ticket);
  }
  asked_.notify_one();
  if (!running_) running_ = pthread_create(&thread_, nullptr, run, this) == 0;
  if (!running_) cores_ = 1;  // blocks are decoded when they are needed
  return ticket;
}

void* DecodeAhead::run(void* self) {
  static_cast<DecodeAhead*>(self)->work();
  return nullptr;
}

void DecodeAhead::finish(Ticket& ticket, BlockDecoder& decoder) {
  using State = Ticket::State;
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return ticket.state != State::kBegun; });
  if (ticket.state == State::kDone) return;
  ticket.state = State::kBegun;
  lock.unlock();
  const State state = decode(ticket, decoder);
  lock.lock();
  ticket.state = state;
  if (state == State::kWaiting) throw std::bad_alloc();
}

// The ticket waits again if there is no memory: the thread that needs it retries, and gets the error.
DecodeAhead::Ticket::State DecodeAhead::decode(Ticket& ticket, BlockDecoder& decoder) {
  try {
    ticket.status = decoder.decode(ticket.block, ticket.slice->data.get());
    ticket.table.assign(decoder.table().begin(), decoder.table().end());
    return Ticket::State::kDone;
  } catch (const std::bad_alloc&) {
    return Ticket::State::kWaiting;
  }
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
    const State state = decode(*ticket, decoder_);
    lock.lock();
    ticket->state = state;
    done_.notify_all();
  }
}

}  // namespace evt
