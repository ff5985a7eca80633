#include "where_names.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_set>

#include "libtrace-read/text/enum_names.h"
#include "libtrace-read/text/near_names.h"
#include "where_test.h"
#include "where_value.h"

namespace evt::tools {
namespace {

using Subject = WhereSubject::Kind;

// Of the events that stand for a loss, whose type no trace declares.
const std::vector<Field>& fields_of_losses() {
  static const std::vector<Field> fields = [] {
    Field count;
    count.name = "count";
    count.kind = Kind::kUnsigned;
    count.width = 8;
    count.role = Role::kAmount;
    Field cause;
    cause.name = "cause";
    cause.kind = Kind::kEnumeration;
    cause.width = 2;
    cause.role = Role::kReason;
    for (const NamedNumber& each : named_numbers(NumberList::kLossCause)) {
      cause.labels.push_back({each.number, label_of(each)});
    }
    Field duration;
    duration.name = "duration";
    duration.kind = Kind::kTickDelta;
    duration.width = 8;
    duration.role = Role::kDuration;
    return std::vector<Field>{count, cause, duration};
  }();
  return fields;
}

// Of a session that was cut it is not known.
bool may_have_losses(const std::vector<const Trace*>& traces) {
  return std::ranges::any_of(traces, [](const Trace* trace) {
    return std::ranges::any_of(trace->sessions(), [](const Session& session) {
      return session.lost > 0 || session.missing > 0 || !session.closed;
    });
  });
}

template <typename Expression, typename F>
void for_each_comparison(Expression& expression, F f) {
  if (expression.kind == WhereExpression::Kind::kComparison) f(expression.comparison);
  for (auto& part : expression.parts) for_each_comparison(part, f);
}

// The types of some traces, and which of them are wanted.
class Types {
 public:
  Types(const std::vector<const Trace*>& traces, const WantsType& wants_type) {
    for (const Trace* const trace : traces) {
      for (const Session& session : trace->sessions()) {
        for (const EventType& type : session.types)
          types_.push_back({&session, &type.fields(), type.role(), wants_type(type)});
      }
    }
    if (may_have_losses(traces)) {
      types_.push_back({&none_, &fields_of_losses(), Role::kNone, wants_type(EventType("!lost", 0))});
    }
  }

  // What is wrong with it; nothing when there is a wanted type with whose field it can be made. Notes whether that is a
  // number.
  std::optional<WhereError> check(WhereComparison& comparison) const {
    std::optional<WhereError> wrong;
    bool is_right = false;
    bool is_elsewhere = false;
    for (const Type& type : types_) {
      const auto field =
          std::ranges::find_if(*type.fields, [&](const Field& each) { return is_subject(comparison.subject, each); });
      if (field == type.fields->end()) continue;
      if (!type.is_wanted) {
        is_elsewhere = true;
        continue;
      }
      const WhereBound bound = bind_where(comparison, *field, *type.session);
      const bool is_text = field->kind == Kind::kText || field->kind == Kind::kInterned;
      is_right |= bound.error.empty();
      comparison.is_of_numbers |= bound.error.empty() && !is_text;
      if (is_right && (comparison.is_of_numbers || !is_where_order(comparison.op))) return std::nullopt;
      if (!wrong && !bound.error.empty()) wrong = {bound.column, bound.error};
    }
    if (is_right) return std::nullopt;
    return wrong ? wrong : WhereError{comparison.subject_column, without(comparison.subject, is_elsewhere)};
  }

  // One of them has all.
  bool have_all(const std::vector<const WhereSubject*>& subjects) const {
    return std::ranges::any_of(types_, [&](const Type& type) {
      return std::ranges::all_of(subjects, [&](const WhereSubject* subject) {
        return std::ranges::any_of(*type.fields, [&](const Field& field) { return is_subject(*subject, field); });
      });
    });
  }

  // Of another role than this one, unless that is none.
  bool have_field(const std::string& name, Role but) const {
    return std::ranges::any_of(types_, [&](const Type& type) {
      return type.is_wanted && std::any_of(type.fields->begin(), type.fields->end(), [&](const Field& field) {
               return field.name == name && (but == Role::kNone || field.role != but);
             });
    });
  }

  // Some event begins or ends what has a length, or records one.
  bool have_lengths() const {
    constexpr Role kEnds[] = {Role::kSpanEnd, Role::kCallEnd, Role::kAsyncEnd};
    return std::ranges::any_of(types_, [&](const Type& type) {
      const bool is_end = std::find(std::begin(kEnds), std::end(kEnds), type.role) != std::end(kEnds);
      return type.is_wanted && (is_end || std::any_of(type.fields->begin(), type.fields->end(), [](const Field& field) {
                                  return field.role == Role::kDuration;
                                }));
    });
  }

 private:
  struct Type {
    const Session* session;
    const std::vector<Field>* fields;
    Role role;
    bool is_wanted;
  };

  static bool is_subject(const WhereSubject& subject, const Field& field) {
    return subject.kind == Subject::kRole ? field.role == subject.role : field.name == subject.name;
  }

  std::string without(const WhereSubject& subject, bool is_elsewhere) const {
    const std::string what =
        subject.kind == Subject::kRole ? "a field with the role " + to_string(subject.role) : "a field " + subject.name;
    if (is_elsewhere) return "only events that --event leaves out have " + what;
    std::string sentence = "no event has " + what;
    if (subject.kind == Subject::kRole) return sentence;
    return sentence + did_you_mean(subject.name, names(subject.kind == Subject::kName));
  }

  std::vector<std::string> names(bool with_properties) const {
    std::unordered_set<std::string> known;
    std::vector<std::string> all;
    const auto add = [&](std::string name) {
      if (known.insert(name).second) all.push_back(std::move(name));
    };
    for (const Type& type : types_) {
      for (const Field& field : *type.fields) {
        if (type.is_wanted) add(field.name);
      }
    }
    if (!with_properties) return all;
    for (const std::string& property : where_properties()) add(property.substr(1));
    return all;
  }

  Session none_;
  std::vector<Type> types_;
};

// Of a property, why it cannot be compared.
std::optional<WhereError> check_property(WhereComparison& comparison, const Types& types) {
  const auto refused = [](const WhereBound& bound) {
    return bound.error.empty() ? std::nullopt : std::optional(WhereError{bound.column, bound.error});
  };
  switch (comparison.subject.property) {
    case WhereProperty::kTime:
      return refused(bind_where_moment(comparison, Session()));
    case WhereProperty::kThread: {
      comparison.is_of_numbers = true;
      // A field with that role may have another kind.
      WhereComparison by_role = comparison;
      by_role.subject.kind = Subject::kRole;
      by_role.subject.role = Role::kThread;
      return types.check(by_role) ? refused(bind_where_number(comparison)) : std::nullopt;
    }
    case WhereProperty::kSize:
    case WhereProperty::kOrdinal:
      return refused(bind_where_number(comparison));
    case WhereProperty::kDuration:
      if (!types.have_lengths()) {
        return WhereError{comparison.subject_column,
                          "no event begins, ends or records a span or call that has a duration"};
      }
      return refused(bind_where_length(comparison));
    case WhereProperty::kStream:
    case WhereProperty::kType:
      break;
  }
  if (is_where_order(comparison.op)) {
    return WhereError{comparison.subject_column,
                      fmt::format("{} is a name: expected one of = != ~ !~, found {}",
                                  where_subject_text(comparison.subject), where_operator_text(comparison.op))};
  }
  if (comparison.value.find('\0') == std::string::npos) return std::nullopt;
  return WhereError{comparison.value_column, "a pattern cannot have \\x00"};
}

}  // namespace

std::optional<WhereError> resolve_where(WhereExpression* expression, const std::vector<const Trace*>& traces,
                                        const WantsType& wants_type) {
  const Types types(traces, wants_type);
  std::optional<WhereError> wrong;
  for_each_comparison(*expression, [&](WhereComparison& comparison) {
    WhereSubject& subject = comparison.subject;
    if (subject.kind == Subject::kName) {
      const auto property = where_property_of(subject.name);
      // What is recorded as a duration is one.
      const Role role = property == WhereProperty::kDuration ? Role::kDuration : Role::kNone;
      const bool is_field = !property || types.have_field(subject.name, role);
      if (!is_field) subject.property = *property;
      if (!is_field) subject.kind = Subject::kProperty;
    }
    if (wrong) return;
    wrong = subject.kind == Subject::kProperty ? check_property(comparison, types) : types.check(comparison);
  });
  return wrong;
}

std::vector<std::string> where_doubts(const WhereExpression& expression) {
  std::vector<std::string> sentences;
  for_each_comparison(expression, [&](const WhereComparison& each) {
    const std::string& name = each.subject.name;
    if (each.subject.kind != Subject::kName || !where_property_of(name)) return;
    sentences.push_back(
        fmt::format("no event passes --where: {0} is a field here; @{0} is known of every event", name));
  });
  return sentences;
}

std::vector<const WhereComparison*> where_durations(const WhereExpression& expression) {
  std::vector<const WhereComparison*> found;
  for_each_comparison(expression, [&](const WhereComparison& each) {
    const bool is_it = each.subject.kind == Subject::kProperty && each.subject.property == WhereProperty::kDuration;
    if (is_it) found.push_back(&each);
  });
  return found;
}

namespace {

// Comparisons of fields that must all hold.
void add_required(const WhereExpression& expression, std::vector<const WhereSubject*>* subjects) {
  const WhereSubject& subject = expression.comparison.subject;
  if (expression.kind == WhereExpression::Kind::kComparison && subject.kind != Subject::kProperty) {
    subjects->push_back(&subject);
  }
  if (expression.kind != WhereExpression::Kind::kAnd) return;
  for (const WhereExpression& part : expression.parts) add_required(part, subjects);
}

// That no event has all of the fields, each of which some event has; empty: one may have.
std::string never_together(const WhereExpression& expression, const std::vector<const Trace*>& traces) {
  std::vector<const WhereSubject*> subjects;
  add_required(expression, &subjects);
  if (subjects.size() < 2 || Types(traces, [](const EventType&) { return true; }).have_all(subjects)) return "";
  std::string names;
  std::string hint;
  for (const WhereSubject* const subject : subjects) {
    names += (names.empty() ? "" : ", ") + where_subject_text(*subject);
    const bool is_property = subject->kind != Subject::kRole && where_property_of(subject->name).has_value();
    if (is_property) hint = fmt::format("; @{} is known of every event", subject->name);
  }
  return fmt::format("no event has all of the fields {}{}", names, hint);
}

}  // namespace

std::vector<std::string> where_nowhere_in(const WhereExpression& expression, const std::vector<const Trace*>& traces) {
  std::vector<std::string> sentences;
  if (std::string sentence = never_together(expression, traces); !sentence.empty()) {
    sentences.push_back(std::move(sentence));
  }
  for_each_comparison(expression, [&](const WhereComparison& comparison) {
    if (comparison.subject.kind != Subject::kProperty) return;
    const bool is_stream = comparison.subject.property == WhereProperty::kStream;
    const bool is_type = comparison.subject.property == WhereProperty::kType;
    const bool is_positive = comparison.op == WhereOperator::kEqual || comparison.op == WhereOperator::kMatches;
    if (!(is_stream || is_type) || !is_positive) return;
    std::vector<std::string> names;
    for (const Trace* const trace : traces) {
      for (const Session& session : trace->sessions()) {
        for (const StreamInfo& stream : session.streams) {
          if (is_stream && where_stream_passes(comparison, stream)) return;
          if (is_stream) names.push_back(stream.name);
        }
        for (const EventType& type : session.types) {
          if (is_type && where_name_passes(comparison, type.name())) return;
          if (is_type) names.push_back(type.name());
        }
      }
    }
    // Types that are not declared are met among the events alone.
    const bool is_of_reader = comparison.value.starts_with("type#") || where_name_passes(comparison, "!lost") ||
                              where_name_passes(comparison, "!jump");
    if (is_type && is_of_reader) return;
    sentences.push_back(fmt::format("no {} is called {}{}", is_stream ? "stream" : "event type", comparison.value,
                                    did_you_mean(comparison.value, names)));
  });
  return sentences;
}

}  // namespace evt::tools
