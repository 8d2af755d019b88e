// Opening, saving, exporting and quitting, with the questions that prevent loss of edits.
#include "base/files.h"

#include <algorithm>
#include <utility>

#include "document/load/tensor_file.h"
#include "document/open.h"
#include "session/reduce/handlers.h"

namespace attn {
namespace {

bool is_file(const std::string& path) { return path != "-" && !path.starts_with(kExamplePrefix); }

// Adds the document to the recent files, unless it is an example or a stream.
void remember_document(Step& step, const std::string& path) {
  std::string& last = step.state.preferences.last_document;
  const std::string file = path.starts_with('/') ? path : std::string();
  if (last == file) return;
  last = file;
  keep_preferences(step);
}

// Shows an example if the startup document fails, and forgets that document so that the next start
// succeeds.
void show_example_instead(Step& step, const std::string& path) {
  if (path != step.state.preferences.last_document) return;
  remember_document(step, "");
  if (step.state.source_path.empty()) dispatch(step, command::Open{first_example()});
}

void put_on_recent_list(Step& step, const std::string& path) {
  if (!path.starts_with('/')) return;
  std::erase(step.state.gone_files, path);
  Preferences& preferences = step.state.preferences;
  std::vector<std::string>& recent = preferences.recent_files;
  const bool newest = !recent.empty() && recent.front() == path;
  if (newest && preferences.last_document == path) return;
  preferences.last_document = path;
  std::erase(recent, path);
  recent.insert(recent.begin(), path);
  if (recent.size() > kRecentFiles) recent.resize(kRecentFiles);
  keep_preferences(step);
}

void store(Step& step, const std::string& path, bool overwrite,
           const std::optional<FileVersion>& known = std::nullopt) {
  step.state.saving = true;
  step.effects.push_back(effect::Store{path, document_to_write(step.state), step.state.revision,
                                       overwrite, known, step.state.id});
}

// Drops notices of changes to a file once its version is known.
void forget_change(AppState& state, OpenDocument& document) {
  document.file_stamp.reset();
  forget_offers(state, document.id);
}

// Document with edits that quitting would lose; null: none.
const OpenDocument* first_unsaved(const AppState& state) {
  const std::vector<const OpenDocument*> open = open_documents(state);
  const auto found = std::ranges::find_if(
      open, [](const OpenDocument* document) { return has_unsaved_changes(*document); });
  return found == open.end() ? nullptr : *found;
}

// Saves the shown document, or of all documents the first that needs it, before `closing` it.
void save_before(Step& step, std::uint64_t closing) {
  step.state.after_saving = closing;
  const OpenDocument* unsaved = closing == 0 ? first_unsaved(step.state) : nullptr;
  if (unsaved != nullptr) show_document(step, unsaved->id);
  dispatch(step, command::Save{});
}

void answer(Step& step, const UnsavedQuestion& question, command::Answer answer) {
  if (answer == command::Answer::Discard) return close_or_quit(step, question.closing);
  if (answer == command::Answer::Save) save_before(step, question.closing);
}

// Declining to overwrite reopens the dialog for another name.
void answer(Step& step, const OverwriteQuestion& question, command::Answer answer) {
  const bool overwrite = answer == command::Answer::Overwrite;
  if (!overwrite) {
    step.state.dialog = question.exporting ? DialogKind::Export : DialogKind::SaveAs;
  } else if (question.exporting) {
    dispatch(step, command::Export{question.path, true});
  } else {
    dispatch(step, command::SaveAs{question.path, true});
  }
}

void save_elsewhere_or_not(Step& step, command::Answer answer) {
  if (answer == command::Answer::SaveAs) {
    step.state.dialog = DialogKind::SaveAs;
  } else {
    step.state.after_saving.reset();
  }
}

void answer(Step& step, const ChangedQuestion& question, command::Answer answer) {
  if (answer == command::Answer::Overwrite) return store(step, question.path, true);
  if (answer == command::Answer::Reload) dispatch(step, command::Reload{});
  save_elsewhere_or_not(step, answer);
}

void answer(Step& step, const OutsideQuestion& question, command::Answer answer) {
  if (answer != command::Answer::Allow) return;
  if (question.compares) {
    step.state.allows_outside = true;
    compare_with(step, question.path);
  } else if (question.path.empty()) {
    step.effects.push_back(effect::ReadPasted{question.text, true});
  } else {
    dispatch(step, command::Open{question.path, false, true});
  }
}

void answer(Step& step, const ProtectedQuestion& /*question*/, command::Answer answer) {
  save_elsewhere_or_not(step, answer);
}

// Continues what waited for saving; before quitting, saves the next document.
void go_on_after_saving(Step& step) {
  AppState& state = step.state;
  std::optional<std::uint64_t> closing = std::exchange(state.after_saving, std::nullopt);
  if (!closing && state.question && first_unsaved(state) == nullptr) {
    if (const auto* unsaved = std::get_if<UnsavedQuestion>(&*state.question)) {
      closing = unsaved->closing;
      state.question.reset();
    }
  }
  if (!closing || has_unsaved_changes(state)) return;
  const bool is_done = *closing != 0 || first_unsaved(state) == nullptr;
  is_done ? close_or_quit(step, *closing) : save_before(step, 0);
}

// False if the error is another one or another question is open.
bool asks_for_outside(AppState& state, OutsideQuestion question, const Error& error) {
  if (error.kind != ErrorKind::Usage || state.question) return false;
  question.reason = error.message;
  state.question = std::move(question);
  return true;
}

// True if the document was read from the file or is saved there.
bool is_of(const OpenDocument& document, const std::string& path) {
  return document.path == path || (document.path.empty() && document.source_path == path);
}

// Shows the tab that has the file. True if it has edits that must not be lost.
bool shows_edits_of(Step& step, const std::string& path) {
  for (const OpenDocument* open : open_documents(step.state)) {
    if (!is_file(path) || !is_of(*open, path)) continue;
    show_document(step, open->id);
    return has_unsaved_changes(step.state);
  }
  return false;
}

void open_report(Step& step, const command::Opened& c) {
  AppState& state = step.state;
  const Reading& report = *c.report;
  const bool again = is_file(c.path) && is_of(state, c.path);
  if (!again) c.behind ? add_tab(state) : ensure_free_tab(state);
  const bool is_saved_back = is_file(c.path) && report.is_saved_back;
  replace_document(step, report.document, is_saved_back ? c.path : "");
  state.source_path = c.path;
  state.allows_outside = c.allows_outside;
  if (!state.path.empty()) state.file_version = report.version;
  if (is_file(c.path)) state.reading_notes = report.notes;
  if (report.assumed_causal) ask_about_causal(state, file_name(c.path));
  if (!restore_tab(state) && !report.is_read_once) put_on_recent_list(step, c.path);
  compare_as_written(step);
}

// Cancelled loading is no failure: the file stays among the recent ones.
void report_unopened(Step& step, const std::string& path, const Error& error) {
  AppState& state = step.state;
  const bool asks = asks_for_outside(state, {path}, error);
  if (!asks) {
    const bool wanted = error.kind == ErrorKind::Interrupted;
    if (!wanted && std::erase(state.preferences.recent_files, path) > 0) keep_preferences(step);
    notify_failure(state, error);
  }
  take_awaited_tab(state, path, false);
  if (!asks) show_example_instead(step, path);
  // At startup nothing has requested the result of the example shown instead.
  if (state.source_path.empty() && state.result == nullptr) request_result(step);
}

// Reloading would discard edits, so it needs consent.
void offer_to_reload(AppState& state, const std::string& what) {
  warn(state, what);
  state.notices.back().offer = Notice::Offer::Reload;
  state.notices.back().document = state.id;
}

void offer_to_reload(AppState& state) {
  offer_to_reload(state, file_name(state.path) +
                             " was changed by another program while it has edits that are not "
                             "saved. Reloading can be undone.");
}

bool is_outdated(const OpenDocument& document) {
  return document.outdated_revision == document.revision && document.revision != 0;
}

// Replaces the whole result: a file written in place changes the numbers of older revisions, too.
// Number files of older revisions are checked when undo shows them.
void take_numbers(Step& step, Document document) {
  AppState& state = step.state;
  const bool edited = has_unsaved_changes(state);
  state.history.gesture = 0;
  state.document = std::move(document);
  state.revision = ++state.last_revision;
  if (!edited) state.saved_revision = state.revision;
  std::erase_if(state.notices,
                [](const Notice& notice) { return notice.level != Notice::Level::Info; });
  forget_numbers(state);
  fit_to_document(state);
  request_result(step);
}

// Keeps the view. The new content may be of a format that cannot be saved.
void take_theirs(Step& step, const Reading& report) {
  AppState& state = step.state;
  Document document = report.document;
  document.panes = state.document.panes;
  if (is_outdated(state)) {
    take_numbers(step, std::move(document));
  } else {
    edit(step, std::move(document), "reload " + file_name(state.path));
  }
  state.saved_revision = state.revision;
  state.reading_notes = report.notes;
  state.file_version = report.version;
  remember_file(state, report.document);
  forget_change(state, state);
  if (!report.is_saved_back) state.path.clear();
}

void reload(Step& step, bool asked) {
  AppState& state = step.state;
  const std::string& file = state.path.empty() ? state.source_path : state.path;
  step.effects.push_back(effect::Reload{file, state.id, asked, nullptr, 0, state.allows_outside});
}

// Drops the result, which may mix two versions of the numbers. Reads the whole document again if it
// has no edits, else only its numbers.
void read_numbers_again(Step& step, bool asked) {
  AppState& state = step.state;
  const std::string& file = state.path.empty() ? state.source_path : state.path;
  if (!has_unsaved_changes(state) && file.starts_with('/')) return reload(step, asked);
  step.effects.push_back(effect::Reload{
      file, state.id, asked, std::make_shared<const Document>(state.document), state.revision});
}

void say_outdated(Step& step, const Error& error) {
  AppState& state = step.state;
  if (is_outdated(state)) return;
  state.outdated_revision = state.revision;
  forget_numbers(state);
  if (!state.result_error) state.result_error = error;
  if (!has_unsaved_changes(state)) return read_numbers_again(step, false);
  offer_to_reload(state, file_name(error.file) +
                             " was changed by another program, and the document takes numbers "
                             "from it. Reloading keeps its edits.");
}

// Retried every few seconds: the writer may not have finished.
void say_not_read(AppState& state, const command::Reloaded& c) {
  const Error& error = c.report.error();
  const bool outdated = is_outdated(state);
  state.outdated_revision = 0;
  if (!c.asked && state.result_error && describe(*state.result_error) == describe(error)) return;
  if (outdated) state.result_error = error;
  notify(state, Notice::Level::Error, error);
}

effect::Draw figure_in_view(const AppState& state, const std::string& path, bool overwrite) {
  PlotOptions options = plot_options(state);
  options.highlight.reset();
  const bool current = state.result && state.result_revision == state.revision;
  return {path,
          state.document,
          current ? state.result : nullptr,
          focused_view(state).plot,
          std::move(options),
          state.preferences.export_options,
          overwrite};
}

}  // namespace

void close_or_quit(Step& step, std::uint64_t closing) {
  if (closing != 0) {
    show_document(step, closing);
    if (step.state.id == closing) close_document(step);
  } else {
    step.state.quitting = true;
    for (const OpenDocument* open : open_documents(step.state)) {
      drop_autosave(step, *open_document_named(step.state, open->id));
    }
    remember_document(step, step.state.source_path);
    step.effects.push_back(effect::Leave{});
  }
}

void apply(Step& step, const command::NewDocument& /*c*/) {
  ensure_free_tab(step.state);
  replace_document(step, new_document(), "");
}

void apply(Step& step, const command::Open& c) {
  if (c.path.empty()) return;
  step.state.dialog.reset();
  step.effects.push_back(effect::Load{c.path, ++step.state.load_ticket, c.behind,
                                      c.allows_outside || step.state.allows_all_outside});
}

void apply(Step& step, const command::PasteDocument& c) {
  if (c.text.empty()) return warn(step.state, "The clipboard holds no text to paste");
  step.effects.push_back(effect::ReadPasted{c.text, step.state.allows_all_outside});
}

void apply(Step& step, const command::DocumentPasted& c) {
  AppState& state = step.state;
  if (!c.pasted && asks_for_outside(state, {"", c.text}, c.pasted.error())) return;
  if (!c.pasted) return notify(state, Notice::Level::Error, c.pasted.error());
  const std::uint64_t shown = state.id;
  is_asking(state) ? add_tab(state) : ensure_free_tab(state);
  replace_document(step, c.pasted->report.document, "");
  state.saved_revision = 0;  // no file holds it
  state.reading_notes = c.pasted->report.notes;
  if (c.pasted->report.assumed_causal) ask_about_causal(state, "What was pasted");
  inform(state, "Pasted " + c.pasted->taken_as);
  compare_as_written(step);
  if (is_asking(state)) show_document(step, shown);
}

// A file that is already open is read again in its tab unless that would lose edits.
void apply(Step& step, const command::Opened& c) {
  AppState& state = step.state;
  if (!c.report) return report_unopened(step, c.path, c.report.error());
  const std::uint64_t shown = state.id;
  if (c.behind) show_document(step, open_documents(state).back()->id);
  if (shows_edits_of(step, c.path)) {
    take_awaited_tab(state, c.path);
    return inform(state, file_name(c.path) + " is open already, with changes that are not saved");
  }
  open_report(step, c);
  take_awaited_tab(state, c.path);
  if (!c.behind) return;
  // Computed when it is shown.
  std::erase_if(step.effects, [](const Effect& effect) {
    return std::holds_alternative<effect::Compute>(effect);
  });
  show_document(step, shown);
}

void check_own_file(Step& step) {
  const AppState& state = step.state;
  const bool has_file = !state.path.empty() && state.file_version;
  if (state.saving || !(has_file || has_files_of_numbers(state.document))) return;
  step.effects.push_back(effect::CheckFile{has_file ? state.path : "", state.id, state.file_version,
                                           state.file_stamp, state.document});
}

void apply(Step& step, const command::FileChecked& c) {
  AppState& state = step.state;
  if (c.document != state.id || state.saving) return;
  if (c.numbers) return say_outdated(step, *c.numbers);
  if (state.file_version != c.known || !c.stamp) return;
  state.file_stamp = c.stamp;
  if (!c.changed) return;
  if (has_unsaved_changes(state)) return offer_to_reload(state);
  reload(step, false);
}

void apply(Step& step, const command::Reload& c) {
  const OpenDocument* document = open_document_named(step.state, c.document);
  if (document == nullptr || document->saving) return;
  const bool outdated = is_outdated(*document);
  if (!outdated && document->path.empty()) return;
  show_document(step, document->id);
  if (outdated) return read_numbers_again(step, true);
  reload(step, true);
}

void apply(Step& step, const command::Reloaded& c) {
  AppState& state = step.state;
  if (c.document != state.id) {
    if (OpenDocument* open = open_document_named(state, c.document)) {
      open->file_stamp.reset();  // checked when the document is shown next
      open->outdated_revision = 0;
    }
    return;
  }
  if (!c.report) return say_not_read(state, c);
  const std::string name = file_name(state.path.empty() ? state.source_path : state.path);
  if (c.edited_revision != 0) {
    if (c.edited_revision != state.revision) return read_numbers_again(step, c.asked);
    take_numbers(step, c.report->document);
    return inform(state, "Read the numbers of " + document_name(state) + " again");
  }
  if (!c.asked && has_unsaved_changes(state)) return offer_to_reload(state);
  take_theirs(step, *c.report);
  inform(state,
         c.asked ? "Reloaded " + name : "Reloaded " + name + ", which another program changed");
}

// A second save waits until the first has ended and the file's version is known.
void apply(Step& step, const command::Save& /*c*/) {
  AppState& state = step.state;
  if (state.path.empty()) {
    state.dialog = DialogKind::SaveAs;
  } else if (state.saving) {
    state.save_again = true;
  } else {
    store(step, state.path, true, state.file_version);
  }
}

void apply(Step& step, const command::SaveAs& c) {
  const std::string name = file_name(c.path);
  if (name.empty()) return warn(step.state, "Type a file name to save under");
  const bool is_other_format = std::ranges::any_of(all_loaders(), [&](const Loader& loader) {
    return !loader.is_document_format && has_ending(loader, c.path);
  });
  if (is_other_format) {
    return warn(step.state, "Documents are saved as JSON: " + name +
                                " would be taken for something else by its name");
  }
  step.state.dialog.reset();
  const bool has_suffix = name.find('.') != std::string::npos;
  store(step, has_suffix ? c.path : c.path + ".attn.json", c.overwrite);
}

void apply(Step& step, const command::Saved& c) {
  AppState& state = step.state;
  notify_of_file(state, "Saved " + file_name(c.path) + (c.remark.empty() ? "" : "; " + c.remark),
                 c.path);
  put_on_recent_list(step, c.path);
  OpenDocument* saved = open_document_named(state, c.of);
  if (saved == nullptr || c.revision < saved->first_revision) return;  // closed since
  saved->path = c.path;
  saved->saved_revision = c.revision;
  saved->file_version = c.version;
  saved->file_view = c.view;
  saved->file_reference = c.reference;
  forget_change(state, *saved);
  saved->saving = false;
  const bool again = std::exchange(saved->save_again, false);
  if (again && saved == &state) return dispatch(step, command::Save{});
  go_on_after_saving(step);
}

// Questions are about the shown document, so it is shown first.
void apply(Step& step, const command::SaveFailed& c) {
  AppState& state = step.state;
  OpenDocument* failed = open_document_named(state, c.of);
  if (failed == nullptr) return;
  failed->saving = failed->save_again = false;
  show_document(step, failed->id);
  switch (c.obstacle) {
    case command::SaveObstacle::Exists:
      state.question = OverwriteQuestion{c.path, false};
      return;
    case command::SaveObstacle::Changed:
      state.question = ChangedQuestion{c.path};
      return;
    case command::SaveObstacle::Protected:
      state.question = ProtectedQuestion{c.path, c.error.message};
      return;
    case command::SaveObstacle::None:
      state.after_saving.reset();
      notify(state, Notice::Level::Error, c.error);
  }
}

void apply(Step& step, const command::Export& c) {
  AppState& state = step.state;
  if (!exporter_for(c.path)) {
    std::string known;
    for (const Exporter& exporter : all_exporters()) {
      known += (known.empty() ? "." : " or .") + std::string(exporter.extension);
    }
    return warn(state,
                "The name of a picture must end in " + known + ", unlike " + file_name(c.path));
  }
  state.dialog.reset();
  state.last_export_path = c.path;
  step.effects.push_back(figure_in_view(state, c.path, c.overwrite));
}

void apply(Step& step, const command::CopyFigure& /*c*/) {
  AppState& state = step.state;
  if (state.picture_helper.empty()) {
    return warn(state, "Pictures are copied by xclip or wl-copy, neither of which is here");
  }
  step.effects.push_back(
      effect::CopyFigure{figure_in_view(state, "figure.png", true), state.picture_helper});
}

void apply(AppState& state, const command::ChooseExportPath& c) {
  state.chosen_export_path = c.path;
  state.dialog = DialogKind::Export;
}

void apply(Step& step, const command::TakeScreenshot& /*c*/) {
  step.effects.push_back(effect::TakeScreenshot{document_name(step.state)});
}

void apply(AppState& state, const command::ScreenshotWritten& c) {
  notify_of_file(state, "Wrote a picture of the window to " + c.path, c.path);
}

void apply(AppState& state, const command::Exported& c) {
  if (c.written) return notify_of_file(state, "Exported " + file_name(c.path), c.path);
  if (!c.exists) return notify_failure(state, c.written.error());
  state.question = OverwriteQuestion{c.path, true};
}

void apply(Step& step, const command::AnswerQuestion& c) {
  const std::optional<Question> question = std::exchange(step.state.question, std::nullopt);
  if (!question) return;
  std::visit([&](const auto& asked) { answer(step, asked, c.answer); }, *question);
}

// One question covers all documents.
void apply(Step& step, const command::Quit& /*c*/) {
  if (first_unsaved(step.state) == nullptr) return close_or_quit(step, 0);
  step.state.question = UnsavedQuestion{};
}

void apply(Step& step, const Command& c, command::Files list) { apply_one_of(step, c, list); }

}  // namespace attn
