#include <fmt/core.h>
#include <lzma.h>

#include <new>

#include "codec.h"
#include "libtrace-read/core/src/base/raw_bytes.h"

namespace evt {
namespace {

// The dictionary, and what liblzma needs in addition.
constexpr std::uint64_t kMostMemory = Codec::kMaxWindow + (std::uint64_t{2} << 20);

std::string problem_of(lzma_ret result) {
  switch (result) {
    case LZMA_MEMLIMIT_ERROR:
      return fmt::format("its window is larger than {} MiB, which are the most that are read", Codec::kMaxWindow >> 20);
    case LZMA_FORMAT_ERROR:
      return "invalid header";
    case LZMA_OPTIONS_ERROR:
      return "it was made with options that liblzma does not know";
    default:
      return "invalid data";
  }
}

// Undoes xz, by liblzma.
class XzCodec : public Codec {
 public:
  XzCodec() { restart(); }
  ~XzCodec() override { lzma_end(&stream_); }

  Codec::State step(Bytes* in, std::span<std::byte>* out) override {
    stream_.next_in = raw(in->data());
    stream_.avail_in = in->size();
    stream_.next_out = raw(out->data());
    stream_.avail_out = out->size();
    const lzma_ret result = lzma_code(&stream_, LZMA_RUN);
    *in = in->last(stream_.avail_in);
    *out = out->last(stream_.avail_out);
    if (result == LZMA_STREAM_END) return State::kFrameEnds;
    // The second: it needs more input or room.
    if (result == LZMA_OK || result == LZMA_BUF_ERROR) return State::kInFrame;
    if (result == LZMA_MEM_ERROR) throw std::bad_alloc();
    problem_ = problem_of(result);
    return State::kFailed;
  }

  void restart() override {
    if (lzma_stream_decoder(&stream_, kMostMemory, 0) != LZMA_OK) throw std::bad_alloc();
  }

  std::string problem() const override { return problem_; }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  std::string problem_;
};

}  // namespace

std::unique_ptr<Codec> xz_codec() { return std::make_unique<XzCodec>(); }

}  // namespace evt
