#include "session/effects.h"

#include <chrono>
#include <filesystem>
#include <new>

#include "base/files.h"
#include "document/open.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "session/preferences.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

// Below this, computing takes less than a frame.
constexpr std::uint64_t kQuickMultiplyAdds = 2'000'000;

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

Overwrite overwrite_when(bool overwrite) {
  return overwrite ? Overwrite::Replace : Overwrite::Refuse;
}

Result<ResultPtr> computed(const Document& document, Progress* progress) {
  ComputeOptions options;
  options.progress = progress;
  try {
    return compute(make_problem(document), options);
  } catch (const std::bad_alloc&) {
    Error error;
    error.kind = ErrorKind::OverMemoryLimit;
    error.message = "there is not enough memory for this computation";
    error.hint = "use fewer tokens, heads or samples";
    return error;
  }
}

std::optional<Command> run(const effect::Load& load, Progress* /*progress*/) {
  Result<ReadReport> report = open_document(load.path);
  if (!report) return command::OpenFailed{absolute(load.path), report.error(), load.ticket};
  return command::Opened{absolute(load.path), *std::move(report), load.ticket};
}

std::optional<Command> run(const effect::Store& store, Progress* /*progress*/) {
  const Status written = write_file_atomically(store.path, write_document(store.document),
                                               overwrite_when(store.overwrite));
  if (written) return command::Saved{absolute(store.path), store.revision};
  return command::SaveFailed{store.path, written.error(), !store.overwrite && exists(store.path)};
}

std::optional<Command> run(const effect::Compute& job, Progress* progress) {
  const auto start = std::chrono::steady_clock::now();
  Result<ResultPtr> result = computed(job.document, progress);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  if (!result) return command::ComputeFailed{job.revision, result.error()};
  return command::Computed{job.revision, *std::move(result), elapsed.count()};
}

Status draw(const effect::Draw& job, Progress* progress) {
  ResultPtr result = job.result;
  if (!result) {
    Result<ResultPtr> fresh = computed(job.document, progress);
    if (!fresh) return fresh.error();
    result = *std::move(fresh);
  }
  const Result<std::string> bytes =
      figure_file(job.document, *result, job.options, job.export_options, job.path);
  if (!bytes) return bytes.error();
  return write_file_atomically(job.path, *bytes, overwrite_when(job.overwrite));
}

std::optional<Command> run(const effect::Draw& job, Progress* progress) {
  const Status drawn = draw(job, progress);
  if (drawn) return command::Exported{absolute(job.path)};
  const bool refused = drawn.error().kind == ErrorKind::CannotWrite && !job.overwrite;
  return command::ExportFailed{job.path, drawn.error(), refused && exists(job.path)};
}

std::optional<Command> run(const effect::StorePreferences& job, Progress* /*progress*/) {
  const Status stored = store_preferences(job.preferences);
  if (stored) return std::nullopt;
  return command::Notify{Notice::Level::Warning,
                         "The preferences could not be saved: " + describe(stored.error()),
                         describe_in_full(stored.error())};
}

std::optional<Command> run(const effect::Leave& /*leave*/, Progress* /*progress*/) {
  return std::nullopt;
}

}  // namespace

Result<std::string> figure_file(const Document& document, const AttentionResult& result,
                                const PlotOptions& options, const ExportOptions& export_options,
                                const std::string& path) {
  const PlotEntry* plot = plot_named(options.view.plot);
  const Exporter* exporter = exporter_for(path);
  Error error;
  error.kind = ErrorKind::Usage;
  if (!plot) {
    error.message = "there is no plot named " + options.view.plot;
    return error;
  }
  if (!exporter) {
    error.message = "the format of " + path + " is not known";
    return error;
  }
  if (const Status sound = check_options(options, result); !sound) return sound.error();
  return exporter->write(draw_plot(*plot, {document, result}, options, pango_metrics()),
                         export_options);
}

std::optional<Command> run_effect(const Effect& effect, Progress* progress) {
  return std::visit([progress](const auto& job) { return run(job, progress); }, effect);
}

bool is_quick(const Effect& effect) {
  if (std::holds_alternative<effect::Leave>(effect)) return true;
  const auto* job = std::get_if<effect::Compute>(&effect);
  return job != nullptr &&
         computing_multiply_adds(make_problem(job->document)) < kQuickMultiplyAdds;
}

}  // namespace attn
