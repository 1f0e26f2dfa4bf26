#include "profile/read_profile.h"

#include "base/status_macros.h"

namespace hwest {
namespace {

struct ProfileForm {
  bool (*matches)(const Tree& tree);
  absl::StatusOr<Profile> (*read)(const Tree& tree, absl::string_view name);
};
constexpr ProfileForm kForms[] = {{IsTrtexecProfile, ReadTrtexecLayers}, {IsOnnxRuntimeProfile, ReadOnnxRuntimeNodes}};

}  // namespace

absl::StatusOr<Profile> ParseProfile(absl::string_view text, absl::string_view name) {
  HWEST_ASSIGN_OR_RETURN(const Tree tree, ParseJson(text, name));
  for (const ProfileForm& form : kForms) {
    if (!form.matches(tree)) continue;
    HWEST_ASSIGN_OR_RETURN(Profile profile, form.read(tree, name));
    if (!profile.entries.empty()) return profile;
    return ImportError(name, "holds no time of an operator", "profile a run of the model");
  }
  return ImportError(name, "is no profile of operators",
                     "give what `trtexec --exportProfile` or ONNX Runtime with enable_profiling writes");
}

}  // namespace hwest
