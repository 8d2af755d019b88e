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

using Kind = JsonValue::Kind;

// Refuses results of `attnscope compute` with one message instead of one for each key.
void refuse_result(JsonValue json) {
  std::vector<Error>& errors = json.reader().errors();
  const auto marked = std::find_if(errors.begin(), errors.end(), [](const Error& error) {
    return error.pointer == "/attnscope_result";
  });
  if (json.reader().broken() || marked == errors.end()) return;
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

// Texts that may be empty.
template <auto Member>
bool read_told(JsonValue json, DocumentFields& fields) {
  std::string& text = fields.*Member;
  if (!json.read_text(text)) return false;
  if (text.empty()) fields.kept.empty.push_back(json.key());
  return true;
}

// Projections.

bool read_output_projection(JsonValue json, ProjectionFields& fields) {
  fields.no_w_o = json.kind() == Kind::Null;
  return fields.no_w_o ? json.read_null() : tensor<2, 3>(json, fields.w_o.emplace());
}

// One matrix or bias, or one per head.
template <auto Member>
bool read_matrix(JsonValue json, ProjectionFields& fields) {
  return tensor<2, 3>(json, (fields.*Member).emplace());
}

template <auto Member>
bool read_bias(JsonValue json, ProjectionFields& fields) {
  if (json.kind() == Kind::Null) return json.read_null();
  return tensor<1, 2>(json, (fields.*Member).emplace());
}

constexpr Row<ProjectionFields> kProjectionRows[] = {
    {"order", into<&ProjectionFields::out_in, choice<kMatrixOrders>>},
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

bool read_view_into(JsonValue json, DocumentFields& fields) {
  Pane pane;
  if (!read_view(json, pane.view, fields.notes)) return false;
  fields.panes = Panes{pane, pane.id};
  return true;
}

bool read_layout_into(JsonValue json, DocumentFields& fields) {
  return read_layout(json, fields.panes.emplace(), fields.notes);
}

// The document itself.

bool read_version(JsonValue json, DocumentFields&) {
  std::uint64_t version = 0;
  if (!read_count(json, 0, version)) return false;
  if (version == 1) return true;
  return json.refuse("this version of the format is not known", std::to_string(version), "1",
                     "a newer program may read it");
}

bool read_schema(JsonValue json, DocumentFields& fields) {
  return json.read_text(fields.kept.schema);
}

template <std::size_t Attention>
bool read_mask_of(JsonValue json, DocumentFields& fields) {
  return read_mask(json, fields.masks[Attention].emplace());
}

bool read_reference_into(JsonValue json, DocumentFields& fields) {
  std::string name;
  if (!json.read_text(name)) return false;
  fields.reference = seen_from(name, json.reader().limits().folder);
  return true;
}

using Fields = DocumentFields;
constexpr Row<Fields> kInputKeys[] = {
    {"$schema", read_schema},
    {"attnscope", read_version},
    {"title", read_told<&Fields::title>},
    {"description", read_told<&Fields::description>},
    {"source", read_told<&Fields::source>},
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

// In the order of documents, including the keys of the kinds of model.
std::vector<Row<Fields>> document_keys() {
  std::vector<Row<Fields>> keys(std::begin(kInputKeys), std::end(kInputKeys));
  for (const EmbeddingKind& kind : all_embedding_kinds()) {
    keys.insert(keys.end(), kind.keys.begin(), kind.keys.end());
  }
  keys.insert(keys.end(), std::begin(kOtherKeys), std::end(kOtherKeys));
  return keys;
}

}  // namespace

bool read_projections(JsonValue json, ProjectionFields& projections) {
  return read_object<ProjectionFields>(json, kProjectionRows, projections);
}

bool read_projections(JsonValue json, DocumentFields& fields) {
  return read_projections(json, fields.projections.emplace());
}

void read_fields(JsonValue json, DocumentFields& fields) {
  switch (json.kind()) {
    case Kind::Object:
      read_object<DocumentFields>(json, document_keys(), fields);
      return refuse_result(json);
    case Kind::List:
      read_token_lists(json, fields.tokens.emplace());
      break;
    case Kind::Nothing:
      break;  // the text ends there, with an error
    default:
      json.refuse(
          "this is no document", json.describe(),
          "an object such as {\"tokens\": [\"I\", \"love\", \"cats\"]}, or a list of tokens");
  }
}

}  // namespace attn
