// Implementations of effects: each reads, writes or computes and returns a command.
#include <algorithm>
#include <bit>
#include <chrono>
#include <ctime>
#include <exception>
#include <filesystem>
#include <iterator>
#include <new>
#include <type_traits>

#include "base/descriptor.h"
#include "base/files.h"
#include "base/utf8.h"
#include "document/cost.h"
#include "document/json/write.h"
#include "document/load/open.h"
#include "document/model_places.h"
#include "document/problem.h"
#include "document/tensors/tensor_file.h"
#include "engine/compute.h"
#include "engine/kernels/parallel.h"
#include "lesson/lesson.h"
#include "plot/all_plots.h"
#include "session/command.h"
#include "session/desktop.h"
#include "session/figure_file.h"
#include "session/page_file.h"
#include "session/preferences.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

using Answer = std::optional<Command>;

using Resources = DerivingOptions;

ReadOptions reading(const Resources& resources, bool allows_outside = false) {
  return {.memory_limit_bytes = resources.memory_limit_bytes,
          .allows_outside = allows_outside,
          .progress = resources.progress,
          .lesson_faults = lesson_faults};
}

// Computing with less work takes less than a frame.
constexpr std::uint64_t kQuickMultiplyAdds = 2'000'000;
// Nanoseconds: a derivation below 2 ms that a picture waits for is computed within the frame.
constexpr std::uint64_t kQuickNanoseconds = 2'000'000;
// Nanoseconds: derivations below half a second run before any longer job; those that a picture
// waits for get a multiple.
constexpr std::uint64_t kShortNanoseconds = 500'000'000;
constexpr std::uint64_t kWorthOfAwaited = 8;

// Absolute paths do not depend on the working directory.
std::string absolute(const std::string& path) {
  if (path == "-" || is_built_in(path)) return path;
  std::error_code failed;
  const fs::path full = fs::absolute(path, failed);
  return failed ? path : full.lexically_normal().string();
}

Result<ResultPtr> computed(const Document& document, const Resources& resources,
                           ComputeOptions options = {}) {
  options.progress = resources.progress;
  options.memory_limit_bytes = resources.memory_limit_bytes;
  options.entered_bytes = entered_bytes(document);
  AttentionProblem problem = make_problem(document);
  problem.most_influence_steps = kInfluenceStepsOfASecond;  // edits must show soon
  // Heads are changed again and again, by drags.
  if (document.what_if != Interventions{}) problem.panels = shared_panels(problem, options);
  Result<ResultPtr> result = compute(problem, options);
  // Checks number files last, when it is known whether all could be read.
  if (const Status whole = check_files(document); !whole) return whole.error();
  return result;
}

template <class Job>
EffectFacts facts_about(const Job& job) {
  EffectFacts facts = Job::kFacts;
  if constexpr (requires { job.path; }) facts.file = job.path;
  if constexpr (requires { job.source.path; }) facts.file = job.source.path;
  if constexpr (requires { job.reference->path; }) facts.file = job.reference->path;
  facts.label += file_name(facts.file);
  if constexpr (std::is_same_v<Job, effect::Restructure>) facts.job_key += std::to_string(job.id);
  if constexpr (std::is_same_v<Job, effect::StopDeriving>) facts.job_key += job.key;
  if constexpr (std::is_same_v<Job, effect::Derive>) {
    facts.label = job.need.label;
    facts.job_key += job.need.key;
    facts.task += job.need.label;
  }
  if constexpr (std::is_same_v<Job, effect::RestoreWork>) {
    facts.label += job.work.name;
    facts.file = document_file(job.work);
  }
  return facts;
}

Error no_memory(const EffectFacts& facts) {
  return {.kind = ErrorKind::OverMemoryLimit,
          .message = "there is not enough memory to " + facts.task,
          .file = facts.file,
          .hint = facts.hint};
}

Error internal_error(const EffectFacts& facts, const std::string& what) {
  return {.message = "internal error while trying to " + facts.task,
          .file = facts.file,
          .found = what,
          .hint = "your work is not lost: save it, and report what you did"};
}

Error error_for(const EffectFacts& facts, const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Cancelled&) {
    return stopped();
  } catch (const std::bad_alloc&) {
    return no_memory(facts);
  } catch (const std::length_error&) {
    return no_memory(facts);
  } catch (const std::exception& exception) {
    return internal_error(facts, exception.what());
  } catch (...) {
    return internal_error(facts, "an unknown exception");
  }
}

// The Result that `make` returns, or the error for the exception that it throws.
template <class Make>
auto attempted(const auto& job, Make make) -> decltype(make()) {
  try {
    return make();
  } catch (...) {
    return error_for(facts_about(job), std::current_exception());
  }
}

Answer run(const effect::Load& load, const Resources& resources) {
  ReadOptions options = reading(resources, load.allows_outside);
  options.arrays = load.arrays;
  options.input = load.input;
  std::string path = load.path;  // of a model: the folder, also by one of its files
  Result<Reading> report = attempted(load, [&]() -> Result<Reading> {
    const Result<DocumentFile> file = find_document(load.path, options);
    if (!file) return file.error();
    path = file->name;
    return read_document(*file);
  });
  command::Opened opened{load, std::move(report)};
  if (opened.made && !opened.made->errors.empty()) {
    opened.job.refused = opened.made->arrays;
    opened.made = Error(opened.made->errors.front());
  }
  opened.job.path = absolute(path);
  return opened;
}

Result<Reading> made_by(const effect::Reload& reload, const Resources& resources) {
  if (reload.edited == nullptr) {
    ReadOptions options = reading(resources, reload.allows_outside);
    options.arrays = reload.arrays;
    return open_document(reload.path, options);
  }
  if (const auto& model = reload.edited->source_model) {
    ReadOptions options = reading(resources, true);
    options.folder = model->base;
    return read_document(write_document(*reload.edited), reload.path, options);
  }
  Result<Document> edited = read_files_again(*reload.edited, resources.memory_limit_bytes);
  if (!edited) return edited.error();
  Reading report;
  report.document = *std::move(edited);
  return report;
}

Result<Reading> made_by(const effect::ReadPasted& paste, const Resources& resources) {
  return read_pasted(paste.text, reading(resources, paste.allows_outside));
}

// Reads the stamp before the bytes, so that a write in between is detected next time.
Answer run(const effect::CheckFile& look, const Resources& /*resources*/) {
  command::FileChecked looked{look.document, look.known, stamp_of(look.path), false};
  if (const Status same = check_files(look.numbers); !same) {
    looked.numbers = same.error();
  } else if (!look.known || !looked.stamp || looked.stamp == look.stamp) {
    return std::nullopt;
  }
  looked.changed = look.known && looked.stamp && has_changed(look.path, *look.known);
  return looked;
}

// FileObstacle that kept `path` from being written.
FileObstacle obstacle_at(const std::string& path, bool overwrite) {
  if (!write_protection(path).empty()) return FileObstacle::Protected;
  return !overwrite && is_regular_file(path) ? FileObstacle::Exists : FileObstacle::None;
}

Error not_here(const effect::Store& store, std::string why) {
  return file_error(ErrorKind::CannotWrite, store.path, std::move(why), "save under another name");
}

Result<std::string> bytes_for(const Document& document, const std::string& folder,
                              Progress* progress) {
  constexpr float kShare = 0.9F;  // the rest is writing
  const ProgressPart part(progress, 0.0F, kShare);
  std::string bytes = write_document(moved_to(document, folder), progress);
  if (is_cancelled(progress)) return stopped();
  return bytes;
}

// Sets the obstacle if it is the reason of the error, and the remark.
Result<FileVersion> written(command::Stored& answer, Progress* progress) {
  const effect::Store& store = answer.job;
  if (store.known && has_changed(store.path, *store.known)) {
    answer.obstacle = FileObstacle::Changed;
    return not_here(store, "the file has changed on disk since it was opened or saved");
  }
  const auto is_target = [&](const std::string& file) {
    std::error_code code;
    return fs::equivalent(file, store.path, code);
  };
  const bool is_in_use = std::ranges::any_of(files_of(*store.document), is_target);
  if (is_in_use) return not_here(store, "the document takes its numbers from this file");
  answer.remark = remark_on_other_names(store.path);
  const Result<std::string> bytes = bytes_for(*store.document, folder_of(store.path), progress);
  if (!bytes) return bytes.error();
  const Status written = write_file_atomically(store.path, *bytes, overwrite_if(store.overwrite));
  if (written) return version_of(*bytes);
  answer.obstacle = obstacle_at(store.path, store.overwrite);
  return written.error();
}

Answer run(const effect::Store& store, const Resources& resources) {
  command::Stored answer{store, Error{}};
  answer.made = attempted(store, [&] { return written(answer, resources.progress); });
  if (answer.made) answer.job.path = absolute(store.path);
  return answer;
}

Answer run(const effect::Compute& job, const Resources& resources) {
  const auto start = std::chrono::steady_clock::now();
  Result<ResultPtr> result = attempted(job, [&] {
    return computed(job.document, resources, {.before = job.before, .layers = job.layers});
  });
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  return command::Computed{job.revision, std::move(result), elapsed.count()};
}

Result<Restructured> made_by(const effect::Restructure& job, const Resources& resources) {
  return with_structure(*job.document, job.wanted, job.computed.get(), resources.progress,
                        resources.memory_limit_bytes);
}

// Reports an error, as only the application has the window's pixels.
Answer run(const effect::TakeScreenshot& /*job*/, const Resources& /*resources*/) {
  return command::notice_of(Notice::Level::Warning,
                            usage_error("there is no window to take a picture of"));
}

// Change of the reference's file since it was read.
std::string remark_on_file(const Reference& reference) {
  if (!check_files(*reference.document)) return "a file of its numbers has changed since";
  if (!reference.version) return "";
  if (!is_regular_file(reference.path)) return "its file no longer exists";
  const bool changed = has_changed(reference.path, *reference.version);
  return changed ? "its file has changed on disk since it was read" : "";
}

// Puts the note on the reference's file into the picture, as the window does.
PlotOptions with_remark(PlotOptions options) {
  const std::string remark = options.reference ? remark_on_file(*options.reference) : "";
  if (remark.empty()) return options;
  auto remarked = std::make_shared<Reference>(*options.reference);
  remarked->remark = remark;
  options.reference = std::move(remarked);
  return options;
}

Result<std::string> drawn_bytes(const effect::Draw& job, const Resources& resources) {
  const float computing = job.result ? 0.0F : 0.5F;  // its share of the progress
  Result<ResultPtr> result = job.result;
  if (!job.result) {
    const ProgressPart part(resources.progress, 0.0F, computing);
    result = computed(job.document, resources);
  }
  if (!result) return result.error();
  const ProgressPart part(resources.progress, computing, 1.0F - computing);
  FigureSpec spec = job;
  spec.options = with_remark(std::move(spec.options));
  Result<std::string> bytes = is_page(job.path)
                                  ? page_file(job.document, *result, spec, resources)
                                  : figure_file(job.document, *result, spec, job.path, resources);
  if (const Status whole = check_files(job.document); !whole) return whole.error();
  return bytes;
}

Answer run(const effect::CopyFigure& job, const Resources& resources) {
  const Status copied = attempted(job, [&] {
    const Result<std::string> bytes = drawn_bytes(job.figure, resources);
    return bytes ? copy_picture(job.helper, *bytes) : Status(bytes.error());
  });
  if (copied) return command::Notify{Notice::Level::Info, "Copied the figure as a picture", ""};
  const bool wanted = copied.error().kind == ErrorKind::Interrupted;
  return command::notice_of(wanted ? Notice::Level::Warning : Notice::Level::Error, copied.error());
}

Answer run(const effect::Draw& job, const Resources& resources) {
  bool is_there = false;  // and must not be overwritten
  const Status drawn = attempted(job, [&]() -> Status {
    const Result<std::string> bytes = drawn_bytes(job, resources);
    if (!bytes) return bytes.error();
    Status written = write_file_atomically(job.path, *bytes, overwrite_if(job.overwrite));
    is_there = !written && written.error().kind == ErrorKind::CannotWrite &&
               obstacle_at(job.path, job.overwrite) == FileObstacle::Exists;
    return written;
  });
  return command::Exported{drawn ? absolute(job.path) : job.path, drawn, is_there};
}

Result<DerivationPtr> made_by(const effect::Derive& job, const Resources& resources) {
  Result<DerivationPtr> derived = derive(job.need, *job.document, job.result, resources);
  if (const Status whole = check_files(*job.document); derived && !whole) return whole.error();
  return derived;
}

Answer run(const effect::StopDeriving& /*stop*/, const Resources& /*resources*/) {
  return std::nullopt;
}

Result<Reference> opened_reference(const effect::MakeReference& job, const Resources& resources) {
  const std::string& path = job.source.path;
  const ProgressPart part(resources.progress, 0.0F, 0.5F);
  if (job.document) return Reference{job.key, job.label, "", path, job.document, nullptr};
  Result<Reading> report = open_document(path, reading(resources, job.allows_outside));
  if (!report) return report.error();
  auto document = std::make_shared<const Document>(std::move(report->document));
  return Reference{job.key, job.label, "", path, std::move(document), nullptr, report->version};
}

Result<ReferencePtr> made_by(const effect::MakeReference& job, const Resources& resources) {
  Result<Reference> reference = opened_reference(job, resources);
  if (!reference) return reference.error();
  const ProgressPart part(resources.progress, 0.5F, 0.5F);
  const Result<ResultPtr> result = computed(*reference->document, resources);
  if (!result) return result.error();
  reference->result = *result;
  return ReferencePtr(std::make_shared<const Reference>(*std::move(reference)));
}

Answer run(const effect::CheckReference& job, const Resources& /*resources*/) {
  const std::string remark = remark_on_file(*job.reference);
  if (remark == job.known) return std::nullopt;
  return command::ReferenceChecked{job, remark};
}

Answer run(const effect::CheckRecent& job, const Resources& /*resources*/) {
  command::RecentChecked gone;
  std::ranges::copy_if(job.paths, std::back_inserter(gone.value), [](const std::string& path) {
    std::error_code failed;  // a file that cannot be checked may exist
    return fs::status(path, failed).type() == fs::file_type::not_found;
  });
  return gone;
}

Answer run(const effect::AskTheme& /*job*/, const Resources& /*resources*/) {
  return command::SetDesktopTheme{theme_of_desktop()};
}

Answer run(const effect::StorePreferences& job, const Resources& /*resources*/) {
  const Status stored = attempted(job, [&] { return store_preferences(job.preferences); });
  if (stored) return std::nullopt;
  return command::notice_of(Notice::Level::Warning, stored.error(),
                            "The preferences could not be saved: ");
}

Status made_by(const effect::AutosaveDocument& job, const Resources& /*resources*/) {
  return autosave_work(job.work, *job.document);
}

Answer run(const effect::RemoveAutosave& job, const Resources& /*resources*/) {
  remove_autosave(job.folder, job.document);
  return std::nullopt;
}

// Publishes before the check, so that of two windows opening a file at once at least one is warned.
Answer run(const effect::ListOpenFiles& job, const Resources& /*resources*/) {
  if (const Status listed = list_open_files(job.folder, job.paths); !listed) return std::nullopt;
  const auto elsewhere = std::ranges::find_if(
      job.opened, [&](const std::string& path) { return is_open_elsewhere(job.folder, path); });
  if (elsewhere == job.opened.end()) return std::nullopt;
  const std::string text =
      file_name(*elsewhere) +
      " is open in another window too: when one saves, the other asks what to do";
  return command::Notify{Notice::Level::Warning, text, *elsewhere};
}

Answer run(const effect::FindUnsaved& job, const Resources& /*resources*/) {
  return command::UnsavedFound{job, find_unsaved(job.parent, std::time(nullptr))};
}

Answer run(const effect::RestoreWork& job, const Resources& resources) {
  ReadOptions options = reading(resources, true);
  const auto open = [&](const std::string& path) {
    return attempted(job, [&] { return open_document(path, options); });
  };
  Result<Reading> report = open(document_file(job.work));
  if (!report) {
    return command::notice_of(Notice::Level::Error, report.error(),
                              job.work.name + " could not be restored and stays where it is: ");
  }
  command::WorkRestored restored{job, {std::move(report->document)}};
  options.arrays = job.work.arrays;
  const std::string& from = job.work.path.empty() ? job.work.source : job.work.path;
  if (!is_regular_file(from) && !is_built_in(from)) return restored;
  if (Result<Reading> opened = open(from)) restored.made.opened = std::move(opened->document);
  return restored;
}

// Runs effects that only make something.
template <class Job>
Answer run(const Job& job, const Resources& resources) {
  return command::Done<Job>{job, attempted(job, [&] { return made_by(job, resources); })};
}

}  // namespace

command::Notify command::notice_of(Notice::Level level, const Error& error,
                                   const std::string& what) {
  return {level, what.empty() ? as_sentence(describe(error)) : what + describe(error),
          describe_in_full(error)};
}

EffectFacts facts_of(const Effect& effect) {
  return std::visit([](const auto& job) { return facts_about(job); }, effect);
}

Error error_of(const Effect& effect, const std::exception_ptr& thrown) {
  return error_for(facts_of(effect), thrown);
}

std::optional<Command> run_effect(const Effect& effect, Progress* progress,
                                  std::uint64_t memory_limit_bytes) {
  const Resources resources{progress, memory_limit_bytes};
  try {
    return std::visit([&resources](const auto& job) { return run(job, resources); }, effect);
  } catch (...) {
    return std::nullopt;  // effects whose failure is reported catch it
  }
}

bool is_quick(const Effect& effect) {
  if (const auto* derive = std::get_if<effect::Derive>(&effect)) {
    return derive->need.awaited && derive->nanoseconds < kQuickNanoseconds;
  }
  const auto* job = std::get_if<effect::Compute>(&effect);
  return job != nullptr &&
         computing_multiply_adds(make_problem(job->document)) < kQuickMultiplyAdds;
}

unsigned priority_of(const Effect& effect) {
  const auto* derive = std::get_if<effect::Derive>(&effect);
  if (derive == nullptr) return 0;
  const Need& need = derive->need;
  const std::uint64_t steps = need.awaited ? need.nanoseconds / kWorthOfAwaited : need.nanoseconds;
  return static_cast<unsigned>(std::bit_width(steps / kShortNanoseconds));
}

bool was_stopped(const Command& answer) {
  const auto* done = answer.get_if<command::DerivationDone>();
  return done != nullptr && !done->made && done->made.error().kind == ErrorKind::Interrupted;
}

}  // namespace attn
