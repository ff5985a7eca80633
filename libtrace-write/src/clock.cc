#include "clock.h"

#include <stdlib.h>
#include <time.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace evt {
namespace {

std::uint64_t read_ns(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

std::uint64_t counter() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  std::uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return monotonic_ns();
#endif
}

#if defined(__x86_64__)
// A counter with one rate whatever the power state, also while the processor sleeps.
bool has_invariant_tsc() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1u << 8)) != 0;
}

// The rate stated by the processor or the hypervisor; 0 if neither does.
std::uint64_t stated_tsc_hz() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  if (__get_cpuid(0x15, &a, &b, &c, &d) != 0 && a != 0 && b != 0 && c != 0) return std::uint64_t{c} * b / a;
  constexpr unsigned kHypervisorPresent = 1u << 31;
  if (__get_cpuid(1, &a, &b, &c, &d) != 0 && (c & kHypervisorPresent) != 0) {
    __cpuid(0x40000000, a, b, c, d);
    if (a >= 0x40000010) {
      __cpuid(0x40000010, a, b, c, d);
      return std::uint64_t{a} * 1000;
    }
  }
  return 0;
}
#endif

#if defined(__x86_64__) || defined(__aarch64__)
// The rate from a process that has measured it on this machine; 0: unknown, or not a counter's rate.
std::uint64_t handed_down_hz() {
  const char* const text = secure_getenv("EVTRACE_COUNTER_HZ");
  if (text == nullptr || *text < '0' || *text > '9') return 0;
  char* end = nullptr;
  const unsigned long long hz = strtoull(text, &end, 10);
  return *end == '\0' && hz >= 1'000'000 && hz <= 100'000'000'000 ? hz : 0;
}

// Two milliseconds against CLOCK_MONOTONIC: accurate to some 20 ppm, enough until the second SYNC block gives a better
// rate.
std::uint64_t measured_hz(const Clock& clock) {
  if (const std::uint64_t known = handed_down_hz()) return known;
  const ClockReading from = clock.read_all();
  ClockReading to = from;
  while (to.ns - from.ns < 2'000'000) to = clock.read_all();
  return (to.ticks - from.ticks) * 1'000'000'000 / static_cast<std::uint64_t>(to.ns - from.ns);
}
#endif

}  // namespace

std::uint64_t monotonic_ns() { return read_ns(CLOCK_MONOTONIC); }
std::int64_t utc_ns() { return static_cast<std::int64_t>(read_ns(CLOCK_REALTIME)); }

void Clock::choose(const evt_clock* own) {
  if (own != nullptr) {
    kind_ = EVT_CLOCK_OTHER;
    own_ = *own;
    hz_ = own->hz != 0 ? own->hz : 1'000'000'000;
    return;
  }
#if defined(__x86_64__)
  if (has_invariant_tsc()) {
    kind_ = EVT_CLOCK_X86_TSC;
    hz_ = stated_tsc_hz();
    if (hz_ == 0) hz_ = measured_hz(*this);
  }
#elif defined(__aarch64__)
  kind_ = EVT_CLOCK_ARM_COUNTER;
  __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hz_));
  if (hz_ == 0) hz_ = measured_hz(*this);
#endif
}

std::uint64_t Clock::now() const {
  if (kind_ == EVT_CLOCK_OTHER) return own_.now != nullptr ? own_.now(own_.context) : own_.start_ticks;
  return kind_ == EVT_CLOCK_MONOTONIC ? monotonic_ns() : counter();
}

std::int64_t Clock::session_ns() const {
  if (own_.now_ns != nullptr) return own_.now_ns(own_.context);
  if (kind_ != EVT_CLOCK_OTHER) return static_cast<std::int64_t>(monotonic_ns());
  const std::uint64_t ticks = now() - own_.start_ticks;
  const double rest_ns = static_cast<double>(ticks % hz_) / static_cast<double>(hz_) * 1e9 * hz_denominator();
  return static_cast<std::int64_t>(ticks / hz_ * 1'000'000'000 * hz_denominator() +
                                   static_cast<std::uint64_t>(rest_ns + 0.5));
}

std::uint64_t Clock::ticks_in(std::uint64_t ns) const {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  const std::uint64_t hz = hz_ / hz_denominator();
  return ns / kSecond * hz +
         static_cast<std::uint64_t>(static_cast<double>(ns % kSecond) / 1e9 * static_cast<double>(hz));
}

ClockReading Clock::read_once() const {
  ClockReading reading;
  const std::uint64_t before = now();
  reading.ns = session_ns();
  reading.utc_ns = utc_ns();
  const std::uint64_t width = reading.width_ticks = now() - before;
  reading.ticks = kind_ == EVT_CLOCK_MONOTONIC ? static_cast<std::uint64_t>(reading.ns) : before + width / 2;
  reading.uncertainty_ns = hz_ == 0 ? 0 : width * 1000 / (hz_ / hz_denominator() / 1'000'000 + 1) / 2;
  return reading;
}

ClockReading Clock::read_all() const {
  ClockReading best = read_once();
  for (int attempt = 1; attempt < 5; ++attempt) {
    const ClockReading other = read_once();
    if (other.width_ticks < best.width_ticks) best = other;
  }
  return best;
}

}  // namespace evt

std::uint64_t evt_counter_hz(void) {
  evt::Clock clock;
  clock.choose(nullptr);
  return clock.kind() == EVT_CLOCK_MONOTONIC ? 0 : clock.hz();
}
