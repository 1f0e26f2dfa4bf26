// Stands in for the bundled page where the build has no Node.js.
#include "report/viewer_files.h"

namespace hwest {

ViewerFiles Viewer() { return {}; }

}  // namespace hwest
