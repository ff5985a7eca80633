#include <evt/writer.h>

struct Tick {
  std::uint32_t n = 0;
};
template <>
inline constexpr auto evt::schema<Tick> = evt::event("tick", "", evt::field("n", &Tick::n));

int main(int argc, char** argv) {
  auto writer = evt::Writer::open(argc > 1 ? argv[1] : "cpp.evt");
  if (!writer) return 1;
  const auto ids = writer->declare<Tick>();
  evt::Stream stream = writer->this_thread();
  for (std::uint32_t n = 0; n < 20; ++n) stream.emit(ids, Tick{.n = n});
  return writer->close().ok() ? 0 : 1;
}
