// Interned strings: every distinct text is stored once and named by a dense id.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"
#include "hwest/id.h"

namespace hwest {

// StringTable owns the bytes of its strings. Ids are dense and ascend in order of first use; id 0 is always "".
// Views it hands out stay valid while the table lives, also when the table is moved.
class StringTable {
 public:
  StringTable();
  StringTable(StringTable&&) = default;
  StringTable& operator=(StringTable&&) = default;

  // Intern returns the id of `text`, storing a copy when it is new.
  StrId Intern(absl::string_view text);
  // Find returns the id of `text`, or none when it was never interned.
  StrId Find(absl::string_view text) const;
  absl::string_view operator[](StrId id) const { return (*views_)[id.index()]; }
  size_t size() const { return views_->size(); }

 private:
  using Views = std::vector<absl::string_view>;
  // Both see ids and texts alike, so that the index holds no more than ids.
  struct Hash {
    using is_transparent = void;
    const Views* views;
    size_t operator()(absl::string_view text) const { return absl::Hash<absl::string_view>()(text); }
    size_t operator()(StrId id) const { return (*this)((*views)[id.index()]); }
  };
  struct Equal {
    using is_transparent = void;
    const Views* views;
    absl::string_view Text(absl::string_view text) const { return text; }
    absl::string_view Text(StrId id) const { return (*views)[id.index()]; }
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
      return Text(a) == Text(b);
    }
  };

  absl::string_view Store(absl::string_view text);

  std::vector<std::unique_ptr<char[]>> blocks_;
  char* free_ = nullptr;                         // next unused byte of the newest shared block
  size_t free_bytes_ = 0;                        // bytes left there
  std::unique_ptr<Views> views_;                 // by id; at a fixed place for the index
  absl::flat_hash_set<StrId, Hash, Equal> ids_;  // by text
};

}  // namespace hwest
