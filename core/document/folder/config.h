// Settings of a model in its config.json. Internal to core/document.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace attn {

// Values by names that libraries give them. A value of another type is an error, which the first
// call that finds it records. Names separated by "|" are alternatives; null counts as absent, but
// as false where true or false is expected, as in Python.
class ModelConfig {
 public:
  // BadInput with the file's name if the text is no JSON object with a "model_type".
  static Result<ModelConfig> read(std::string_view text, const std::string& file);

  const std::string& type() const { return type_; }  // "gpt2"
  bool has(std::string_view names) const { return find(names) != nullptr; }
  // True if the name is there, also with null.
  bool knows(std::string_view name) const { return json_.contains(std::string(name)); }
  // The first of the names that has null, if none has a value; else "".
  std::string null_in(std::string_view names) const;
  // The name under which the value stands; the first one if it is absent.
  std::string stated(std::string_view names) const;
  // True if the value is not of the file, but was taken by settle().
  bool is_usual(std::string_view names) const;
  // The first name whose value is another one in `other`, or absent there, but for bases; else "".
  std::string differing(const ModelConfig& other) const;
  // The value as JSON, cut to one line; "" if it is absent or an empty object.
  std::string written(std::string_view names) const;
  // A number of at least `low`.
  std::optional<double> number(std::string_view names, double low = 0.0);
  // A whole number from 1 to 10 million; 0 if it is absent. True and false are 1 and 0 in lists.
  std::size_t count(std::string_view names);
  std::optional<bool> flag(std::string_view names);
  std::optional<std::string> text(std::string_view names);
  std::vector<double> numbers(std::string_view names);
  std::vector<std::string> texts(std::string_view names);
  // Takes those of `own` that are not there, and returns them in words.
  std::vector<std::string> take_usual(std::string_view own);
  // Leaves out settings that are in one of `others` and not in `own`, and takes those of `own` that
  // are not there: JSON objects, of which null stands for nothing. Returns the names that it left
  // out, if they say something.
  std::vector<std::string> settle(std::string_view own,
                                  const std::vector<std::string_view>& others);
  bool has_any() const { return !json_.empty(); }
  // The settings in an object: of a text model in one of texts and pictures, or of positions.
  // Empty if it is absent.
  ModelConfig inside(std::string_view names) const;

  // The count, which is required.
  std::size_t needed(std::string_view names);
  void refuse(std::string_view name, const std::string& message, const std::string& found,
              const std::string& expected);
  const std::optional<Error>& error() const { return error_; }
  // Names of settings that say something and that nothing has read, but for those of training, of
  // writing texts and of the library.
  std::vector<std::string> unread() const;
  // Says something about the settings, once.
  void note(const std::string& text);
  const std::vector<std::string>& notes() const { return notes_; }
  // Takes the error of a part.
  void take(const ModelConfig& from) {
    if (!error_) error_ = from.error_;
  }

 private:
  void refuse_value(std::string_view name, const Json& value, const std::string& expected);
  const Json* find(std::string_view names, std::string* name = nullptr) const;

  Json json_ = Json::object();
  std::string type_, file_, pointer_;
  std::vector<std::string> notes_, usual_;
  mutable std::set<std::string> asked_;  // names that were looked up
  std::optional<Error> error_;
};

}  // namespace attn
