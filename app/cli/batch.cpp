// Globs, patterns of names with their checks, the documents of a call, and the loop over them.
#include "cli/batch.h"

#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/joined.h"
#include "document/cost.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "export/export.h"
#include "plot/all_plots.h"

namespace attn::cli {
namespace {

constexpr std::string_view kNumber = "number", kAll = "all";

std::string in_braces(std::string_view name) { return "{" + std::string(name) + "}"; }

Error unknown_place(const std::string& name, const PlaceValues& known) {
  std::vector<std::string_view> names;
  for (const auto& [place, value] : known) names.push_back(place);
  names.push_back(kNumber);
  Error error = usage_error("the name of the output has an unknown place " + in_braces(name),
                            did_you_mean(name, names, "{{ stands for a brace"));
  error.expected = joined(names, ", ", in_braces);
  return error;
}

// Returns the text that replaces a place.
Result<std::string> value_at(const std::string& place, const PlaceValues& values,
                             const std::string& number) {
  if (place == kNumber) return number;
  const auto known = std::ranges::find(values, place, &PlaceValues::value_type::first);
  if (known == values.end()) return unknown_place(place, values);
  if (!known->second.empty()) return known->second;
  return usage_error("nothing says what " + in_braces(place) + " in the name of the output is",
                     "add --" + place + ", or leave " + in_braces(place) + " out");
}

// Fills the places of a name; doubled braces stand for braces.
Result<std::string> filled(std::string_view pattern, const PlaceValues& values,
                           const std::string& number) {
  std::string name;
  while (!pattern.empty()) {
    const bool doubled = pattern.starts_with("{{") || pattern.starts_with("}}");
    std::size_t end = doubled ? 1 : 0;
    if (!doubled && pattern.starts_with('{')) {
      end = pattern.find('}');
      if (end == pattern.npos) {
        return usage_error("the name " + std::string(pattern) + " has a { without its }",
                           "{{ stands for a brace");
      }
      auto value = value_at(std::string(pattern.substr(1, end - 1)), values, number);
      if (!value) return value;
      name += *value;
    } else {
      name += pattern.front();
    }
    pattern.remove_prefix(end + 1);
  }
  return name;
}

// Returns the places whose values differ, and that the pattern lacks.
std::vector<std::string> missing_in(const std::string& pattern,
                                    const std::vector<PlaceValues>& outputs) {
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < outputs.front().size(); ++i) {
    const std::string place = in_braces(outputs.front()[i].first);
    const auto differs = [&](const PlaceValues& other) { return other[i] != outputs.front()[i]; };
    const bool is_there = pattern.find(place) != pattern.npos;
    if (!is_there && std::ranges::any_of(outputs, differs)) missing.push_back(place);
  }
  return missing;
}

// Refuses one name for outputs that differ.
Status check_varied(const std::string& pattern, const std::vector<PlaceValues>& outputs) {
  const std::vector<std::string> missing = missing_in(pattern, outputs);
  if (missing.empty() || pattern.find(in_braces(kNumber)) != pattern.npos) return ok_status();
  const bool to_stdout = pattern == "-";
  const std::string path = to_stdout ? "out" : pattern, ending = ending_of(path);
  const std::size_t end = path.size() - (ending.empty() ? 0 : ending.size() + 1);
  return usage_error((to_stdout ? "standard output" : "the name " + pattern) + " lacks " +
                         joined(missing, " and ") + ", by which " + std::to_string(outputs.size()) +
                         " outputs differ",
                     "name them as in -o '" + path.substr(0, end) + "-" + joined(missing, "-") +
                         path.substr(end) + "'");
}

std::string padded(std::size_t number, std::size_t most) {
  const std::string text = std::to_string(number);
  return std::string(std::to_string(most).size() - text.size(), '0') + text;
}

Status check_target(const Destination& destination, const std::vector<std::string>& files) {
  if (Status free = check_destination(destination, files); !free) return free;
  const std::string folder = std::filesystem::path(destination.path).parent_path().string();
  std::error_code failed;
  Error error{.kind = ErrorKind::CannotWrite, .file = destination.path};
  if (!folder.empty() && !std::filesystem::is_directory(folder, failed)) {
    error.message = "there is no folder " + folder;
    error.hint = "create it first: mkdir -p " + folder;
    return error;
  }
  const std::string why = write_protection(destination.path);
  if (why.empty()) return ok_status();
  error.message = "the file is write-protected (" + why + ")";
  error.hint = "choose another name, or allow writing to it";
  return error;
}

// Returns the extent whose indices a list has; null for lists of names.
std::size_t AttentionShape::*counted_extent(std::string_view place) {
  if (place == "step") return &AttentionShape::n_q;
  const auto axis = std::ranges::find(numbered_axes(), place, &NumberedAxis::name);
  return axis == numbered_axes().end() ? nullptr : axis->count;
}

// Returns the values of a list; a single value is not checked.
Result<std::vector<std::string>> values_of(std::string_view place, const std::string& text,
                                           const std::optional<AttentionShape>& shape) {
  if (place == "name") return std::vector{text};
  std::size_t AttentionShape::*const extent = counted_extent(place);
  if (extent == nullptr) return split(text, ',');
  if (text != kAll && text.find_first_of(",-", 1) == text.npos) return std::vector{text};
  AttentionShape of{.layers = text == kAll && shape ? *shape.*extent : kAnyCount};
  const auto numbers = chosen_numbers(std::string(place), text, of);
  if (!numbers) return numbers.error();
  if (shape && place == "layer") of.layer_numbers = shape->layer_numbers;
  const std::size_t first = place == "step" && text == kAll ? 1 : 0;
  std::vector<std::string> values;
  for (const std::size_t each : *numbers) {
    values.push_back(std::to_string(layer_number(of, each, first)));
  }
  return values;
}

// Refuses to replace files in which a document keeps its numbers. None keeps them in a figure, so
// the documents are opened only if another output exists.
Status check_sources(const std::vector<std::string>& files, const std::vector<Destination>& outputs,
                     Context& context) {
  const auto may_be_read = [](const Destination& output) {
    return is_regular_file(output.path) && exporter_for(output.path) == nullptr;
  };
  if (std::ranges::none_of(outputs, may_be_read)) return ok_status();
  for (const std::string& file : files) {
    if (file == "-") continue;
    const auto reading = open_document(file, read_options(context.common));
    for (std::size_t o = 0; reading && o < outputs.size(); ++o) {
      if (Status kept = check_sources(reading->document, outputs[o], context.common); !kept)
        return kept;
    }
  }
  return ok_status();
}

// Returns the shape whose extents lists count; n_q is the number of steps of a decoder or a flow.
AttentionShape counted_shape(const FigureRequest& request, const Document& document) {
  ViewOptions options;
  const Setting* const attention = setting_of(request, "attention");
  if (attention != nullptr) {
    (void)attention->field->set(options, attention->text, Spelling::Flag);  // checked later
  }
  AttentionShape shape = shape_of(document);
  const PlotEntry* const plot = plot_named(request.plot);
  const bool counts =
      plot != nullptr && plot->steps != nullptr && setting_of(request, "step") != nullptr;
  if (counts) shape.n_q = plot->steps(make_problem(document), options.at);
  return shape;
}

// Opens a document before its turn, and adds its bytes to those `held` by others. OverMemoryLimit.
Result<Reading> read_early(const std::string& file, std::uint64_t& held, Context& context) {
  Result<Reading> reading = load_document(file, context);
  if (!reading) return reading;
  const std::uint64_t limit = context.common.memory_limit_bytes;
  held += entered_bytes(reading->document);
  if (held <= limit) return reading;
  return over_memory("too many documents to keep in memory while their heads are counted", held,
                     limit, "name the heads in place of all, or fewer files");
}

}  // namespace

Result<std::vector<std::string>> matched_files(const std::vector<std::string>& files) {
  std::vector<std::string> all;
  std::error_code failed;
  for (const std::string& file : files) {
    const bool is_glob = file.find_first_of("*?[") != file.npos && !is_built_in(file) &&
                         !std::filesystem::exists(file, failed);
    glob_t found{};
    if (is_glob && ::glob(file.c_str(), 0, nullptr, &found) != 0) {
      return Error{.kind = ErrorKind::BadInput, .message = "no file matches " + file};
    }
    if (!is_glob) all.push_back(file);
    all.insert(all.end(), found.gl_pathv, found.gl_pathv + found.gl_pathc);
    ::globfree(&found);
  }
  return all;
}

std::string stem_of(const std::string& file) {
  if (file == "-") return "stdin";
  constexpr std::string_view kOwn = ".attn";
  std::string name = file_name(file.substr(is_built_in(file) ? file.find(':') + 1 : 0));
  const std::string ending = ending_of(name);
  if (!ending.empty()) name.erase(name.size() - ending.size() - 1);
  return name.ends_with(kOwn) && name != kOwn ? name.substr(0, name.size() - kOwn.size()) : name;
}

PlaceValues lists_of(const FigureRequest& request) {
  PlaceValues lists{{"name", ""}};
  for (const std::string_view place : {"plot", "stage", "sample", "layer", "head", "step"}) {
    lists.emplace_back(place, text_of(request, place));
  }
  return lists;
}

Result<std::vector<RequestedFile>> expanded(const FigureRequest& request, const PlaceValues& lists,
                                            const std::optional<AttentionShape>& shape) {
  constexpr std::size_t kMost = 100'000;
  std::vector<RequestedFile> files{RequestedFile{request}};
  for (const auto& [place, text] : lists) {
    const auto values = values_of(place, text, shape);
    if (!values) return values.error();
    const std::size_t count = files.size() * values->size();
    if (count > kMost) return usage_error("this would make " + std::to_string(count) + " files");
    std::vector<RequestedFile> all;
    for (const RequestedFile& before : files) {
      for (const std::string& value : *values) {
        RequestedFile& file = all.emplace_back(before);
        file.places.emplace_back(place, value);
        if (place != "name" && !text.empty()) set_text(file.request, place, value);
      }
    }
    files = std::move(all);
  }
  return files;
}

bool needs_shape(const PlaceValues& lists) {
  return std::ranges::any_of(lists, [](const auto& list) {
    return list.second == kAll && counted_extent(list.first) != nullptr;
  });
}

std::string output_name(const PlaceValues& values) {
  std::string name;
  for (const auto& [place, value] : values) {
    if (value.empty()) continue;
    if (!name.empty()) name += ", ";
    name += (place == "name" || place == "plot" ? "" : std::string(place) + " ") + value;
  }
  return name;
}

bool has_places(std::string_view pattern) {
  for (std::size_t at = pattern.find('{'); at != pattern.npos; at = pattern.find('{', at + 2)) {
    if (!pattern.substr(at).starts_with("{{")) return true;
  }
  return false;
}

Result<std::vector<Destination>> destinations(const Destination& pattern,
                                              const std::vector<PlaceValues>& outputs,
                                              const std::vector<std::string>& files) {
  std::vector<Destination> all;
  std::map<std::string, std::size_t> taken;
  Status good = ok_status();
  for (const PlaceValues& values : outputs) {
    const std::string number = padded(all.size() + 1, outputs.size());
    Result<std::string> name = filled(pattern.path, values, number);
    if (!name) return name.error();
    if (all.empty()) good = check_varied(pattern.path, outputs);
    if (!good) return good.error();
    all.push_back({*std::move(name), pattern.force});
    if (const auto [at, is_new] = taken.emplace(all.back().path, all.size()); !is_new) {
      return usage_error("two outputs would have one name, " + at->first,
                         "{number} in the name tells them apart");
    }
    if (all.back().path != "-") good = check_target(all.back(), files);
  }
  return good ? Result(std::move(all)) : good.error();
}

Failures::Failures(Console& console, std::size_t of, std::string things)
    : console_(console), of_(of), things_(std::move(things)) {}

bool Failures::add(const std::string& name, Error error) {
  const bool interrupted = error.kind == ErrorKind::Interrupted;
  ended_ = console_.write_failed || interrupted;
  if (of_ > 1 && error.file.empty() && !interrupted) error.file = name;
  if (of_ > 1 && !ended_) console_.error(error);
  names_.push_back(name);
  last_ = std::move(error);
  return !ended_;
}

Result<int> Failures::result() const {
  if (!last_) return 0;
  if (of_ == 1 || ended_) return *last_;
  constexpr std::size_t kMostNames = 20;
  return Error{.kind = ErrorKind::BadInput,
               .message = std::to_string(names_.size()) + " of " + std::to_string(of_) + " " +
                          things_ + " failed: " + joined_first(names_, kMostNames)};
}

Result<Reading> Source::read(Context& context) {
  if (!early) early = load_document(file, context);
  context.console.file = file;
  return *std::exchange(early, std::nullopt);
}

Result<std::vector<Source>> sources_of(Context& context, const FigureRequest& request,
                                       PlaceValues lists) {
  const auto files = matched_files(context.common.files);
  if (!files) return files.error();
  std::vector<Source> sources;
  std::uint64_t held = 0;
  for (const std::string& file : *files) {
    Source& source = sources.emplace_back(Source{file});
    lists.front().second = stem_of(file);
    std::optional<AttentionShape> shape;
    if (needs_shape(lists)) {
      source.early = read_early(file, held, context);
      if (!*source.early) continue;
      shape = counted_shape(request, (*source.early)->document);
    }
    auto all = expanded(request, lists, shape);
    if (!all) return all.error();
    source.outputs = *std::move(all);
  }
  return sources;
}

Result<std::vector<Destination>> name_outputs(std::vector<Source>& sources,
                                              const std::string& reference, bool as_one,
                                              Context& context) {
  std::vector<PlaceValues> places;
  std::vector<std::string> all_read;
  for (const Source& source : sources) {
    all_read.push_back(source.file);
    for (const RequestedFile& output : source.outputs) places.push_back(output.places);
  }
  if (as_one) places.resize(std::min<std::size_t>(places.size(), 1));
  if (!reference.empty()) all_read.push_back(reference);
  auto named = destinations(context.common.destination, places, all_read);
  if (!named) return named;
  auto next = named->begin();
  for (Source& source : sources) {
    for (RequestedFile& output : source.outputs) output.destination = as_one ? *next : *next++;
  }
  const Status kept = check_sources(all_read, *named, context);
  return kept ? named : kept.error();
}

namespace {

// Calls work with the flags of the file.
Result<int> work_on(Source& source, Progress* progress, Context& context, const SourceWork& work) {
  context.console.file.clear();
  CommonFlags flags = context.common;
  flags.file = source.file;
  Context of_file{context.console, context.open_window, flags};
  return work(source, progress, of_file);
}

}  // namespace

Result<int> each_source(std::vector<Source>& sources, const std::string& things, Context& context,
                        const SourceWork& work) {
  Failures failures(context.console, sources.size(), "documents");
  std::size_t count = 0;
  for (const Source& source : sources) count += source.outputs.size();
  const auto all = [&](Progress* progress) -> Result<int> {
    const float share = 1.0F / static_cast<float>(std::max<std::size_t>(count, 1));
    std::size_t before = 0;
    for (Source& source : sources) {
      const ProgressPart part(progress, share * static_cast<float>(before),
                              share * static_cast<float>(source.outputs.size()));
      before += source.outputs.size();
      Result<int> code = work_on(source, progress, context, work);
      if (code) continue;
      // No document was opened: the call itself is wrong.
      const bool of_call = code.error().kind == ErrorKind::Usage && context.console.file.empty();
      if (of_call) return code;
      if (!failures.add(spoken_name(source.file), code.error())) break;
    }
    return failures.result();
  };
  return count > 1 ? with_progress(context.console, things, all, {.count = count}) : all(nullptr);
}

}  // namespace attn::cli
