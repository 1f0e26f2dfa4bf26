#include "target/patterns.h"

#include <vector>

namespace hwest {

absl::Span<const PatternRow> AllPatterns() {
  static const std::vector<PatternRow>& rows = *new std::vector<PatternRow>([] {
    std::vector<PatternRow> all;
    for (const auto part :
         {AttentionPatterns(), ConvPatterns(), GemmPatterns(), NormPatterns(), PointwisePatterns(), LayoutPatterns()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }());
  return rows;
}

}  // namespace hwest
