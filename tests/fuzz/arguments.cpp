// Any arguments end with a documented exit code: 0 with valid data in the stated format, or another
// with one line that says why. Arguments are the lines of the bytes; none leaves the folder, and
// numbers that would take long do nothing.
#include <algorithm>
#include <cstdlib>

#include "base/files.h"
#include "base/json.h"
#include "base/utf8.h"
#include "fuzz.h"

namespace attn::fuzz {
namespace {

constexpr std::size_t kMostArguments = 12;
constexpr std::size_t kLongestArgument = 80;
constexpr double kLargestNumber = 200.0;

void put_document() {
  constexpr std::string_view kText = R"({"tokens": ["a", "b"], "d_model": 2, "heads": 1})";
  const std::string path = scratch_folder() + "/a.json";
  expect(write_file_atomically(path, kText, Overwrite::Replace).ok(), path);
}

std::vector<std::string> arguments_of(std::string_view bytes) {
  std::vector<std::string> arguments;
  for (Bytes left(bytes); !left.rest().empty();) {
    std::string argument(left.line());
    std::erase(argument, '\0');
    std::ranges::replace(argument, '/', '_');
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

bool is_large(const std::string& argument) {
  const std::string value = argument.substr(argument.find('=') + 1);
  return std::abs(std::strtod(value.c_str(), nullptr)) > kLargestNumber ||
         argument.size() > kLongestArgument;
}

bool takes_long(const std::vector<std::string>& arguments) {
  return arguments.size() > kMostArguments || std::ranges::any_of(arguments, is_large);
}

void expect_lines(const std::string& printed) {
  expect(printed.empty() || printed.ends_with('\n'), "messages are whole lines");
  Bytes left(printed);
  while (!left.rest().empty()) {
    const std::string_view line = left.line();
    expect(printable_line(line) == line, "messages do not act on terminals");
  }
}

// Help begins with words.
void expect_data(const std::string& out) {
  expect(!out.starts_with('{') || Json::accept(out), "data is JSON: " + out);
}

}  // namespace

void fuzz_arguments(std::string_view bytes) {
  const std::vector<std::string> arguments = arguments_of(bytes);
  if (takes_long(arguments)) return;
  put_document();
  const Printed printed = run_quietly(arguments);
  expect(printed.code >= 0 && printed.code <= 6 && printed.code != 1,
         "the exit code is a documented one: " + printed.err);
  expect(printed.code == 0 || !printed.err.empty() || !printed.out.empty(), "a refusal says why");
  expect_lines(printed.err);
  if (printed.code == 0) expect_data(printed.out);
}

}  // namespace attn::fuzz
