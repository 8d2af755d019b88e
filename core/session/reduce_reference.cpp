// What differences are taken from: a document as it was, another open one, or one in a file.
#include <utility>

#include "session/handlers.h"

namespace attn {
namespace {

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// What became of the document since; "" when nothing did, and of a file.
std::string remark_on(const AppState& state, const ReferenceSource& source) {
  if (source.document == 0) return "";
  for (const OpenDocument* open : open_documents(state)) {
    if (open->id != source.document) continue;
    if (open->first_revision > source.revision) return "the document was closed since";
    if (open->revision != source.revision) return "the document was edited since";
    return open->path == source.path ? "" : "the document was saved under another name since";
  }
  return "the document was closed since";
}

// False for a reference that another one was asked for after.
bool is_awaited(const OpenDocument* asking, const std::string& key) {
  return asking != nullptr && key == std::to_string(asking->last_reference);
}

// A document that is looked at no more may have no result: then it is computed again.
void take(Step& step, const OpenDocument& from, std::string label) {
  AppState& state = step.state;
  state.reference_source = {from.id, from.revision, from.path};
  std::string key = std::to_string(++state.last_reference);
  if (!from.result || from.result_revision != from.revision) {
    step.effects.push_back(effect::MakeReference{state.id, std::move(key), std::move(label),
                                                 from.path,
                                                 std::make_shared<const Document>(from.document)});
    return;
  }
  state.reference = std::make_shared<const Reference>(
      Reference{std::move(key), std::move(label), "", from.id == state.id ? "" : from.path,
                from.result_document, from.result});
  notify(state, Notice::Level::Info, "The difference plot compares with " + state.reference->label);
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
  AppState& state = step.state;
  state.reference_source = {};
  step.effects.push_back(effect::MakeReference{state.id, std::to_string(++state.last_reference),
                                               file_name(path), path, nullptr});
}

void apply(Step& step, const command::KeepReference& c) {
  AppState& state = step.state;
  const OpenDocument* from = open_document_named(state, c.document);
  if (from == nullptr) return;
  const bool same = from->id == state.id;
  take(step, *from, document_name(*from) + (same ? " as it was kept" : ""));
}

void apply(Step& step, const command::CompareWith& c) {
  step.state.dialog.reset();
  compare_with(step, c.path);
}

void apply(Step& step, const command::ReferenceMade& c) {
  OpenDocument* asking = open_document_named(step.state, c.document);
  if (!is_awaited(asking, c.reference->key)) return;
  asking->reference = c.reference;
  notify(step.state, Notice::Level::Info,
         "The difference plot compares with " + c.reference->label);
}

void apply(Step& step, const command::ReferenceFailed& c) {
  if (!is_awaited(open_document_named(step.state, c.document), c.key)) return;
  notify(step.state, Notice::Level::Error, c.error);
}

void apply(Step& step, const command::ForgetReference& /*c*/) {
  step.state.reference = nullptr;
  step.state.reference_source = {};
  step.state.document.reference.clear();
}

}  // namespace attn
