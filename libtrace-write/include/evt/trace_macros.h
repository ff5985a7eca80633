/* Recording in one line, in C++20 and in C11:
 *
 *   EVT_SPAN("load_page");                                   // from here to the end of the scope
 *   EVT_TRACE("app.cache_miss", "page", page, "bytes", size);
 *
 * Both record in the default session, evt_set_default or evt_open_from_env, in the calling thread's stream. Without
 * one, each costs one test, and the arguments of EVT_TRACE are not evaluated.
 *
 * EVT_TRACE declares the event type of that name when it first records. Names of the type and of its fields are string
 * literals. A value is an integer (recorded in 8 bytes, signed or unsigned), an enumeration (as its integer), a float
 * or double (as a double), a bool, or a text: a pointer to NUL-terminated characters (a null pointer is the empty
 * text), and in C++ any type that converts to std::string_view. In C there are at most 8 fields, a bit-field needs a
 * cast, and an inline function that records so must be static. Two places may record one type if the fields of one
 * begin with those of the other; else the second records nothing, and a notice names it (EVT_NOTICE_SITE).
 *
 * EVT_SPAN declares an event type of the span's name, whose role is spanBegin and whose field `name` is the span's; its
 * end is the standard event span.end. Types state the file, line and function of their first place. Spans of a thread
 * end in reverse order. A span that does not end in the thread where it began, as in a coroutine that continues in
 * another one, has no end in the trace. A line has one EVT_SPAN at most.
 *
 * Types are switched by their names like all others: EVTRACE=app.evt,types=app.*:load_page:span.end.
 *
 * Signal handlers may use both, too. But the first event of a place or of a thread in a session needs memory, so in a
 * handler that event is counted as lost (EVT_LOST_REENTERED), even if its type is switched off; events after a first
 * one outside of handlers are recorded. Handlers are recognised by libgcc's unwinder, which a static program does not
 * have: there each place and each thread must record once before a handler does.
 *
 * Libraries that are loaded with dlopen record in the same session, if they and the program are linked with
 * libevtrace-write.so, or the program exports the writer's functions (-rdynamic) and the libraries do not define them.
 * They may be unloaded whenever none of their functions runs; one that gcc compiled, with these lines in inline
 * functions or templates, stays loaded until the program ends.
 *
 * With EVT_NO_TRACE defined before this file is included, both compile to nothing; the compiler still checks their
 * arguments. */
#ifndef EVT_TRACE_MACROS_H_
#define EVT_TRACE_MACROS_H_

#if defined(EVT_NO_TRACE)
#include <evt/evt.h>
#elif defined(__cplusplus)
#include <evt/trace_values.h>
#else
#include <evt/trace_site.h>
#endif

/* The first of several, which must be a literal. */
#define EVT_TRACE_NAME_(...) EVT_TRACE_LITERAL_(__VA_ARGS__, 0)
#define EVT_TRACE_LITERAL_(first_, ...) "" first_ ""
#define EVT_TRACE_JOIN_(a_, b_) EVT_TRACE_JOINED_(a_, b_)
#define EVT_TRACE_JOINED_(a_, b_) a_##b_

#if defined(EVT_NO_TRACE)

#ifdef __cplusplus
namespace evt::tracing {
template <typename... Named>
char unevaluated(const char* name, const Named&... named);
}  // namespace evt::tracing
#define EVT_TRACE(...) static_cast<void>(sizeof(::evt::tracing::unevaluated(__VA_ARGS__)))
#define EVT_SPAN(name_) static_cast<void>("" name_ "")
#else
int evt_unevaluated_(const char* name, ...);
#define EVT_TRACE(...) ((void)sizeof(evt_unevaluated_(__VA_ARGS__)))
#define EVT_SPAN(name_) ((void)("" name_ ""))
#endif

#elif defined(__cplusplus)

#define EVT_TRACE(...)                                                                                           \
  do {                                                                                                           \
    if (evt_writer* const evt_to_ = evt_default(); EVT_UNLIKELY_(evt_to_ != nullptr)) {                          \
      static constinit evt_site_ evt_here_ = {};                                                                 \
      ::evt::tracing::trace(evt_to_, evt_here_, {EVT_TRACE_NAME_(__VA_ARGS__), __FILE__, __func__, __LINE__, 0}, \
                            __VA_ARGS__);                                                                        \
    }                                                                                                            \
  } while (0)

#define EVT_SPAN(name_)                                               \
  const ::evt::tracing::Span EVT_TRACE_JOIN_(evt_span_of_, __LINE__)( \
      []() -> evt_site_& {                                            \
        static constinit evt_site_ here = {};                         \
        return here;                                                  \
      }(),                                                            \
      {"" name_ "", __FILE__, __func__, __LINE__, 0})

#elif __STDC_VERSION__ < 201112L
#error "EVT_TRACE needs C11, -std=c11, or later"
#include <evt/compilation_ends_here>
#else

/* A text and its size. */
typedef struct evt_trace_text_ {
  const char* text;
  size_t size;
} evt_trace_text_;

static inline evt_trace_text_ evt_trace_text_of_(const char* text) {
  const evt_trace_text_ of = {text, text == NULL ? 0 : strlen(text)};
  return of;
}
static inline int64_t evt_trace_signed_of_(long long value) { return value; }
static inline uint64_t evt_trace_unsigned_of_(unsigned long long value) { return value; }
static inline double evt_trace_float_of_(double value) { return value; }
static inline _Bool evt_trace_bool_of_(_Bool value) { return value; }
EVT_INLINE_ void evt_trace_put_text_(evt_row* row, evt_trace_text_ value) { evt_text(row, value.text, value.size); }
EVT_INLINE_ void evt_trace_put_bool_(evt_row* row, _Bool value) { evt_u8(row, value); }

/* Selects by the type of a value: a signed or unsigned integer, a floating point number, a bool, a text; else
 * `other_`. */
#define EVT_TRACE_BY_TYPE_(value_, signed_, unsigned_, float_, bool_, text_, other_) \
  _Generic((value_), char : signed_, signed char : signed_, short : signed_, int : signed_, long : signed_,  \
           long long : signed_, unsigned char : unsigned_, unsigned short : unsigned_, unsigned : unsigned_, \
           unsigned long : unsigned_, unsigned long long : unsigned_, float : float_, double : float_,       \
           _Bool : bool_, char* : text_, const char* : text_, default : other_)
/* A value of another type is 0 for the lines below, so that the compiler prints one sentence about it. */
#define EVT_TRACE_KNOWN_(value_) EVT_TRACE_BY_TYPE_(value_, value_, value_, value_, value_, value_, 0)

#define EVT_TRACE_FIELD_(name_, value_)                                                                                \
  EVT_FIELD_OF(                                                                                                        \
      "" name_ "",                                                                                                     \
      EVT_TRACE_BY_TYPE_(value_, EVT_KIND_SIGNED, EVT_KIND_UNSIGNED, EVT_KIND_FLOAT, EVT_KIND_BOOL, EVT_KIND_TEXT, 0), \
      EVT_TRACE_BY_TYPE_(value_, EVT_SHAPE_FIXED, EVT_SHAPE_FIXED, EVT_SHAPE_FIXED, EVT_SHAPE_FIXED,                   \
                         EVT_SHAPE_COUNTED16, 0),                                                                      \
      EVT_TRACE_BY_TYPE_(value_, 8, 8, 8, 1, 0, 0))
/* Evaluated before the event begins: functions called in a value may record, too. */
#define EVT_TRACE_VALUE_(n_, value_)                                                                                \
  _Static_assert(EVT_TRACE_BY_TYPE_(value_, 1, 1, 1, 1, 1, 0),                                                      \
                 "EVT_TRACE: a value is an integer, an enumeration, a float or double, a bool, or a text (char*); " \
                 "a cast makes it one");                                                                            \
  __extension__ const __auto_type evt_value_##n_ =                                                                  \
      EVT_TRACE_BY_TYPE_(value_, evt_trace_signed_of_, evt_trace_unsigned_of_, evt_trace_float_of_,                 \
                         evt_trace_bool_of_, evt_trace_text_of_, evt_trace_signed_of_)(EVT_TRACE_KNOWN_(value_));
#define EVT_TRACE_PUT_(n_)                        \
  _Generic(evt_value_##n_, int64_t                \
           : evt_i64, uint64_t                    \
           : evt_u64, double                      \
           : evt_f64, _Bool                       \
           : evt_trace_put_bool_, evt_trace_text_ \
           : evt_trace_put_text_)(&evt_row_, evt_value_##n_);

/* EVT_TRACE_FIELD_ for each of N names and values. */
#define EVT_TRACE_FIELDS_1_(k_, v_) EVT_TRACE_FIELD_(k_, v_)
#define EVT_TRACE_FIELDS_2_(k_, v_, ...) EVT_TRACE_FIELD_(k_, v_), EVT_TRACE_FIELDS_1_(__VA_ARGS__)
#define EVT_TRACE_FIELDS_3_(k_, v_, ...) EVT_TRACE_FIELD_(k_, v_), EVT_TRACE_FIELDS_2_(__VA_ARGS__)
#define EVT_TRACE_FIELDS_4_(k_, v_, ...) EVT_TRACE_FIELD_(k_, v_), EVT_TRACE_FIELDS_3_(__VA_ARGS__)
#define EVT_TRACE_FIELDS_5_(k_, v_, ...) EVT_TRACE_FIELD_(k_, v_), EVT_TRACE_FIELDS_4_(__VA_ARGS__)
#define EVT_TRACE_FIELDS_6_(k_, v_, ...) EVT_TRACE_FIELD_(k_, v_), EVT_TRACE_FIELDS_5_(__VA_ARGS__)
#define EVT_TRACE_FIELDS_7_(k_, v_, ...) EVT_TRACE_FIELD_(k_, v_), EVT_TRACE_FIELDS_6_(__VA_ARGS__)
#define EVT_TRACE_FIELDS_8_(k_, v_, ...) EVT_TRACE_FIELD_(k_, v_), EVT_TRACE_FIELDS_7_(__VA_ARGS__)
#define EVT_TRACE_VALUES_1_(k_, v_) EVT_TRACE_VALUE_(1, v_)
#define EVT_TRACE_VALUES_2_(k_, v_, ...) EVT_TRACE_VALUE_(2, v_) EVT_TRACE_VALUES_1_(__VA_ARGS__)
#define EVT_TRACE_VALUES_3_(k_, v_, ...) EVT_TRACE_VALUE_(3, v_) EVT_TRACE_VALUES_2_(__VA_ARGS__)
#define EVT_TRACE_VALUES_4_(k_, v_, ...) EVT_TRACE_VALUE_(4, v_) EVT_TRACE_VALUES_3_(__VA_ARGS__)
#define EVT_TRACE_VALUES_5_(k_, v_, ...) EVT_TRACE_VALUE_(5, v_) EVT_TRACE_VALUES_4_(__VA_ARGS__)
#define EVT_TRACE_VALUES_6_(k_, v_, ...) EVT_TRACE_VALUE_(6, v_) EVT_TRACE_VALUES_5_(__VA_ARGS__)
#define EVT_TRACE_VALUES_7_(k_, v_, ...) EVT_TRACE_VALUE_(7, v_) EVT_TRACE_VALUES_6_(__VA_ARGS__)
#define EVT_TRACE_VALUES_8_(k_, v_, ...) EVT_TRACE_VALUE_(8, v_) EVT_TRACE_VALUES_7_(__VA_ARGS__)
#define EVT_TRACE_PUTS_1_ EVT_TRACE_PUT_(1)
#define EVT_TRACE_PUTS_2_ EVT_TRACE_PUT_(2) EVT_TRACE_PUTS_1_
#define EVT_TRACE_PUTS_3_ EVT_TRACE_PUT_(3) EVT_TRACE_PUTS_2_
#define EVT_TRACE_PUTS_4_ EVT_TRACE_PUT_(4) EVT_TRACE_PUTS_3_
#define EVT_TRACE_PUTS_5_ EVT_TRACE_PUT_(5) EVT_TRACE_PUTS_4_
#define EVT_TRACE_PUTS_6_ EVT_TRACE_PUT_(6) EVT_TRACE_PUTS_5_
#define EVT_TRACE_PUTS_7_ EVT_TRACE_PUT_(7) EVT_TRACE_PUTS_6_
#define EVT_TRACE_PUTS_8_ EVT_TRACE_PUT_(8) EVT_TRACE_PUTS_7_

/* Number of fields, by the number of arguments. */
#define EVT_TRACE_COUNT_(...)                                                                                          \
  EVT_TRACE_34TH_(__VA_ARGS__, TOO_MANY_, TOO_MANY_, TOO_MANY_, TOO_MANY_, TOO_MANY_, TOO_MANY_, TOO_MANY_, TOO_MANY_, \
                  TOO_MANY_, TOO_MANY_, TOO_MANY_, TOO_MANY_, TOO_MANY_, TOO_MANY_, TOO_MANY_, TOO_MANY_, 8_,          \
                  NO_VALUE_, 7_, NO_VALUE_, 6_, NO_VALUE_, 5_, NO_VALUE_, 4_, NO_VALUE_, 3_, NO_VALUE_, 2_, NO_VALUE_, \
                  1_, NO_VALUE_, 0_, 0)
#define EVT_TRACE_34TH_(a1_, a2_, a3_, a4_, a5_, a6_, a7_, a8_, a9_, a10_, a11_, a12_, a13_, a14_, a15_, a16_, a17_, \
                        a18_, a19_, a20_, a21_, a22_, a23_, a24_, a25_, a26_, a27_, a28_, a29_, a30_, a31_, a32_,    \
                        a33_, a34_, ...)                                                                             \
  a34_

#define EVT_TRACE(...) EVT_TRACE_JOIN_(EVT_TRACE_OF_, EVT_TRACE_COUNT_(__VA_ARGS__))(__VA_ARGS__)
#define EVT_TRACE_OF_NO_VALUE_(...) EVT_TRACE_REFUSED_("EVT_TRACE: each field is a name and a value")
#define EVT_TRACE_OF_TOO_MANY_(...) EVT_TRACE_REFUSED_("EVT_TRACE: an event has at most 8 fields in C")
#define EVT_TRACE_REFUSED_(sentence_) \
  do {                                \
    _Static_assert(0, sentence_);     \
  } while (0)
#define EVT_TRACE_OF_0_(name_) EVT_TRACE_ROW_(name_, , NULL, 0, )
#define EVT_TRACE_OF_1_(name_, ...) EVT_TRACE_FIELDS_(name_, 1, __VA_ARGS__)
#define EVT_TRACE_OF_2_(name_, ...) EVT_TRACE_FIELDS_(name_, 2, __VA_ARGS__)
#define EVT_TRACE_OF_3_(name_, ...) EVT_TRACE_FIELDS_(name_, 3, __VA_ARGS__)
#define EVT_TRACE_OF_4_(name_, ...) EVT_TRACE_FIELDS_(name_, 4, __VA_ARGS__)
#define EVT_TRACE_OF_5_(name_, ...) EVT_TRACE_FIELDS_(name_, 5, __VA_ARGS__)
#define EVT_TRACE_OF_6_(name_, ...) EVT_TRACE_FIELDS_(name_, 6, __VA_ARGS__)
#define EVT_TRACE_OF_7_(name_, ...) EVT_TRACE_FIELDS_(name_, 7, __VA_ARGS__)
#define EVT_TRACE_OF_8_(name_, ...) EVT_TRACE_FIELDS_(name_, 8, __VA_ARGS__)
#define EVT_TRACE_FIELDS_(name_, n_, ...)                                                               \
  EVT_TRACE_ROW_(name_, static const evt_field evt_fields_[] = {EVT_TRACE_FIELDS_##n_##_(__VA_ARGS__)}; \
                 EVT_TRACE_VALUES_##n_##_(__VA_ARGS__), evt_fields_, n_, EVT_TRACE_PUTS_##n_##_)
#define EVT_TRACE_PLACE_(name_) ((evt_place_){"" name_ "", __FILE__, __func__, __LINE__, 0})
#define EVT_TRACE_ROW_(name_, values_, fields_, n_, puts_)                                                      \
  do {                                                                                                          \
    evt_writer* const evt_to_ = evt_default();                                                                  \
    if (EVT_UNLIKELY_(evt_to_ != NULL)) {                                                                       \
      static evt_site_ evt_here_;                                                                               \
      values_ evt_at_site_ evt_at_ = evt_known_at_site_(evt_to_, &evt_here_);                                   \
      if (EVT_UNLIKELY_(evt_at_.handle == NULL)) {                                                              \
        evt_at_ = evt_first_at_site_(evt_to_, &evt_here_, EVT_TRACE_PLACE_(name_), EVT_ROLE_NONE, fields_, n_); \
      }                                                                                                         \
      if (evt_at_.handle != NULL) {                                                                             \
        evt_row evt_row_ = evt_begin(evt_at_.stream, evt_at_.handle->type);                                     \
        if (evt_row_.p != NULL) {                                                                               \
          puts_ evt_commit(&evt_row_);                                                                          \
        }                                                                                                       \
      }                                                                                                         \
    }                                                                                                           \
  } while (0)

#define EVT_SPAN(name_)                                                                                     \
  static evt_site_ EVT_TRACE_JOIN_(evt_site_of_, __LINE__);                                                 \
  const evt_span_ __attribute__((cleanup(evt_span_end_), unused)) EVT_TRACE_JOIN_(evt_span_of_, __LINE__) = \
      evt_span_begin_(&EVT_TRACE_JOIN_(evt_site_of_, __LINE__), EVT_TRACE_PLACE_(name_))

#endif

#endif /* EVT_TRACE_MACROS_H_ */
