// What a program does to record itself; the part between the marks is in README.md.
#include <cstdio>
// [snippet: write]
#include <evt/writer.h>

struct JobDone {
  std::uint32_t job = 0;
  double seconds = 0;
};
template <>
inline constexpr auto evt::schema<JobDone> = evt::event("app.job_done", "a job was finished",
                                                        evt::field("job", &JobDone::job),
                                                        evt::field("seconds", &JobDone::seconds));

int main() {
  auto writer = evt::Writer::open("app.evt");
  if (!writer) return std::fprintf(stderr, "%s\n", writer.status().message().c_str()), 1;
  const auto ids = writer->declare<JobDone>();
  evt::Stream stream = writer->this_thread();
  for (std::uint32_t job = 1; job <= 3; ++job) stream.emit(ids, JobDone{.job = job, .seconds = 0.25 * job});
}
// [end]
