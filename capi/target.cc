// Targets: loading, listing, checking, and their figures.
#include "hwest/target.h"

#include <memory>
#include <string>
#include <utility>

#include "guard.h"
#include "handle_report.h"
#include "handles.h"
#include "hwest.h"

namespace hwest::capi {
namespace {

absl::Status Load(absl::StatusOr<Target> loaded, hwest_target** target) {
  if (!loaded.ok()) return loaded.status();
  *target = new hwest_target{std::make_shared<const Target>(*std::move(loaded))};
  return absl::OkStatus();
}

absl::string_view TextOf(const void* data, size_t size) { return {static_cast<const char*>(data), size}; }

auto WriterOf(const hwest_target* target) {
  return DocumentWriter(
      [=](const ReportOptions& options, Sink sink) { return WriteTarget(*target->target, options, sink); });
}

auto WriterOf(const hwest_target_list* list) {
  return DocumentWriter(
      [=](const ReportOptions& options, Sink sink) { return WriteTargets(list->targets, options, sink); });
}

auto WriterOf(const hwest_lint* lint) {
  return DocumentWriter([=](const ReportOptions& options, Sink sink) {
    return WriteLint(absl::MakeConstSpan(&lint->report, 1), options, sink);
  });
}

}  // namespace

}  // namespace hwest::capi

using hwest::capi::Guard;
using hwest::capi::NullArgument;

hwest_status hwest_target_load(const char* name, hwest_target** target) {
  return Guard([&]() -> absl::Status {
    if (name == nullptr) return NullArgument("name");
    if (target == nullptr) return NullArgument("target");
    return hwest::capi::Load(hwest::LoadTarget(name), target);
  });
}

hwest_status hwest_target_load_memory(const void* data, size_t size, const char* name, hwest_target** target) {
  return Guard([&]() -> absl::Status {
    if (data == nullptr && size > 0) return NullArgument("data");
    if (target == nullptr) return NullArgument("target");
    return hwest::capi::Load(hwest::ParseTarget(hwest::capi::TextOf(data, size), name == nullptr ? "target" : name),
                             target);
  });
}

void hwest_target_free(hwest_target* target) { delete target; }

hwest_status hwest_target_list_create(hwest_target_list** list) {
  return Guard([&]() -> absl::Status {
    if (list == nullptr) return NullArgument("list");
    *list = new hwest_target_list{hwest::ListTargets()};
    return absl::OkStatus();
  });
}

void hwest_target_list_free(hwest_target_list* list) { delete list; }

hwest_status hwest_lint_create(const void* data, size_t size, const char* name, hwest_lint** lint) {
  return Guard([&]() -> absl::Status {
    if (data == nullptr && size > 0) return NullArgument("data");
    if (lint == nullptr) return NullArgument("lint");
    *lint = new hwest_lint{hwest::LintTarget(hwest::capi::TextOf(data, size), name == nullptr ? "target" : name)};
    return absl::OkStatus();
  });
}

void hwest_lint_free(hwest_lint* lint) { delete lint; }

HWEST_REPORT(hwest_target_report, hwest_target)
HWEST_REPORT(hwest_target_list_report, hwest_target_list)
HWEST_REPORT(hwest_lint_report, hwest_lint)
