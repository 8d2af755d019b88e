// References of differences: an earlier revision, another open document, or a file.
#include <algorithm>
#include <utility>

#include "base/files.h"
#include "document/load/open.h"
#include "document/tensors/tensor_file.h"
#include "session/reduce/handlers.h"

namespace attn {
namespace {

// Change of the document or file since; "" for none.
std::string remark_on(const AppState& state, const ReferenceSource& source) {
  if (source.document == 0) return source.file_remark;
  for (const OpenDocument* open : open_documents(state)) {
    if (open->id != source.document) continue;
    if (open->first_revision > source.revision) return "the document was closed since";
    if (open->revision != source.revision) return "the document was edited since";
    return open->path == source.path ? "" : "the document was saved under another name since";
  }
  return "the document was closed since";
}

// Requests a reference. Until it arrives, the plot reports that it is awaited, unless an older
// reference exists.
void await(Step& step, effect::MakeReference job) {
  step.no_reference = awaited_reference(job.label);
  step.effects.push_back(std::move(job));
}

// Reports the new reference of a document, which may be in a background tab.
void report_reference(AppState& state, const OpenDocument& open) {
  const auto shows_it = [](const Pane* pane) { return pane->view.plot == "difference"; };
  const bool offers = open.reference_source.document != open.id &&
                      std::ranges::none_of(panes_of(open.layout), shows_it);
  offer(state, Notice::Level::Info,
        "The difference plot of " + document_name(open) + " compares with " + open.reference->label,
        offers ? Notice::Offer::Difference : Notice::Offer::Nothing);
  Notice& notice = state.notices.back();
  if (notice.offer == Notice::Offer::Difference) notice.document = open.id;
}

// A background document without a result is computed again.
void take(Step& step, const OpenDocument& from, std::string label) {
  const ReferenceSource source{from.id, from.revision, from.path, ""};
  std::string key = std::to_string(++step.last_reference);
  if (!from.result || from.result_revision != from.revision) {
    return await(step, {step.id, std::move(key), std::move(label), source,
                        std::make_shared<const Document>(from.document)});
  }
  step.reference_source = source;
  step.no_reference = nullptr;
  step.reference = std::make_shared<const Reference>(Reference{std::move(key), std::move(label), "",
                                                               from.id == step.id ? "" : from.path,
                                                               from.result_document, from.result});
  report_reference(step, step);
}

}  // namespace

void update_remark(AppState& state) {
  if (state.reference == nullptr) return;
  std::string remark = remark_on(state, state.reference_source);
  if (remark == state.reference->remark) return;
  auto changed = std::make_shared<Reference>(*state.reference);
  changed->remark = std::move(remark);
  state.reference = std::move(changed);
}

void compare_with(Step& step, const std::string& path) {
  step.reference_source.is_untouched = false;
  await(step,
        {step.id, std::to_string(++step.last_reference), file_name(path),
         ReferenceSource{0, 0, path, ""}, nullptr, step.allows_outside || step.allows_all_outside});
}

void follow_untouched(Step& step) {
  const bool is_own = step.reference_source.is_untouched;
  const bool is_other = !is_own && (step.reference != nullptr || step.no_reference != nullptr);
  const bool has_what_if = step.document.what_if != Interventions{};
  if (is_own && !has_what_if) {
    step.reference = nullptr;
    step.no_reference = nullptr;
    step.reference_source = {};
  }
  if (!has_what_if || is_other || !step.document.reference.empty()) return;
  Document untouched = step.document;
  untouched.what_if = {};
  const std::string label =
      "“" + document_name(step) + "” without " + words_of(step.document.what_if);
  if (step.reference != nullptr && *step.reference->document == untouched) {
    if (step.reference->label == label) return;
    auto renamed = std::make_shared<Reference>(*step.reference);
    renamed->label = label;
    step.reference = std::move(renamed);
    return;
  }
  step.reference = nullptr;
  std::string key = std::to_string(++step.last_reference);
  step.reference_source = ReferenceSource{0, 0, "", "", true};
  if (step.result != nullptr && *step.result_document == untouched) {
    step.no_reference = nullptr;
    step.reference = std::make_shared<const Reference>(
        Reference{std::move(key), label, "", "", step.result_document, step.result});
    return;
  }
  await(step, {step.id, std::move(key), label, step.reference_source,
               std::make_shared<const Document>(std::move(untouched))});
}

void compare_as_written(Step& step) {
  const std::string path = step.document.reference;
  if (path.empty()) return;
  const bool allowed =
      step.allows_outside || is_built_in(path) || !leads_outside(path, folder_of(step.source_path));
  if (allowed) return compare_with(step, path);
  Error error = usage_error("the document to compare with is outside this document's folder",
                            "compare with it yourself if it may be read");
  error.file = path;
  step.no_reference = missing_reference(file_name(path), error);
  if (!step.question) step.question = OutsideQuestion{path, "", true, describe(error)};
}

void apply(Step& step, const command::KeepReference& c) {
  const OpenDocument* from = open_document_named(step, c.document);
  if (from == nullptr) return;
  const bool same = from->id == step.id;
  take(step, *from, same ? "“" + document_name(*from) + "” as it was kept" : document_name(*from));
}

void apply(Step& step, const command::CompareWith& c) {
  step.dialog.reset();
  compare_with(step, c.path);
}

void apply(AppState& state, const command::ReferenceMade& c) {
  OpenDocument* asking = open_document_named(state, c.job.asking);
  const bool is_awaited = asking != nullptr && c.job.key == std::to_string(asking->last_reference);
  if (!is_awaited) return;  // superseded by a newer request
  if (!c.made) {
    asking->no_reference = missing_reference(file_name(c.job.source.path), c.made.error());
    return notify_failure(state, c.made.error());
  }
  asking->reference = *c.made;
  asking->reference_source = c.job.source;
  asking->no_reference = nullptr;
  if (!c.job.source.is_untouched) report_reference(state, *asking);
}

void apply(OpenDocument& open, const command::ForgetReference& /*c*/) {
  open.reference = nullptr;
  open.reference_source = {};
  open.no_reference = nullptr;
  open.document.reference.clear();
}

void apply(Step& step, const command::CheckFiles& /*c*/) {
  check_own_file(step);
  const ReferencePtr& reference = step.reference;
  if (reference == nullptr) return;
  if (!reference->version && !has_files_of_numbers(*reference->document)) return;
  step.effects.push_back(
      effect::CheckReference{step.id, reference, step.reference_source.file_remark});
}

void apply(AppState& state, const command::ReferenceChecked& c) {
  OpenDocument* asking = open_document_named(state, c.job.asking);
  if (asking == nullptr || asking->reference == nullptr) return;
  if (asking->reference->key == c.job.reference->key) asking->reference_source.file_remark = c.made;
}

void apply(Step& step, const Command& c, command::Comparisons list) { apply_one_of(step, c, list); }

}  // namespace attn
