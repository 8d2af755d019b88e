// Reads scoring, positions and masks.
#include "document/json/rules.h"

#include <string>

#include "document/json/values.h"

namespace attn {
namespace {

using Kind = JsonCursor::Kind;

// --- scoring

bool read_function(JsonCursor& cursor, ScoringFields& scoring) {
  return read_named(cursor, all_scoring_functions(), "scoring function",
                    &ScoringFunctionInfo::function, scoring.function);
}

bool read_normaliser(JsonCursor& cursor, ScoringFields& scoring) {
  return read_named(cursor, all_normalisers(), "normaliser", &NormaliserInfo::normaliser,
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

bool read_causal(JsonCursor& cursor, MaskFields& mask) {
  mask.says_causal = true;
  return cursor.read_bool(mask.causal);
}

// Of "segments", too.
bool read_segments_once(JsonCursor& cursor, SegmentLists& lists) {
  if (lists.empty()) return read_segments(cursor, lists);
  return cursor.refuse("two keys exclude each other", "segments and query_segments",
                       "segments for both sides, or query_segments and key_segments");
}

Window& window_of(Mask& mask) { return mask.window ? *mask.window : mask.window.emplace(); }

bool read_window(JsonCursor& cursor, MaskFields& mask) {
  const JsonCursor::Mark start = cursor.mark();
  std::vector<std::optional<std::uint64_t>> sides;
  const bool read = cursor.each_item([&] {
    sides.emplace_back();
    if (cursor.kind() == Kind::Null) return cursor.read_null();
    return cursor.charge(sizeof sides.front()) && read_count(cursor, 0, sides.back().emplace());
  });
  if (!read) return false;
  if (sides.size() != 2) {
    return cursor.refuse_at(start, "a window has two sides",
                            std::to_string(sides.size()) + (sides.size() == 1 ? " item" : " items"),
                            "[left, right], null for a side without end");
  }
  window_of(mask).left = sides[0];
  window_of(mask).right = sides[1];
  return true;
}

bool read_dilation(JsonCursor& cursor, MaskFields& mask) {
  return read_count(cursor, 1, window_of(mask).dilation);
}

// true: the standard slopes; false: none; a number or a list: these.
bool read_alibi(JsonCursor& cursor, MaskFields& mask) {
  std::vector<float> slopes;
  bool wanted = true;
  const bool is_flag = cursor.kind() == Kind::Bool;
  if (is_flag ? !cursor.read_bool(wanted) : !read_numbers(cursor, slopes)) return false;
  if (wanted) mask.alibi = std::move(slopes);
  return true;
}

bool read_bidirectional(JsonCursor& cursor, RelativeBias& bias) {
  return cursor.read_bool(bias.bidirectional);
}

constexpr Row<RelativeBias> kRelativeRows[] = {
    {"table", into<&RelativeBias::table, tensor<1, 2, float>>},
    {"bidirectional", read_bidirectional},
    {"max_distance", into<&RelativeBias::max_distance, count_from<1>>},
};

bool read_relative(JsonCursor& cursor, MaskFields& mask) {
  RelativeBias bias;
  const JsonCursor::Mark start = cursor.mark();
  const std::size_t known = cursor.errors().size();
  if (!read_object<RelativeBias>(cursor, kRelativeRows, bias)) return false;
  if (cursor.errors().size() > known) return true;  // the table may be one of them
  if (bias.table.empty()) {
    return cursor.refuse_at(start, "relative buckets need their numbers", "no table",
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
  std::optional<PositionLayout> said_layout;  // what is left out depends on the kind
};

bool read_kind(JsonCursor& cursor, PositionFields& fields) {
  return read_named(cursor, all_position_kinds(), "position encoding", &PositionKindInfo::kind,
                    fields.kind);
}

bool read_layout(JsonCursor& cursor, PositionFields& fields) {
  return read_choice(cursor, kLayouts, "layout", fields.said_layout.emplace());
}

bool read_scaling(JsonCursor& cursor, PositionFields& fields) {
  return read_choice(cursor, kScalings, "scaling", fields.scaling);
}

constexpr Row<PositionFields> kPositionRows[] = {
    {"kind", read_kind},
    {"layout", read_layout},
    {"base", into<&Position::base, read_positive>},
    {"scaling", read_scaling},
    {"factor", into<&Position::factor, read_positive>},
    {"rotary_dim", into<&Position::rotary_dim, count_from<2>>},
    {"table", into<&Position::table, tensor<2, 2, float>>},
};

}  // namespace

bool read_scoring(JsonCursor& cursor, ScoringFields& fields) {
  return read_object<ScoringFields>(cursor, kScoringRows, fields);
}

bool read_mask(JsonCursor& cursor, MaskFields& fields) {
  return read_object<MaskFields>(cursor, kMaskRows, fields);
}

bool read_position(JsonCursor& cursor, Position& position) {
  PositionFields fields;
  const bool read = cursor.kind() == Kind::Object
                        ? read_object<PositionFields>(cursor, kPositionRows, fields)
                        : read_kind(cursor, fields);
  if (!read) return false;
  fields.layout = fields.said_layout.value_or(position_info(fields.kind).usual_layout);
  position = std::move(fields);
  return true;
}

}  // namespace attn
