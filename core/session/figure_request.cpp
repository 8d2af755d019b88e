// Reads and sets the texts of requests, and writes the calls that state them.
#include "session/figure_request.h"

#include <algorithm>

#include "base/joined.h"

namespace attn {

std::string flag_of(const Setting& setting) {
  std::string flag = spelt(setting.field->name, Spelling::Flag);
  if (setting.field->kind == FieldKind::Flag && setting.text == "false") flag.insert(2, "no-");
  return flag;
}

const Setting* setting_of(const FigureRequest& request, std::string_view option) {
  const auto given = std::ranges::find(request.settings, option,
                                       [](const Setting& setting) { return setting.field->name; });
  return given == request.settings.end() ? nullptr : &*given;
}

std::string text_of(const FigureRequest& request, std::string_view option) {
  if (option == "plot") return request.plot;
  const Setting* const setting = setting_of(request, option);
  return setting == nullptr ? "" : setting->text;
}

void set_text(FigureRequest& request, std::string_view option, const std::string& text) {
  if (option == "plot") return void(request.plot = text);
  for (Setting& setting : request.settings) {
    if (setting.field->name == option) return void(setting.text = text);
  }
  request.settings.push_back({plot_option_named(option), text});
}

std::string call_of(const FigureRequest& request, const std::string* output) {
  std::string call = "attnscope export";
  const auto add = [&](const std::string& flag, const std::string& text) {
    if (!text.empty()) call += " " + flag + " " + shell_word(text);
  };
  const auto add_plots = [&] {
    add("--plot", request.plot);
    add("--layout", request.layout);
  };
  for (const std::string& file : request.files) call += " " + shell_word(file);
  if (output != nullptr) call += " -o " + shell_word(*output);
  if (!request.of_several) add_plots();
  for (const Setting& setting : request.settings) {
    call += " " + flag_of(setting);
    if (setting.field->kind != FieldKind::Flag) call += " " + shell_word(setting.text);
  }
  if (request.of_several) add_plots();
  add("--part", request.part);
  for (const std::string& pin : request.pins) add("--pin", pin);
  if (request.of_several) add("--reference", request.reference);
  add("--dpi", request.dpi);
  if (request.transparent) call += " --transparent";
  add("--svg-text", request.svg_text);
  add("--text", request.text);
  add("--ids", request.ids);
  add("--seed", request.seed);
  add("--gate", request.what_if.gates);
  add("--pattern", request.what_if.patterns);
  add("--cut", request.what_if.edges);
  add("--leave-out", request.left_out);
  if (!request.of_several) add("--reference", request.reference);
  return call;
}

std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:=+@%";
  const bool plain = !text.empty() && text.find_first_not_of(kPlain) == std::string::npos;
  return plain ? text : "'" + with_replaced(text, "'", "'\\''") + "'";
}

}  // namespace attn
