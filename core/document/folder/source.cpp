// Documents of models in folders.
#include "document/folder/source.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "document/edit.h"
#include "document/edit/sentence.h"
#include "document/folder/folder.h"
#include "document/model_places.h"
#include "document/problem.h"
#include "document/tensors/tensor_file.h"
#include "text/nearest.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

Error at_text(Error error) {
  error.pointer = "/text";
  return error;
}

Error no_such_id(std::uint64_t id, std::size_t size) {
  return refusal_at("/model/ids", "the vocabulary of the model has no such token",
                    std::to_string(id), "a number below " + std::to_string(size));
}

Error skipped_padding(const Vocabulary& vocabulary, bool is_text) {
  const std::uint32_t id = *vocabulary.padding;
  const std::string token = vocabulary.tokenizer == nullptr ? "" : vocabulary.tokenizer->token(id);
  return refusal_at(
      is_text ? "/text" : "/model/ids",
      "the model counts positions without its padding token, which is not computed",
      (token.empty() ? "" : "\"" + token + "\" with ") + ("the id " + std::to_string(id)),
      "no padding", "leave it out: it fills up batches, and here is one text");
}

// The ids of a text, or those that are given.
Result<std::vector<std::uint32_t>> ids_of(const Vocabulary& vocabulary, const std::string& text,
                                          const std::vector<std::uint64_t>& given,
                                          std::uint64_t memory_limit_bytes) {
  std::vector<std::uint32_t> ids;
  const std::size_t size = vocabulary.table.extent(0);
  if (given.empty()) {
    if (vocabulary.tokenizer == nullptr) {
      return refusal_at("/text", "the folder of the model has no tokenizer that could read a text",
                        "no tokenizer.json, no vocab.json, no vocab.txt", "one of these files",
                        "save it in Python, where AutoTokenizer.from_pretrained(FOLDER)"
                        ".save_pretrained(FOLDER) writes tokenizer.json, or give numbers of the "
                        "vocabulary: --ids 1,5,2");
    }
    Result<std::vector<std::uint32_t>> encoded = vocabulary.tokenizer->encode(text);
    if (!encoded) return at_text(encoded.error());
    ids = *std::move(encoded);
  }
  for (const std::uint64_t id : given) {
    if (id >= size) return no_such_id(id, size);
    ids.push_back(static_cast<std::uint32_t>(id));
  }
  if (ids.empty()) {
    return refusal_at("/text", "the text has no token of this model",
                      text.empty() ? "an empty text" : "\"" + cut_to_ends(text, 40) + "\"",
                      "a word of its vocabulary");
  }
  if (vocabulary.skips_padding && std::ranges::count(ids, *vocabulary.padding) > 0) {
    return skipped_padding(vocabulary, given.empty());
  }
  for (const std::uint32_t id : ids) {
    if (id < size) continue;
    return refusal_at(
        "/text", "the tokenizer has a token that the table of the model has not",
        "\"" + vocabulary.tokenizer->token(id) + "\" with the id " + std::to_string(id),
        "ids below " + std::to_string(size));
  }
  if (vocabulary.most_tokens > 0 && ids.size() > vocabulary.most_tokens) {
    return refusal_at(given.empty() ? "/text" : "/model/ids",
                      "the text is longer than the model can read", counted(ids.size(), "token"),
                      "at most " + std::to_string(vocabulary.most_tokens),
                      given.empty() ? "shorten the text" : "give fewer of them");
  }
  const std::size_t needed = element_count({ids.size(), vocabulary.table.extent(1), sizeof(float)});
  if (needed > memory_limit_bytes) {
    return over_memory("the embeddings of the text would need more memory than is allowed", needed,
                       memory_limit_bytes, "shorten the text");
  }
  return ids;
}

// Rows of the vocabulary for the tokens, (n, d_model).
Tensor embeddings_of_ids(const Vocabulary& vocabulary, const std::vector<std::uint32_t>& ids) {
  const std::size_t width = vocabulary.table.extent(1);
  std::vector<float> values;
  values.reserve(ids.size() * width);
  for (const std::uint32_t id : ids) {
    for (std::size_t col = 0; col < width; ++col) {
      const float type = vocabulary.type.empty() ? 0.0F : vocabulary.type[col];
      values.push_back(vocabulary.table[id * width + col] * vocabulary.scale + type);
    }
  }
  return Tensor({ids.size(), width}, std::move(values));
}

std::vector<std::string> names_of_ids(const Vocabulary& vocabulary,
                                      const std::vector<std::uint32_t>& ids) {
  std::vector<std::string> names;
  for (const std::uint32_t id : ids) {
    const std::string name = vocabulary.tokenizer == nullptr ? "" : vocabulary.tokenizer->token(id);
    names.push_back(name.empty() ? std::to_string(id) : name);
  }
  return names;
}

// Takes the rules of the model where the text has none of its own.
void take_rules(DocumentText& text, DocumentText& model) {
  if (!text.mask) {
    text.mask = model.mask;
  } else if (!text.mask->says_causal) {
    text.mask->causal = model.mask->causal;
  }
  if (!text.scoring) text.scoring = model.scoring;
  if (!text.source) text.source = model.source;
  if (!text.position.is_said) text.position = model.position;
  text.heads = model.heads;
  text.kv_heads = model.kv_heads;
  text.blocks = std::move(model.blocks);
  text.norms = model.norms;
}

// A document with the rules and the note that the folder gives, whatever the text says.
Document rules_of(const DocumentText& model) {
  Document rules;
  rules.source = model.source.value_or("");
  rules.mask = *model.mask;
  if (model.scoring) rules.scoring = *model.scoring;
  rules.position = position_of(model.position);
  return rules;
}

// Notes which rules of the model the document replaces.
void note_own_rules(const Document& rules, const Document& model, std::vector<std::string>& notes) {
  std::vector<std::string> own;
  if (rules.mask != model.mask) own.push_back("mask");
  if (rules.scoring != model.scoring) own.push_back("scoring");
  if (rules.position != model.position) own.push_back("position");
  if (own.empty()) return;
  notes.push_back("the document has rules of its own in place of the model's: " + joined(own));
}

std::string absolute_folder(const std::string& folder, const std::string& base) {
  std::error_code failed;
  const fs::path path = fs::absolute(fs::path(base) / folder, failed).lexically_normal();
  return folder_of((path / "config.json").string());
}

Error of_folder(Error error) {
  if (error.pointer.empty() && error.file.empty()) error.pointer = "/model/folder";
  return error;
}

// Refuses tokens and matrices together with a model.
Status check_alone(const DocumentText& text) {
  if (!text.ids.empty()) {
    return refusal_at("/model/ids", "ids of tokens are written in \"model\" if there is one",
                      counted(text.ids.size(), "list"),
                      "\"model\": {\"folder\": …, \"ids\": [1, 5, 2]}");
  }
  if (text.text && !text.model->ids.empty()) {
    return refusal_at("/model/ids", "two inputs exclude each other", "text and ids", "one of them");
  }
  for (const Exclusion& rule : all_exclusions()) {
    const std::string key(rule.these == "model" ? first_given(text, rule.others) : "");
    if (!key.empty()) {
      return refusal_at("/" + key, "two inputs exclude each other", "model and " + key,
                        "one of them");
    }
  }
  return ok_status();
}

// Returns the first id of the vocabulary that has a position.
std::uint32_t first_id(const Vocabulary& vocabulary) {
  return vocabulary.skips_padding && vocabulary.padding == 0U ? 1 : 0;
}

void note_padding(const SourceModel& source, std::vector<std::string>& notes) {
  const std::optional<std::uint32_t> padding = source.vocabulary->padding;
  if (!padding || std::ranges::count(source.ids, *padding) == 0) return;
  notes.push_back("padding (the id " + std::to_string(*padding) +
                  ") is seen like all tokens, as by the libraries without an attention_mask");
}

// Ids or a text that a model reads.
struct ChosenInput {
  std::vector<std::uint64_t> ids = {};
  std::optional<std::string> text = {};
  bool is_usual = false;  // the text that is read where none is given
};

// The input of the call, else of the document, else of the model, else the usual text, with a note.
ChosenInput chosen_input(const DocumentText& text, const LoadedModel& model,
                         const ReadOptions& options, std::vector<std::string>& notes) {
  const bool has_own = text.text || !text.model->ids.empty();
  const bool is_given = options.input.text || !options.input.ids.empty();
  ChosenInput chosen{options.input.ids, options.input.text};
  if (!is_given || (has_own && options.input.yields)) chosen = {text.model->ids, text.text};
  if (!chosen.ids.empty() || chosen.text) return chosen;
  chosen.text = model.text.text;
  if (chosen.text) return chosen;
  chosen.is_usual = model.vocabulary->tokenizer != nullptr;
  if (chosen.is_usual) {
    chosen.text = kUsualText;
    notes.push_back(std::string(kNoTextGiven) + ": the model reads \"" + *chosen.text + "\"");
  } else {
    chosen.ids = {first_id(*model.vocabulary)};
    notes.push_back(
        "the folder has no tokenizer: the model reads the first token of its vocabulary; give "
        "others by --ids 1,5,2");
  }
  return chosen;
}

// Refuses edits of the embeddings of the document's text together with another text.
Status check_edits(const DocumentText& text, const ModelInput& input) {
  const bool is_other = (input.text && input.text != text.text) || !input.ids.empty();
  for (std::size_t i = 0; is_other && !input.yields && i < text.edits.size(); ++i) {
    if (!text.edits[i].tensor.starts_with("/embeddings")) continue;
    return refusal_at("/edits/" + std::to_string(i) + "/tensor",
                      "this edit is of the embeddings of another text", text.edits[i].tensor,
                      "the document's own text, or no such edit");
  }
  return ok_status();
}

Result<SourceModel> filled(DocumentText& text, const ReadOptions& options,
                           std::vector<std::string>& notes) {
  if (const Status alone = check_alone(text); !alone) return alone.error();
  if (const Status fit = check_edits(text, options.input); !fit) return fit.error();
  const std::string& named = text.model->folder;
  if (named.empty()) {
    return refusal_at("/model", "the model has no folder", "no \"folder\"",
                      "{\"folder\": \"gpt2\"}");
  }
  Result<std::string> folder = named.starts_with(kModelPrefix)
                                   ? packaged_folder(named)
                                   : absolute_folder(named, options.folder);
  if (!folder) return folder.error();
  SourceModel source;
  source.folder = *std::move(folder);
  source.base = fs::path(named).is_absolute() ? "" : absolute_folder(".", options.folder);
  const bool is_outside = !is_built_in(named) && leads_outside(named, options.folder);
  if (is_outside && !options.allows_outside) {
    // A window asks, as for references to arrays outside.
    Error outside = usage_error("the model is outside the document's folder",
                                "add --allow-outside if you trust the author of the document");
    outside.pointer = "/model/folder";
    outside.found = named;
    return outside;
  }
  if (!is_model_folder(source.folder)) {
    return refusal_at("/model/folder", "the folder of the model is not there", source.folder,
                      "a folder with config.json, model.safetensors and a tokenizer",
                      "put the folder back, or write in the document where it is now");
  }
  for (const std::string& file : files_of_model(source.folder)) {
    source.files.push_back({file, stamp_of(file)});
  }
  Result<LoadedModel> model = load_model(source.folder, options);
  if (!model) return of_folder(model.error());
  source.family = model->family;
  source.vocabulary = model->vocabulary;
  const ChosenInput input = chosen_input(text, *model, options, notes);
  if (input.ids.empty()) source.text = *input.text;
  Result<std::vector<std::uint32_t>> ids =
      ids_of(*source.vocabulary, source.text, input.ids, options.memory_limit_bytes);
  if (!ids && input.is_usual) {
    notes.back() =
        "the model cannot read the usual text: it reads the first token of its "
        "vocabulary; give a text it knows by --text";
    source.text.clear();
    ids = std::vector<std::uint32_t>{first_id(*source.vocabulary)};
  }
  if (!ids) return ids.error();
  source.ids = *std::move(ids);
  note_padding(source, notes);
  notes.insert(notes.end(), model->notes.begin(), model->notes.end());
  text.tokens = {TokenList(names_of_ids(*source.vocabulary, source.ids))};
  text.embeddings = embeddings_of_ids(*source.vocabulary, source.ids);
  source.untouched = std::make_shared<const Document>(rules_of(model->text));
  take_rules(text, model->text);
  note_own_rules(rules_of(text), *source.untouched, notes);
  text.model.reset();  // as tokens and blocks are there now
  return source;
}

// --- edits

// Puts one changed cell: indices and a value. False if there is no such cell.
bool put_cell(std::vector<float>& numbers, const Shape& shape, std::span<const float> cell) {
  std::size_t place = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const float index = cell[axis];
    if (!(index >= 0.0F) || index != std::floor(index) ||
        static_cast<double>(index) >= static_cast<double>(shape[axis])) {
      return false;
    }
    place = place * shape[axis] + static_cast<std::size_t>(index);
  }
  numbers[place] = cell.back();
  return true;
}

// The tensor with an edit, or the error.
Result<Tensor> edited(const Tensor& tensor, const TensorEdit& edit, const std::string& pointer) {
  if (!edit.numbers.empty() && !edit.cells.empty()) {
    return refusal_at(pointer, "an edit has all numbers or single cells", "both", "one of them");
  }
  if (!edit.numbers.empty()) {
    if (edit.numbers.shape() == tensor.shape()) return edit.numbers;
    return refusal_at(pointer + "/numbers", "the numbers do not fit the tensor of the model",
                      shape_text(edit.numbers.shape()), shape_text(tensor.shape()));
  }
  const std::size_t width = tensor.rank() + 1;
  if (edit.cells.empty() || edit.cells.extent(1) != width) {
    return refusal_at(
        pointer + "/cells", "the cells do not fit the tensor of the model",
        edit.cells.empty() ? "no cells" : counted(edit.cells.extent(1), "number") + " for each",
        counted(tensor.rank(), "index", "indices") + " and the value");
  }
  std::vector<float> numbers(tensor.values().begin(), tensor.values().end());
  for (std::size_t i = 0; i < edit.cells.extent(0); ++i) {
    if (put_cell(numbers, tensor.shape(), edit.cells.values().subspan(i * width, width))) continue;
    std::vector<std::string> found;
    for (std::size_t axis = 0; axis + 1 < width; ++axis) {
      found.push_back(shortest_text(edit.cells[i * width + axis]));
    }
    return refusal_at(pointer + "/cells/" + std::to_string(i), "the tensor has no such cell",
                      "(" + joined(found, ", ") + ")",
                      "indices from 0 on, within " + shape_text(tensor.shape()));
  }
  return Tensor(tensor.shape(), std::move(numbers));
}

Status apply_edits(Document& document, const std::vector<TensorEdit>& edits) {
  for (std::size_t i = 0; i < edits.size(); ++i) {
    const std::string pointer = "/edits/" + std::to_string(i);
    const TensorList list = tensors_of(document.model, shape_of(document));
    const TensorInfo* info = find_tensor(list, edits[i].tensor);
    if (info == nullptr || !info->is_there()) {
      std::vector<std::string_view> paths;
      for (const TensorInfo& known : list) {
        if (known.is_there()) paths.push_back(known.path);
      }
      const std::string_view near = nearest(edits[i].tensor, paths);
      return refusal_at(pointer + "/tensor", "the model has no such tensor", edits[i].tensor,
                        "a path such as " + std::string(near.empty() ? paths.front() : near));
    }
    Result<Tensor> tensor = edited(*info->tensor, edits[i], pointer);
    if (!tensor) return tensor.error();
    writable(*info) = *std::move(tensor);
  }
  return ok_status();
}

}  // namespace

std::optional<SourceModel> fill_from_folder(DocumentText& text, const ReadOptions& options,
                                            std::vector<std::string>& notes,
                                            std::vector<Error>& errors) {
  if (!text.model) {
    if (options.input.text || !options.input.ids.empty()) {
      errors.push_back(usage_error("a text or ids are for the folder of a model",
                                   "name a folder with config.json and model.safetensors"));
    }
    return std::nullopt;
  }
  Result<SourceModel> source = filled(text, options, notes);
  if (source) return *std::move(source);
  errors.push_back(source.error());
  return std::nullopt;
}

void put_source(Reading& reading, SourceModel source, const std::vector<TensorEdit>& edits) {
  Document& document = reading.document;
  Document untouched = document;
  untouched.mask = source.untouched->mask;
  untouched.scoring = source.untouched->scoring;
  untouched.position = source.untouched->position;
  untouched.source = source.untouched->source;
  untouched.what_if = {};
  source.untouched = std::make_shared<const Document>(std::move(untouched));
  document.source_model = std::move(source);
  const AttentionShape shape = shape_of(document);
  reading.reading = "A model of " + counted(shape.layers, "layer") + " with " +
                    counted(shape.heads, "head") + " each, which reads " +
                    counted(shape.n_q, "token");
  if (const Status applied = apply_edits(document, edits); !applied) {
    reading.errors.push_back(applied.error());
  }
}

Status check_text(const SourceModel& model, const std::string& text,
                  std::uint64_t memory_limit_bytes) {
  const auto ids = ids_of(*model.vocabulary, text, {}, memory_limit_bytes);
  return ids ? ok_status() : Status(ids.error());
}

Result<Document> with_text(const Document& document, const std::string& text,
                           std::uint64_t memory_limit_bytes) {
  if (!document.source_model) {
    return usage_error("the document has no model that reads texts", "open the folder of a model");
  }
  const SourceModel& before = *document.source_model;
  Result<std::vector<std::uint32_t>> ids = ids_of(*before.vocabulary, text, {}, memory_limit_bytes);
  if (!ids) return ids.error();
  const auto with_ids = [&](const Document& from) -> Result<Document> {
    Result<Document> changed = with_tokens(
        from, Side::Query, 0, names_of_ids(*before.vocabulary, *ids), memory_limit_bytes);
    if (!changed) return changed;
    embeddings_of(changed->model)->query = embeddings_of_ids(*before.vocabulary, *ids);
    return changed;
  };
  Result<Document> untouched = with_ids(*before.untouched);
  Result<Document> changed = with_ids(document);
  if (!untouched || !changed) return untouched ? changed : untouched;
  SourceModel& source = *changed->source_model;
  source.text = text;
  source.ids = *std::move(ids);
  untouched->source_model.reset();
  source.untouched = std::make_shared<const Document>(*std::move(untouched));
  return changed;
}

}  // namespace attn
