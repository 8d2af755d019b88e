// attnscope validate: all errors of all files, with their places.
#include <algorithm>
#include <iterator>
#include <utility>

#include "base/utf8.h"
#include "cli/batch.h"
#include "cli/load.h"
#include "document/load/open.h"
#include "document/tensors/tensor_file.h"
#include "lesson/lesson.h"
#include "session/build_information.h"

namespace attn::cli {
namespace {

// A document with all errors, and the notes on its numbers.
struct Verdict : Reading {
  std::string file;
  std::vector<ResultNote> number_notes;
};

Verdict judge(const std::string& file, Context& context) {
  const CommonFlags& flags = context.common;
  ReadOptions options = read_options(flags);
  options.lesson_faults = lesson_faults;
  Reading read = with_progress(context.console, "Checking", [&](Progress* progress) {
    options.progress = progress;
    const Result<DocumentFile> found = find_document(file, options);
    return found ? read_document(*found) : Reading{.errors = {found.error()}};
  });
  Verdict verdict{std::move(read), file, {}};
  if (!verdict.errors.empty()) return verdict;
  settle_view(verdict);
  verdict.number_notes = notes_on_numbers(verdict.document, flags);
  if (const Status whole = check_files(verdict.document); !whole) {
    verdict.errors.push_back(whole.error());
  }
  std::ranges::move(verdict.lesson_faults, std::back_inserter(verdict.errors));
  return verdict;
}

std::string as_text(const Verdict& verdict, bool quiet) {
  std::string text;
  for (Error problem : verdict.errors) {
    problem.file = spoken_name(problem.file);
    text += printable_line(describe(problem)) + "\n";
  }
  if (quiet) return text;
  const std::string name = printable_line(spoken_name(verdict.file));
  if (!verdict.errors.empty()) {
    const std::size_t count = verdict.errors.size();
    return text + name + ": " + std::to_string(count) + (count == 1 ? " problem\n" : " problems\n");
  }
  text = name + ": good\n  reading: " + verdict.reading + "\n";
  for (const std::string& note : verdict.notes) text += "  note: " + printable_line(note) + "\n";
  for (const ResultNote& note : verdict.number_notes) {
    text += std::string("  ") + level_name(note) + ": " + note.text + "\n";
  }
  return text;
}

Json as_json(const Error& error) {
  Json json{{"kind", kind_name(error.kind)}, {"message", error.message}};
  const auto add = [&json](const char* name, const std::string& value) {
    if (!value.empty()) json[name] = value;
  };
  add("file", error.file);
  add("pointer", error.pointer);
  if (error.line > 0) {
    json["line"] = error.line;
    json["column"] = error.column;
  }
  add("found", error.found);
  add("expected", error.expected);
  add("hint", error.hint);
  return json;
}

Json as_json(const Verdict& verdict) {
  Json json{
      {"version", program_version()}, {"file", verdict.file}, {"valid", verdict.errors.empty()}};
  if (verdict.errors.empty()) {
    json["reading"] = verdict.reading;
    add_notes(json, verdict.notes, verdict.number_notes);
  }
  json["problems"] = Json::array();
  for (const Error& problem : verdict.errors) json["problems"].push_back(as_json(problem));
  return json;
}

// Takes the gravest exit code: bad input, unless all failures are limits or internal errors.
void take_code(int& code, const std::vector<Error>& problems) {
  for (const Error& problem : problems) {
    const int own = exit_code(problem.kind);
    if (code == 0 || own == exit_code(ErrorKind::BadInput)) code = own;
  }
}

Result<int> run(Context& context) {
  const auto matched = matched_files(context.common.files);
  if (!matched) return matched.error();
  int code = 0;
  std::string text;
  Json list = Json::array();
  for (const std::string& file : *matched) {
    context.console.file = file;
    context.console.detail("reading " + spoken_name(file));
    const Verdict verdict = judge(file, context);
    take_code(code, verdict.errors);
    text += as_text(verdict, context.common.quiet);
    list.push_back(as_json(verdict));
  }
  const Status written =
      context.common.json ? context.console.write(json_text(list)) : context.console.print(text);
  return written ? Result<int>(code) : written.error();
}

}  // namespace

Definition define_validate(CommonFlags& common) {
  Flags options{{"FILE", "", kFilesHelp, &common.files, true}};
  add_shared(options, common, kNumbers | kJson | kComputing | kMessages);
  return {std::move(options), [](Context& context) { return run(context); }};
}

}  // namespace attn::cli
