// Undo and redo: whole documents are stored, which is cheap because they share tensors.
#include <algorithm>
#include <utility>

#include "document/edit.h"
#include "lesson/concealed.h"
#include "session/reduce/handlers.h"

namespace attn {
namespace {

constexpr std::size_t kStepsKept = 200;
constexpr std::uint64_t kBytesKept = std::uint64_t{512} << 20U;

template <class Item>
std::uint64_t bytes_of(const std::vector<std::vector<Item>>& lists) {
  std::uint64_t bytes = 0;
  for (const std::vector<Item>& list : lists) bytes += list.size() * sizeof(Item);
  return bytes;
}

// Per-token lists are copied with each document.
std::uint64_t own_bytes(const Mask& mask, const Mask& next) {
  std::uint64_t bytes = bytes_of(mask.query_segments) + bytes_of(mask.key_segments) +
                        bytes_of(mask.query_padding) + bytes_of(mask.key_padding);
  if (!mask.visible.shares_with(next.visible)) bytes += mask.visible.size();
  if (!mask.bias.shares_with(next.bias)) bytes += mask.bias.size() * sizeof(float);
  return bytes;
}

std::uint64_t own_bytes(const TokenLists& lists, const TokenLists& next) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const bool shared = i < next.size() && lists[i].names().data() == next[i].names().data();
    if (!shared) bytes += lists[i].names().size() * sizeof(TokenName);
  }
  return bytes;
}

// Bytes of `document` that the next one does not share.
std::uint64_t own_bytes(const Document& document, const Document& next) {
  const TensorList mine = tensors_of(document), others = tensors_of(next);
  std::uint64_t bytes = own_bytes(document.query_tokens, next.query_tokens) +
                        own_bytes(document.key_tokens, next.key_tokens);
  for (const MaskPlace& place : all_masks()) {
    bytes += own_bytes(document.*place.mask, next.*place.mask);
  }
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const Tensor& tensor = *mine[i].tensor;
    const bool shared = i < others.size() && tensor.shares_with(*others[i].tensor);
    if (!shared) bytes += tensor.size() * sizeof(float);
  }
  return bytes;
}

// Drops the oldest steps above the limit of memory, but never the last.
void bound_memory(AppState& state) {
  std::vector<Snapshot>& past = state.history.past;
  std::uint64_t bytes = 0;
  const Document* next = &state.document;
  for (std::size_t i = past.size(); i > 0; --i) {
    Snapshot& step = past[i - 1];
    // The successors of the last two may still change within a gesture.
    if (!step.bytes || i + 1 >= past.size()) step.bytes = own_bytes(step.document, *next);
    bytes += *step.bytes;
    next = &step.document;
    if (bytes <= kBytesKept || i == past.size()) continue;
    past.erase(past.begin(), past.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
}

Snapshot snapshot(const OpenDocument& open, std::string label) {
  return {open.document, open.revision, std::move(label), {}, open.reading_notes, open.arrays};
}

// Replaces the document by the last of `from`, which is dropped.
void go_to_last(AppState& state, std::vector<Snapshot>& from) {
  Snapshot target = std::move(from.back());
  from.pop_back();
  state.document = std::move(target.document);
  state.revision = target.revision;
  state.reading_notes = std::move(target.reading_notes);
  state.arrays = std::move(target.arrays);
}

// Swaps the document with the last of `from` and pushes the old one to `to`.
void travel_once(AppState& state, std::vector<Snapshot>& from, std::vector<Snapshot>& to) {
  Snapshot old = snapshot(state, from.back().label);
  go_to_last(state, from);
  to.push_back(std::move(old));
}

// Records the edited document, with the one before it unless the gesture goes on.
void record(Step& step, Document edited, std::string label, bool goes_on) {
  History& history = step.history;
  if (!goes_on) {
    history.past.push_back(snapshot(step, std::move(label)));
    if (history.past.size() > kStepsKept) history.past.erase(history.past.begin());
  }
  history.future.clear();
  step.document = std::move(edited);
  step.revision = ++step.last_revision;
  if (!goes_on) bound_memory(step);
}

}  // namespace

void edit(Step& step, Result<Document> edited, std::string label, std::uint64_t gesture) {
  History& history = step.history;
  if (!edited) {
    history.gesture = 0;
    return warn(step, edited.error());
  }
  if (*edited == step.document) return;
  const bool same_gesture = gesture != 0 && gesture == history.gesture;
  const bool is_back = same_gesture && *edited == history.past.back().document;
  history.gesture = is_back ? 0 : gesture;
  if (is_back) {
    go_to_last(step, history.past);
  } else {
    record(step, *std::move(edited), std::move(label), same_gesture);
  }
  fit_to_document(step);
  if (step.history.gesture != 0) return request_layers_in_view(step);
  request_result(step);
}

void replace_document(Step& step, Document document, std::string path) {
  step.document = std::move(document);
  step.revision = step.first_revision = ++step.last_revision;
  step.history = {};
  reset<FileState>(step);
  step.path = std::move(path);
  step.saved_revision = step.revision;
  remember_file(step, step.document);
  drop_result(step);
  reset<Selection>(step);
  reset<FileReading>(step);
  // Errors of the replaced document no longer apply; information disappears on a timer.
  std::erase_if(step.notices, [&](const Notice& notice) {
    return notice.level != Notice::Level::Info && notice.document == step.id;
  });
  forget_offers(step, step.id);
  step.after_saving.reset();
  show_panes(step, step.document.panes ? *step.document.panes : usual_panes(step));
  fit_to_document(step);
  request_result(step);
  begin_lesson(step);
}

void remember_file(OpenDocument& open, const Document& document) {
  open.file_view = focused_view(document.panes.value_or(Panes{}));
  open.file_reference = document.reference;
  open.described =
      document.description.empty() ? nullptr : std::make_shared<const Document>(document);
}

namespace {

effect::Compute computation(const Step& step) {
  return {step.document, step.revision, revealed(step.result)};
}

void request(Step& step, effect::Compute job) {
  follow_untouched(step);
  step.result_error.reset();
  bound_results(step);
  step.effects.push_back(std::move(job));
}

}  // namespace

void request_result(Step& step) { request(step, computation(step)); }

void request_layers_in_view(Step& step) {
  effect::Compute job = computation(step);
  if (!is_quick(job)) job.layers = layers_in_view(step);
  request(step, std::move(job));
}

void request_other_layers(Step& step) {
  if (step.result->layers_ready() < step.result->shape().layers) {
    step.effects.push_back(computation(step));
  }
}

namespace {

// True if the last edit is one of a lesson whose shown step has no other.
bool is_as_entered(const Step& step) {
  return is_in_lesson(step) && step.lesson.step > 0 && !differs_from_lesson(step) &&
         !step.history.past.empty() && step.history.past.back().label.ends_with(kOfLesson) &&
         step.history.past.back().label.starts_with("step");
}

// Undoes what a step of a lesson did by going to the step before, whose words fit the document.
void undo_step(Step& step) {
  if (step.history.past.back().label != label_of_step(step)) {  // this step changed nothing
    return dispatch(step, command::StepLesson{-1});
  }
  const bool edited = has_unsaved_changes(step);
  go_to_last(step, step.history.past);
  step.history.future.clear();
  fit_to_document(step);
  request_result(step);
  leave_step(step, edited);
}

}  // namespace

void apply(Step& step, const command::StepEdit& c) {
  if (c.by == -1 && is_as_entered(step)) return undo_step(step);
  auto& [past, future, gesture] = step.history;
  std::vector<Snapshot>& from = c.by < 0 ? past : future;
  const std::size_t possible = std::min(static_cast<std::size_t>(std::abs(c.by)), from.size());
  if (possible == 0) return;
  const auto read = step.arrays;
  for (std::size_t i = 0; i < possible; ++i) travel_once(step, from, c.by < 0 ? future : past);
  if (step.arrays != read) forget_offers(step, step.id);
  fit_to_document(step);
  request_result(step);
}

}  // namespace attn
