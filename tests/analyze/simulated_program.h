// Programs of threads, locks, queues and cpus, simulated nanosecond by nanosecond, which know what each was for.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace evt::testing {

// Its threads compute, take locks, send to and receive from queues, post and wait for semaphores, meet at a barrier,
// use a pipe, read, sleep, collect garbage, create threads and wait for their ends. Each event has a nanosecond of its
// own, and is on the stream of the cpu on which its thread runs.
class SimulatedProgram {
 public:
  // What the trace says of waits.
  enum class Says { kWakers, kReleases, kBoth, kHolders };

  explicit SimulatedProgram(unsigned seed, std::size_t operations = 4, std::int64_t most_ns = 1500)
      : random_(seed), says_(static_cast<Says>(seed % 4)), operations_(operations) {
    text_ =
        "type 1024 new role=threadCreate (thread u64 role=thread)\n"
        "type 1025 run role=threadRun (thread u64 role=thread)\n"
        "type 1026 stop role=threadStop (thread u64 role=thread) (reason enum16 role=reason "
        "labels=[0=unknown 1=preempted 3=blocked 5=finished])\n"
        "type 1027 ready role=threadRunnable (thread u64 role=thread)\n"
        "type 1028 wake role=threadWake (thread u64 role=thread) (waker u64 role=waker)\n"
        "type 1029 span role=spanBegin (name text role=name)\n"
        "type 1030 done role=spanEnd\n"
        "type 1031 call role=callBegin (function text role=function) (object u64 role=object) "
        "(resource text role=resource) (holder u64 role=holder)\n"
        "type 1032 back role=callEnd\n"
        "type 1033 release role=lockRelease (object u64 role=object)\n"
        "type 1034 send role=flowOut (flow u64 role=flow)\n"
        "type 1035 take role=flowIn (flow u64 role=flow)\n"
        "type 1036 collect role=gcStart\n"
        "type 1037 collected role=gcEnd\n"
        "type 1038 ask role=gcRequest\n"
        "type 1039 lead role=gcSync\n"
        "type 1040 name role=objectName (object u64 role=object) (name text role=name)\n";
    cpus_.resize(1 + below(3));
    for (std::size_t i = 0; i <= cpus_.size(); ++i) text_ += fmt::format("stream {} \"{}\"\n", i + 1, i + 1);
    text_ += "0.000000000 1 name object=31 name=\"31\"\n";
    const unsigned threads = 2 + below(4);
    for (unsigned i = 0; i < threads; ++i) create(kNobody);
    while (now_ < most_ns && !is_over()) step();
  }

  const std::string& text() const { return text_; }
  unsigned threads() const { return static_cast<unsigned>(threads_.size()); }
  std::int64_t end_ns() const { return now_; }
  std::int64_t born_ns(unsigned thread) const { return threads_[thread].born; }
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  // From `from` to `until` the thread had nothing to do but wait: it goes on, at `until`, once `other` has done all
  // that it did before `other_at`.
  struct Need {
    unsigned thread = 0;
    std::int64_t from = 0;
    std::int64_t until = 0;
    unsigned other = 0;
    std::int64_t other_at = 0;
  };
  const std::vector<Need>& needs() const { return needs_; }
  bool ran(unsigned thread, std::int64_t ns) const {
    const std::int64_t age = ns - threads_[thread].born;
    return age >= 0 && threads_[thread].moments[static_cast<std::size_t>(age)].is == Is::kRuns;
  }
  // Whether it was in a span or call of this name, such as `s1` or `read 20`.
  bool was_in(unsigned thread, std::int64_t ns, const std::string& name) const {
    const std::string& open = threads_[thread].moments[static_cast<std::size_t>(ns - threads_[thread].born)].open;
    return open.find("/" + name + "/") != std::string::npos;
  }

  // What a nanosecond of a thread is, from the thread to what it belongs to.
  std::string truth(unsigned thread, std::int64_t ns) const {
    std::set<unsigned> path;
    return truth(thread, ns, &path);
  }

 private:
  static constexpr unsigned kNobody = UINT32_MAX;
  static constexpr std::int64_t kNever = INT64_MAX;
  static constexpr unsigned kLocks = 2, kQueues = 2, kSemaphores = 1, kAtBarrier = 3;

  enum class Is { kReady, kRuns, kWaits, kCollects, kEnded };
  // Until when a thread was what others waited for.
  struct Cause {
    std::int64_t until = 0;
    unsigned thread = kNobody;
    const char* how = "";
  };
  struct Collection {
    std::int64_t from = 0;
    std::int64_t to = kNever;
    unsigned stream = 0;
    bool is_led = false;  // by this stream
    unsigned asker = kNobody;
  };
  struct Wait {
    std::int64_t began = 0;
    std::int64_t ended = kNever;
    std::vector<Cause> causes;  // the first comes first; after the last it was over
    bool is_explained = false;
  };
  // Of a nanosecond.
  struct Moment {
    Is is = Is::kReady;
    std::string place;
    std::string open;             // all that is open, such as //s1//read 20/
    std::size_t wait = 0;         // kWaits
    std::size_t collection = 0;   // kCollects
    unsigned next_cpu = kNobody;  // kReady
  };
  struct Thread {
    Is is = Is::kReady;
    unsigned cpu = kNobody;
    std::int64_t slice = 0;
    std::int64_t computes = 0;
    std::int64_t sleeps_until = 0;  // 0: it waits for something else
    std::int64_t born = 0;
    unsigned creator = kNobody;
    unsigned waits_for_end_of = kNobody;
    unsigned flow = 0;  // that it was given when it woke
    std::size_t wait = 0;
    std::size_t collection = 0;
    std::size_t left = 0;  // operations
    bool in_call = false;
    std::vector<unsigned> locks;
    std::vector<std::string> open;
    std::vector<Moment> moments;  // since it was born
    std::int64_t ready_since = 0;
  };
  struct Lock {
    unsigned owner = kNobody;
    std::deque<unsigned> waiting;
    unsigned before = kNobody;  // who had it last, until
    std::int64_t free_since = 0;
  };
  struct Queue {
    std::deque<unsigned> flows;
    std::deque<unsigned> waiting;
    std::deque<Cause> sent;  // by whom and when, for each of `flows`
  };

  std::string truth(unsigned thread, std::int64_t ns, std::set<unsigned>* path) const {
    const Thread& t = threads_[thread];
    const std::string name = std::to_string(thread + 1);
    if (path->contains(thread)) return name + " and so on";
    path->insert(thread);
    std::string words;
    if (ns < t.born) {
      words = name + " absent";
      if (t.creator != kNobody) words += " > created " + truth(t.creator, ns, path);
    } else {
      words = of_moment(thread, t.moments[static_cast<std::size_t>(ns - t.born)], ns, path);
    }
    path->erase(thread);
    return words;
  }
  std::string of_moment(unsigned thread, const Moment& at, std::int64_t ns, std::set<unsigned>* path) const {
    const std::string name = std::to_string(thread + 1);
    switch (at.is) {
      case Is::kRuns:
        return name + " ran " + at.place;
      case Is::kCollects:
        return name + " collected" + of_collection(collections_[at.collection]);
      case Is::kEnded:
        return name + " absent";
      case Is::kReady: {
        if (at.next_cpu == kNobody) return name + " runnable";
        const unsigned there = cpus_[at.next_cpu].moments[static_cast<std::size_t>(ns)];
        const std::string other = there == kNobody ? "" : std::to_string(there + 1);
        return fmt::format("{} runnable {}: {}", name, at.next_cpu + 1, other);
      }
      case Is::kWaits:
        break;
    }
    const std::string words = name + " waits " + at.place;
    const Wait& wait = waits_[at.wait];
    for (const Cause& cause : wait.causes) {
      if (ns < cause.until) return fmt::format("{} > {} {}", words, cause.how, truth(cause.thread, ns, path));
    }
    return wait.is_explained && wait.ended != kNever ? fmt::format("{} > {} over", words, name) : words;
  }

  // Collections at one time are one, if one of them is led.
  std::string of_collection(const Collection& of) const {
    std::string words;
    for (const Collection& each : collections_) {
      if (each.is_led && each.from < of.to && of.from < each.to) words = fmt::format(" led by {}", each.stream);
    }
    return of.asker == kNobody ? words : fmt::format("{} for {}", words, of.asker + 1);
  }

  bool is_over() const {
    return std::ranges::all_of(threads_, [](const Thread& t) { return t.is == Is::kEnded; });
  }

  void say(unsigned stream, const std::string& what) { text_ += fmt::format("0.{:09} {} {}\n", now_, stream, what); }
  // Time goes on by a nanosecond in which nothing else changes.
  void tick() {
    for (Thread& t : threads_) {
      const bool is_ready = t.is == Is::kReady;
      std::string open;
      for (const std::string& each : t.open) open += "/" + each + "/";
      t.moments.push_back({t.is, t.open.empty() ? "" : t.open.back(), open, t.wait, t.collection, kNobody});
      if (!is_ready) t.ready_since = now_ + 1;
    }
    for (Cpu& cpu : cpus_) cpu.moments.push_back(cpu.thread);
    ++now_;
  }
  void say_of(unsigned thread, const std::string& what) {
    say(threads_[thread].cpu + 1, what);
    tick();
  }

  void create(unsigned creator) {
    const auto number = static_cast<unsigned>(threads_.size());
    Thread thread;
    thread.born = now_;
    thread.ready_since = now_;
    thread.creator = creator;
    thread.left = operations_ + below(static_cast<unsigned>(3 * operations_));
    threads_.push_back(thread);
    if (creator != kNobody) needs_.push_back({number, now_, now_, creator, now_});
    const unsigned stream = creator == kNobody ? timer() : threads_[creator].cpu + 1;
    say(stream, fmt::format("new thread={}", number + 1));
    tick();
    ready_.push_back(number);
  }
  unsigned timer() const { return static_cast<unsigned>(cpus_.size()) + 1; }

  void step() {
    for (unsigned i = 0; i < threads_.size(); ++i) {
      Thread& t = threads_[i];
      if (t.is != Is::kWaits || t.sleeps_until == 0 || t.sleeps_until > now_) continue;
      t.sleeps_until = 0;
      make_ready(i, kNobody);
    }
    for (unsigned cpu = 0; cpu < cpus_.size(); ++cpu) {
      if (cpus_[cpu].thread == kNobody && !ready_.empty() && below(4) > 0) run(cpu);
    }
    std::vector<unsigned> running;
    for (const Cpu& cpu : cpus_) {
      if (cpu.thread != kNobody) running.push_back(cpu.thread);
    }
    for (const unsigned thread : running) go_on(thread);
    tick();
  }

  void run(unsigned cpu) {
    const unsigned thread = ready_.front();
    ready_.pop_front();
    Thread& t = threads_[thread];
    for (std::int64_t ns = t.ready_since; ns < now_; ++ns) {
      t.moments[static_cast<std::size_t>(ns - t.born)].next_cpu = cpu;
    }
    const Cause& left = cpus_[cpu].left;
    const std::int64_t free_at = std::max(left.until, t.ready_since);
    if (left.thread != kNobody) needs_.push_back({thread, t.ready_since, free_at, left.thread, left.until});
    t.is = Is::kRuns;
    t.cpu = cpu;
    t.slice = 20 + below(40);
    cpus_[cpu].thread = thread;
    say_of(thread, fmt::format("run thread={}", thread + 1));
    if (t.flow == 0) return;
    const unsigned flow = std::exchange(t.flow, 0);
    say_of(thread, fmt::format("take flow={}", flow));
  }
  void leave_cpu(unsigned thread, Is is, const char* reason) {
    Thread& t = threads_[thread];
    say(t.cpu + 1, fmt::format("stop thread={} reason={}", thread + 1, reason));
    cpus_[t.cpu].thread = kNobody;
    cpus_[t.cpu].left = {now_, thread, ""};
    t.is = is;
    t.ready_since = now_;
    if (is == Is::kReady) ready_.push_back(thread);
    tick();
  }
  void block(unsigned thread) {
    waits_.emplace_back();
    threads_[thread].wait = waits_.size() - 1;
    waits_.back().began = now_;
    leave_cpu(thread, Is::kWaits, "blocked");
  }
  void explain(unsigned thread, unsigned by, std::int64_t until, const char* how) {
    Wait& wait = waits_[threads_[thread].wait];
    wait.causes.push_back({until, by, how});
    wait.is_explained = true;
  }
  // `by`: who makes it so, if a thread does; `ended`: whose end does.
  void make_ready(unsigned thread, unsigned by, unsigned ended = kNobody) {
    Thread& t = threads_[thread];
    waits_[t.wait].ended = now_;
    const unsigned other = by != kNobody ? by : ended;
    if (other != kNobody) needs_.push_back({thread, waits_[t.wait].began, now_, other, now_});
    t.is = Is::kReady;
    t.ready_since = now_;
    ready_.push_back(thread);
    const bool names_waker = by != kNobody && (says_ == Says::kWakers || says_ == Says::kBoth);
    const unsigned stream = by == kNobody ? timer() : threads_[by].cpu + 1;
    say(stream, names_waker ? fmt::format("wake thread={} waker={}", thread + 1, by + 1)
                            : fmt::format("ready thread={}", thread + 1));
    if (names_waker) explain(thread, by, now_, "woke");
    tick();
  }
  bool says_releases() const { return says_ == Says::kReleases || says_ == Says::kBoth; }

  void call(unsigned thread, const char* function, unsigned object, const char* resource, unsigned holder = kNobody) {
    Thread& t = threads_[thread];
    t.open.push_back(fmt::format("{} {}", function, object));
    t.in_call = true;
    say_of(thread, fmt::format("call function=\"{}\" object={} resource=\"{}\" holder={}", function, object, resource,
                               holder == kNobody ? 0 : holder + 1));
  }

  // A thread that has a cpu does its next thing.
  void go_on(unsigned thread) {
    Thread& t = threads_[thread];
    if (--t.slice <= 0 && !ready_.empty() && t.is == Is::kRuns) return leave_cpu(thread, Is::kReady, "preempted");
    if (t.computes > 0) {
      --t.computes;
      if (t.computes > 0 || t.is != Is::kCollects) return;
      collections_[t.collection].to = now_;
      say(t.cpu + 1, "collected");
      t.is = Is::kRuns;
      return tick();
    }
    if (t.in_call) {
      t.in_call = false;
      say(t.cpu + 1, "back");
      t.open.pop_back();
      return tick();
    }
    if (t.left == 0) return finish(thread);
    --t.left;
    choose(thread);
  }
  void finish(unsigned thread) {
    Thread& t = threads_[thread];
    if (!t.locks.empty()) return unlock(thread);
    if (!t.open.empty()) {
      say(t.cpu + 1, "done");
      t.open.pop_back();
      return tick();
    }
    const std::int64_t ended = now_;
    for (const Thread& other : threads_) {
      if (other.is != Is::kWaits) continue;
      for (Cause& cause : waits_[other.wait].causes) {
        if (cause.thread == thread && cause.until == kNever) cause.until = ended;
      }
    }
    leave_cpu(thread, Is::kEnded, "finished");
    for (unsigned i = 0; i < threads_.size(); ++i) {
      Thread& other = threads_[i];
      if (other.is != Is::kWaits || other.waits_for_end_of != thread) continue;
      other.waits_for_end_of = kNobody;
      waits_[other.wait].causes.clear();
      explain(i, thread, ended, "ended");
      make_ready(i, kNobody, thread);
    }
  }

  void choose(unsigned thread) {
    Thread& t = threads_[thread];
    switch (below(13)) {
      case 0:
        t.open.push_back(fmt::format("s{}", below(3)));
        return say_of(thread, fmt::format("span name=\"{}\"", t.open.back()));
      case 1:
        if (t.open.empty()) return;
        say(t.cpu + 1, "done");
        t.open.pop_back();
        return tick();
      case 2:
      case 3:
        return lock(thread, below(kLocks));
      case 4:
        return t.locks.empty() ? void() : unlock(thread);
      case 5:
        return below(2) == 0 ? send(thread, below(kQueues)) : receive(thread, below(kQueues));
      case 6:
        call(thread, "read", 20, "file");
        t.sleeps_until = now_ + 5 + below(60);
        return block(thread);
      case 7:
        return below(2) == 0 ? post(thread, below(kSemaphores)) : wait(thread, below(kSemaphores));
      case 8: {
        const unsigned other = below(threads());
        // Later ones end without it, unless they wait for it in other ways.
        if (other <= thread || threads_[other].is == Is::kEnded) return;
        call(thread, "join", 0, "thread", other);
        if (threads_[other].is == Is::kEnded) return;
        t.waits_for_end_of = other;
        block(thread);
        waits_[t.wait].causes.push_back({kNever, other, "held"});
        return;
      }
      case 9:
        if (threads() < 8 && below(2) == 0) return create(thread);
        return collect(thread);
      case 10:
        return t.locks.empty() ? arrive(thread) : void();
      case 11:
        return below(2) == 0 ? write(thread) : read(thread);
      default:
        t.computes = 1 + below(40);
        return;
    }
  }
  // The first of several at one time may be led, and asked for.
  void collect(unsigned thread) {
    Thread& t = threads_[thread];
    const bool is_first = std::ranges::none_of(threads_, [](const Thread& each) { return each.is == Is::kCollects; });
    const bool is_led = is_first && below(2) == 0;
    if (is_first) asker_ = below(2) == 0 ? thread : kNobody;
    if (is_first && asker_ == thread) say_of(thread, "ask");
    t.collection = collections_.size();
    collections_.push_back({now_, kNever, t.cpu + 1, is_led, asker_});
    say(t.cpu + 1, "collect");
    t.is = Is::kCollects;
    t.computes = 1 + below(20);
    tick();
    if (is_led) say_of(thread, "lead");
  }

  void lock(unsigned thread, unsigned number) {
    Lock& lock = locks_[number];
    if (lock.owner == thread || !threads_[thread].locks.empty()) return;
    call(thread, "lock", number + 1, "lock", says_ == Says::kHolders ? lock.owner : kNobody);
    if (lock.owner == kNobody) {
      if (lock.before != kNobody) needs_.push_back({thread, now_, now_, lock.before, lock.free_since});
      lock.owner = thread;
      threads_[thread].locks.push_back(number);
      return;
    }
    lock.waiting.push_back(thread);
    const unsigned holder = lock.owner;
    block(thread);
    if (says_ == Says::kHolders) waits_[threads_[thread].wait].causes.push_back({kNever, holder, "held"});
  }
  // The first that waits has the lock then.
  void unlock(unsigned thread) {
    const unsigned number = threads_[thread].locks.back();
    threads_[thread].locks.pop_back();
    Lock& lock = locks_[number];
    lock.owner = kNobody;
    lock.before = thread;
    lock.free_since = now_;
    if (lock.waiting.empty()) return;
    if (says_releases()) {
      for (const unsigned waiting : lock.waiting) explain(waiting, thread, now_, "held");
      say_of(thread, fmt::format("release object={}", number + 1));
    }
    const unsigned next = lock.waiting.front();
    lock.waiting.pop_front();
    lock.owner = next;
    threads_[next].locks.push_back(number);
    make_ready(next, thread);
  }
  void send(unsigned thread, unsigned number) {
    const unsigned flow = ++flows_;
    const bool says_flow = says_ == Says::kReleases;
    Queue& queue = queues_[number];
    if (!queue.waiting.empty()) {
      const unsigned next = queue.waiting.front();
      queue.waiting.pop_front();
      if (says_flow) {
        threads_[next].flow = flow;
        explain(next, thread, now_, "sent");
        say_of(thread, fmt::format("send flow={}", flow));
      }
      return make_ready(next, thread);
    }
    queue.flows.push_back(flow);
    queue.sent.push_back({now_, thread, ""});
    if (says_flow) say_of(thread, fmt::format("send flow={}", flow));
  }
  void receive(unsigned thread, unsigned number) {
    Queue& queue = queues_[number];
    if (!queue.flows.empty()) {
      const unsigned flow = queue.flows.front();
      queue.flows.pop_front();
      needs_.push_back({thread, now_, now_, queue.sent.front().thread, queue.sent.front().until});
      queue.sent.pop_front();
      if (says_ == Says::kReleases) say_of(thread, fmt::format("take flow={}", flow));
      return;
    }
    queue.waiting.push_back(thread);
    block(thread);
  }
  void post(unsigned thread, unsigned number) {
    std::deque<unsigned>& waiting = semaphores_[number];
    if (waiting.empty()) return;
    const unsigned next = waiting.front();
    waiting.pop_front();
    if (says_releases()) {
      if (says_ == Says::kReleases) explain(next, thread, now_, "woke");
      say_of(thread, fmt::format("release object={}", number + 11));
    }
    make_ready(next, thread);
  }
  void wait(unsigned thread, unsigned number) {
    call(thread, "wait", number + 11, "semaphore");
    semaphores_[number].push_back(thread);
    block(thread);
  }

  void write(unsigned thread) {
    call(thread, "write", 31, "pipe");
    if (reading_.empty()) return void(++written_);
    const unsigned next = reading_.front();
    reading_.pop_front();
    if (says_ == Says::kReleases || says_ == Says::kHolders) explain(next, thread, now_, "sent");
    make_ready(next, thread);
  }
  void read(unsigned thread) {
    call(thread, "read", 31, "pipe");
    if (written_ > 0) return void(--written_);
    reading_.push_back(thread);
    block(thread);
  }

  // The last one does not wait.
  void arrive(unsigned thread) {
    const bool is_last = at_barrier_.size() + 1 == kAtBarrier;
    if (is_last && says_releases()) {
      for (const unsigned waiting : at_barrier_) {
        if (says_ == Says::kReleases) explain(waiting, thread, now_, "woke");
      }
      say_of(thread, "release object=21");
    }
    call(thread, "arrive", 21, "barrier");
    if (is_last) {
      for (const unsigned waiting : std::exchange(at_barrier_, {})) make_ready(waiting, thread);
      return;
    }
    at_barrier_.push_back(thread);
    block(thread);
  }

  struct Cpu {
    unsigned thread = kNobody;
    Cause left;  // who had it last, and until when
    std::vector<unsigned> moments;
  };

  std::mt19937 random_;
  Says says_;
  std::size_t operations_;  // of a thread, at least
  std::string text_;
  std::int64_t now_ = 0;
  std::vector<Cpu> cpus_;
  std::deque<Thread> threads_;
  std::deque<unsigned> ready_;
  std::deque<Wait> waits_;
  std::vector<Need> needs_;
  Lock locks_[kLocks];
  Queue queues_[kQueues];
  std::deque<unsigned> semaphores_[kSemaphores];
  std::vector<unsigned> at_barrier_;
  std::deque<unsigned> reading_;
  unsigned written_ = 0;  // that nobody has read
  std::vector<Collection> collections_;
  unsigned asker_ = kNobody;  // for whom those collect that do now
  unsigned flows_ = 0;
};

}  // namespace evt::testing
