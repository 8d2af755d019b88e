// Reads scoring, positions and masks.
#include "document/json/rules.h"

#include <string>

#include "document/json/values.h"

namespace attn {
namespace {

using Kind = JsonValue::Kind;

// --- scoring

bool read_function(JsonValue json, ScoringFields& scoring) {
  return read_named(json, all_scoring_functions(), "scoring function",
                    &ScoringFunctionInfo::function, scoring.function);
}

bool read_normaliser(JsonValue json, ScoringFields& scoring) {
  return read_named(json, all_normalisers(), "normaliser", &NormaliserInfo::normaliser,
                    scoring.normaliser);
}

constexpr Row<ScoringFields> kScoringRows[] = {
    {"function", read_function},
    {"scale", into_optional<&Scoring::scale, read_finite>},
    {"softcap", into_optional<&Scoring::softcap, read_positive>},
    {"temperature", into_optional<&Scoring::temperature, read_positive>},
    {"normaliser", read_normaliser},
    {"sinks", into<&Scoring::sinks, read_numbers>},
    {"d_a", into_optional<&ScoringFields::d_a, count_from<1>>},
    {"w", into<&Scoring::w, tensor<2, 3, float>>},
    {"w_query", into<&Scoring::w_query, tensor<2, 3, float>>},
    {"w_key", into<&Scoring::w_key, tensor<2, 3, float>>},
    {"v", into<&Scoring::v, tensor<1, 2, float>>},
    {"b", into<&Scoring::b, tensor<1, 2, float>>},
};

// --- mask

bool read_causal(JsonValue json, MaskFields& mask) {
  mask.says_causal = true;
  return json.read_bool(mask.causal);
}

// Also reads "segments".
bool read_segments_once(JsonValue json, SegmentLists& lists) {
  if (lists.empty()) return read_segments(json, lists);
  return json.refuse("two keys exclude each other", "segments and query_segments",
                     "segments for both sides, or query_segments and key_segments");
}

Window& window_of(Mask& mask) { return mask.window ? *mask.window : mask.window.emplace(); }

bool read_window(JsonValue json, MaskFields& mask) {
  std::vector<std::optional<std::uint64_t>> sides;
  const bool read = json.each_item([&](JsonValue side) {
    sides.emplace_back();
    if (side.kind() == Kind::Null) return side.read_null();
    return side.charge(sizeof sides.front()) && read_count(side, 0, sides.back().emplace());
  });
  if (!read) return false;
  if (sides.size() != 2) {
    return json.refuse("a window has two sides",
                       std::to_string(sides.size()) + (sides.size() == 1 ? " item" : " items"),
                       "[left, right], null for a side without end");
  }
  window_of(mask).left = sides[0];
  window_of(mask).right = sides[1];
  return true;
}

bool read_dilation(JsonValue json, MaskFields& mask) {
  return read_count(json, 1, window_of(mask).dilation);
}

// true: the standard slopes; false: none; a number or a list: these.
bool read_alibi(JsonValue json, MaskFields& mask) {
  std::vector<float> slopes;
  bool wanted = true;
  const bool is_flag = json.kind() == Kind::Bool;
  if (is_flag ? !json.read_bool(wanted) : !read_numbers(json, slopes)) return false;
  if (wanted) mask.alibi = std::move(slopes);
  return true;
}

bool read_bidirectional(JsonValue json, RelativeBias& bias) {
  return json.read_bool(bias.bidirectional);
}

constexpr Row<RelativeBias> kRelativeRows[] = {
    {"table", into<&RelativeBias::table, tensor<1, 2, float>>},
    {"bidirectional", read_bidirectional},
    {"max_distance", into<&RelativeBias::max_distance, count_from<1>>},
};

bool read_relative(JsonValue json, MaskFields& mask) {
  RelativeBias bias;
  const std::size_t known = json.reader().errors().size();
  if (!read_object<RelativeBias>(json, kRelativeRows, bias)) return false;
  if (json.reader().errors().size() > known) return true;  // the error may be about the table
  if (bias.table.empty()) {
    return json.refuse("relative buckets need their numbers", "no table",
                       "\"table\" with a number for each bucket");
  }
  if (bias.table.rank() == 1) bias.table = bias.table.reshaped({bias.table.size(), 1});
  mask.relative = std::move(bias);
  return true;
}

constexpr Row<MaskFields> kMaskRows[] = {
    {"causal", read_causal},
    {"causal_offset", into<&Mask::causal_offset, read_integers>},
    {"prefix", into<&Mask::prefix, read_counts>},
    {"window", read_window},
    {"dilation", read_dilation},
    {"sink_tokens", into<&Mask::sink_tokens, count_from<0>>},
    {"segments", into<&Mask::query_segments, read_segments_once>},
    {"query_segments", into<&Mask::query_segments, read_segments_once>},
    {"key_segments", into<&Mask::key_segments, read_segments>},
    {"key_padding", into<&Mask::key_padding, read_padding>},
    {"query_padding", into<&Mask::query_padding, read_padding>},
    {"key_lengths", into<&MaskFields::key_lengths, read_counts>},
    {"query_lengths", into<&MaskFields::query_lengths, read_counts>},
    {"visible", into<&Mask::visible, tensor<1, 4, std::uint8_t>>},
    {"bias", into<&Mask::bias, tensor<1, 4, float>>},
    {"alibi", read_alibi},
    {"relative_buckets", read_relative},
};

// --- position

struct PositionFields : Position {
  std::optional<PositionLayout> said_layout;  // the default depends on the kind
};

bool read_kind(JsonValue json, PositionFields& fields) {
  return read_named(json, all_position_kinds(), "position encoding", &PositionKindInfo::kind,
                    fields.kind);
}

constexpr Row<PositionFields> kPositionRows[] = {
    {"kind", read_kind},
    {"layout", into_optional<&PositionFields::said_layout, choice<kLayouts>>},
    {"base", into<&Position::base, read_positive>},
    {"scaling", into<&Position::scaling, choice<kScalings>>},
    {"factor", into<&Position::factor, read_positive>},
    {"rotary_dim", into<&Position::rotary_dim, count_from<2>>},
    {"table", into<&Position::table, tensor<2, 2, float>>},
};

}  // namespace

bool read_scoring(JsonValue json, ScoringFields& fields) {
  return read_object<ScoringFields>(json, kScoringRows, fields);
}

bool read_mask(JsonValue json, MaskFields& fields) {
  return read_object<MaskFields>(json, kMaskRows, fields);
}

bool read_position(JsonValue json, Position& position) {
  PositionFields fields;
  const bool read = json.kind() == Kind::Object
                        ? read_object<PositionFields>(json, kPositionRows, fields)
                        : read_kind(json, fields);
  if (!read) return false;
  fields.layout = fields.said_layout.value_or(position_info(fields.kind).usual_layout);
  position = std::move(fields);
  return true;
}

}  // namespace attn
