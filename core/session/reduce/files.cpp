// Opening, saving, exporting and quitting, with the questions that prevent loss of edits.
#include "base/files.h"

#include <algorithm>
#include <utility>

#include "base/joined.h"
#include "document/load/array_reading.h"
#include "document/load/open.h"
#include "document/tensors/tensor_file.h"
#include "session/figure_file.h"
#include "session/reduce/handlers.h"

namespace attn {
namespace {

bool is_file(const std::string& path) { return path != "-" && !is_built_in(path); }

// Adds the document to the recent files, unless it is an example or a stream.
void remember_document(Step& step, const std::string& path) {
  std::string& last = step.preferences.last_document;
  const std::string file = path.starts_with('/') ? path : std::string();
  if (last == file) return;
  last = file;
  keep_preferences(step);
}

// Shows an example if the startup document fails, and forgets that document so that the next start
// succeeds.
void show_example_instead(Step& step, const std::string& path) {
  if (path != step.preferences.last_document) return;
  remember_document(step, "");
  if (step.source_path.empty()) dispatch(step, command::Open{first_example()});
}

void put_on_recent_list(Step& step, const std::string& path) {
  if (!path.starts_with('/')) return;
  std::erase(step.gone_files, path);
  Preferences& preferences = step.preferences;
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
  step.saving = true;
  if (loses_lesson(step)) {
    warn(step, "Saved without the lesson: its first step begins with another document");
  }
  auto written = std::make_shared<const Document>(document_to_write(step));
  step.effects.push_back(
      effect::Store{path, std::move(written), step.revision, overwrite, known, step.id});
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

// Closes a document, or quits (0), without asking.
void close_or_quit(Step& step, std::uint64_t closing) {
  if (closing != 0) {
    show_document(step, closing);
    if (step.id == closing) close_document(step);
  } else {
    step.quitting = true;
    for (const OpenDocument* open : open_documents(step)) {
      drop_autosave(step, *open_document_named(step, open->id));
    }
    remember_document(step, step.source_path);
  }
}

// Saves the shown document, or of all documents the first that needs it, before `closing` it.
void save_before(Step& step, std::uint64_t closing) {
  step.after_saving = closing;
  const OpenDocument* unsaved = closing == 0 ? first_unsaved(step) : nullptr;
  if (unsaved != nullptr) show_document(step, unsaved->id);
  dispatch(step, command::Save{});
}

void answer(Step& step, const UnsavedQuestion& question, command::Answer answer) {
  if (answer == command::Answer::Discard) return close_or_quit(step, question.closing);
  if (answer == command::Answer::Save) save_before(step, question.closing);
}

// Declining to overwrite what exists reopens the dialog for another name.
void answer(Step& step, const FileQuestion& question, command::Answer answer) {
  const bool overwrite = answer == command::Answer::Overwrite;
  const bool exists = question.obstacle == FileObstacle::Exists;
  if (overwrite && exists && question.exporting) {
    dispatch(step, command::Export{question.path, true});
  } else if (overwrite && exists) {
    dispatch(step, command::SaveAs{question.path, true});
  } else if (overwrite && question.obstacle == FileObstacle::Changed) {
    store(step, question.path, true);
  } else if (exists || answer == command::Answer::SaveAs) {
    step.dialog = question.exporting ? DialogKind::Export : DialogKind::SaveAs;
  } else {
    if (answer == command::Answer::Reload) dispatch(step, command::Reload{});
    step.after_saving.reset();
  }
}

void answer(Step& step, const OutsideQuestion& question, command::Answer answer) {
  if (answer != command::Answer::Allow) return;
  if (question.compares) {
    step.allows_outside = true;
    compare_with(step, question.path);
  } else if (question.path.empty()) {
    step.effects.push_back(effect::ReadPasted{question.text, true});
  } else {
    dispatch(step, command::Open{question.path, false, true});
  }
}

// Continues what waited for saving; before quitting, saves the next document.
void go_on_after_saving(Step& step) {
  std::optional<std::uint64_t> closing = std::exchange(step.after_saving, std::nullopt);
  if (!closing && step.question && first_unsaved(step) == nullptr) {
    if (const auto* unsaved = std::get_if<UnsavedQuestion>(&*step.question)) {
      closing = unsaved->closing;
      step.question.reset();
    }
  }
  if (!closing) return;
  const OpenDocument* of = open_document_named(step, *closing);
  if (of == nullptr || has_unsaved_changes(*of)) return;
  const bool is_done = *closing != 0 || first_unsaved(step) == nullptr;
  is_done ? close_or_quit(step, *closing) : save_before(step, 0);
}

// False if the error is another one or another question is open.
bool request_consent(AppState& state, OutsideQuestion question, const Error& error) {
  if (error.kind != ErrorKind::Usage || state.question) return false;
  question.reason = error.message;
  state.question = std::move(question);
  return true;
}

// Shows the tab that has the file. True if it has edits that must not be lost.
bool shows_edits_of(Step& step, const std::string& path) {
  for (const OpenDocument* open : open_documents(step)) {
    if (!is_file(path) || origin_of(*open) != path) continue;
    show_document(step, open->id);
    return has_unsaved_changes(step);
  }
  return false;
}

void ask_about_arrays(Step& step, const std::string& path,
                      std::shared_ptr<const ArrayChoices> choices) {
  step.arrays_question = {path, std::move(choices)};
  step.overlay = Overlay::Arrays;
}

// The notes of a reading; the first one, about the arrays of a file, without flags, as the window
// has a dialog for them.
std::vector<std::string> notes_of(const Reading& reading) {
  std::vector<std::string> notes = reading.notes;
  if (reading.arrays && !notes.empty()) notes.front() = reading.arrays->sentence(false);
  if (reading.other_words.empty()) return notes;
  const bool is_said = !notes.empty() && notes.front().starts_with("read as ");
  if (!is_said) notes.insert(notes.begin(), "");  // of a pasted text
  notes.front() = "read as " + reading.taken_as;
  return notes;
}

// Reports how the arrays were read; shows the question once if the file does not say what a mask
// means.
void report_reading(Step& step, bool may_ask) {
  const std::string text = file_name(origin_of(step)) + ": " + step.arrays->sentence(false);
  const bool was_shown = std::ranges::count(step.questioned_files, text) > 0;
  if (may_ask && step.asks_where_ambiguous && !step.arrays->question().empty() && !was_shown &&
      !is_covered(step)) {
    step.questioned_files.push_back(text);
    return ask_about_arrays(step, origin_of(step), step.arrays);
  }
  offer(step, Notice::Level::Info, text, Notice::Offer::Arrays);
}

void report_text_reading(Step& step, const Reading& report) {
  offer(step, Notice::Level::Info, file_name(origin_of(step)) + ": read as " + report.taken_as,
        report.other_words.empty() ? Notice::Offer::Nothing : Notice::Offer::Text);
}

// Reports how the file was read, and offers other readings; not for a tab of the last session,
// which was reported then.
void ask_about_reading(Step& step, const command::Opened& c) {
  const Reading& report = *c.made;
  if (step.arrays && !c.job.behind) report_reading(step, true);
  if (!report.taken_as.empty()) report_text_reading(step, report);
  if (report.assumed_causal) ask_about_causal(step, file_name(c.job.path));
}

void open_report(Step& step, const command::Opened& c) {
  const Reading& report = *c.made;
  const std::string& path = c.job.path;
  const bool again = is_file(path) && origin_of(step) == path;
  if (!again) c.job.behind ? add_tab(step) : ensure_free_tab(step);
  const bool is_saved_back = is_file(path) && report.is_saved_back;
  replace_document(step, report.document, is_saved_back ? path : "");
  step.source_path = path;
  step.allows_outside = c.job.allows_outside;
  if (!step.path.empty()) step.file_version = report.version;
  if (is_file(path)) step.reading_notes = notes_of(report);
  step.arrays = is_file(path) ? report.arrays : nullptr;
  if (path != first_example() && !c.job.behind) step.first_step = FirstStep::None;
  step.text_words = c.job.arrays;
  step.other_words = report.other_words;
  if (!restore_tab(step)) {
    ask_about_reading(step, c);
    if (!report.is_read_once) put_on_recent_list(step, path);
  }
  if (!c.job.plot.empty()) dispatch(step, command::SelectPlot{c.job.plot});
  compare_as_written(step);
  report_lesson_faults(step, report);
}

// Cancelled loading is no failure: the file stays among the recent ones.
void report_unopened(Step& step, const command::Opened& c) {
  const std::string& path = c.job.path;
  const Error& error = c.made.error();
  const bool needs_consent = request_consent(step, {path}, error);
  if (!needs_consent) {
    const bool wanted = error.kind == ErrorKind::Interrupted;
    if (!wanted && std::erase(step.preferences.recent_files, path) > 0) keep_preferences(step);
    notify_failure(step, error);
    const bool may_ask = !c.job.behind && !is_covered(step);
    if (may_ask && c.job.refused && !c.job.refused->arrays.empty()) {
      ask_about_arrays(step, path, c.job.refused);
    }
  }
  take_awaited_tab(step, path, false);
  if (!needs_consent) show_example_instead(step, path);
  // At startup, nothing has requested the result of the example shown instead.
  if (step.source_path.empty() && step.result == nullptr) request_result(step);
}

// Reloading would discard edits, so it needs consent.
void offer_to_reload(AppState& state, const std::string& what) {
  offer(state, Notice::Level::Warning, what, Notice::Offer::Reload);
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
  const bool edited = has_unsaved_changes(step);
  step.history.gesture = 0;
  step.document = std::move(document);
  step.revision = ++step.last_revision;
  if (!edited) step.saved_revision = step.revision;
  std::erase_if(step.notices,
                [](const Notice& notice) { return notice.level != Notice::Level::Info; });
  forget_numbers(step);
  fit_to_document(step);
  request_result(step);
}

// Keeps the view. The new content may have a format that cannot be saved.
void take_theirs(Step& step, const Reading& report) {
  Document document = report.document;
  document.panes = step.document.panes;
  if (is_outdated(step)) {
    take_numbers(step, std::move(document));
  } else {
    edit(step, std::move(document), "reload " + file_name(step.path));
  }
  begin_lesson(step, step.lesson.step);
  const std::string name = file_name(origin_of(step));
  std::erase_if(step.notices, [&](const Notice& notice) {
    return notice.level != Notice::Level::Info && notice.text.find(name) != notice.text.npos;
  });
  step.saved_revision = step.revision;
  step.reading_notes = notes_of(report);
  step.arrays = report.arrays;
  step.other_words = report.other_words;
  step.file_version = report.version;
  remember_file(step, report.document);
  forget_change(step, step);
  if (!report.is_saved_back) step.path.clear();
  report_lesson_faults(step, report);
}

void reload(Step& step, bool by_user) {
  const std::string words = step.arrays ? array_words_text(step.arrays->words) : step.text_words;
  step.effects.push_back(
      effect::Reload{origin_of(step), step.id, by_user, nullptr, 0, step.allows_outside, words});
}

// Drops the result, which may mix two versions of the numbers. Reads the whole document again if it
// has no edits, else only its numbers; of a model its folder, with the text and edits that it has.
void read_numbers_again(Step& step, bool by_user) {
  const std::string& file = origin_of(step);
  const bool is_model = step.document.source_model.has_value();
  if (!has_unsaved_changes(step) && !is_model && file.starts_with('/'))
    return reload(step, by_user);
  step.effects.push_back(effect::Reload{
      file, step.id, by_user, std::make_shared<const Document>(step.document), step.revision});
}

void say_outdated(Step& step, const Error& error) {
  if (is_outdated(step)) return;
  step.outdated_revision = step.revision;
  forget_numbers(step);
  if (!step.result_error) step.result_error = error;
  if (!has_unsaved_changes(step)) return read_numbers_again(step, false);
  offer_to_reload(step, file_name(error.file) +
                            " was changed by another program, and the document takes numbers "
                            "from it. Reloading keeps its edits.");
}

// Retries every few seconds: the writer may not have finished.
void say_not_read(AppState& state, const command::Reloaded& c) {
  const Error& error = c.made.error();
  const bool outdated = is_outdated(state);
  state.outdated_revision = 0;
  if (!c.job.by_user && state.result_error && describe(*state.result_error) == describe(error))
    return;
  if (outdated) state.result_error = error;
  notify(state, Notice::Level::Error, error);
}

effect::Draw figure_in_view(const AppState& state, const std::string& path, bool overwrite) {
  const bool current = state.result && state.result_revision == state.revision;
  FigureSpec spec = figure_spec(state);
  spec.of_lesson = is_page(path) && is_in_lesson(state);
  const Document& document = spec.of_lesson ? state.lesson.entered.front() : state.document;
  return {std::move(spec), path, document, current ? state.result : nullptr, overwrite};
}

}  // namespace

void apply(Step& step, const command::NewDocument& /*c*/) {
  ensure_free_tab(step);
  replace_document(step, new_document(), "");
}

void apply(Step& step, const command::Open& c) {
  if (c.path.empty()) return;
  step.dialog.reset();
  step.effects.push_back(effect::Load{c.path, c.behind, c.allows_outside || step.allows_all_outside,
                                      c.plot, c.arrays, nullptr, c.input});
}

void apply(Step& step, const command::AskArrays& /*c*/) {
  if (step.arrays) return ask_about_arrays(step, origin_of(step), step.arrays);
  if (!step.other_words.empty()) {
    dispatch(step, command::ReadArrays{origin_of(step), step.other_words});
  }
}

void apply(Step& step, const command::ReadArrays& c) {
  step.overlay.reset();
  if (origin_of(step) != c.path) {
    return dispatch(step, command::Open{c.path, false, false, "", c.words});
  }
  step.effects.push_back(
      effect::Reload{c.path, step.id, true, nullptr, 0, step.allows_outside, c.words});
}

void apply(Step& step, const command::PasteDocument& c) {
  if (c.text.empty()) return warn(step, "The clipboard holds no text to paste");
  step.effects.push_back(effect::ReadPasted{c.text, step.allows_all_outside});
}

void apply(Step& step, const command::DocumentPasted& c) {
  if (!c.made && request_consent(step, {"", c.job.text}, c.made.error())) return;
  if (!c.made) return notify(step, Notice::Level::Error, c.made.error());
  const std::uint64_t shown = step.id;
  is_asking(step) || is_in_lesson(step) ? add_tab(step) : ensure_free_tab(step);
  replace_document(step, c.made->document, "");
  step.saved_revision = 0;  // in no file
  step.reading_notes = notes_of(*c.made);
  if (c.made->assumed_causal) ask_about_causal(step, "What was pasted");
  inform(step, "Pasted " + c.made->taken_as);
  compare_as_written(step);
  if (is_asking(step)) show_document(step, shown);
}

// A file that is already open is read again in its tab unless that would lose edits.
void apply(Step& step, const command::Opened& c) {
  const std::string& path = c.job.path;
  if (!c.made) return report_unopened(step, c);
  const std::uint64_t shown = step.id;
  if (c.job.behind) show_document(step, open_documents(step).back()->id);
  if (shows_edits_of(step, path)) {
    take_awaited_tab(step, path);
    return inform(step, file_name(path) + " is open already, with changes that are not saved");
  }
  open_report(step, c);
  take_awaited_tab(step, path);
  if (!c.job.behind) return;
  // The result is computed when the document is shown.
  std::erase_if(step.effects, [](const Effect& effect) {
    return std::holds_alternative<effect::Compute>(effect);
  });
  show_document(step, shown);
}

void check_own_file(Step& step) {
  const bool has_file = !step.path.empty() && step.file_version;
  if (step.saving || !(has_file || has_files_of_numbers(step.document))) return;
  step.effects.push_back(effect::CheckFile{has_file ? step.path : "", step.id, step.file_version,
                                           step.file_stamp, step.document});
}

void apply(Step& step, const command::FileChecked& c) {
  if (c.document != step.id || step.saving) return;
  if (c.numbers) return say_outdated(step, *c.numbers);
  if (step.file_version != c.known || !c.stamp) return;
  step.file_stamp = c.stamp;
  if (!c.changed) return;
  if (has_unsaved_changes(step)) return offer_to_reload(step);
  reload(step, false);
}

void apply(Step& step, const command::Reload& c) {
  const OpenDocument* document = open_document_named(step, c.document);
  if (document == nullptr || document->saving) return;
  const bool outdated = is_outdated(*document);
  if (!outdated && document->path.empty() && !origin_of(*document).starts_with('/')) return;
  show_document(step, document->id);
  if (outdated) return read_numbers_again(step, true);
  reload(step, true);
}

void apply(Step& step, const command::FileWritten& c) {
  if (origin_of(step) != c.path || step.saving) return;
  const auto& model = step.document.source_model;
  const bool is_model = model && model->folder == c.path;
  is_outdated(step) || is_model ? read_numbers_again(step, false) : reload(step, false);
}

void apply(Step& step, const command::Reloaded& c) {
  if (c.job.document != step.id) {
    if (OpenDocument* open = open_document_named(step, c.job.document)) {
      open->file_stamp.reset();  // checked when the document is shown next
      open->outdated_revision = 0;
    }
    return;
  }
  if (!c.made) return say_not_read(step, c);
  const std::string name = file_name(origin_of(step));
  if (c.job.edited_revision != 0) {
    if (c.job.edited_revision != step.revision) return read_numbers_again(step, c.job.by_user);
    take_numbers(step, c.made->document);
    return inform(step, "Read the numbers of " + document_name(step) + " again");
  }
  if (!c.job.by_user && has_unsaved_changes(step)) return offer_to_reload(step);
  if (!c.made->arrays) step.text_words = c.job.arrays;
  const bool had_edits = has_unsaved_changes(step);
  take_theirs(step, *c.made);
  const bool is_other_reading = c.job.by_user && (step.arrays || !step.other_words.empty());
  if (is_other_reading && had_edits) inform(step, "Undo brings the edits of " + name + " back");
  if (is_other_reading)
    return step.arrays ? report_reading(step, false) : report_text_reading(step, *c.made);
  inform(step, c.job.by_user ? "Reloaded " + name
                             : "Reloaded " + name + ", which another program changed");
}

// A second save waits until the first has ended and the file's version is known.
void apply(Step& step, const command::Save& /*c*/) {
  if (step.path.empty() || loses_lesson(step)) {
    step.dialog = DialogKind::SaveAs;
  } else if (step.saving) {
    step.save_again = true;
  } else {
    store(step, step.path, true, step.file_version);
  }
}

void apply(Step& step, const command::SaveAs& c) {
  const std::string name = file_name(c.path);
  if (name.empty()) return warn(step, "Type a file name to save under");
  const bool is_other_format = std::ranges::any_of(all_loaders(), [&](const Loader& loader) {
    return !loader.is_document_format && has_ending(loader, c.path);
  });
  if (is_other_format) {
    return warn(step, "Documents are saved as JSON: " + name +
                          " would be taken for something else by its name");
  }
  step.dialog.reset();
  const bool has_suffix = name.find('.') != std::string::npos;
  store(step, has_suffix ? c.path : c.path + ".attn.json", c.overwrite);
}

// Shows the document that could not be saved, with a question about the file or an error.
void report_unsaved(Step& step, const command::Stored& c) {
  OpenDocument* failed = open_document_named(step, c.job.of);
  if (failed == nullptr) return;
  failed->saving = failed->save_again = false;
  show_document(step, failed->id);
  if (c.obstacle != FileObstacle::None) {
    step.question = FileQuestion{c.obstacle, c.job.path, false, c.made.error().message};
    return;
  }
  step.after_saving.reset();
  notify(step, Notice::Level::Error, c.made.error());
}

void apply(Step& step, const command::Stored& c) {
  if (!c.made) return report_unsaved(step, c);
  const std::string& path = c.job.path;
  notify(step, Notice::Level::Info,
         "Saved " + file_name(path) + (c.remark.empty() ? "" : "; " + c.remark), path, path);
  put_on_recent_list(step, path);
  OpenDocument* saved = open_document_named(step, c.job.of);
  if (saved == nullptr || c.job.revision < saved->first_revision) return;  // closed since
  saved->path = path;
  saved->arrays = nullptr;  // its file is a document
  saved->saved_revision = c.job.revision;
  saved->lesson.in_file = false;
  saved->file_version = *c.made;
  saved->file_view = focused_view(c.job.document->panes.value_or(Panes{}));
  saved->file_reference = c.job.document->reference;
  forget_change(step, *saved);
  saved->saving = false;
  const bool again = std::exchange(saved->save_again, false);
  if (again && saved == &step) return dispatch(step, command::Save{});
  go_on_after_saving(step);
}

void apply(Step& step, const command::Export& c) {
  if (exporter_for(c.path) == nullptr) {
    const auto known = joined(all_exporters(), " or ", [](const Exporter& exporter) {
      return "." + std::string(exporter.extension);
    });
    return warn(step,
                "The name of a picture must end in " + known + ", unlike " + file_name(c.path));
  }
  step.dialog.reset();
  step.last_export_path = c.path;
  step.preferences.export_folder = folder_of(c.path);
  keep_preferences(step);
  step.effects.push_back(figure_in_view(step, c.path, c.overwrite));
}

void apply(Step& step, const command::CopyFigure& /*c*/) {
  if (step.picture_helper.empty()) {
    return warn(step, "Copying pictures needs xclip or wl-copy; neither is installed");
  }
  step.effects.push_back(
      effect::CopyFigure{figure_in_view(step, "figure.png", true), step.picture_helper});
}

void apply(Step& step, const command::TakeScreenshot& /*c*/) {
  step.effects.push_back(effect::TakeScreenshot{document_name(step)});
}

void apply(AppState& state, const command::Exported& c) {
  if (c.written) {
    return notify(state, Notice::Level::Info, "Exported " + file_name(c.path), c.path, c.path);
  }
  if (!c.exists) return notify_failure(state, c.written.error());
  if (state.question) state.after_saving.reset();  // which waited for its answer
  state.question = FileQuestion{FileObstacle::Exists, c.path, true};
}

void apply(Step& step, const command::AnswerQuestion& c) {
  const std::optional<Question> question = std::exchange(step.question, std::nullopt);
  if (!question) return;
  std::visit([&](const auto& each) { answer(step, each, c.answer); }, *question);
}

// One question covers all documents.
void apply(Step& step, const command::Quit& /*c*/) {
  if (first_unsaved(step) == nullptr) return close_or_quit(step, 0);
  ask_about_edits(step, 0);
}

void apply(Step& step, const Command& c, command::Files list) { apply_one_of(step, c, list); }

}  // namespace attn
