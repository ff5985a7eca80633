// Where a trace comes from: a file, a descriptor, a pipe, memory. And what is none.
#include <evt/trace.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

#include "support/folder.h"
#include "support/text_trace.h"

namespace evt::testing {
namespace {

constexpr const char* kText = "type 1024 tick (n u8)\nstream 1 \"a\"\n0.000000001 1 tick n=1\n";

std::string text_or_error_of(Result<Trace> trace) {
  if (!trace) return trace.status().message();
  const std::string text = testing::text_of(*trace);
  return text.substr(text.find("type"));
}

// A pipe that somebody writes these bytes into.
class Pipe {
 public:
  explicit Pipe(std::string bytes) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe");
    read_ = ends[0];
    writer_ = std::thread([fd = ends[1], content = std::move(bytes)] {
      std::size_t at = 0;
      while (at < content.size()) {
        const ssize_t n = write(fd, content.data() + at, content.size() - at);
        if (n <= 0) break;
        at += static_cast<std::size_t>(n);
      }
      close(fd);
    });
  }
  ~Pipe() {
    close(read_);
    writer_.join();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int descriptor() const { return read_; }

 private:
  int read_;
  std::thread writer_;
};

TEST(Open, ReadsAFile) {
  const Folder folder;
  EXPECT_EQ(text_or_error_of(Trace::open(folder.write("a.evt", trace_from_text(kText)))), kText);
}

TEST(Open, ReadsADescriptorThatStaysTheCallers) {
  const Folder folder;
  const int fd = open(folder.write("a.evt", trace_from_text(kText)).c_str(), O_RDONLY);
  EXPECT_EQ(text_or_error_of(Trace::open(fd, "a descriptor")), kText);
  EXPECT_EQ(text_or_error_of(Trace::open(fd, "a descriptor")), kText) << "again";
  EXPECT_EQ(close(fd), 0);
}

TEST(Open, SaysThatAFileShrankWhileItWasRead) {
  const Folder folder;
  const std::string bytes = trace_from_text(kText);
  const std::string path = folder.write("a.evt", bytes);
  auto trace = Trace::open(path);
  ASSERT_TRUE(trace.ok() && trace->status().ok());
  ASSERT_EQ(truncate(path.c_str(), static_cast<off_t>(bytes.size() - 100)), 0);
  EXPECT_EQ(trace->events().next(), nullptr);
  EXPECT_EQ(trace->status().code(), Code::kDamaged);
  EXPECT_EQ(trace->sessions()[0].missing, 1u);
}

TEST(Open, ReadsAPipeToItsEnd) {
  const Pipe pipe(trace_from_text(kText));
  EXPECT_EQ(text_or_error_of(Trace::open(pipe.descriptor(), "a pipe")), kText);
}

TEST(Open, ReadsAPipeWhoseFirstBytesWereTaken) {
  const std::string bytes = trace_from_text(kText);
  const Pipe pipe(bytes.substr(10));
  ReadOptions options;
  options.already_read = as_bytes(bytes).first(10);
  EXPECT_EQ(text_or_error_of(Trace::open(pipe.descriptor(), "a pipe", options)), kText);
}

TEST(Open, KeepsALongPipeInATemporaryFile) {
  // One private block of 70 MB precedes the rows.
  std::string bytes = trace_from_text(kText);
  const std::size_t size = 70 << 20;
  bytes.insert(bytes.size(), std::string(size, 'x'));
  const Pipe pipe(bytes);
  auto trace = Trace::open(pipe.descriptor(), "a pipe");
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(trace->spooled_bytes(), bytes.size());
  EXPECT_EQ(trace->size(), bytes.size());
  EXPECT_EQ(text_or_error_of(std::move(trace)), kText) << "with garbage of 70 MB behind it";
}

TEST(Open, SaysWhyAFileCannotBeOpened) {
  const Folder folder;
  EXPECT_EQ(text_or_error_of(Trace::open(folder / "none.evt")),
            "cannot open " + folder / "none.evt" + ": No such file or directory");
  EXPECT_EQ(text_or_error_of(Trace::open(folder.path())), "cannot read " + folder.path() + ": it is a directory");
  EXPECT_EQ(Trace::open(folder / "none.evt").status().code(), Code::kIo);
}

std::string refusal(std::string_view bytes) {
  const auto trace = Trace::from_memory(as_bytes(bytes));
  if (trace.ok()) return "a trace";
  EXPECT_EQ(trace.status().code(), Code::kNotATrace);
  return trace.status().message();
}

TEST(Open, NamesWhatIsNoTrace) {
  EXPECT_EQ(refusal(""), "memory is empty");
  EXPECT_EQ(refusal("\x1f\x8b\x08"), "memory cannot be decompressed: the gzip data is truncated: it ends here");
  EXPECT_EQ(refusal("\x28\xb5\x2f\xfd"), "memory cannot be decompressed: the zstd data is truncated: it ends here");
  EXPECT_EQ(refusal("hdrb"), "memory is a GHC eventlog whose header is truncated at 4: expected a list of event types");
  EXPECT_EQ(refusal(std::string(5000, '\0')), "memory is not a trace: it begins with zeros");
  EXPECT_EQ(refusal("hello, world\n"), "memory is not a trace: it begins with plain text");
  EXPECT_EQ(refusal("\x01\x02\x03"), "memory is not a trace: no block header is in its first 3 bytes");
}

TEST(Open, NamesATraceWhoseFrontCannotBeRead) {
  std::string bytes = trace_from_text(kText);
  EXPECT_EQ(refusal(bytes.substr(0, 47)), "memory is truncated inside its first block header");
  bytes.resize(48);
  bytes[20] = 'x';
  EXPECT_EQ(refusal(bytes), "memory begins as a trace does, but no block of it can be read");
}

TEST(Open, LooksForTheFirstBlockInTheFirstMegabyteAlone) {
  const std::string bytes = trace_from_text(kText);
  EXPECT_EQ(refusal(std::string((1 << 20) - 1, ' ') + bytes), "a trace");
  EXPECT_EQ(refusal(std::string(1 << 20, ' ') + bytes), "memory is not a trace: it begins with plain text");
}

TEST(Open, EndsForAPipeThatIsNoTraceHoweverLongItIs) {
  const int zero = open("/dev/zero", O_RDONLY);
  EXPECT_EQ(text_or_error_of(Trace::open(zero, "/dev/zero")), "/dev/zero is not a trace: it begins with zeros");
  close(zero);
}

// Events and references into a trace that is gone would be read all the same.
template <typename T>
concept HandsOutEvents = requires(T&& trace) {
  std::forward<T>(trace).events();
};
template <typename T>
concept HasArrow = requires(T&& result) {
  std::forward<T>(result).operator->();
};
static_assert(HandsOutEvents<Trace&> && !HandsOutEvents<Trace>);
static_assert(HasArrow<Result<Trace>&> && HasArrow<const Result<Trace>&>);
static_assert(!HasArrow<Result<Trace>> && !HasArrow<const Result<Trace>>);

}  // namespace
}  // namespace evt::testing
