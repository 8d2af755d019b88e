// Reads the keys of a document's outermost object, and its view.
#include "document/json/fields.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>

#include "document/embedding_kind.h"
#include "document/json/object.h"
#include "document/json/tokens.h"
#include "document/json/values.h"
#include "document/json/view.h"
#include "document/load/tensor_file.h"

namespace attn {
namespace {

using Kind = JsonCursor::Kind;

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

bool read_told(JsonCursor& cursor, DocumentFields& fields, std::string& text, const char* key) {
  if (!cursor.read_text(text)) return false;
  if (text.empty()) fields.kept.empty.emplace_back(key);
  return true;
}

bool read_title(JsonCursor& cursor, DocumentFields& fields) {
  return read_told(cursor, fields, fields.title, "title");
}

bool read_description(JsonCursor& cursor, DocumentFields& fields) {
  return read_told(cursor, fields, fields.description, "description");
}

bool read_source(JsonCursor& cursor, DocumentFields& fields) {
  return read_told(cursor, fields, fields.source, "source");
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

// Projections.

template <auto Member>
bool read_bias_into(JsonCursor& cursor, ProjectionFields& fields) {
  return read_tensor_or_null<Member, 1, 2>(cursor, fields);
}

bool read_output_projection(JsonCursor& cursor, ProjectionFields& fields) {
  if (cursor.kind() != Kind::Null) {
    return read_tensor_into<&ProjectionFields::w_o, 2, 3>(cursor, fields);
  }
  fields.no_w_o = true;
  return cursor.read_null();
}

bool read_order(JsonCursor& cursor, ProjectionFields& fields) {
  return read_choice(cursor, kMatrixOrders, "order of inputs and outputs", fields.out_in);
}

constexpr KeyReader<ProjectionFields> kProjectionKeys[] = {
    {"order", read_order},
    {"w_q", read_tensor_into<&ProjectionFields::w_q, 2, 3>},
    {"w_k", read_tensor_into<&ProjectionFields::w_k, 2, 3>},
    {"w_v", read_tensor_into<&ProjectionFields::w_v, 2, 3>},
    {"w_qkv", read_tensor_into<&ProjectionFields::w_qkv, 2, 2>},
    {"w_o", read_output_projection},
    {"b_q", read_bias_into<&ProjectionFields::b_q>},
    {"b_k", read_bias_into<&ProjectionFields::b_k>},
    {"b_v", read_bias_into<&ProjectionFields::b_v>},
    {"b_qkv", read_bias_into<&ProjectionFields::b_qkv>},
    {"b_o", read_bias_into<&ProjectionFields::b_o>},
};

bool read_view_into(JsonCursor& cursor, DocumentFields& fields) {
  Pane pane;
  if (!read_view(cursor, pane.view, fields.notes)) return false;
  fields.panes = Panes{pane, pane.id};
  return true;
}

bool read_layout_into(JsonCursor& cursor, DocumentFields& fields) {
  return read_layout(cursor, fields.panes.emplace(), fields.notes);
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

bool read_schema(JsonCursor& cursor, DocumentFields& fields) {
  return cursor.read_text(fields.kept.schema);
}

bool read_axes(JsonCursor& cursor, DocumentFields& fields) {
  std::vector<std::string> axes;
  const bool read =
      cursor.each_item([&] { return cursor.read_text(axes.emplace_back()) && cursor.charge(64); });
  if (read) fields.axes = std::move(axes);
  return read;
}

bool read_scoring_into(JsonCursor& cursor, DocumentFields& fields) {
  fields.has_scoring = true;
  return read_scoring(cursor, fields.scoring, fields.d_a);
}

template <AttentionPart Part>
bool read_mask_of(JsonCursor& cursor, DocumentFields& fields) {
  return read_mask(cursor, fields.masks[static_cast<std::size_t>(Part)].emplace());
}

bool read_position_into(JsonCursor& cursor, DocumentFields& fields) {
  return read_position(cursor, fields.position);
}

bool read_reference_into(JsonCursor& cursor, DocumentFields& fields) {
  std::string name;
  if (!cursor.read_text(name)) return false;
  fields.reference = seen_from(name, cursor.folder());
  return true;
}

bool read_features_into(JsonCursor& cursor, DocumentFields& fields) {
  return read_features(cursor, fields.features);
}

using Fields = DocumentFields;
constexpr KeyReader<Fields> kInputKeys[] = {
    {"$schema", read_schema},
    {"attnscope", read_version},
    {"title", read_title},
    {"description", read_description},
    {"source", read_source},
    {"reference", read_reference_into},
    {"tokens", read_tokens_into<&Fields::tokens>},
    {"query_tokens", read_tokens_into<&Fields::query_tokens>},
    {"key_tokens", read_tokens_into<&Fields::key_tokens>},
    {"features", read_features_into},
    {"q", read_tensor_into<&Fields::q, 2, 4>},
    {"k", read_tensor_into<&Fields::k, 2, 4>},
    {"v", read_tensor_into<&Fields::v, 2, 4>},
    {"embeddings", read_tensor_into<&Fields::embeddings, 2, 3>},
    {"query_embeddings", read_tensor_into<&Fields::query_embeddings, 2, 3>},
    {"key_embeddings", read_tensor_into<&Fields::key_embeddings, 2, 3>},
    {"value_embeddings", read_tensor_into<&Fields::value_embeddings, 2, 3>},
    {"heads", read_count_into<&Fields::heads, 1>},
    {"kv_heads", read_count_into<&Fields::kv_heads, 1>},
    {"d_model", read_count_into<&Fields::d_model, 1>},
};
constexpr KeyReader<Fields> kOtherKeys[] = {
    {"attention", read_tensor_into<&Fields::attention, 2, 5>},
    {"axes", read_axes},
    {"scoring", read_scoring_into},
    {"mask", read_mask_of<AttentionPart::Cross>},
    {"self_mask", read_mask_of<AttentionPart::Self>},
    {"position", read_position_into},
    {"seed", read_count_into<&Fields::seed, 0>},
    {"view", read_view_into},
    {"layout", read_layout_into},
};

// In the order of documents, those of the kinds of model among them.
std::vector<KeyReader<Fields>> document_keys() {
  std::vector<KeyReader<Fields>> keys(std::begin(kInputKeys), std::end(kInputKeys));
  for (const EmbeddingKind& kind : all_embedding_kinds()) {
    keys.insert(keys.end(), kind.keys.begin(), kind.keys.end());
  }
  keys.insert(keys.end(), std::begin(kOtherKeys), std::end(kOtherKeys));
  return keys;
}

}  // namespace

bool read_projections(JsonCursor& cursor, ProjectionFields& projections) {
  return read_object<ProjectionFields>(cursor, kProjectionKeys, projections);
}

bool read_projections(JsonCursor& cursor, DocumentFields& fields) {
  return read_projections(cursor, fields.projections.emplace());
}

void read_fields(JsonCursor& cursor, DocumentFields& fields) {
  bool read = false;
  switch (cursor.kind()) {
    case Kind::Object:
      read = read_object<DocumentFields>(cursor, document_keys(), fields);
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
