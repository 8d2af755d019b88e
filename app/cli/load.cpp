// Loading and computing of a document with progress, and fallbacks of its view.
#include "cli/load.h"

#include <chrono>
#include <future>

#include "base/joined.h"
#include "base/number_text.h"
#include "cli/token_names.h"
#include "cli/what_if.h"
#include "document/cost.h"
#include "document/left_out.h"
#include "document/load/array_reading.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "document/tensors/tensor_file.h"
#include "engine/compute.h"
#include "export/provenance.h"
#include "lesson/lesson.h"
#include "plot/all_plots.h"

namespace attn::cli {
namespace {

constexpr std::uint64_t kMostMultiplyAddsByDefault = 10'000'000'000;  // about a second

// "Drawing 40 %, about 20 s left", "Figure 37 of 144 …"; without the estimate early on.
std::string progress_text(const std::string& what, std::size_t count, double fraction,
                          double seconds) {
  constexpr double kLeast = 0.02;
  const auto done = [&](double of) { return static_cast<std::size_t>(of * fraction + 0.001); };
  const std::size_t number = std::min(done(static_cast<double>(count)) + 1, count);
  std::string text = what + " " +
                     (count == 0 ? std::to_string(done(100.0)) + " %"
                                 : std::to_string(number) + " of " + std::to_string(count));
  if (fraction < kLeast || seconds < 2.0) return text;
  return text + ", about " + duration_text(seconds * (1.0 - fraction) / fraction) + " left";
}

// Reports until the work is done.
void report_until(const std::future<void>& done, Console& console, const std::string& what,
                  const Progress& progress, const Reports& how) {
  const auto start = std::chrono::steady_clock::now();
  const bool shows = console.shows_progress();
  bool shown = false;
  for (double next = shows ? 0.5 : how.first;
       done.wait_until(start + std::chrono::duration<double>(next)) != std::future_status::ready;
       next += shows ? 0.1 : how.between) {
    const std::string text = progress_text(what, how.count, progress.fraction.load(), next);
    shows ? console.progress(text) : console.message(text);
    shown = shows;
  }
  if (shown) console.progress("");
}

}  // namespace

// The work stays on this thread, so that drawing and writing share the fonts that they find.
void run_with_progress(Console& console, const std::string& what,
                       const std::function<void(Progress*)>& work, const Reports& how) {
  if (console.quiet || console.reports) return work(nullptr);
  console.reports = true;
  Progress progress;
  std::packaged_task<void()> task([&] { work(&progress); });
  std::future<void> done = task.get_future();
  auto reports =
      std::async(std::launch::async, [&] { report_until(done, console, what, progress, how); });
  task();
  reports.get();
  console.reports = false;
  done.get();
}

std::vector<std::pair<const char*, std::size_t>> extents_of(const AttentionShape& s) {
  std::vector<std::pair<const char*, std::size_t>> extents = {
      {"samples", s.samples}, {"layers", s.layers}, {"heads", s.heads}, {"kv_heads", s.kv_heads},
      {"n_q", s.n_q},         {"n_k", s.n_k},       {"d_k", s.d_k},     {"d_v", s.d_v},
      {"d_model", s.d_model}, {"d_out", s.d_out},   {"d_q", s.d_q},     {"d_a", s.d_a},
      {"d_ff", s.d_ff}};
  std::erase_if(extents, [](const auto& extent) { return extent.second == 0; });
  return extents;
}

std::vector<ResultNote> notes_on_numbers(const Document& document, const CommonFlags& flags,
                                         Progress* progress) {
  AttentionProblem problem = make_problem(document);
  const std::uint64_t steps = computing_multiply_adds(problem);
  if (steps > kMostMultiplyAddsByDefault && !flags.numbers) {
    return {{ResultNote::Level::Note, "the numbers were not checked: it would take about " +
                                          grouped_text(steps) +
                                          " multiply-adds; --numbers checks them anyway"}};
  }
  problem.most_influence_steps = kInfluenceStepsOfASecond;
  const Result<ResultPtr> result = compute(problem, {.memory_limit_bytes = flags.memory_limit_bytes,
                                                     .progress = progress,
                                                     .entered_bytes = entered_bytes(document),
                                                     .all_rows = flags.numbers,
                                                     .first_number = 0});
  if (result) return notes_on_all(**result);
  return {{ResultNote::Level::Note, "the numbers were not checked: " + describe(result.error())}};
}

const char* level_name(const ResultNote& note) {
  return note.level == ResultNote::Level::Warning ? "warning" : "note";
}

void add_notes(Json& json, const std::vector<std::string>& of_reader,
               const std::vector<ResultNote>& of_numbers) {
  json["notes"] = of_reader;
  json["warnings"] = Json::array();
  for (const ResultNote& note : of_numbers) {
    json[std::string(level_name(note)) + "s"].push_back(note.text);
  }
}

void settle_view(Reading& report) {
  if (!report.document.panes) return;
  std::string& name = focused_view(*report.document.panes).plot;
  if (plot_named(name)) return;
  report.notes.push_back(unknown_plot(name));
  name = kUsualPlot;
}

ReadOptions read_options(const CommonFlags& flags) {
  return {.memory_limit_bytes = flags.memory_limit_bytes,
          .allows_outside = flags.allow_outside,
          .seed = flags.seed_number,
          .arrays = flags.arrays,
          .lesson_faults = flags.checks_lessons ? lesson_faults : nullptr,
          .input = flags.input};
}

using Places = std::vector<std::size_t>;

// Returns the places of the tokens that one item names in a sample.
Result<Places> places_of(const std::string& item, const Document& document, const HeadAddress& at,
                         Side side) {
  const TokenList& tokens = tokens_of(document, side, at);
  if (item == "first") return Places{0};
  if (item != "special") return tokens_named("--leave-out", item, document, at, side);
  Places special;
  for (const auto& [index, text] : tokens.names()) {
    if (is_special_token(text)) special.push_back(index);
  }
  return special;
}

// Adds the tokens that one item names to the list of each sample.
Status add_left_out(LeftOut& out, std::string item, const Document& document) {
  Side side = document.cross ? Side::Key : Side::Query;
  for (const auto& [words, of] : {std::pair("query ", Side::Query), {"key ", Side::Key}}) {
    if (!item.starts_with(words)) continue;
    item.erase(0, std::string_view(words).size());
    if (document.cross) side = of;
  }
  auto& lists = side == Side::Query ? out.queries : out.keys;
  std::size_t found = 0;
  for (std::size_t s = 0; s < lists.size(); ++s) {
    const Result<Places> places = places_of(item, document, {0, s, 0}, side);
    if (!places) {
      Error error = places.error();
      if (lists.size() > 1) error.message += " in sample " + std::to_string(s + 1);
      return error;
    }
    found += places->size();
    lists[s].insert(lists[s].end(), places->begin(), places->end());
  }
  if (found > 0) return ok_status();
  return no_value("--leave-out finds no special token", item, "tokens such as [CLS] or </s>");
}

// Sorts the lists of one side without duplicates; refuses lists of different lengths for the
// samples.
Status settle(std::vector<Places>& lists) {
  for (Places& list : lists) {
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
    if (list.size() == lists.front().size()) continue;
    return usage_error("--leave-out would take " + std::to_string(lists.front().size()) +
                           " tokens from sample 1 and " + std::to_string(list.size()) +
                           " from another one",
                       "name as many tokens of every sample, by numbers such as 0,5");
  }
  return ok_status();
}

// Shows a heatmap where the plot of the view needs more than weights.
void settle_plot(Document& document) {
  const View view = focused_view(document.panes.value_or(Panes{}));
  const PlotEntry* const plot = plot_named(view.plot);
  if (plot == nullptr || plot->nothing == nullptr) return;
  if (!plot->nothing(make_problem(document), view.options.at).empty()) document.panes.reset();
}

Result<LeftOut> read_left_out(std::string_view list, const Document& document) {
  const std::size_t samples = shape_of(document).samples;
  LeftOut out{std::vector<Places>(samples), std::vector<Places>(samples)};
  while (!list.empty()) {
    const Status added = add_left_out(out, std::string(take_before(list, ",")), document);
    if (!added) return added.error();
  }
  for (std::vector<Places>* side : {&out.queries, &out.keys}) {
    if (const Status settled = settle(*side); !settled) return settled.error();
  }
  return out;
}

// Sets the gates, cut edges and patterns of the call.
Status set_what_if(Reading& reading, Context& context) {
  const WhatIfTexts& flags = context.common.what_if;
  if (!flags.any()) return ok_status();
  Document& document = reading.document;
  const Result<std::string> hash = attn::hash_of(document);
  if (!hash) return hash.error();
  reading.hash = *hash;
  if (!flags.gates.empty()) {
    Result<Document> gated = with_gates_of(document, flags.gates);
    if (!gated) return gated.error();
    document = *std::move(gated);
  }
  if (!flags.edges.empty()) {
    Result<Document> cut = with_edges_of(document, flags.edges);
    if (!cut) return cut.error();
    document = *std::move(cut);
  }
  if (flags.patterns.empty()) return ok_status();
  const Result<ResultPtr> result = compute_document(document, context, Influence::IfQuick);
  if (!result) return result.error();
  Result<Document> given = with_patterns_of(document, **result, flags.patterns);
  if (!given) return given.error();
  document = *std::move(given);
  return ok_status();
}

// Replaces the document by one of the weights that are left, if tokens are left out.
Status leave_out(Reading& reading, Context& context) {
  const std::string& list = context.common.left_out;
  if (list.empty()) return ok_status();
  Document& document = reading.document;
  const Result<std::string> hash = hash_of(reading);
  if (!hash) return hash.error();
  reading.hash = *hash;
  const Result<LeftOut> out = read_left_out(list, document);
  if (!out) return out.error();
  const Result<ResultPtr> result = compute_document(document, context, Influence::IfQuick);
  if (!result) return result.error();
  const std::uint64_t limit = context.common.memory_limit_bytes;
  const std::uint64_t held =
      std::min(limit, needed_bytes((*result)->problem(), entered_bytes(document)));
  Result<Document> left = without_tokens(document, **result, *out, limit - held);
  if (!left) return left.error();
  const bool had_more = !std::holds_alternative<GivenWeights>(document.model);
  const bool had_lesson = !document.lesson.empty();
  document = *std::move(left);
  settle_plot(document);
  context.console.message(document.remark);
  if (had_more || had_lesson) {
    context.console.message(std::string("--leave-out keeps only weights: no scores, no values") +
                            (had_lesson ? ", no lesson" : ""));
  }
  return ok_status();
}

Status check_sources(const Document& document, const Destination& output,
                     const CommonFlags& flags) {
  std::vector<std::string> files = files_of(document);
  if (!flags.text_file.empty()) files.push_back(flags.text_file);
  if (!document.reference.empty()) files.push_back(document.reference);
  return check_destination(output, files, "read in this call");
}

Result<std::string> hash_of(const Reading& reading) {
  return reading.hash.empty() ? attn::hash_of(reading.document) : reading.hash;
}

Result<Reading> load_document(const std::string& file, Context& context) {
  Console& console = context.console;
  console.file = file;
  ReadOptions options = read_options(context.common);
  console.detail("reading " + spoken_name(file));
  Result<Reading> report = with_progress(console, "Reading", [&](Progress* progress) {
    options.progress = progress;
    return open_document(file, options);
  });
  if (!report) return report;
  settle_view(*report);
  console.detail(spoken_name(file) + " was read: " + report->reading);
  for (const std::string& note : report->notes) {
    console.message(std::string(spoken_name(file)).append(": ").append(note));
  }
  const std::string question = report->arrays ? report->arrays->question() : "";
  if (!question.empty()) console.warning(std::string(spoken_name(file)) + ": " + question);
  for (const Error& fault : report->lesson_faults) console.warning(describe(fault));
  if (const Status set = set_what_if(*report, context); !set) return set.error();
  if (const Status left = leave_out(*report, context); !left) return left.error();
  return report;
}

namespace {

void report_notes(const AttentionResult& result, Context& context) {
  Console& console = context.console;
  const bool several = context.common.files.size() > 1;
  for (const ResultNote& note : notes_on_all(result)) {
    const bool warns = note.level == ResultNote::Level::Warning;
    const std::string text = (several ? spoken_name(console.file) + ": " : "") + note.text;
    warns ? console.warning(text) : console.message(text);
  }
}

}  // namespace

Result<ResultPtr> compute_document(const Document& document, Context& context, Influence influence,
                                   std::size_t layers) {
  Console& console = context.console;
  ComputeOptions options{.memory_limit_bytes = context.common.memory_limit_bytes,
                         .entered_bytes = entered_bytes(document),
                         .layers = layers,
                         .first_number = 0};
  AttentionProblem problem = make_problem(document);
  if (influence == Influence::IfQuick) problem.most_influence_steps = kInfluenceStepsOfASecond;
  console.detail("computing, which takes up to " +
                 bytes_text(needed_bytes(problem, options.entered_bytes)) +
                 " of memory of at most " + bytes_text(options.memory_limit_bytes));
  const auto start = std::chrono::steady_clock::now();
  Result<ResultPtr> result = with_progress(console, "Computing", [&](Progress* progress) {
    options.progress = progress;
    return compute(problem, options);
  });
  if (!result) return result;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  console.detail("computed in " + fixed_text(took.count(), 3) + " s");
  if (const Status whole = check_files(document); !whole) return whole.error();
  report_notes(**result, context);
  return result;
}

Result<Computed> computed_document(const std::string& file, Context& context, Influence influence) {
  CommonFlags flags = context.common;
  flags.input.yields = true;
  Context own{context.console, context.open_window, flags};
  Result<Reading> report = load_document(file, own);
  if (!report) return report.error();
  const Result<ResultPtr> result = compute_document(report->document, own, influence);
  if (!result) return result.error();
  return Computed{std::move(report->document), *result};
}

}  // namespace attn::cli
