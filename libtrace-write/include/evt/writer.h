// evtrace writer, C++ interface: a header-only layer over the compiled C core.
//
//   auto writer = evt::Writer::open("app.evt");
//   auto ids = writer->declare<ThreadRun, ThreadStop>();
//   evt::Stream stream = writer->stream("HEC 0");
//   stream.emit(ids, ThreadStop{.thread = 3, .status = 1});
//
// The rules of <evt/evt.h> about threads, errors and lifetimes hold here.
#pragma once

#include <evt/encode.h>
#include <evt/status.h>

#include <cassert>
#include <string>
#include <string_view>
#include <vector>

namespace evt {

// One declared event type; copy it freely, it outlives the writer. A default one records nothing.
class TypeHandle {
 public:
  TypeHandle() : type_(&kOff) {}
  explicit TypeHandle(const evt_type* type) : type_(type) {}
  const evt_type* get() const { return type_; }
  bool ok() const { return type_->number != 0; }
  // True if its events are recorded now.
  bool is_on() const { return evt_is_on(type_) != 0; }

 private:
  static constexpr evt_type kOff = {0, nullptr};
  const evt_type* type_;
};

// The handles of several types, distinguished by their structs.
template <Traced... Ts>
class Types {
 public:
  Types() = default;
  explicit Types(std::array<TypeHandle, sizeof...(Ts)> handles) : handles_(handles) {}

  template <typename T>
  TypeHandle get() const {
    static_assert((std::is_same_v<T, Ts> || ...), "this event type is not among those declared with the handle");
    constexpr std::array<bool, sizeof...(Ts)> kIsIt = {std::is_same_v<T, Ts>...};
    std::size_t i = 0;
    while (!kIsIt[i]) ++i;
    return handles_[i];
  }
  bool ok() const {
    for (const TypeHandle& handle : handles_) {
      if (!handle.ok()) return false;
    }
    return true;
  }

 private:
  std::array<TypeHandle, sizeof...(Ts)> handles_{};
};

// The fields of a row of a type that is known only at run time, in the order declared:
//
//   row.add(std::uint64_t{7}).add(std::string_view("x"));
//
// The type of each value defines how it is stored, so it must match the field: add(7) writes 4 bytes. With assertions,
// a value that does not fit its field, or has no field, stops the program; without them it makes a row that cannot be
// read, which `evt check` reports. Fields at the end may be left out.
class RowBuilder {
 public:
  // Values are compared with the fields of `type`; null: they are not compared.
  explicit RowBuilder(evt_row* row, const evt_type* type = nullptr)
      : row_(row), layout_(type == nullptr ? nullptr : __atomic_load_n(&type->layout, __ATOMIC_ACQUIRE)) {}

  template <typename M>
  RowBuilder& add(const M& value) {
    assert(fits(wire_of<M>()) && "the type of this value is not that of the next field as it was declared");
    ++field_;
    encoding::append(row_, value);
    return *this;
  }
  // Adds bytes verbatim: a value of a kind that this version does not know, or one that is encoded already. Later
  // values are not compared with any field.
  RowBuilder& raw(Bytes bytes) {
    layout_ = nullptr;
    evt_raw(row_, bytes.data(), bytes.size());
    return *this;
  }

 private:
  // Kinds need not match, except that only a float fits a field that is one.
  bool fits(Wire wire) const {
    if (layout_ == nullptr) return true;
    if (field_ >= layout_->field_count) return false;
    const evt_field_layout& field = layout_->fields[field_];
    return field.shape == static_cast<std::uint16_t>(wire.shape) && field.width == wire.width &&
           (field.kind == EVT_KIND_FLOAT) == (wire.kind == Kind::kFloat);
  }

  evt_row* row_;
  const evt_row_layout* layout_;
  std::uint32_t field_ = 0;
};

// A stream: one producer's sequence of events. A handle that is copied freely and outlives the writer; one producer at
// a time may use it. Emitting where nothing can be recorded does nothing.
class Stream {
 public:
  explicit Stream(evt_stream* stream) : stream_(stream) {}

  // Records an event that happens now.
  template <Traced T, typename... Ts>
  EVT_ALWAYS_INLINE_ void emit(const Types<Ts...>& types, const T& event) {
    finish(evt_begin(stream_, types.template get<T>().get()), event);
  }
  // Like emit() with the fenced clock: emit before publishing what the event records, after observing it.
  template <Traced T, typename... Ts>
  EVT_ALWAYS_INLINE_ void emit_ordered(const Types<Ts...>& types, const T& event) {
    finish(evt_begin_ordered(stream_, types.template get<T>().get()), event);
  }
  // Records an event that happened at `ticks` of the session's clock.
  template <Traced T, typename... Ts>
  EVT_ALWAYS_INLINE_ void emit_at(std::uint64_t ticks, const Types<Ts...>& types, const T& event) {
    finish(evt_begin_at(stream_, types.template get<T>().get(), ticks), event);
  }

  // Records an event of a type known at run time; `fill(RowBuilder&)` appends its fields and is not called when tracing
  // is off.
  template <typename Fill>
  void emit_with(TypeHandle type, Fill fill) {
    fill_row(evt_begin(stream_, type.get()), type.get(), fill);
  }
  template <typename Fill>
  void emit_with_at(std::uint64_t ticks, TypeHandle type, Fill fill) {
    fill_row(evt_begin_at(stream_, type.get(), ticks), type.get(), fill);
  }

  std::uint64_t now() const { return evt_now(stream_); }
  void flush() { evt_stream_flush(stream_); }
  void seal() { evt_stream_seal(stream_); }
  // Frees the stream: none of its handles may be used afterwards.
  void close() { evt_stream_close(stream_); }
  // Records that the stream ends now; nothing may be recorded in it afterwards.
  void end() { evt_stream_end(stream_, now()); }
  void jump() { evt_stream_jump(stream_); }
  // Drops an event that was begun through the C interface and left open: see evt_row_abandon.
  void abandon_row() { evt_row_abandon(stream_); }
  std::uint32_t id() const { return evt_stream_id(stream_); }  // in its session; 0: it records nothing
  evt_stream* get() const { return stream_; }

 private:
  template <typename T>
  EVT_ALWAYS_INLINE_ static void finish(evt_row row, const T& event) {
    if (row.p == nullptr) return;
    encoding::append_fields(&row, event);
    evt_commit(&row);
  }
  template <typename Fill>
  static void fill_row(evt_row row, const evt_type* type, Fill& fill) {
    if (row.p == nullptr) return;
    struct Open {  // until the row is complete, because `fill` may throw
      evt_row* row;
      ~Open() {
        if (row != nullptr) evt_cancel(row);
      }
    } open = {&row};
    RowBuilder builder(&row, type);
    fill(builder);
    open.row = nullptr;
    evt_commit(&row);
  }

  evt_stream* stream_;
};

// One session. Closes when it goes out of scope; call close() to get its error, if any.
class Writer {
 public:
  static Result<Writer> open(const std::string& path, const evt_options& options = {}) {
    evt_error error;
    return result(evt_open(path.c_str(), &options, &error), error);
  }
  static Result<Writer> open(int fd, const evt_options& options = {}) {
    evt_error error;
    return result(evt_open_fd(fd, &options, &error), error);
  }
  static Result<Writer> open(evt_sink sink, void* context, const evt_options& options = {}) {
    evt_error error;
    return result(evt_open_sink(sink, context, &options, &error), error);
  }

  // The session that EVTRACE asks for, see evt_open_from_env. Without one, a writer that records nothing.
  static Result<Writer> open_from_env(const evt_options& options = {}) {
    evt_error error;
    evt_writer* const writer = evt_open_from_env(&options, &error);
    if (writer == nullptr && error.code != EVT_OK) return Status(static_cast<Code>(error.code), error.message);
    return Writer(writer);
  }

  // The session that the libraries and the program of one process share, see evt_session. Without one, a writer that
  // records nothing. The session ends when the last of them closes it.
  static Result<Writer> session(const evt_options& options = {}) {
    evt_error error;
    evt_writer* const writer = evt_session(&options, &error);
    if (writer == nullptr && error.code != EVT_OK) return Status(static_cast<Code>(error.code), error.message);
    return Writer(writer, evt_session_release);
  }

  Writer(Writer&& other) noexcept
      : writer_(std::exchange(other.writer_, nullptr)),
        end_(other.end_),
        last_notices_(std::move(other.last_notices_)) {}
  Writer& operator=(Writer&& other) noexcept {
    std::swap(writer_, other.writer_);
    std::swap(end_, other.end_);
    std::swap(last_notices_, other.last_notices_);
    return *this;
  }
  ~Writer() {
    if (writer_ != nullptr) end_(writer_, nullptr);
  }

  // Declares the event types; those that contradict an earlier declaration record nothing (ask ok()).
  template <Traced... Ts>
  Types<Ts...> declare() {
    return Types<Ts...>({declare_one<Ts>()...});
  }
  Result<TypeHandle> declare(const evt_event_type& type) {
    evt_error error;
    const evt_type* const declared = evt_declare(writer_, &type, &error);
    if (error.code != EVT_OK) return Status(static_cast<Code>(error.code), error.message);
    return TypeHandle(declared);
  }

  // EVT_TRACE and EVT_SPAN record here from now on: see evt_set_default.
  void make_default() { evt_set_default(writer_); }

  // Switches types whose names match the pattern, declared now or later; returns how many matched so far.
  std::uint32_t switch_types(const std::string& glob, bool on) {
    return evt_switch_types(writer_, glob.c_str(), on ? 1 : 0);
  }

  Stream stream(const std::string& name) { return Stream(evt_stream_open(writer_, name.c_str())); }
  Stream this_thread() { return Stream(evt_this_thread(writer_)); }
  Interned intern(std::string_view text) { return {evt_intern(writer_, text.data(), text.size())}; }
  // A row that events share, which has no fields of ticks: see evt_intern_row. A field of type Reference leads to it.
  template <Traced T, typename... Ts>
  Reference intern(const Types<Ts...>& ids, const T& row) {
    std::string fields;
    std::apply([&](const auto&... f) { (encoding::append_bytes(&fields, row.*f.member), ...); }, schema<T>.fields);
    return {evt_intern_row(writer_, ids.template get<T>().get(), fields.data(), fields.size())};
  }
  // States a fact about the session, a stream, or another thing by its id: see evt_fact.
  Status fact(const std::string& key, const std::string& value) { return fact(EVT_FACT_SCOPE_SESSION, 0, key, value); }
  Status fact(const Stream& stream, const std::string& key, const std::string& value) {
    return fact(EVT_FACT_SCOPE_STREAM, stream.id(), key, value);
  }
  Status fact(std::uint16_t scope, std::uint64_t id, const std::string& key, const std::string& value) {
    evt_error error;
    evt_fact(writer_, scope, id, key.c_str(), value.c_str(), &error);
    return error.code == EVT_OK ? Status() : Status(static_cast<Code>(error.code), error.message);
  }
  std::uint64_t now() const { return evt_writer_now(writer_); }
  evt_counts counts() const { return evt_writer_counts(writer_); }
  std::string path() const { return evt_writer_path(writer_); }
  // Notices so far for the program's user, one per line: an earlier trace was renamed, a kill would lose events (enum
  // evt_notice_kind lists all). Empty if there are none. After close(), those until then.
  std::string notices() const {
    if (writer_ == nullptr) return last_notices_;
    std::string text(evt_writer_notices(writer_, nullptr, 0), '\0');
    const std::size_t size = evt_writer_notices(writer_, text.data(), text.size() + 1);
    if (size < text.size()) text.resize(size);
    return text;
  }
  void flush() { evt_flush(writer_); }
  // Copies what was recorded so far, and returns the path of the copy: see evt_snapshot.
  Result<std::string> snapshot(const std::string& path, evt_snapshot_options options = {}) {
    std::string made(kLongestPath, '\0');
    options.size = sizeof options;
    options.path = made.data();
    options.path_size = made.size();
    evt_error error;
    if (evt_snapshot(writer_, path.c_str(), &options, &error) != EVT_OK) {
      return Status(static_cast<Code>(error.code), error.message);
    }
    made.resize(made.find('\0'));
    return made;
  }
  // Asks for one at the path of evt_options.snapshot; false if there is none, see evt_snapshot_soon. Any signal
  // handler.
  bool snapshot_soon() const noexcept { return evt_snapshot_soon(writer_) == EVT_OK; }
  evt_writer* get() const { return writer_; }

  // Ends the session and returns its first error.
  Status close() {
    evt_error error;
    end_(writer_, &error);
    last_notices_ = notices();
    writer_ = nullptr;
    return error.code == EVT_OK ? Status() : Status(static_cast<Code>(error.code), error.message);
  }

 private:
  static constexpr std::size_t kLongestPath = 4096;

  explicit Writer(evt_writer* writer, int (*end)(evt_writer*, evt_error*) = evt_close) : writer_(writer), end_(end) {}
  static Result<Writer> result(evt_writer* writer, const evt_error& error) {
    if (writer == nullptr) return Status(static_cast<Code>(error.code), error.message);
    return Writer(writer);
  }

  template <Traced T>
  TypeHandle declare_one() {
    return TypeHandle(encoding::declare<T>(writer_, nullptr));
  }

  evt_writer* writer_;
  int (*end_)(evt_writer*, evt_error*);
  std::string last_notices_;
};

}  // namespace evt
