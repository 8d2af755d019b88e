// Reads the keys of a document's outermost object, and its view.
#include "document/json/fields.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>

#include "document/embedding_kind.h"
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

// Projections.

bool read_output_projection(JsonCursor& cursor, ProjectionFields& fields) {
  fields.no_w_o = cursor.kind() == Kind::Null;
  return fields.no_w_o ? cursor.read_null() : tensor<2, 3>(cursor, fields.w_o.emplace());
}

bool read_order(JsonCursor& cursor, ProjectionFields& fields) {
  return read_choice(cursor, kMatrixOrders, "order of inputs and outputs", fields.out_in);
}

// Of one matrix or bias, or one per head.
template <auto Member>
bool read_matrix(JsonCursor& cursor, ProjectionFields& fields) {
  return tensor<2, 3>(cursor, (fields.*Member).emplace());
}

template <auto Member>
bool read_bias(JsonCursor& cursor, ProjectionFields& fields) {
  if (cursor.kind() == Kind::Null) return cursor.read_null();
  return tensor<1, 2>(cursor, (fields.*Member).emplace());
}

constexpr Row<ProjectionFields> kProjectionRows[] = {
    {"order", read_order},
    {"w_q", read_matrix<&ProjectionFields::w_q>},
    {"w_k", read_matrix<&ProjectionFields::w_k>},
    {"w_v", read_matrix<&ProjectionFields::w_v>},
    {"w_qkv", into_optional<&ProjectionFields::w_qkv, tensor<2, 2, float>>},
    {"w_o", read_output_projection},
    {"b_q", read_bias<&ProjectionFields::b_q>},
    {"b_k", read_bias<&ProjectionFields::b_k>},
    {"b_v", read_bias<&ProjectionFields::b_v>},
    {"b_qkv", read_bias<&ProjectionFields::b_qkv>},
    {"b_o", read_bias<&ProjectionFields::b_o>},
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

template <std::size_t Attention>
bool read_mask_of(JsonCursor& cursor, DocumentFields& fields) {
  return read_mask(cursor, fields.masks[Attention].emplace());
}

bool read_reference_into(JsonCursor& cursor, DocumentFields& fields) {
  std::string name;
  if (!cursor.read_text(name)) return false;
  fields.reference = seen_from(name, cursor.folder());
  return true;
}

using Fields = DocumentFields;
constexpr Row<Fields> kInputKeys[] = {
    {"$schema", read_schema},
    {"attnscope", read_version},
    {"title", read_title},
    {"description", read_description},
    {"source", read_source},
    {"reference", read_reference_into},
    {"tokens", into_optional<&Fields::tokens, read_token_lists>},
    {"query_tokens", into_optional<&Fields::query_tokens, read_token_lists>},
    {"key_tokens", into_optional<&Fields::key_tokens, read_token_lists>},
    {"features", into<&Fields::features, read_features>},
    {"q", into_optional<&Fields::q, tensor<2, 4, float>>},
    {"k", into_optional<&Fields::k, tensor<2, 4, float>>},
    {"v", into_optional<&Fields::v, tensor<2, 4, float>>},
    {"embeddings", into_optional<&Fields::embeddings, tensor<2, 3, float>>},
    {"query_embeddings", into_optional<&Fields::query_embeddings, tensor<2, 3, float>>},
    {"key_embeddings", into_optional<&Fields::key_embeddings, tensor<2, 3, float>>},
    {"value_embeddings", into_optional<&Fields::value_embeddings, tensor<2, 3, float>>},
    {"heads", into_optional<&Fields::heads, count_from<1>>},
    {"kv_heads", into_optional<&Fields::kv_heads, count_from<1>>},
    {"d_model", into_optional<&Fields::d_model, count_from<1>>},
};
constexpr Row<Fields> kOtherKeys[] = {
    {"attention", into_optional<&Fields::attention, tensor<2, 5, float>>},
    {"axes", into_optional<&Fields::axes, read_texts>},
    {"scoring", into_optional<&Fields::scoring, read_scoring>},
    {"mask", read_mask_of<kLastAttention>},
    {"self_mask", read_mask_of<kSelfAttention>},
    {"position", into<&Fields::position, read_position>},
    {"seed", into_optional<&Fields::seed, count_from<0>>},
    {"view", read_view_into},
    {"layout", read_layout_into},
};

// In the order of documents, those of the kinds of model among them.
std::vector<Row<Fields>> document_keys() {
  std::vector<Row<Fields>> keys(std::begin(kInputKeys), std::end(kInputKeys));
  for (const EmbeddingKind& kind : all_embedding_kinds()) {
    keys.insert(keys.end(), kind.keys.begin(), kind.keys.end());
  }
  keys.insert(keys.end(), std::begin(kOtherKeys), std::end(kOtherKeys));
  return keys;
}

}  // namespace

bool read_projections(JsonCursor& cursor, ProjectionFields& projections) {
  return read_object<ProjectionFields>(cursor, kProjectionRows, projections);
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
      read = read_token_lists(cursor, fields.tokens.emplace());
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
