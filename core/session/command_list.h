// Lists of all commands, and the type-erased Command; enough for code that only passes commands on.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace attn {

// A list of types.
template <class... Kinds>
struct KindList {
  template <class Kind>
  static constexpr bool contains() {
    return (std::is_same_v<Kind, Kinds> || ...);
  }
};

// Declared here for the lists, defined in command.h. Each list is applied by one file of
// session/reduce.
namespace command {

using Edits =
    KindList<struct SetCell, struct PasteText, struct SetBlock, struct FillMatrix,
             struct ScaleMatrix, struct InsertToken, struct RenameToken, struct RenameFeature,
             struct DeleteToken, struct MoveToken, struct SetTokens, struct SetStructure,
             struct StructureMade, struct SetCausal, struct SetCausalOffset, struct SetPadding,
             struct PaintCell, struct ClearPainted, struct ClearMask, struct SetScoring,
             struct SetMask, struct SetPosition, struct SetModel, struct SetTitle>;
using Views =
    KindList<struct SelectPlot, struct SelectStage, struct SelectHead, struct StepHead,
             struct SetOption, struct StepDecoder, struct SetWindow, struct FitWindow,
             struct ToggleSafeColors, struct SetTool, struct Hover, struct HoverTensor, struct Pin,
             struct Unpin, struct SelectMatrix, struct MoveCursor, struct AskFeatureName>;
using Places = KindList<struct HoverToken, struct MarkToken, struct GoTo, struct WalkPin,
                        struct Zoom, struct Pan, struct StepPart, struct ShowFind, struct Find>;
using PaneCommands = KindList<struct SplitPane, struct CompareHead, struct ClosePane,
                              struct MaximisePane, struct ResizePane, struct FocusPane,
                              struct StepFocus, struct LinkPane, struct ResetLayout>;
using Files =
    KindList<struct NewDocument, struct PasteDocument, struct DocumentPasted, struct Open,
             struct Opened, struct OpenFailed, struct Reload, struct Reloaded, struct FileChecked,
             struct Save, struct SaveAs, struct Saved, struct SaveFailed, struct Export,
             struct ChooseExportPath, struct Exported, struct ExportFailed, struct CopyFigure,
             struct UsePictureHelper, struct TakeScreenshot, struct ScreenshotWritten,
             struct AnswerQuestion, struct Quit>;
using TabCommands = KindList<struct RestoreTabs, struct KeepTabs, struct SelectTab, struct StepTab,
                             struct CloseTab, struct ReopenTab>;
using Comparisons = KindList<struct KeepReference, struct CompareWith, struct ReferenceMade,
                             struct ForgetReference, struct CheckFiles, struct ReferenceChecked>;
using OfProgram =
    KindList<struct Undo, struct Redo, struct LimitMemory, struct Computed, struct ComputeFailed,
             struct DerivationDone, struct ShowDialog, struct ShowOverlay, struct ShowOption,
             struct Notify, struct DismissNotice, struct SetPreference, struct ForgetRecent,
             struct CheckRecent, struct RecentChecked, struct SetSides, struct ShowPlotAlone,
             struct SetWindowPlace, struct LoadedPreferences>;
using Unsaved =
    KindList<struct KeepsWorkIn, struct KeepUnsaved, struct UnsavedKept, struct UnsavedFound,
             struct ShowUnsaved, struct RestoreWork, struct WorkRestored>;

using AllLists = KindList<Edits, Views, Places, PaneCommands, Files, TabCommands, Comparisons,
                          OfProgram, Unsaved>;

// Commands that do not end a gesture of edits.
using WithinGestures =
    KindList<SetCell, SetCausalOffset, PaintCell, SetScoring, SetMask, SetPosition, SetModel, Hover,
             HoverTensor, HoverToken, MoveCursor, Computed, ComputeFailed, DerivationDone,
             ReferenceMade, CheckFiles, FileChecked, ReferenceChecked, CheckRecent, RecentChecked,
             KeepUnsaved, UnsavedKept, StructureMade, Notify, DismissNotice>;

template <class Kind, class... Lists>
constexpr bool is_in_one(KindList<Lists...> /*lists*/) {
  return (Lists::template contains<Kind>() || ...);
}
template <class Kind>
concept Listed = is_in_one<Kind>(AllLists());

}  // namespace command

// One command of any kind, shared by copies. A std::variant would take seconds to compile.
class Command {
 public:
  template <command::Listed Kind>
  Command(Kind command) : kind_(&kTag<Kind>), held_(new Kind(std::move(command))) {}

  // Its value, or null if it is of another kind.
  template <class Kind>
  const Kind* get_if() const {
    return kind_ == &kTag<Kind> ? static_cast<const Kind*>(held_.get()) : nullptr;
  }

 private:
  template <class Kind>
  static inline const char kTag = 0;  // its address identifies the kind
  const void* kind_;
  std::shared_ptr<const void> held_;
};

}  // namespace attn
