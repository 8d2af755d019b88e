// Reads and writes files and computes, and turns whatever happens on the way into a command.
#include "session/effects.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <exception>
#include <filesystem>
#include <iterator>
#include <new>
#include <stdexcept>

#include "base/file_errors.h"
#include "base/files.h"
#include "document/cost.h"
#include "document/load/tensor_file.h"
#include "document/open.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "engine/kernels/called_off.h"
#include "plot/all_plots.h"
#include "session/figure_file.h"
#include "session/picture_clipboard.h"
#include "session/preferences.h"
#include "session/schema_place.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

// With what an effect is carried out.
struct Means {
  Progress* progress = nullptr;
  std::uint64_t memory_limit_bytes = 0;
};

ReadOptions reading(const Means& means, bool allows_outside = false) {
  ReadOptions options;
  options.allows_outside = allows_outside;
  options.progress = means.progress;
  options.memory_limit_bytes = means.memory_limit_bytes;
  return options;
}

DerivingOptions deriving(const Means& means) { return {means.progress, means.memory_limit_bytes}; }

// Below this, computing takes less than a frame.
constexpr std::uint64_t kQuickMultiplyAdds = 2'000'000;
// Steps of about a nanosecond: what a picture waits for and takes under 2 ms is there in the same
// frame.
constexpr std::uint64_t kQuickSteps = 2'000'000;
// What takes half a second is worth finishing before anything else begins; what a picture waits
// for is worth some times as much.
constexpr std::uint64_t kShortSteps = 500'000'000;
constexpr std::uint64_t kWorthOfAwaited = 8;

// Files are remembered by where they are, not by where the program was started.
std::string absolute(const std::string& path) {
  if (path == "-" || path.starts_with(kExamplePrefix)) return path;
  std::error_code failed;
  const fs::path full = fs::absolute(path, failed);
  return failed ? path : full.lexically_normal().string();
}

bool exists(const std::string& path) {
  std::error_code failed;
  return fs::is_regular_file(path, failed);
}

// What cannot be looked at may be there.
bool is_gone(const std::string& path) {
  std::error_code failed;
  return fs::status(path, failed).type() == fs::file_type::not_found;
}

Overwrite overwrite_when(bool overwrite) {
  return overwrite ? Overwrite::Replace : Overwrite::Refuse;
}

Result<ResultPtr> computed(const Document& document, const Means& means,
                           ResultPtr before = nullptr) {
  ComputeOptions options;
  options.progress = means.progress;
  options.memory_limit_bytes = means.memory_limit_bytes;
  options.before = std::move(before);
  options.entered_bytes = entered_bytes(document);
  AttentionProblem problem = make_problem(document);
  problem.most_influence_steps = kInfluenceStepsOfASecond;  // an edit is to be seen soon
  Result<ResultPtr> result = compute(std::move(problem), options);
  // Afterwards, because it is then known whether the numbers were all there.
  if (const Status whole = check_files(document); !whole) return whole.error();
  return result;
}

std::optional<Command> run(const effect::Load& load, const Means& means) {
  Result<ReadReport> report = open_document(load.path, reading(means, load.allows_outside));
  if (!report) return command::OpenFailed{absolute(load.path), report.error(), load.ticket};
  return command::Opened{absolute(load.path), *std::move(report), load.ticket, load.behind,
                         load.allows_outside};
}

std::optional<Command> run(const effect::Reload& reload, const Means& means) {
  command::Reloaded read{reload.document, ReadReport(), reload.asked, reload.edited_revision};
  if (reload.edited == nullptr) {
    read.report = open_document(reload.path, reading(means, reload.allows_outside));
    return read;
  }
  Result<Document> edited = read_files_again(*reload.edited, means.memory_limit_bytes);
  if (!edited) read.report = edited.error();
  if (edited) read.report->document = *std::move(edited);
  return read;
}

std::optional<Command> run(const effect::ReadPasted& paste, const Means& means) {
  return command::DocumentPasted{read_pasted(paste.text, reading(means, paste.allows_outside)),
                                 paste.text};
}

// The stamp is taken first: what is written while the bytes are read is seen the next time.
std::optional<Command> run(const effect::LookAtFile& look, const Means& /*means*/) {
  command::FileLookedAt looked{look.document, look.known, stamp_of(look.path), false};
  if (const Status same = check_files(look.numbers); !same) {
    looked.numbers = same.error();
  } else if (!look.known || !looked.stamp || looked.stamp == look.stamp) {
    return std::nullopt;
  }
  looked.changed = look.known && looked.stamp && has_changed(look.path, *look.known);
  return looked;
}

Error changed(const std::string& path) {
  return file_error(ErrorKind::CannotWrite, path,
                    "the file has changed on disk since it was opened or saved",
                    "save under another name");
}

// What another answer would get around when `path` was not written.
command::SaveObstacle obstacle_at(const std::string& path, bool overwrite) {
  if (!write_protection(path).empty()) return command::SaveObstacle::Protected;
  const bool in_the_way = !overwrite && exists(path);
  return in_the_way ? command::SaveObstacle::Exists : command::SaveObstacle::None;
}

// Whether the document's own numbers lie in the file that it is to be written to.
bool is_in_use(const effect::Store& store) {
  std::error_code failed;
  return std::ranges::any_of(files_of(store.document), [&](const std::string& file) {
    return fs::equivalent(file, store.path, failed);
  });
}

Error in_use(const std::string& path) {
  return file_error(ErrorKind::CannotWrite, path, "the document takes its numbers from this file",
                    "save under another name");
}

std::optional<Command> failed(const effect::Store& job, const Error& error) {
  return command::SaveFailed{job.path, error, command::SaveObstacle::None, job.of};
}

// The document as it is written to the folder.
Result<std::string> bytes_for(const Document& document, const std::string& folder,
                              Progress* progress) {
  constexpr float kShare = 0.9F;  // the rest is the disk's
  const ProgressPart part(progress, 0.0F, kShare);
  Document here = moved_to(document, folder);
  here.kept.schema = schema_seen_from(here.kept.schema, folder);
  std::string bytes = write_document(here, progress);
  if (progress != nullptr && progress->cancelled) return stopped();
  return bytes;
}

std::optional<Command> run(const effect::Store& store, const Means& means) {
  if (store.known && has_changed(store.path, *store.known)) {
    return command::SaveFailed{store.path, changed(store.path), command::SaveObstacle::Changed,
                               store.of};
  }
  if (is_in_use(store)) return failed(store, in_use(store.path));
  const std::string remark = remark_on_other_names(store.path);
  const Result<std::string> bytes =
      bytes_for(store.document, folder_of(store.path), means.progress);
  if (!bytes) return failed(store, bytes.error());
  const Status written = write_file_atomically(store.path, *bytes, overwrite_when(store.overwrite));
  if (written) {
    return command::Saved{absolute(store.path),
                          store.revision,
                          version_of(*bytes),
                          store.of,
                          remark,
                          focused_view(store.document.panes.value_or(Panes{})),
                          store.document.reference};
  }
  return command::SaveFailed{store.path, written.error(), obstacle_at(store.path, store.overwrite),
                             store.of};
}

std::optional<Command> run(const effect::Compute& job, const Means& means) {
  const auto start = std::chrono::steady_clock::now();
  Result<ResultPtr> result = computed(job.document, means, job.before);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  if (!result) return command::ComputeFailed{job.revision, result.error()};
  return command::Computed{job.revision, *std::move(result), elapsed.count()};
}

std::optional<Command> run(const effect::Restructure& job, const Means& means) {
  Result<Restructured> made = with_structure(*job.document, job.wanted, job.computed.get(),
                                             means.progress, means.memory_limit_bytes);
  return command::StructureMade{job.id, job.revision, job.ticket, std::move(made),
                                label_of(structure_of(*job.document), job.wanted)};
}

std::optional<Command> failed(const effect::Restructure& job, const Error& error) {
  return command::StructureMade{job.id, job.revision, job.ticket, error, ""};
}

std::optional<Command> failed(const effect::TakeScreenshot& /*job*/, const Error& error) {
  return command::Notify{Notice::Level::Warning, describe(error), describe_in_full(error)};
}

// Pixels are those of whoever shows the window.
std::optional<Command> run(const effect::TakeScreenshot& job, const Means& /*means*/) {
  return failed(job, usage_error("there is no window to take a picture of"));
}

// What became of the file since it was read.
std::string remark_on_file(const Reference& reference) {
  if (!check_files(*reference.document)) return "a file of its numbers has changed since";
  if (!reference.version) return "";
  if (!exists(reference.path)) return "its file is not there any more";
  const bool changed = has_changed(reference.path, *reference.version);
  return changed ? "its file has changed on disk since it was read" : "";
}

// The picture says what became of the file, as the window does.
PlotOptions with_remark(PlotOptions options) {
  const std::string remark = options.reference ? remark_on_file(*options.reference) : "";
  if (remark.empty()) return options;
  auto remarked = std::make_shared<Reference>(*options.reference);
  remarked->remark = remark;
  options.reference = std::move(remarked);
  return options;
}

// Of the work of a figure whose document is computed first.
constexpr float kComputingShare = 0.5F;

Result<ResultPtr> result_for(const effect::Draw& job, const Means& means) {
  if (job.result) return job.result;
  const ProgressPart part(means.progress, 0.0F, kComputingShare);
  return computed(job.document, means);
}

Result<std::string> drawn_bytes(const effect::Draw& job, const Means& means) {
  const Result<ResultPtr> result = result_for(job, means);
  if (!result) return result.error();
  const float before = job.result ? 0.0F : kComputingShare;
  const ProgressPart part(means.progress, before, 1.0F - before);
  Result<std::string> bytes = figure_file(job.document, *result, job.plot, with_remark(job.options),
                                          job.export_options, job.path, deriving(means));
  if (const Status whole = check_files(job.document); !whole) return whole.error();
  return bytes;
}

Status draw(const effect::Draw& job, const Means& means) {
  const Result<std::string> bytes = drawn_bytes(job, means);
  if (!bytes) return bytes.error();
  return write_file_atomically(job.path, *bytes, overwrite_when(job.overwrite));
}

Status copy_drawn(const effect::CopyFigure& job, const Means& means) {
  const Result<std::string> bytes = drawn_bytes(job.figure, means);
  return bytes ? copy_picture(job.helper, *bytes) : Status(bytes.error());
}

std::optional<Command> failed(const effect::CopyFigure& /*job*/, const Error& error) {
  const bool wanted = error.kind == ErrorKind::Interrupted;
  return command::Notify{wanted ? Notice::Level::Warning : Notice::Level::Error, describe(error),
                         describe_in_full(error)};
}

std::optional<Command> run(const effect::CopyFigure& job, const Means& means) {
  const Status copied = copy_drawn(job, means);
  if (!copied) return failed(job, copied.error());
  return command::Notify{Notice::Level::Info, "Copied the figure as a picture", ""};
}

std::optional<Command> run(const effect::Draw& job, const Means& means) {
  const Status drawn = draw(job, means);
  if (drawn) return command::Exported{absolute(job.path)};
  const bool refused = drawn.error().kind == ErrorKind::CannotWrite &&
                       obstacle_at(job.path, job.overwrite) == command::SaveObstacle::Exists;
  return command::ExportFailed{job.path, drawn.error(), refused};
}

std::optional<Command> failed(const effect::StorePreferences& /*job*/, const Error& error) {
  return command::Notify{Notice::Level::Warning,
                         "The preferences could not be saved: " + describe(error),
                         describe_in_full(error)};
}

std::optional<Command> run(const effect::Derive& job, const Means& means) {
  auto made = derive(job.need, *job.document, job.result, deriving(means));
  if (const Status whole = check_files(*job.document); made && !whole) made = whole.error();
  return command::DerivationDone{job.result, job.need.key, std::move(made)};
}

std::optional<Command> run(const effect::StopDeriving& /*stop*/, const Means& /*means*/) {
  return std::nullopt;
}

// Without its result.
Result<Reference> opened_reference(const effect::MakeReference& job, const Means& means) {
  const ProgressPart part(means.progress, 0.0F, 0.5F);
  if (job.document) return Reference{job.key, job.label, "", job.path, job.document, nullptr};
  Result<ReadReport> report = open_document(job.path, reading(means, job.allows_outside));
  if (!report) return report.error();
  auto document = std::make_shared<const Document>(std::move(report->document));
  return Reference{job.key, job.label, "", job.path, std::move(document), nullptr, report->version};
}

Result<ReferencePtr> made_reference(const effect::MakeReference& job, const Means& means) {
  Result<Reference> reference = opened_reference(job, means);
  if (!reference) return reference.error();
  const ProgressPart part(means.progress, 0.5F, 0.5F);
  const Result<ResultPtr> result = computed(*reference->document, means);
  if (!result) return result.error();
  reference->result = *result;
  return ReferencePtr(std::make_shared<const Reference>(*std::move(reference)));
}

std::optional<Command> run(const effect::LookAtReference& job, const Means& /*means*/) {
  return command::ReferenceLookedAt{job.asking, job.reference->key, remark_on_file(*job.reference)};
}

std::optional<Command> failed(const effect::LookAtReference& /*job*/, const Error& /*error*/) {
  return std::nullopt;
}

std::optional<Command> run(const effect::LookAtRecent& job, const Means& /*means*/) {
  command::RecentLookedAt looked;
  std::ranges::copy_if(job.paths, std::back_inserter(looked.gone),
                       [](const std::string& path) { return is_gone(path); });
  return looked;
}

std::optional<Command> failed(const effect::LookAtRecent& /*job*/, const Error& /*error*/) {
  return std::nullopt;
}

std::optional<Command> failed(const effect::MakeReference& job, const Error& error) {
  return command::ReferenceFailed{job.asking, job.key, error};
}

std::optional<Command> run(const effect::MakeReference& job, const Means& means) {
  Result<ReferencePtr> made = made_reference(job, means);
  if (!made) return failed(job, made.error());
  return command::ReferenceMade{job.asking, *std::move(made)};
}

std::optional<Command> run(const effect::StorePreferences& job, const Means& /*means*/) {
  const Status stored = store_preferences(job.preferences);
  return stored ? std::nullopt : failed(job, stored.error());
}

std::optional<Command> failed(const effect::KeepUnsaved& job, const Error& error) {
  return command::UnsavedKept{job.work.document, job.revision, error};
}

std::optional<Command> run(const effect::KeepUnsaved& job, const Means& /*means*/) {
  const Status kept = keep_unsaved(job.work, job.document);
  if (!kept) return failed(job, kept.error());
  return command::UnsavedKept{job.work.document, job.revision};
}

std::optional<Command> failed(const effect::ForgetUnsaved& /*job*/, const Error& /*error*/) {
  return std::nullopt;
}

std::optional<Command> run(const effect::ForgetUnsaved& job, const Means& /*means*/) {
  forget_unsaved(job.folder, job.document);
  return std::nullopt;
}

std::optional<Command> failed(const effect::ListOpenFiles& /*job*/, const Error& /*error*/) {
  return std::nullopt;
}

// Listed first, so that of two windows that open a file at once at least one knows.
std::optional<Command> run(const effect::ListOpenFiles& job, const Means& /*means*/) {
  if (const Status listed = list_open_files(job.folder, job.paths); !listed) return std::nullopt;
  const auto elsewhere = std::ranges::find_if(
      job.opened, [&](const std::string& path) { return is_open_elsewhere(job.folder, path); });
  if (elsewhere == job.opened.end()) return std::nullopt;
  return command::Notify{Notice::Level::Warning,
                         file_name(*elsewhere) +
                             " is open in another window too: what is saved in "
                             "one is asked about in the other",
                         *elsewhere};
}

std::optional<Command> failed(const effect::FindUnsaved& /*job*/, const Error& /*error*/) {
  return std::nullopt;
}

std::optional<Command> run(const effect::FindUnsaved& job, const Means& /*means*/) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  return command::UnsavedFound{find_unsaved(job.parent, seconds)};
}

std::optional<Command> failed(const effect::RestoreWork& job, const Error& error) {
  return command::Notify{
      Notice::Level::Error,
      job.work.name + " could not be restored and stays where it is: " + describe(error),
      describe_in_full(error)};
}

std::optional<Command> run(const effect::RestoreWork& job, const Means& means) {
  Result<ReadReport> report = open_document(document_file(job.work), reading(means, true));
  if (!report) return failed(job, report.error());
  return command::WorkRestored{job.work, job.as_copy, *std::move(report)};
}

std::optional<Command> run(const effect::Leave& /*leave*/, const Means& /*means*/) {
  return std::nullopt;
}

std::optional<Command> failed(const effect::Load& job, const Error& error) {
  return command::OpenFailed{absolute(job.path), error, job.ticket};
}

std::optional<Command> failed(const effect::Reload& job, const Error& error) {
  return command::Reloaded{job.document, error, job.asked, job.edited_revision};
}

std::optional<Command> failed(const effect::ReadPasted& /*paste*/, const Error& error) {
  return command::DocumentPasted{error};
}

std::optional<Command> failed(const effect::LookAtFile& /*job*/, const Error& /*error*/) {
  return std::nullopt;
}

std::optional<Command> failed(const effect::Compute& job, const Error& error) {
  return command::ComputeFailed{job.revision, error};
}

std::optional<Command> failed(const effect::Draw& job, const Error& error) {
  return command::ExportFailed{job.path, error};
}

std::optional<Command> failed(const effect::Derive& job, const Error& error) {
  return command::DerivationDone{job.result, job.need.key, error};
}

std::optional<Command> failed(const effect::StopDeriving& /*job*/, const Error& /*error*/) {
  return std::nullopt;
}

std::optional<Command> failed(const effect::Leave& /*job*/, const Error& /*error*/) {
  return std::nullopt;
}

// What was to be done, and what would help when there is no memory for it.
struct JobWords {
  std::string task;
  std::string file;
  std::string hint;
};

JobWords words_of(const Effect& effect) {
  if (const auto* load = std::get_if<effect::Load>(&effect)) {
    return {"open this document", load->path, "use a smaller document"};
  }
  if (const auto* reload = std::get_if<effect::Reload>(&effect)) {
    return {"read this document again", reload->path, "use a smaller document"};
  }
  if (std::holds_alternative<effect::ReadPasted>(effect)) {
    return {"paste this document", "", "paste a smaller one"};
  }
  if (const auto* reference = std::get_if<effect::MakeReference>(&effect)) {
    return {"compare with this document", reference->path, "use a smaller document"};
  }
  if (const auto* store = std::get_if<effect::Store>(&effect)) {
    return {"save this document", store->path, "save it again after closing other programs"};
  }
  if (std::holds_alternative<effect::CopyFigure>(effect)) {
    return {"copy this figure", "", "try a smaller size, or fewer tokens"};
  }
  if (const auto* draw = std::get_if<effect::Draw>(&effect)) {
    return {"draw this figure", draw->path, "try a smaller size, or fewer tokens"};
  }
  if (std::holds_alternative<effect::Compute>(effect)) {
    return {"compute this document", "", "use fewer tokens, heads or samples"};
  }
  if (std::holds_alternative<effect::Restructure>(effect)) {
    return {"change the structure of this document", "", "use smaller widths or fewer layers"};
  }
  if (std::holds_alternative<effect::TakeScreenshot>(effect)) {
    return {"take a picture of the window", "", "close other programs"};
  }
  if (const auto* derive = std::get_if<effect::Derive>(&effect)) {
    return {"compute " + derive->need.label, "", "use fewer tokens, heads or samples"};
  }
  if (std::holds_alternative<effect::KeepUnsaved>(effect)) {
    return {"keep unsaved work for a next start", "", "save the document"};
  }
  if (const auto* restored = std::get_if<effect::RestoreWork>(&effect)) {
    return {"restore unsaved work", document_file(restored->work), "close other programs"};
  }
  return {"save the preferences", "", ""};
}

Error no_memory(const Effect& effect) {
  JobWords words = words_of(effect);
  Error error;
  error.kind = ErrorKind::OverMemoryLimit;
  error.message = "there is not enough memory to " + words.task;
  error.file = std::move(words.file);
  error.hint = std::move(words.hint);
  return error;
}

Error mishap(const Effect& effect, const std::string& what) {
  JobWords words = words_of(effect);
  Error error;
  error.message = "something went wrong that should not, trying to " + words.task;
  error.file = std::move(words.file);
  error.found = what;
  error.hint = "nothing is lost: save your work, and tell us what you did";
  return error;
}

}  // namespace

Error error_of(const Effect& effect, const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const CalledOff&) {
    return stopped();
  } catch (const std::bad_alloc&) {
    return no_memory(effect);
  } catch (const std::length_error&) {
    return no_memory(effect);
  } catch (const std::exception& exception) {
    return mishap(effect, exception.what());
  } catch (...) {
    return mishap(effect, "an exception without words");
  }
}

std::optional<Command> run_effect(const Effect& effect, Progress* progress,
                                  std::uint64_t memory_limit_bytes) {
  const Means means{progress, memory_limit_bytes};
  try {
    return std::visit([&means](const auto& job) { return run(job, means); }, effect);
  } catch (...) {
    const Error error = error_of(effect, std::current_exception());
    return std::visit([&](const auto& job) { return failed(job, error); }, effect);
  }
}

bool is_of_unsaved_work(const Effect& effect) {
  return std::holds_alternative<effect::KeepUnsaved>(effect) ||
         std::holds_alternative<effect::ForgetUnsaved>(effect) ||
         std::holds_alternative<effect::ListOpenFiles>(effect) ||
         std::holds_alternative<effect::FindUnsaved>(effect);
}

bool is_of_saving(const Effect& effect) {
  return std::holds_alternative<effect::Store>(effect) ||
         std::holds_alternative<effect::StorePreferences>(effect);
}

bool is_quick(const Effect& effect) {
  if (std::holds_alternative<effect::Leave>(effect)) return true;
  if (const auto* derive = std::get_if<effect::Derive>(&effect)) {
    return derive->need.awaited && derive->steps < kQuickSteps;
  }
  const auto* job = std::get_if<effect::Compute>(&effect);
  return job != nullptr &&
         computing_multiply_adds(make_problem(job->document)) < kQuickMultiplyAdds;
}

unsigned patience_of(const Effect& effect) {
  const auto* derive = std::get_if<effect::Derive>(&effect);
  if (derive == nullptr) return 0;
  const Need& need = derive->need;
  const std::uint64_t steps = need.awaited ? need.steps / kWorthOfAwaited : need.steps;
  return static_cast<unsigned>(std::bit_width(steps / kShortSteps));
}

bool was_stopped(const Command& answer) {
  const auto* done = answer.get_if<command::DerivationDone>();
  return done != nullptr && !done->made && done->made.error().kind == ErrorKind::Interrupted;
}

}  // namespace attn
