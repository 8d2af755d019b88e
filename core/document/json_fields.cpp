#include "document/json_fields.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "document/json_values.h"
#include "document/nearest.h"

namespace attn {
namespace {

using Kind = JsonCursor::Kind;

constexpr const char* kUnknownKey = "unknown key";
constexpr const char* kAllKeys = "attnscope schema prints all keys";

// One known key of an object and how its value is read into `T`.
template <class T>
struct KeyReader {
  std::string_view key;
  bool (*read)(JsonCursor&, T&);
};

template <class T>
bool refuse_unknown_key(JsonCursor& cursor, const std::string& key,
                        std::span<const KeyReader<T>> readers) {
  std::vector<std::string_view> names;
  for (const KeyReader<T>& reader : readers) names.push_back(reader.key);
  const std::string_view meant = nearest(key, names);
  if (!meant.empty()) {
    const std::string quoted = "\"" + std::string(meant) + "\"";
    return cursor.refuse_key(kUnknownKey, quoted, "did you mean " + quoted + "?");
  }
  std::string known;
  for (const std::string_view name : nearest_few(key, names, 3))
    known += (known.empty() ? "a key such as " : ", ") + std::string(name);
  const std::vector<Error>& errors = cursor.errors();
  const bool said = std::any_of(errors.begin(), errors.end(), [](const Error& error) {
    return error.message == kUnknownKey && error.hint == kAllKeys;
  });
  return cursor.refuse_key(kUnknownKey, said ? "" : known, said ? "" : kAllKeys);
}

// The text holds numbers that the program made itself: one sentence says more than what each of
// their keys is not.
void refuse_result(JsonCursor& cursor) {
  std::vector<Error>& errors = cursor.errors();
  const auto marked = std::find_if(errors.begin(), errors.end(), [](const Error& error) {
    return error.pointer == "/attnscope_result";
  });
  if (cursor.is_broken() || marked == errors.end()) return;
  Error error = *marked;
  error.message = "this is a result of attnscope compute, not a document";
  error.found = "the key \"attnscope_result\"";
  error.expected = "a document";
  error.hint =
      "open the document that it was computed from; or view its weights alone: keep the tokens, "
      "rename \"weights\" to \"attention\", add \"axes\": [\"sample\", \"layer\", \"head\", "
      "\"query\", \"key\"] and remove the rest";
  errors = {std::move(error)};
}

// Reads an object by its table of keys. A refused value does not stop the others from being read.
template <class T>
bool read_object(JsonCursor& cursor, std::span<const KeyReader<T>> readers, T& out) {
  return cursor.each_member([&](const std::string& key) {
    const auto reader = std::find_if(readers.begin(), readers.end(),
                                     [&](const KeyReader<T>& r) { return r.key == key; });
    const JsonCursor::Mark value = cursor.mark();
    if (reader == readers.end()) {
      refuse_unknown_key(cursor, key, readers);
      return !cursor.fatal() && cursor.skip();
    }
    return reader->read(cursor, out) || cursor.recover(value);
  });
}

bool refuse_later_version(JsonCursor& cursor, const std::string& what) {
  return cursor.refuse("this version does not compute " + what, cursor.describe(),
                       "a document without it");
}

template <class T>
bool not_yet(JsonCursor& cursor, T&) {
  return refuse_later_version(cursor, "this rule");
}

template <auto Member, std::size_t Low, std::size_t High, class T>
bool read_tensor_into(JsonCursor& cursor, T& fields) {
  Tensor tensor;
  if (!read_tensor(cursor, {Low, High}, tensor)) return false;
  fields.*Member = std::move(tensor);
  return true;
}

template <auto Member, class T>
bool read_text_into(JsonCursor& cursor, T& fields) {
  return cursor.read_text(fields.*Member);
}

template <auto Member, class T>
bool read_tokens_into(JsonCursor& cursor, T& fields) {
  TokenLists lists;
  if (!read_token_lists(cursor, lists)) return false;
  fields.*Member = std::move(lists);
  return true;
}

template <auto Member, std::uint64_t Minimum, class T>
bool read_count_into(JsonCursor& cursor, T& fields) {
  std::uint64_t count = 0;
  if (!read_count(cursor, Minimum, count)) return false;
  fields.*Member = count;
  return true;
}

bool read_choice(JsonCursor& cursor, std::span<const std::string_view> choices,
                 std::string_view computed, const std::string& what) {
  const JsonCursor::Mark start = cursor.mark();
  std::string choice;
  if (!cursor.read_text(choice)) return false;
  if (choice == computed) return true;
  if (std::find(choices.begin(), choices.end(), choice) != choices.end()) {
    return cursor.refuse_at(start, "this version does not compute this " + what,
                            "\"" + choice + "\"", "\"" + std::string(computed) + "\"");
  }
  return cursor.refuse_at(start, "unknown " + what, "\"" + choice + "\"",
                          "\"" + std::string(computed) + "\"");
}

// Projections.

template <auto Member>
bool read_bias_into(JsonCursor& cursor, ProjectionFields& fields) {
  if (cursor.kind() == Kind::Null) return cursor.read_null();
  return read_tensor_into<Member, 1, 1>(cursor, fields);
}

bool read_output_projection(JsonCursor& cursor, ProjectionFields& fields) {
  if (cursor.kind() != Kind::Null) {
    return read_tensor_into<&ProjectionFields::w_o, 2, 2>(cursor, fields);
  }
  fields.no_w_o = true;
  return cursor.read_null();
}

constexpr KeyReader<ProjectionFields> kProjectionKeys[] = {
    {"w_q", read_tensor_into<&ProjectionFields::w_q, 2, 2>},
    {"w_k", read_tensor_into<&ProjectionFields::w_k, 2, 2>},
    {"w_v", read_tensor_into<&ProjectionFields::w_v, 2, 2>},
    {"w_o", read_output_projection},
    {"b_q", read_bias_into<&ProjectionFields::b_q>},
    {"b_k", read_bias_into<&ProjectionFields::b_k>},
    {"b_v", read_bias_into<&ProjectionFields::b_v>},
    {"b_o", read_bias_into<&ProjectionFields::b_o>},
};

bool read_projections(JsonCursor& cursor, DocumentFields& fields) {
  ProjectionFields projections;
  if (!read_object<ProjectionFields>(cursor, kProjectionKeys, projections)) return false;
  fields.projections = std::move(projections);
  return true;
}

// Scoring.

bool read_function(JsonCursor& cursor, Scoring&) {
  constexpr std::string_view kFunctions[] = {"scaled_dot", "dot", "general", "concat", "additive"};
  return read_choice(cursor, kFunctions, "scaled_dot", "scoring function");
}

template <auto Member>
bool read_number_into(JsonCursor& cursor, Scoring& scoring) {
  const JsonCursor::Mark start = cursor.mark();
  std::string_view text;
  float value = 0.0F;
  if (cursor.kind() != Kind::Number) return cursor.read_number(text);
  const std::string found = cursor.describe();
  if (!cursor.read_float(value)) return false;
  if (Member == &Scoring::softcap && value <= 0.0F) {
    return cursor.refuse_at(start, "the softcap is not above zero", found, "a number above 0");
  }
  scoring.*Member = value;
  return true;
}

constexpr KeyReader<Scoring> kScoringKeys[] = {
    {"function", read_function},
    {"scale", read_number_into<&Scoring::scale>},
    {"softcap", read_number_into<&Scoring::softcap>},
};

// Mask.

bool read_causal(JsonCursor& cursor, Mask& mask) { return cursor.read_bool(mask.causal); }

bool read_causal_offset(JsonCursor& cursor, Mask& mask) {
  return read_integers(cursor, mask.causal_offset);
}

template <auto Member>
bool read_padding_into(JsonCursor& cursor, Mask& mask) {
  return read_padding(cursor, mask.*Member);
}

bool read_visible(JsonCursor& cursor, Mask& mask) {
  return read_tensor(cursor, {1, 4}, mask.visible);
}

bool read_bias(JsonCursor& cursor, Mask& mask) { return read_tensor(cursor, {1, 4}, mask.bias); }

constexpr KeyReader<Mask> kMaskKeys[] = {
    {"causal", read_causal},
    {"causal_offset", read_causal_offset},
    {"key_padding", read_padding_into<&Mask::key_padding>},
    {"query_padding", read_padding_into<&Mask::query_padding>},
    {"visible", read_visible},
    {"bias", read_bias},
    {"window", not_yet<Mask>},
    {"prefix", not_yet<Mask>},
    {"segments", not_yet<Mask>},
    {"alibi", not_yet<Mask>},
};

// View.

bool read_stage(JsonCursor& cursor, ViewSettings& view) {
  const JsonCursor::Mark start = cursor.mark();
  std::string name;
  if (!cursor.read_text(name)) return false;
  const std::optional<Stage> stage = stage_named(name);
  if (stage) {
    view.stage = *stage;
    return true;
  }
  std::string known;
  for (const StageInfo& info : all_stages()) {
    known += (known.empty() ? "" : ", ") + std::string(info.name);
  }
  return cursor.refuse_at(start, "unknown stage", "\"" + name + "\"", "one of " + known);
}

template <auto Member>
bool read_address(JsonCursor& cursor, ViewSettings& view) {
  std::uint64_t index = 0;
  if (!read_count(cursor, 0, index)) return false;
  view.head.*Member = index;
  return true;
}

template <auto Member>
bool read_flag(JsonCursor& cursor, ViewSettings& view) {
  return cursor.read_bool(view.*Member);
}

constexpr KeyReader<ViewSettings> kViewKeys[] = {
    {"plot", read_text_into<&ViewSettings::plot>},
    {"stage", read_stage},
    {"layer", read_address<&HeadAddress::layer>},
    {"sample", read_address<&HeadAddress::sample>},
    {"head", read_address<&HeadAddress::head>},
    {"colormap", read_text_into<&ViewSettings::colormap>},
    {"values", read_flag<&ViewSettings::values>},
    {"own_range", read_flag<&ViewSettings::own_range>},
};

bool read_view(JsonCursor& cursor, DocumentFields& fields) {
  ViewSettings view;
  if (!read_object<ViewSettings>(cursor, kViewKeys, view)) return false;
  fields.view = std::move(view);
  return true;
}

// The document itself.

bool read_version(JsonCursor& cursor, DocumentFields&) {
  const JsonCursor::Mark start = cursor.mark();
  std::uint64_t version = 0;
  if (!read_count(cursor, 0, version)) return false;
  if (version == 1) return true;
  return cursor.refuse_at(start, "this version of the format is not known", std::to_string(version),
                          "1", "a newer program may read it");
}

bool read_schema(JsonCursor& cursor, DocumentFields&) {
  std::string schema;
  return cursor.read_text(schema);
}

bool read_position(JsonCursor& cursor, DocumentFields&) {
  constexpr std::string_view kPositions[] = {"none", "sinusoidal", "rope"};
  return read_choice(cursor, kPositions, "none", "position encoding");
}

bool read_axes(JsonCursor& cursor, DocumentFields& fields) {
  std::vector<std::string> axes;
  if (!read_texts(cursor, axes)) return false;
  fields.axes = std::move(axes);
  return true;
}

bool read_scoring(JsonCursor& cursor, DocumentFields& fields) {
  return read_object<Scoring>(cursor, kScoringKeys, fields.scoring);
}

bool read_mask(JsonCursor& cursor, DocumentFields& fields) {
  return read_object<Mask>(cursor, kMaskKeys, fields.mask);
}

using Fields = DocumentFields;
constexpr KeyReader<Fields> kDocumentKeys[] = {
    {"$schema", read_schema},
    {"attnscope", read_version},
    {"title", read_text_into<&Fields::title>},
    {"description", read_text_into<&Fields::description>},
    {"source", read_text_into<&Fields::source>},
    {"tokens", read_tokens_into<&Fields::tokens>},
    {"query_tokens", read_tokens_into<&Fields::query_tokens>},
    {"key_tokens", read_tokens_into<&Fields::key_tokens>},
    {"q", read_tensor_into<&Fields::q, 2, 4>},
    {"k", read_tensor_into<&Fields::k, 2, 4>},
    {"v", read_tensor_into<&Fields::v, 2, 4>},
    {"embeddings", read_tensor_into<&Fields::embeddings, 2, 3>},
    {"query_embeddings", read_tensor_into<&Fields::query_embeddings, 2, 3>},
    {"key_embeddings", read_tensor_into<&Fields::key_embeddings, 2, 3>},
    {"value_embeddings", read_tensor_into<&Fields::value_embeddings, 2, 3>},
    {"heads", read_count_into<&Fields::heads, 1>},
    {"d_model", read_count_into<&Fields::d_model, 1>},
    {"projections", read_projections},
    {"attention", read_tensor_into<&Fields::attention, 2, 5>},
    {"axes", read_axes},
    {"scoring", read_scoring},
    {"mask", read_mask},
    {"position", read_position},
    {"seed", read_count_into<&Fields::seed, 0>},
    {"view", read_view},
};

}  // namespace

void read_fields(JsonCursor& cursor, DocumentFields& fields) {
  bool read = false;
  switch (cursor.kind()) {
    case Kind::Object:
      read = read_object<DocumentFields>(cursor, kDocumentKeys, fields);
      refuse_result(cursor);
      break;
    case Kind::List:
      read = read_tokens_into<&DocumentFields::tokens>(cursor, fields);
      break;
    case Kind::Nothing:
      read = cursor.skip();
      break;  // says what is there instead
    default:
      cursor.refuse(
          "this is no document", cursor.describe(),
          "an object such as {\"tokens\": [\"I\", \"love\", \"cats\"]}, or a list of tokens");
  }
  if (read) cursor.finish();
}

}  // namespace attn
