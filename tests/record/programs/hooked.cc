// A program whose imported functions are hooked: each word of its command line is a story, of which the tests know the
// numbers of calls.
#include "hooked.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

const char* self;

void nothing(int) {}
void throw_at(int depth) { lib_throw(depth); }
void call_twice(int depth) { lib_call(throw_at, depth); }

// Through lib_call, lib_call and lib_throw.
int catch_some(int times) {
  int caught = 0;
  for (int i = 0; i < times; ++i) {
    try {
      lib_call(call_twice, i % 4);
    } catch (const std::runtime_error& error) {
      caught += std::strcmp(error.what(), "thrown") == 0 ? 1 : 0;
    }
  }
  return caught;
}

int exceptions() {
  std::printf("caught %d\n", catch_some(22000));
  return 0;
}

int jumps() {
  int jumped = 0;
  for (int i = 0; i < 5000; ++i) {
    jmp_buf here;
    if (setjmp(here) == 0) {
      lib_jump(here, 3);
    } else {
      ++jumped;
    }
  }
  std::printf("jumped %d, %ld\n", jumped, lib_add(1, 2));
  return 0;
}

constexpr int kCoroutines = 3;
ucontext_t scheduler;
ucontext_t coroutines[kCoroutines];
int current;
int steps;

void yield(int) { swapcontext(&coroutines[current], &scheduler); }

void coroutine() {
  for (int i = 0; i < 1000; ++i) {
    ++steps;
    // Each is in the middle of a hooked call when the next goes on.
    lib_call(yield, 0);
  }
}

int run_coroutines(char (*stacks)[65536]) {
  for (int i = 0; i < kCoroutines; ++i) {
    getcontext(&coroutines[i]);
    coroutines[i].uc_stack.ss_sp = stacks[i];
    coroutines[i].uc_stack.ss_size = 65536;
    coroutines[i].uc_link = &scheduler;
    makecontext(&coroutines[i], coroutine, 0);
  }
  // Not the order in which they began.
  for (int round = 0; round <= 1000; ++round) {
    for (int i = 0; i < kCoroutines; ++i) {
      current = round % 2 == 0 ? i : kCoroutines - 1 - i;
      swapcontext(&scheduler, &coroutines[current]);
    }
  }
  std::printf("steps %d\n", steps);
  return 0;
}

int run_coroutines() {
  static char stacks[kCoroutines][65536];
  return run_coroutines(stacks);
}

// Their stacks are within that of the thread.
int run_coroutines_inside() {
  char stacks[kCoroutines][65536];
  return run_coroutines(stacks);
}

int threads() {
  std::vector<std::thread> all;
  int caught[8] = {};
  for (int& count : caught) {
    all.emplace_back([&count] {
      count = catch_some(1000);
      for (int i = 0; i < 1000; ++i) count += static_cast<int>(lib_add(1, 0));
    });
  }
  for (std::thread& thread : all) thread.join();
  int sum = 0;
  for (const int count : caught) sum += count;
  std::printf("sum %d\n", sum);
  return 0;
}

volatile sig_atomic_t handled;

void on_alarm(int) {
  handled = handled + 1;
  lib_call(nothing, 0);
}

// lib_call allocates, which no handler may do.
void add_on_alarm(int) {
  handled = handled + 1;
  lib_add(1, 2);
}

// Until the handler was called 2000 times, which calls lib_add; what it interrupts calls lib_call.
int storm() {
  signal(SIGALRM, add_on_alarm);
  const itimerval often = {{0, 100}, {0, 100}};
  setitimer(ITIMER_REAL, &often, nullptr);
  long calls = 0;
  while (handled < 2000) {
    lib_call(nothing, 0);
    ++calls;
    if (calls % 16 == 0 && catch_some(1) != 1) return 1;
  }
  const itimerval never = {};
  setitimer(ITIMER_REAL, &never, nullptr);
  std::printf("lib_add,%d\nlib_call,%ld\n", static_cast<int>(handled), calls + 2 * (calls / 16));
  return 0;
}

// Its handlers have a part of the thread's stack, above what they interrupt.
int alternate_stack() {
  char memory[65536];
  const stack_t stack = {memory, 0, sizeof memory};
  struct sigaction action = {};
  action.sa_handler = on_alarm;
  action.sa_flags = SA_ONSTACK;
  if (sigaltstack(&stack, nullptr) != 0 || sigaction(SIGUSR1, &action, nullptr) != 0) return 1;
  for (int i = 0; i < 1000; ++i) lib_call([](int) { lib_call([](int) { raise(SIGUSR1); }, 0); }, 0);
  const stack_t none = {nullptr, SS_DISABLE, 0};
  sigaltstack(&none, nullptr);
  std::printf("handled %d\n", static_cast<int>(handled));
  return 0;
}

int arguments() {
  std::printf("%ld\n", lib_many(1, 2, 3, 4, 5, 6, 1.5, 7, 8, 2.5, 9));
  std::printf("%.3Lf\n", lib_long_double(1.25L, 3));
  std::printf("%ld\n", lib_large(3).values[9]);
  const mixed both = lib_mixed(1.5, 7);
  std::printf("%.1f %ld\n", both.first, both.second);
  const double _Complex number = lib_complex(1, 2);
  std::printf("%.1f %.1f\n", __real__ number, __imag__ number);
  std::printf("%.1f\n", lib_sum(9, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0));
  return 0;
}

// As deep as it is, and what hooks add at most.
int frames() {
  std::printf("%s\n", lib_frames() >= 3 ? "frames" : "too few frames");
  return 0;
}

// A million jumps from one hooked function to another, on one place of the stack.
int tail_calls() {
  std::printf("%d %d\n", lib_even(1000000), lib_even(1000001));
  return 0;
}

int plugin(const char* path) {
  void* const library = dlopen(path, RTLD_NOW);
  if (library == nullptr) return 1;
  long (*add)(long, long) = nullptr;
  *reinterpret_cast<void**>(&add) = dlsym(library, "plugin_add");
  long sum = 0;
  for (int i = 0; i < 100; ++i) sum = add(sum, 1);
  std::printf("%ld\n", sum);
  return dlclose(library);
}

__asm__(".symver old_versioned, lib_versioned@HOOKED_1");
extern "C" int old_versioned();

int kinds() {
  std::printf("%d %d %d\n", lib_resolved(), old_versioned(), lib_versioned());
  return 0;
}

int forks() {
  lib_add(1, 1);
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 10; ++i) lib_add(1, 1);
    _exit(catch_some(5));
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("%d\n", WEXITSTATUS(status));
  const pid_t other = vfork();
  if (other == 0) {
    lib_add(1, 1);
    _exit(6);
  }
  waitpid(other, &status, 0);
  lib_add(1, 1);
  std::printf("%d\n", WEXITSTATUS(status));
  return 0;
}

int exec() {
  lib_add(1, 1);
  execl("/proc/self/exe", self, "add", "20", static_cast<char*>(nullptr));
  return 1;
}

int add(int times) {
  for (int i = 0; i < times; ++i) lib_add(i, i);
  return 0;
}

[[noreturn]] void kill_in(int) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

int killed() {
  add(500);
  lib_call(kill_in, 0);
  return 0;
}

void wait_in(int) {
  for (;;) pause();
}

int cancelled() {
  std::thread waiting([] { lib_call(wait_in, 0); });
  const pthread_t thread = waiting.native_handle();
  pthread_cancel(thread);
  waiting.join();
  std::printf("cancelled %ld\n", lib_add(1, 1));
  return 0;
}

// A hundred threads one after another.
int many_threads() {
  for (int i = 0; i < 100; ++i) std::thread(add, 10).join();
  return 0;
}

long mappings() {
  std::ifstream maps("/proc/self/maps");
  return std::count(std::istreambuf_iterator<char>(maps), std::istreambuf_iterator<char>(), '\n');
}

// How many mappings of memory the process has with so many threads at a time.
int threads_at_a_time(int threads) {
  std::barrier begun(threads + 1);
  std::barrier counted(threads + 1);
  const auto work = [&] {
    add(10);
    begun.arrive_and_wait();
    counted.arrive_and_wait();
  };
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i) all.emplace_back(work);
  begun.arrive_and_wait();
  std::printf("%ld\n", mappings());
  counted.arrive_and_wait();
  for (std::thread& each : all) each.join();
  return 0;
}

int story(const std::string& name, const char* argument) {
  if (name == "exceptions") return exceptions();
  if (name == "jumps") return jumps();
  if (name == "coroutines") return run_coroutines();
  if (name == "coroutines-inside") return run_coroutines_inside();
  if (name == "threads") return threads();
  if (name == "storm") return storm();
  if (name == "alternate-stack") return alternate_stack();
  if (name == "arguments") return arguments();
  if (name == "frames") return frames();
  if (name == "tail-calls") return tail_calls();
  if (name == "plugin") return plugin(argument);
  if (name == "kinds") return kinds();
  if (name == "forks") return forks();
  if (name == "exec") return exec();
  if (name == "add") return add(std::atoi(argument));
  if (name == "exit") {
    add(500);
    _exit(7);
  }
  if (name == "killed") return killed();
  if (name == "cancelled") return cancelled();
  if (name == "many-threads") return many_threads();
  if (name == "threads-at-a-time") return threads_at_a_time(std::atoi(argument));
  return 98;
}

}  // namespace

int main(int argc, char** argv) {
  self = argv[0];
  return argc > 1 ? story(argv[1], argc > 2 ? argv[2] : "") : 97;
}
