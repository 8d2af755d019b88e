// Keys of the outermost object of a document.
#include "document/json/document_text.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/joined.h"
#include "document/json/lesson.h"
#include "document/json/tensors.h"
#include "document/json/view.h"
#include "document/tensors/tensor_file.h"
#include "text/known_names.h"
#include "text/scalar.h"

namespace attn {
namespace {

using Kind = JsonValue::Kind;

bool read_version(JsonValue json, std::uint64_t& version) {
  if (!read_count(json, 0, version)) return false;
  if (version == 1) return true;
  return json.refuse("this version of the format is not known", std::to_string(version), "1",
                     "a newer program may read it");
}

bool read_reference(JsonValue json, std::string& reference) {
  std::string name;
  if (!json.read_text(name)) return false;
  reference = seen_from(name, json.reader().options().folder);
  return true;
}

bool read_dropout(JsonValue json, float& dropout) {
  const std::string found = json.describe();
  if (!json.read_float(dropout)) return false;
  const bool is_share = dropout >= 0.0F && dropout < 1.0F;
  return is_share || json.refuse("the dropout is not a share", found, "a number from 0 to below 1");
}

constexpr auto kVersionForm = form_of<std::uint64_t, read_version, write_value<std::uint64_t>>(
    {.one_of = R"({"type": "integer", "enum": [1]})"});
constexpr auto kReferenceForm =
    form_of<std::string, read_reference, write_value<std::string>>({.one_of = "string"});
constexpr auto kDropoutForm = form_of<float, read_dropout, write_value<float>>(
    {.one_of = R"({"type": "number", "minimum": 0, "exclusiveMaximum": 1})"});

// Keys in the order of writing.
using Text = DocumentText;
using Key = RowOf<DocumentText>;
constexpr Row kDocumentRows[] = {
    Key::always<&Text::schema>("$schema", kText, "Path of this schema, for editors."),
    Key::always<&Text::version>("attnscope", kVersionForm, "Version of the format."),
    Key::at<&Text::title>("title", kText, "A short name, shown above the figures."),
    Key::at<&Text::description>("description", kText, "What to look at, in a sentence or two."),
    Key::at<&Text::source>("source", kText, "Where the numbers come from."),
    Key::at<&Text::reference>("reference", kReferenceForm,
                              "Another document to compare with, whose matrix the difference "
                              "plot subtracts: its path from this one, or example:NAME."),
    Key::at<&Text::model>("model", object_form(kModelObject),
                          "The folder of a language model, whose parameters and vocabulary the "
                          "document has, in place of tokens and matrices."),
    Key::at<&Text::text>("text", kText,
                         "The text that the model reads, cut into tokens by its tokenizer."),
    Key::at<&Text::edits>("edits", kEditsForm, "Numbers of the model that were changed."),
    Key::at<&Text::tokens>(
        "tokens", kTokensForm,
        "Tokens of self-attention: they are queries and keys at once. Without any other numbers, "
        "embeddings and projections are generated from the seed.")
        .such_as(R"([["I", "love", "cats"], 4096, {"count": 4096, "names": {"0": "<s>"}}])"),
    Key::at<&Text::query_tokens>(
        "query_tokens", kTokensForm,
        "Cross-attention: the tokens that attend, the rows of the heatmap."),
    Key::at<&Text::key_tokens>(
        "key_tokens", kTokensForm,
        "Cross-attention: the tokens that are attended to, the columns of the heatmap."),
    Key::at<&Text::features>(
        "features", kFeaturesForm,
        "Names of features: of the columns of the embeddings and of matrices of that width "
        "(d_model), of "
        "one head of queries and keys (d_k) and of values (d_v), and of the hidden units of "
        "feed-forward networks (d_ff). A bare list names d_model, or d_k if there are no "
        "embeddings.")
        .such_as(R"([{"d_model": ["animal", "plural"]}, ["animal", "", "plural"]])"),
    Key::at<&Text::axes>("axes", kAxesForm,
                         "Meaning of the levels of attention, or of q, k and v, outermost first, "
                         "when they are not in the usual order. For attention: layer, sample, "
                         "head, query, key. For q, k and v: layer, sample, head, token, feature."),
    Key::at<&Text::layer_numbers>(
        "layer_numbers", kIndices,
        "Numbers of the layers in the model that they are taken from, one each: they name the "
        "layers in figures and on the command line.")
        .such_as("[[3, 7, 11]]"),
    Key::at<&Text::q>("q", depth(2, 5),
                      "Queries: depth 2 (tokens, d_k), 3 (heads, tokens, d_k), 4 (samples, heads, "
                      "tokens, d_k) or 5 (layers, samples, heads, tokens, d_k). Needs k."),
    Key::at<&Text::k>("k", depth(2, 5),
                      "Keys, nested like q. May have fewer heads when their number divides that of "
                      "q (grouped-query attention)."),
    Key::at<&Text::v>("v", depth(2, 5),
                      "Values, nested like k; rows may have another length d_v. Without them "
                      "attention ends with its weights."),
    Key::at<&Text::embeddings>("embeddings", depth(2, 3),
                               "Embeddings X of self-attention: depth 2 (tokens, d_model) or 3 "
                               "(samples, tokens, d_model)."),
    Key::at<&Text::query_embeddings>(
        "query_embeddings", depth(2, 3),
        "Cross-attention: embeddings of the queries. Needs key_embeddings."),
    Key::at<&Text::key_embeddings>(
        "key_embeddings", depth(2, 3),
        "Cross-attention: embeddings of the keys. Needs query_embeddings."),
    Key::at<&Text::value_embeddings>(
        "value_embeddings", depth(2, 3),
        "Embeddings of the values when they are not those of the keys."),
    Key::at<&Text::attention>("attention", depth(1, 5),
                              "Weights computed elsewhere, shown unchanged: depth 1 (keys of one "
                              "query), 2 (queries, keys), 3 (heads, …), 4 "
                              "(layers, heads, …) or 5 (layers, samples, heads, …)."),
    Key::at<&Text::self_attention>(
        "self_attention", depth(2, 5),
        "With an attention of query_tokens to key_tokens, as in an encoder–decoder: the weights of "
        "the decoder's self-attention, nested like attention."),
    Key::at<&Text::encoder_attention>(
        "encoder_attention", depth(2, 5),
        "The weights of the encoder's self-attention, nested like attention."),
    Key::at<&Text::heads>(
        "heads", kCount,
        "Number of query heads. It must divide the columns of w_q, or d_model when w_q is "
        "generated. 1 when absent and a matrix is given or the width is odd.")
        .absent_means("2"),
    Key::at<&Text::kv_heads>("kv_heads", kCount,
                             "Number of key-value heads, which divides heads; it matters where w_k "
                             "is generated or packed in w_qkv."),
    Key::at<&Text::d_model>("d_model", kCount, "Width of generated embeddings.").absent_means("16"),
    Key::at<&Text::projections>("projections", object_form(kProjectionsObject),
                                "Matrices of a multi-head layer."),
    Key::at<&Text::blocks>("blocks", kBlocksForm,
                           "Transformer blocks, one after another, in place of projections; or how "
                           "many to generate. With two sequences they are a decoder: the queries "
                           "attend to one another, then to the keys."),
    Key::at<&Text::recurrent>("recurrent", object_form(kRecurrentObject),
                              "A recurrent encoder–decoder in place of projections: it reads the "
                              "keys' embeddings as the source, and at each step one row of the "
                              "queries' embeddings. Without scoring its score is additive."),
    Key::at<&Text::norms>("norms", object_form(kNormsObject), "Norms of the blocks."),
    Key::at<&Text::dropout>("dropout", kDropoutForm,
                            "Dropout rate of training: shown, never applied."),
    Key::at<&Text::scoring>(
        "scoring", object_form(kScoringObject),
        "How a query and a key become a score, and a row of scores becomes weights."),
    Key::at<&Text::mask>("mask", object_form(kMaskObject),
                         "Which query may attend to which key. true always means: may attend, or a "
                         "real token. With a decoder: the mask of its attention to the keys."),
    Key::at<&Text::self_mask>(
        "self_mask", object_form(kMaskObject),
        "The mask of a decoder's self-attention, such as {\"causal\": true}."),
    Key::at<&Text::encoder_mask>("encoder_mask", object_form(kMaskObject),
                                 "The mask of encoder_attention."),
    Key::at<&Text::position>("position", kPositionForm,
                             "How the model encodes positions: the name of an encoding, or an "
                             "object with its settings."),
    Key::at<&Text::what_if>("what_if", object_form(kWhatIfObject),
                            "Changes of single heads in one computation, which leave all numbers "
                            "as they are."),
    Key::always<&Text::seed>("seed", kIndex,
                             "Seed of everything that is generated. The same seed and tokens give "
                             "the same numbers on every machine."),
    Key::by(
        "view", kViewForm,
        [](Text& text) -> View& { return std::get<Pane>(text.panes.emplace().layout).view; },
        [](const Text& text) { return text.panes ? only_view(*text.panes) : nullptr; },
        "What is open and how it is drawn; written by the program, never needed."),
    Key::by(
        "layout", kLayoutForm, [](Text& text) -> Panes& { return text.panes.emplace(); },
        [](const Text& text) {
          return text.panes && only_view(*text.panes) == nullptr ? &*text.panes : nullptr;
        },
        "The panes and their views, in place of view; written by the program, never needed."),
    Key::at<&Text::lesson>("lesson", kLessonForm,
                           "A lesson over this document: its steps, one after another."),
};

constexpr std::string_view kGenerated = "projections blocks recurrent d_model";
constexpr std::string_view kOfModels =
    "tokens query_tokens key_tokens q k v attention self_attention encoder_attention embeddings "
    "query_embeddings key_embeddings value_embeddings heads kv_heads projections blocks recurrent "
    "d_model norms";
constexpr Exclusion kExclusions[] = {
    {kQkvKeys, kEmbeddingKeys},
    {kQkvKeys, kWeightKeys},
    {kEmbeddingKeys, kWeightKeys},
    {kQkvKeys, kGenerated},
    {kWeightKeys, kGenerated},
    {"projections", "blocks"},
    {"projections", "recurrent"},
    {"blocks", "recurrent"},
    {"model", kOfModels},
    {"tokens", "query_tokens key_tokens"},
    {"tokens", "self_attention encoder_attention"},
    {"embeddings", "query_embeddings key_embeddings"},
    {"embeddings", "query_tokens key_tokens"},
};

// --- names of other programs

// The innermost value at the beginning of nested lists, and the depth of the nesting, an empty list
// included.
std::pair<JsonValue, int> innermost(JsonValue json) {
  int depth = 0;
  for (; json.kind() == Kind::List; ++depth) {
    const JsonItems items(json);
    if (items.is_at_end()) return {json, depth + 1};
    json = items.value();
  }
  return {json, depth};
}

// The key of documents for a name of this role; empty if there is none.
std::string_view key_for(NameRole role, std::string_view words) {
  constexpr std::string_view kKeys[] = {"q",         "k", "v", "", "", "", "tokens", "query_tokens",
                                        "key_tokens"};
  if (role > NameRole::Perhaps) {
    const auto place = static_cast<std::size_t>(role) - static_cast<std::size_t>(NameRole::Q);
    return place < std::size(kKeys) ? kKeys[place] : std::string_view{};
  }
  const auto says = [&](std::string_view word) { return words.find(word) != words.npos; };
  const bool encoder = says("encoder"), decoder = says("decoder") || words.starts_with("self_");
  if (says("cross") || encoder == decoder) return "attention";
  return encoder ? "encoder_attention" : "self_attention";
}

// Reads flags whose true is defined by a name or, if it is not, by a query that would see no key.
bool read_named_mask(JsonValue json, const KnownName& name, Mask& mask) {
  BoolTensor flags;
  if (!read_flags_of(json, kFlagsOfAnyDepth, flags)) return false;
  const Shape& shape = flags.shape();
  const bool pads = name.role == NameRole::Padding ||
                    (name.leaning < name.square_leaning && shape.front() != shape.back());
  const bool of_tokens = shape.size() == 1 || (shape.size() == 2 && pads);
  const bool is_certain = of_tokens && std::abs(name.leaning) >= 6;
  std::vector<std::uint8_t> all(flags.values().begin(), flags.values().end());
  std::vector<std::span<std::uint8_t>> rows;
  for (std::span left(all); !left.empty(); left = left.subspan(shape.back())) {
    rows.push_back(left.first(shape.back()));
  }
  const auto rows_without = [&](std::uint8_t flag) {
    return std::ranges::count(rows, 0, [&](auto row) { return std::ranges::count(row, flag); });
  };
  const std::ptrdiff_t hides = is_certain ? name.leaning : rows_without(1) - rows_without(0);
  const std::string key = of_tokens ? "\"key_padding\"" : "\"visible\"";
  if (hides == 0 || !(of_tokens ? mask.key_padding.empty() : mask.visible.empty())) {
    return json.refuse_key(hides == 0 ? "true may hide or attend, and the numbers do not decide"
                                      : "two keys are read as " + key + " of the mask",
                           "\"mask\": {" + key + ": …}, where true attends", "");
  }
  for (std::uint8_t& flag : all) flag = (flag != 0) == (hides < 0) ? 1 : 0;
  if (of_tokens) {
    for (const auto row : rows) mask.key_padding.emplace_back(row.begin(), row.end());
  } else {
    mask.visible = BoolTensor(shape, std::move(all));
  }
  json.reader().notes().push_back(in_quotes(json.key()) + " " + shape_text(shape) + " is read as " +
                                  key + " of the mask: true " + (hides > 0 ? "hides" : "attends"));
  return true;
}

// Reads numbers of a vocabulary, which are listed as segments are, as names of tokens.
TokenLists read_ids(JsonValue json) {
  SegmentLists ids;
  const Form& form = row_of(kMaskObject, "key_segments")->form;
  form.read(json, form, &ids);
  TokenLists lists;
  for (const std::vector<std::int64_t>& list : ids) {
    std::vector<std::string> texts;
    texts.reserve(list.size());
    for (const std::int64_t id : list) texts.push_back(std::to_string(id));
    lists.emplace_back(std::move(texts));
  }
  return lists;
}

// Reads a member under a name of the table of names, if its value is of the name's type.
bool read_known(JsonValue json, const std::string& key, DocumentText& text) {
  const bool is_text = innermost(json).first.kind() == Kind::Text;
  const bool is_own = row_of(kDocumentObject, key) != nullptr;
  if (json.kind() != Kind::List && !json.has("file")) return false;
  if (is_own && (key != "source" || !is_text) && key != "mask") return false;
  const auto known = known_name(key, is_text ? NameType::Text : NameType::Floats);
  const bool is_matrix = key.starts_with("w_") || key.starts_with("b_");  // of another object
  if (!known || is_matrix) return false;
  const std::string_view own = key_for(known->role, name_words(key));
  if (!own.empty()) {
    read_renamed(json, kDocumentObject, "/" + std::string(own), &text);
  } else if (known->role == NameRole::Bias) {
    read_renamed(json, kMaskObject, "/mask/bias", &(text.mask ? *text.mask : text.mask.emplace()));
  } else if (known->role == NameRole::Padding || known->role == NameRole::Mask) {
    MaskText& mask = text.mask ? *text.mask : text.mask.emplace();
    key == "mask" ? read_renamed(json, kMaskObject, "/mask/visible", &mask)
                  : read_named_mask(json, *known, mask);
  } else if (known->role == NameRole::Ids) {
    const bool is_second = !text.ids.empty();
    if (is_second) json.refuse_key("two keys are ids of tokens", "one of them", "");
    if (!is_second) text.ids = read_ids(json);
  } else if (known->role == NameRole::None || known->role == NameRole::Sparse) {
    const bool sparse = known->role == NameRole::Sparse;
    json.reader().notes().push_back(in_quotes(key) + " is not used: it is " +
                                    (sparse ? "sparse" : "no attention"));
  } else {
    return false;
  }
  return true;
}

// True for an object of attention, as viewers and dumps of models write it.
bool is_level(JsonValue json) {
  bool found = false;
  for (JsonItems items(json); json.kind() == Kind::Object && !items.is_at_end(); items.step()) {
    const auto known = known_name(items.value().key(), NameType::Floats);
    found = found || (known && known->role <= NameRole::Perhaps);
  }
  return found && !json.has("file");
}

// Reads the members of such an object, also those with keys of documents, in place of its own.
bool read_level(JsonValue json, DocumentText& text) {
  return json.each_member([&](const std::string& key, JsonValue member) {
    if (read_known(member, key, text)) return true;
    if (row_of(kDocumentObject, key) != nullptr) {
      return read_renamed(member, kDocumentObject, "/" + key, &text);
    }
    return refuse_unknown_key(member, key, names_of(kDocumentObject.rows, &Row::key));
  });
}

// Reads such an object, or a list of them, one for each layer.
bool read_levels(JsonValue json, DocumentText& text) {
  if (json.kind() == Kind::Object) return read_level(json, text);
  std::vector<float> numbers;
  const bool read = json.each_item([&](JsonValue item) {
    DocumentText of;
    const bool is_first = numbers.empty();
    const Tensor& layer = is_first ? text.attention : of.attention;
    if (!read_level(item, is_first ? text : of)) return false;
    if (layer.rank() < 2 || layer.rank() > 4 || layer.shape() != text.attention.shape()) {
      return item.refuse("this is not the attention of one layer", shape_text(layer.shape()),
                         is_first ? "2 to 4 levels" : shape_text(text.attention.shape()));
    }
    numbers.insert(numbers.end(), layer.values().begin(), layer.values().end());
    return item.charge(layer.size() * sizeof(float));
  });
  const std::size_t layers = read ? numbers.size() / text.attention.size() : 0;
  if (layers < 2) return read;
  Shape shape = text.attention.shape();
  if (shape.size() == 2) shape.insert(shape.begin(), 1);
  shape.insert(shape.begin(), layers);
  text.attention = Tensor(std::move(shape), std::move(numbers));
  return true;
}

bool read_other(JsonValue json, const std::string& key, void* object) {
  DocumentText& text = *static_cast<DocumentText*>(object);
  const bool may_hold = key == "attention" || row_of(kDocumentObject, key) == nullptr;
  if (!may_hold || !is_level(innermost(json).first)) return read_known(json, key, text);
  read_levels(json, text);
  return true;
}

// Names tokens by their ids if they have no names.
bool settle_names(JsonValue json, void* object, bool is_sound) {
  DocumentText& text = *static_cast<DocumentText*>(object);
  std::vector<std::string>& notes = json.reader().notes();
  if (!text.model && (text.text || !text.edits.empty())) {
    return json.refuse("a text and edits need a model", text.text ? "\"text\"" : "\"edits\"",
                       "\"model\": {\"folder\": …}, or \"tokens\" in place of the text");
  }
  if (!text.ids.empty() && !text.model) {
    const bool is_used =
        text.tokens.empty() && text.query_tokens.empty() && text.key_tokens.empty();
    notes.push_back(is_used ? "tokens are named by their ids"
                            : "ids of tokens are not used where tokens have names");
    if (is_used) text.tokens = std::move(text.ids);
  }
  return is_sound;
}

// Refuses results of `attnscope compute` with one message instead of one for each key.
void refuse_result(JsonValue json) {
  std::vector<Error>& errors = json.reader().errors();
  const auto marked = std::ranges::find(errors, "/attnscope_result", &Error::pointer);
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

}  // namespace

constinit const ObjectOf<DocumentText> kDocumentObject{
    {.name = "document", .rows = kDocumentRows, .read_other = read_other, .settle = settle_names}};

std::span<const Exclusion> all_exclusions() { return kExclusions; }

std::string_view first_given(const DocumentText& text, std::string_view keys) {
  while (!keys.empty()) {
    const std::string_view key = take_before(keys, " ");
    if (is_there(kDocumentObject, key, &text)) return key;
  }
  return {};
}

void read_document_text(JsonValue json, DocumentText& text) {
  switch (json.kind()) {
    case Kind::Object:
      read_as(json, kDocumentObject, text);
      return refuse_result(json);
    case Kind::List:
      if (innermost(json).second < 3)  // matrices have one level more than tokens
        return static_cast<void>(read_token_lists(json, text.tokens));
      json.reader().notes().push_back("the matrices of the list are read as \"attention\"");
      read_renamed(json, kDocumentObject, "/attention", &text);
      break;
    case Kind::Nothing:
      break;  // the text ends there, with an error
    default:
      json.refuse(
          "this is not a document", json.describe(),
          "an object such as {\"tokens\": [\"I\", \"love\", \"cats\"]}, or a list of tokens");
  }
}

}  // namespace attn
