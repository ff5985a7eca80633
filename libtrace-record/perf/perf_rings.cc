#include "perf_rings.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "perf_records.h"

namespace evt::record {
namespace {

std::size_t page_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

perf_event_mmap_page* front_of(void* memory) { return static_cast<perf_event_mmap_page*>(memory); }

}  // namespace

int PerfRings::open(const perf_event_attr& wanted, pid_t pid, std::size_t pages) {
  bytes_ = pages * page_size();
  const long configured = sysconf(_SC_NPROCESSORS_CONF);
  int error = ENODEV;
  for (long cpu = 0; cpu < configured && (error == 0 || error == ENODEV); ++cpu) error = add(wanted, pid, cpu);
  if (error == ENODEV && !rings_.empty()) error = 0;  // the last cpu is switched off
  if (error != 0) close();
  return error;
}

int PerfRings::add(const perf_event_attr& wanted, pid_t pid, long cpu) {
  perf_event_attr attributes = wanted;
  const long fd = syscall(SYS_perf_event_open, &attributes, pid, static_cast<int>(cpu), -1, PERF_FLAG_FD_CLOEXEC);
  if (fd < 0) return errno;
  Ring ring{static_cast<unsigned>(cpu), static_cast<int>(fd), nullptr};
  void* const memory = mmap(nullptr, page_size() + bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, 0);
  const int error = memory == MAP_FAILED ? errno : 0;
  if (error == 0) ring.memory = memory;
  rings_.push_back(ring);
  return error;
}

void PerfRings::close() {
  for (const Ring& ring : rings_) {
    if (ring.memory != nullptr) munmap(ring.memory, page_size() + bytes_);
    ::close(ring.fd);
  }
  rings_.clear();
}

std::uint64_t PerfRings::end(std::size_t number) const {
  return __atomic_load_n(&front_of(rings_[number].memory)->data_head, __ATOMIC_ACQUIRE);
}

std::uint64_t PerfRings::walk(std::size_t number, std::uint64_t end, const Each& each) {
  void* const memory = rings_[number].memory;
  const char* const data = static_cast<const char*>(memory) + page_size();
  std::uint64_t tail = front_of(memory)->data_tail;
  const bool is_half_full = end - tail > bytes_ / 2;
  while (tail < end) {
    const std::uint64_t at = tail % bytes_;
    const auto header = loaded<perf_event_header>(data + at);  // records are multiples of 8 bytes, like the header
    if (header.size < sizeof header) break;
    const char* record = data + at;
    if (at + header.size > bytes_) {
      together_.assign(data + at, data + bytes_);
      together_.insert(together_.end(), data, data + (header.size - (bytes_ - at)));
      record = together_.data();
    }
    if (!each(record, header.size, is_half_full)) return tail;
    tail += header.size;
  }
  return end;
}

void PerfRings::move_to(std::vector<char>* records, std::size_t number) {
  void* const memory = rings_[number].memory;
  const char* const data = static_cast<const char*>(memory) + page_size();
  const std::uint64_t tail = front_of(memory)->data_tail;
  const std::uint64_t end = this->end(number);
  const std::uint64_t at = tail % bytes_;
  const std::uint64_t size = end - tail;
  const std::uint64_t first = std::min<std::uint64_t>(size, bytes_ - at);
  records->insert(records->end(), data + at, data + at + first);
  records->insert(records->end(), data, data + (size - first));
  release(number, end);
}

void PerfRings::release(std::size_t number, std::uint64_t end) {
  __atomic_store_n(&front_of(rings_[number].memory)->data_tail, end, __ATOMIC_RELEASE);
}

}  // namespace evt::record
