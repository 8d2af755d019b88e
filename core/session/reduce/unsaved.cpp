// Autosave and recovery of unsaved work.
#include <algorithm>
#include <iterator>
#include <utility>

#include "base/number_text.h"
#include "document/load/array_reading.h"
#include "session/reduce/handlers.h"

namespace attn {
namespace {

UnsavedWork work_of(const AppState& state, const OpenDocument& document) {
  UnsavedWork work{state.autosave_folder, document.id, document_name(document), document.path};
  work.file_version = document.file_version;
  if (document.path.empty()) work.source = document.source_path;
  if (document.arrays) work.arrays = array_words_text(document.arrays->words);
  const std::vector<Snapshot>& past = document.history.past;
  const auto saved = std::ranges::find(past, document.saved_revision, &Snapshot::revision);
  work.edits =
      static_cast<std::uint64_t>(past.end() - (saved == past.end() ? past.begin() : saved));
  return work;
}

void autosave(Step& step, OpenDocument& document) {
  AutosaveState& autosave = document.autosave;
  if (autosave.is_under_way) return;
  if (!step.preferences.autosaves || !has_unsaved_changes(document)) {
    return drop_autosave(step, document);
  }
  if (autosave.revision == document.revision) return;
  autosave.is_under_way = true;
  auto written = std::make_shared<const Document>(document_to_write(document));
  step.effects.push_back(
      effect::AutosaveDocument{work_of(step, document), std::move(written), document.revision});
}

void remove_restored(Step& step, std::optional<UnsavedWork>& from) {
  if (!from) return;
  step.effects.push_back(effect::RemoveAutosave{from->folder, from->document});
  from.reset();
}

}  // namespace

Document document_to_write(const OpenDocument& document) {
  const bool is_lesson = is_in_lesson(document);
  Document written = is_lesson && !differs_from_lesson(document) ? document.lesson.entered.front()
                                                                 : document.document;
  if (loses_lesson(document)) written.lesson.clear();
  written.panes = Panes{document.layout, document.focus, document.maximised};
  if (document.reference) written.reference = document.reference->path;
  std::string& about = written.description;
  if (has_past_numbers(document)) about = std::string(kOfOtherNumbers) + " " + about;
  return written;
}

void drop_autosave(Step& step, OpenDocument& document) {
  if (document.autosave.revision != 0 || document.autosave.is_under_way) {
    step.effects.push_back(effect::RemoveAutosave{step.autosave_folder, document.id});
  }
  remove_restored(step, document.autosave.restored_from);
  document.autosave = {};
}

void list_open_files(Step& step) {
  Recovery& recovery = step.recovery;
  if (step.autosave_folder.empty()) return;
  effect::ListOpenFiles now{step.autosave_folder, {}, {}};
  for (const OpenDocument* open : open_documents(step)) {
    if (!open->path.empty()) now.paths.push_back(open->path);
  }
  if (now.paths == recovery.listed) return;
  std::ranges::copy_if(now.paths, std::back_inserter(now.opened), [&](const std::string& path) {
    return std::ranges::find(recovery.listed, path) == recovery.listed.end();
  });
  recovery.listed = now.paths;
  step.effects.emplace_back(std::move(now));
}

void apply(Step& step, const command::Autosave& /*c*/) {
  if (step.autosave_folder.empty()) return;
  for (const OpenDocument* open : open_documents(step)) {
    autosave(step, *open_document_named(step, open->id));
  }
}

void apply(Step& step, const command::Autosaved& c) {
  OpenDocument* document = open_document_named(step, c.job.work.document);
  const bool is_awaited = document != nullptr && document->autosave.is_under_way;
  if (is_awaited) document->autosave.is_under_way = false;
  const bool had_failed = std::exchange(step.recovery.has_failed, !c.made);
  if (!c.made && had_failed) return;
  if (!c.made) {
    return notify(step, Notice::Level::Warning,
                  "Unsaved work cannot be autosaved: " + describe(c.made.error()),
                  describe_in_full(c.made.error()));
  }
  if (!is_awaited) return;
  document->autosave.revision = c.job.revision;
  remove_restored(step, document->autosave.restored_from);
}

void apply(AppState& state, const command::UnsavedFound& c) {
  Recovery& recovery = state.recovery;
  recovery.found = c.made.work;
  recovery.is_open = !recovery.found.empty();
  if (c.made.removed == 0) return;
  inform(state,
         "Unsaved work of earlier runs that was over 30 days old, or too much, was removed: " +
             counted(c.made.removed, "document"));
}

void apply(AppState& state, const command::ShowUnsaved& c) {
  Recovery& recovery = state.recovery;
  recovery.is_open = c.value && !recovery.found.empty();
}

void apply(Step& step, const command::RestoreWork& c) {
  Recovery& recovery = step.recovery;
  if (std::erase(recovery.found, c.work) == 0) return;
  if (recovery.found.empty()) recovery.is_open = false;
  step.effects.push_back(effect::RestoreWork{c.work, c.as_copy});
}

void apply(Step& step, const command::WorkRestored& c) {
  const auto& [work, as_copy] = c.job;
  const std::string path = as_copy ? "" : work.path;
  const auto open = open_documents(step);
  const auto tab = std::ranges::find_if(open, [&](const OpenDocument* document) {
    return !path.empty() && document->path == path && !has_unsaved_changes(*document);
  });
  if (tab != open.end()) {
    show_document(step, (*tab)->id);
  } else {
    ensure_free_tab(step);
  }
  const bool is_edit = c.made.opened && c.made.opened->lesson.empty();
  replace_document(step, is_edit ? *c.made.opened : c.made.document, path);
  if (!step.path.empty()) {
    step.source_path = step.path;
    step.file_version = work.file_version;
  }
  if (!is_edit || as_copy) step.saved_revision = 0;  // in no file
  if (is_edit) edit(step, c.made.document, "restore unsaved work");
  if (is_edit && c.made.document.panes) show_panes(step, *c.made.document.panes);
  step.allows_outside = true;  // the user allowed it before
  step.autosave.restored_from = work;
  inform(step, "Restored " + work.name);
}

void apply(Step& step, const Command& c, command::Unsaved list) { apply_one_of(step, c, list); }

}  // namespace attn
