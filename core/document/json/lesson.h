// Keys of the steps of lessons. Internal to core/document.
#pragma once

#include <vector>

#include "document/lesson.h"
#include "text/rows.h"

namespace attn {

extern const ObjectOf<LessonStep> kLessonStepObject;
bool read_lesson(JsonValue json, std::vector<LessonStep>& steps);
void write_lesson(const TextWriter& to, const std::vector<LessonStep>& steps);
inline constexpr auto kLessonForm = form_of<std::vector<LessonStep>, read_lesson, write_lesson>(
    {.one_of = "objects", .object = &kLessonStepObject});

}  // namespace attn
