// What the names of model families say beyond the sizes in their files.
#pragma once

#include <cstdint>

#include "absl/strings/string_view.h"

namespace hwest {

struct Family {
  absl::string_view names;        // as `model_type` of Hugging Face and `general.architecture` of GGUF, space separated
  bool gated = true;              // the MLP has a gate beside its up projection
  bool ties = false;              // one table where the file does not say
  bool qkv_bias = false;          // always
  int64_t full_every = 1;         // with a window: of so many layers one, the last, looks at all; 0 = none does
  int64_t window = 0;             // where the file does not state it
  int64_t norms = 2;              // vectors of the hidden size a layer
  bool key_norms = false;         // two vectors of a head's size a layer
  bool learns_positions = false;  // a table of them
  bool gates_attention = false;   // queries carry a gate of the same size
  int64_t heads = 0, kv_heads = 0, head_dim = 0, vocab = 0;  // of configurations that leave out what is usual
};

// The row of a family; one without names when it is not known.
const Family& FamilyOf(absl::string_view name);

// Whether layer `index` looks at the whole context, of a family whose files state no list.
bool LooksAtAll(const Family& family, int64_t index);

}  // namespace hwest
