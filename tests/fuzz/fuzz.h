// Shared parts of all fuzz targets: their list, the report of a broken promise, and numbers and
// texts made from bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace attn::fuzz {

// Thrown by a target for bytes with which something that it promises does not hold.
struct BrokenPromise : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void expect(bool holds, const std::string& promise);

// An error says what is wrong, in one line, without letters that act on a terminal.
void expect_clear(const Error& error);

struct Target {
  std::string_view name;  // of its folder in corpus/
  void (*run)(std::string_view bytes);
};
std::span<const Target> all_targets();

// Functions of the files of this folder, which state their promise. Bytes that would only take long
// do nothing.
void fuzz_arguments(std::string_view bytes);
void fuzz_arrays(std::string_view bytes);
void fuzz_config(std::string_view bytes);
void fuzz_documents(std::string_view bytes);
void fuzz_folder(std::string_view bytes);
void fuzz_notes(std::string_view bytes);
void fuzz_pasted_text(std::string_view bytes);
void fuzz_preferences(std::string_view bytes);
void fuzz_tokenizers(std::string_view bytes);
void fuzz_unsaved_work(std::string_view bytes);
void fuzz_writers(std::string_view bytes);

// Takes bytes from the front; zeros and empty texts once there are none.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : rest_(bytes) {}
  // A number from 0 to count - 1. Precondition: 1 <= count <= 256.
  std::size_t below(std::size_t count);
  template <class List>
  const auto& one_of(const List& list) {
    return list[below(list.size())];
  }
  // Up to the next line break, which is taken too.
  std::string_view line();
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

// A folder of this process, removed when it ends.
const std::string& scratch_folder();

// Files are written without waiting for the disk until it is destroyed.
class QuickFiles {
 public:
  QuickFiles();
  ~QuickFiles();
  QuickFiles(const QuickFiles&) = delete;
  QuickFiles& operator=(const QuickFiles&) = delete;
};

// Output of the command line for these arguments in the scratch folder, with nothing on standard
// input.
struct Printed {
  int code = 0;
  std::string out, err;
};
Printed run_quietly(const std::vector<std::string>& arguments);

}  // namespace attn::fuzz
