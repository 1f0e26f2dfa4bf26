// Two macros for Status plumbing (the distribution's abseil has none yet).
#pragma once

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#define HWEST_CONCAT_INNER(a, b) a##b
#define HWEST_CONCAT(a, b) HWEST_CONCAT_INNER(a, b)

#define HWEST_RETURN_IF_ERROR(expr)              \
  do {                                           \
    absl::Status hwest_status = (expr);          \
    if (!hwest_status.ok()) return hwest_status; \
  } while (false)

#define HWEST_ASSIGN_OR_RETURN(lhs, expr) HWEST_ASSIGN_OR_RETURN_IMPL(HWEST_CONCAT(hwest_or_, __LINE__), lhs, expr)
#define HWEST_ASSIGN_OR_RETURN_IMPL(tmp, lhs, expr) \
  auto tmp = (expr);                                \
  if (!tmp.ok()) return tmp.status();               \
  lhs = *std::move(tmp)
