#include <zlib.h>

#include <algorithm>
#include <new>

#include "codec.h"
#include "libtrace-read/core/src/base/raw_bytes.h"

namespace evt {
namespace {

constexpr int kWithHeader = 16;  // expects the gzip header, by zlib's convention
constexpr std::size_t kMostAtOnce = 1 << 30;

uInt limited(std::size_t size) { return static_cast<uInt>(std::min(size, kMostAtOnce)); }

// Undoes gzip, by zlib.
class GzipCodec : public Codec {
 public:
  GzipCodec() {
    if (inflateInit2(&stream_, MAX_WBITS + kWithHeader) != Z_OK) throw std::bad_alloc();
  }

  ~GzipCodec() override { inflateEnd(&stream_); }

  Codec::State step(Bytes* in, std::span<std::byte>* out) override {
    const uInt from = limited(in->size());
    const uInt to = limited(out->size());
    stream_.next_in = const_cast<Bytef*>(raw(in->data()));  // zlib's interface is older than const
    stream_.avail_in = from;
    stream_.next_out = raw(out->data());
    stream_.avail_out = to;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    *in = in->subspan(from - stream_.avail_in);
    *out = out->subspan(to - stream_.avail_out);
    if (result == Z_STREAM_END) return State::kFrameEnds;
    if (result == Z_OK || result == Z_BUF_ERROR) return State::kInFrame;
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    problem_ = stream_.msg == nullptr ? "invalid data" : stream_.msg;
    return State::kFailed;
  }

  void restart() override { inflateReset(&stream_); }
  std::string problem() const override { return problem_; }

 private:
  z_stream stream_{};
  std::string problem_;
};

}  // namespace

std::unique_ptr<Codec> gzip_codec() { return std::make_unique<GzipCodec>(); }

}  // namespace evt
