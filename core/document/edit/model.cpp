// Edits of models as wholes, each by the row of its kind.
#include "document/edit/model.h"

#include <algorithm>

#include "document/edit.h"
#include "document/embedding_kind.h"

namespace attn {
namespace {

// Precondition of all three: every choice is of a kind.
const ModelEdit& edit_of(const ModelChoice& choice) {
  return *std::ranges::find_if(all_embedding_kinds(), [&](const EmbeddingKind& kind) {
            return kind.edit != nullptr && kind.edit->takes(choice);
          })->edit;
}

}  // namespace

// A model of another kind may have members of its own in place of those that meant nothing.
Result<Document> with_choice(const Document& document, const ModelChoice& choice) {
  Result<Document> chosen = edit_of(choice).applied(document, choice);
  if (chosen && chosen->model.index() != document.model.index()) chosen->kept.members.clear();
  return chosen;
}

std::string reason_against(const Document& document, const ModelChoice& choice) {
  return edit_of(choice).reason_against(document, choice);
}

std::string label_of(const ModelChoice& choice) { return edit_of(choice).label; }

}  // namespace attn
