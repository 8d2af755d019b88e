// Reads scoring, positions and masks.
#include "document/json/rules.h"

#include <string>

#include "document/json/object.h"

namespace attn {
namespace {

using Kind = JsonCursor::Kind;

// A JSON number, not one of the strings for those that are not finite.
bool read_finite(JsonCursor& cursor, float& value) {
  std::string_view text;
  if (cursor.kind() != Kind::Number) return cursor.read_number(text);
  return cursor.read_float(value);
}

bool read_above_zero(JsonCursor& cursor, const std::string& what, float& value) {
  const JsonCursor::Mark start = cursor.mark();
  const std::string found = cursor.describe();
  if (!read_finite(cursor, value)) return false;
  return value > 0.0F ||
         cursor.refuse_at(start, "the " + what + " is not above zero", found, "a number above 0");
}

// One number, or a list of them.
bool read_numbers(JsonCursor& cursor, std::vector<float>& values) {
  const auto add = [&] {
    float value = 0.0F;
    if (!cursor.charge(2 * sizeof value) || !read_finite(cursor, value)) return false;
    values.push_back(value);
    return true;
  };
  values.clear();
  if (cursor.kind() != Kind::List) return add();
  const JsonCursor::Mark start = cursor.mark();
  if (!cursor.each_item(add)) return false;
  return !values.empty() ||
         cursor.refuse_at(start, "an empty list", "no numbers", "at least one number");
}

// One count, or one per sample.
bool read_counts(JsonCursor& cursor, std::vector<std::uint64_t>& counts) {
  const JsonCursor::Mark start = cursor.mark();
  const auto add = [&] {
    std::uint64_t count = 0;
    if (!cursor.charge(2 * sizeof count) || !read_count(cursor, 0, count)) return false;
    counts.push_back(count);
    return true;
  };
  counts.clear();
  if (cursor.kind() != Kind::List) return add();
  if (!cursor.each_item(add)) return false;
  return !counts.empty() ||
         cursor.refuse_at(start, "an empty list", "no numbers", "at least one number");
}

// Scoring.

struct ScoringFields {
  Scoring scoring;
  std::optional<std::uint64_t> d_a;
};

bool read_function(JsonCursor& cursor, ScoringFields& fields) {
  const ScoringFunctionInfo* info = nullptr;
  if (!read_named(cursor, all_scoring_functions(), "scoring function", info)) return false;
  fields.scoring.function = info->function;
  return true;
}

bool read_normaliser(JsonCursor& cursor, ScoringFields& fields) {
  const NormaliserInfo* info = nullptr;
  if (!read_named(cursor, all_normalisers(), "normaliser", info)) return false;
  fields.scoring.normaliser = info->normaliser;
  return true;
}

bool read_scale(JsonCursor& cursor, ScoringFields& fields) {
  return read_finite(cursor, fields.scoring.scale.emplace());
}

bool read_softcap(JsonCursor& cursor, ScoringFields& fields) {
  return read_above_zero(cursor, "softcap", fields.scoring.softcap.emplace());
}

bool read_temperature(JsonCursor& cursor, ScoringFields& fields) {
  return read_above_zero(cursor, "temperature", fields.scoring.temperature.emplace());
}

bool read_sinks(JsonCursor& cursor, ScoringFields& fields) {
  return read_numbers(cursor, fields.scoring.sinks);
}

bool read_hidden_units(JsonCursor& cursor, ScoringFields& fields) {
  return read_count(cursor, 1, fields.d_a.emplace());
}

template <auto Member, std::size_t Low>
bool read_matrix(JsonCursor& cursor, ScoringFields& fields) {
  return read_tensor_into<Member, Low, Low + 1>(cursor, fields.scoring);
}

constexpr KeyReader<ScoringFields> kScoringKeys[] = {
    {"function", read_function},
    {"scale", read_scale},
    {"softcap", read_softcap},
    {"temperature", read_temperature},
    {"normaliser", read_normaliser},
    {"sinks", read_sinks},
    {"d_a", read_hidden_units},
    {"w", read_matrix<&Scoring::w, 2>},
    {"w_query", read_matrix<&Scoring::w_query, 2>},
    {"w_key", read_matrix<&Scoring::w_key, 2>},
    {"v", read_matrix<&Scoring::v, 1>},
    {"b", read_matrix<&Scoring::b, 1>},
};

// Mask.

bool read_causal(JsonCursor& cursor, MaskFields& fields) {
  fields.says_causal = true;
  return cursor.read_bool(fields.mask.causal);
}

bool read_causal_offset(JsonCursor& cursor, MaskFields& fields) {
  return read_integers(cursor, fields.mask.causal_offset);
}

template <auto Member>
bool read_padding_into(JsonCursor& cursor, MaskFields& fields) {
  return read_padding(cursor, fields.mask.*Member);
}

template <auto Member>
bool read_lengths(JsonCursor& cursor, MaskFields& fields) {
  return read_counts(cursor, fields.*Member);
}

template <auto Member>
bool read_segments_into(JsonCursor& cursor, MaskFields& fields) {
  if (!(fields.mask.*Member).empty()) {
    return cursor.refuse("two keys exclude each other", "segments and query_segments",
                         "segments for both sides, or query_segments and key_segments");
  }
  return read_segments(cursor, fields.mask.*Member);
}

bool read_visible(JsonCursor& cursor, MaskFields& fields) {
  return read_tensor(cursor, {1, 4}, fields.mask.visible);
}

bool read_bias(JsonCursor& cursor, MaskFields& fields) {
  return read_tensor(cursor, {1, 4}, fields.mask.bias);
}

Window& window_of(MaskFields& fields) {
  if (!fields.mask.window) fields.mask.window.emplace();
  return *fields.mask.window;
}

bool read_window(JsonCursor& cursor, MaskFields& fields) {
  const JsonCursor::Mark start = cursor.mark();
  std::vector<std::optional<std::uint64_t>> sides;
  const bool read = cursor.each_item([&] {
    if (cursor.kind() == Kind::Null) {
      sides.emplace_back();
      return cursor.read_null();
    }
    return cursor.charge(sizeof sides.front()) &&
           read_count(cursor, 0, sides.emplace_back(0).value());
  });
  if (!read) return false;
  if (sides.size() != 2) {
    return cursor.refuse_at(start, "a window has two sides",
                            std::to_string(sides.size()) + (sides.size() == 1 ? " item" : " items"),
                            "[left, right], null for a side without end");
  }
  window_of(fields).left = sides[0];
  window_of(fields).right = sides[1];
  return true;
}

bool read_dilation(JsonCursor& cursor, MaskFields& fields) {
  return read_count(cursor, 1, window_of(fields).dilation);
}

bool read_prefix(JsonCursor& cursor, MaskFields& fields) {
  return read_counts(cursor, fields.mask.prefix);
}

bool read_sink_tokens(JsonCursor& cursor, MaskFields& fields) {
  return read_count(cursor, 0, fields.mask.sink_tokens);
}

// true: the standard slopes; false: none; a number or a list: these.
bool read_alibi(JsonCursor& cursor, MaskFields& fields) {
  std::vector<float> slopes;
  if (cursor.kind() == Kind::Bool) {
    bool wanted = false;
    if (!cursor.read_bool(wanted)) return false;
    if (wanted) fields.mask.alibi = slopes;
    return true;
  }
  if (!read_numbers(cursor, slopes)) return false;
  fields.mask.alibi = std::move(slopes);
  return true;
}

bool read_table(JsonCursor& cursor, RelativeBias& bias) {
  return read_tensor(cursor, {1, 2}, bias.table);
}

bool read_bidirectional(JsonCursor& cursor, RelativeBias& bias) {
  return cursor.read_bool(bias.bidirectional);
}

bool read_max_distance(JsonCursor& cursor, RelativeBias& bias) {
  return read_count(cursor, 1, bias.max_distance);
}

constexpr KeyReader<RelativeBias> kRelativeKeys[] = {
    {"table", read_table},
    {"bidirectional", read_bidirectional},
    {"max_distance", read_max_distance},
};

bool read_relative(JsonCursor& cursor, MaskFields& fields) {
  RelativeBias bias;
  const JsonCursor::Mark start = cursor.mark();
  const std::size_t known = cursor.errors().size();
  if (!read_object<RelativeBias>(cursor, kRelativeKeys, bias)) return false;
  if (cursor.errors().size() > known) return true;  // the table may be one of them
  if (bias.table.empty()) {
    return cursor.refuse_at(start, "relative buckets need their numbers", "no table",
                            "\"table\" with a number for each bucket");
  }
  if (bias.table.rank() == 1) bias.table = bias.table.reshaped({bias.table.size(), 1});
  fields.mask.relative = std::move(bias);
  return true;
}

constexpr KeyReader<MaskFields> kMaskKeys[] = {
    {"causal", read_causal},
    {"causal_offset", read_causal_offset},
    {"prefix", read_prefix},
    {"window", read_window},
    {"dilation", read_dilation},
    {"sink_tokens", read_sink_tokens},
    {"segments", read_segments_into<&Mask::query_segments>},
    {"query_segments", read_segments_into<&Mask::query_segments>},
    {"key_segments", read_segments_into<&Mask::key_segments>},
    {"key_padding", read_padding_into<&Mask::key_padding>},
    {"query_padding", read_padding_into<&Mask::query_padding>},
    {"key_lengths", read_lengths<&MaskFields::key_lengths>},
    {"query_lengths", read_lengths<&MaskFields::query_lengths>},
    {"visible", read_visible},
    {"bias", read_bias},
    {"alibi", read_alibi},
    {"relative_buckets", read_relative},
};

// Position.

// Fields as optionals: what is left out depends on the kind.
struct PositionFields {
  Position position;
  bool has_layout = false;
};

bool read_kind(JsonCursor& cursor, PositionFields& fields) {
  const PositionKindInfo* info = nullptr;
  if (!read_named(cursor, all_position_kinds(), "position encoding", info)) return false;
  fields.position.kind = info->kind;
  return true;
}

bool read_layout(JsonCursor& cursor, PositionFields& fields) {
  fields.has_layout = true;
  return read_choice(cursor, kLayouts, "layout", fields.position.layout);
}

bool read_base(JsonCursor& cursor, PositionFields& fields) {
  return read_above_zero(cursor, "base", fields.position.base);
}

bool read_scaling(JsonCursor& cursor, PositionFields& fields) {
  return read_choice(cursor, kScalings, "scaling", fields.position.scaling);
}

bool read_factor(JsonCursor& cursor, PositionFields& fields) {
  return read_above_zero(cursor, "factor", fields.position.factor);
}

bool read_rotary_dim(JsonCursor& cursor, PositionFields& fields) {
  std::uint64_t columns = 0;
  if (!read_count(cursor, 2, columns)) return false;
  fields.position.rotary_dim = columns;
  return true;
}

bool read_position_table(JsonCursor& cursor, PositionFields& fields) {
  return read_tensor(cursor, {2, 2}, fields.position.table);
}

constexpr KeyReader<PositionFields> kPositionKeys[] = {
    {"kind", read_kind},
    {"layout", read_layout},
    {"base", read_base},
    {"scaling", read_scaling},
    {"factor", read_factor},
    {"rotary_dim", read_rotary_dim},
    {"table", read_position_table},
};

}  // namespace

bool read_scoring(JsonCursor& cursor, Scoring& scoring, std::optional<std::uint64_t>& d_a) {
  ScoringFields fields;
  if (!read_object<ScoringFields>(cursor, kScoringKeys, fields)) return false;
  scoring = std::move(fields.scoring);
  d_a = fields.d_a;
  return true;
}

bool read_mask(JsonCursor& cursor, MaskFields& fields) {
  return read_object<MaskFields>(cursor, kMaskKeys, fields);
}

bool read_position(JsonCursor& cursor, Position& position) {
  PositionFields fields;
  const bool read = cursor.kind() == Kind::Object
                        ? read_object<PositionFields>(cursor, kPositionKeys, fields)
                        : read_kind(cursor, fields);
  if (!read) return false;
  position = std::move(fields.position);
  if (!fields.has_layout) position.layout = position_info(position.kind).usual_layout;
  return true;
}

}  // namespace attn
