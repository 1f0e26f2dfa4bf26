#include "diff/match.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"

namespace hwest {
namespace {

using Keys = std::vector<uint64_t>;  // by node

constexpr uint64_t Mix(uint64_t state, uint64_t value) {
  uint64_t hash = (state ^ (value + 0x9e3779b97f4a7c15)) * 0xff51afd7ed558ccd;
  return hash ^ (hash >> 32);
}

uint64_t HashText(uint64_t state, absl::string_view text) {
  for (const char c : text) state = (state ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  return Mix(state, text.size());
}

// One use of a node's output.
struct DiffUse {
  int64_t node = 0;
  uint32_t output = 0;
  uint32_t input = 0;
};

std::vector<std::vector<DiffUse>> UsesOf(const DiffSide& side) {
  std::vector<std::vector<DiffUse>> uses(side.nodes.size());
  for (size_t n = 0; n < side.nodes.size(); ++n) {
    const std::vector<DiffEdge>& inputs = side.nodes[n].inputs;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].node < 0) continue;
      uses[static_cast<size_t>(inputs[i].node)].push_back(
          {static_cast<int64_t>(n), inputs[i].output, static_cast<uint32_t>(i)});
    }
  }
  return uses;
}

// Whether attributes, types and given values count, besides operators and edges.
enum class Detail : bool { kNo, kYes };

// The hash of a node alone.
uint64_t OwnHash(const DiffNode& node, Detail detail) {
  uint64_t hash = HashText(0xcbf29ce484222325, node.op);
  hash = Mix(hash, node.inputs.size());
  if (detail == Detail::kNo) return hash;
  for (const auto& [key, text] : node.details) hash = HashText(HashText(hash, key), text);
  return hash;
}

// Keys of everything a node is computed from, including itself.
Keys ForwardKeys(const DiffSide& side, Detail detail) {
  Keys keys(side.nodes.size());
  for (size_t n = 0; n < side.nodes.size(); ++n) {
    const DiffNode& node = side.nodes[n];
    uint64_t hash = OwnHash(node, detail);
    for (const DiffEdge& edge : node.inputs) {
      hash = edge.node >= 0
                 ? Mix(Mix(hash, keys[static_cast<size_t>(edge.node)]), edge.output)
                 : HashText(hash, detail == Detail::kYes ? absl::string_view(edge.leaf) : absl::string_view("leaf"));
    }
    keys[n] = hash;
  }
  return keys;
}

// Keys of everything computed from a node, including itself. The order of uses does not matter.
Keys BackwardKeys(const DiffSide& side, const std::vector<std::vector<DiffUse>>& uses, Detail detail) {
  Keys keys(side.nodes.size());
  for (size_t n = side.nodes.size(); n-- > 0;) {
    uint64_t sum = 0;
    for (const DiffUse& use : uses[n]) {
      sum += Mix(Mix(keys[static_cast<size_t>(use.node)], use.output), use.input);
    }
    keys[n] = Mix(Mix(OwnHash(side.nodes[n], detail), sum), side.nodes[n].makes_output);
  }
  return keys;
}

Keys Joined(const Keys& one, const Keys& other) {
  Keys keys(one.size());
  for (size_t i = 0; i < keys.size(); ++i) keys[i] = Mix(one[i], other[i]);
  return keys;
}

constexpr uint64_t kNoKey = 0;  // of a node without a telling key

Keys NameKeys(const DiffSide& side, const std::function<std::string(const DiffNode&)>& name) {
  Keys keys(side.nodes.size(), kNoKey);
  for (size_t i = 0; i < keys.size(); ++i) {
    const std::string text = name(side.nodes[i]);
    if (!text.empty()) keys[i] = HashText(HashText(1, side.nodes[i].op), text);
  }
  return keys;
}

// Positions of a longest common subsequence, by the furthest-reaching paths of E. Myers, "An O(ND) Difference Algorithm
// and Its Variations" (1986); none where the two differ by more than kMostEdits.
std::vector<std::pair<size_t, size_t>> CommonOrder(const Keys& a, const Keys& b) {
  const auto n = static_cast<int64_t>(a.size()), m = static_cast<int64_t>(b.size());
  const int64_t most = std::min(n + m, kMostEdits);
  std::vector<std::vector<int64_t>> paths;  // by edits: the furthest place in a on each diagonal -edits..edits
  std::vector<int64_t> furthest(static_cast<size_t>(2 * most + 3), 0);
  const auto at = [&](int64_t k) -> int64_t& { return furthest[static_cast<size_t>(k + most + 1)]; };
  int64_t edits = 0;
  bool found = false;
  for (; edits <= most && !found; ++edits) {
    for (int64_t k = -edits; k <= edits; k += 2) {
      const bool down = k == -edits || (k != edits && at(k - 1) < at(k + 1));
      int64_t x = down ? at(k + 1) : at(k - 1) + 1;
      while (x < n && x - k < m && a[static_cast<size_t>(x)] == b[static_cast<size_t>(x - k)]) ++x;
      at(k) = x;
      found |= x >= n && x - k >= m;
    }
    paths.emplace_back(furthest.begin() + (most + 1 - edits), furthest.begin() + (most + 2 + edits));
  }
  std::vector<std::pair<size_t, size_t>> pairs;
  if (!found) return pairs;
  int64_t x = n, y = m;
  for (int64_t d = edits - 1; d >= 0; --d) {
    const int64_t k = x - y;
    const auto before = [&](int64_t diagonal) {
      return d == 0 || std::abs(diagonal) > d - 1
                 ? -1
                 : paths[static_cast<size_t>(d - 1)][static_cast<size_t>(diagonal + d - 1)];
    };
    const bool down = k == -d || (k != d && before(k - 1) < before(k + 1));
    const int64_t start_x = d == 0 ? 0 : down ? before(k + 1) : before(k - 1) + 1;
    for (; x > start_x; --x, --y) pairs.emplace_back(x - 1, y - 1);
    if (d == 0) break;
    x = down ? start_x : start_x - 1;
    y = (down ? k + 1 : k - 1);
    y = x - y;
  }
  return pairs;
}

// The first result that has a name; "" = none has.
absl::string_view ResultOf(const DiffNode& node) {
  const auto named =
      std::find_if(node.outputs.begin(), node.outputs.end(), [](const std::string& name) { return !name.empty(); });
  return named != node.outputs.end() ? absl::string_view(*named)
         : node.outputs.empty()      ? node.name
                                     : absl::string_view();
}

constexpr size_t kSeveral = SIZE_MAX;

// Nodes by their result; kSeveral where bodies of control flow share a result's name.
using Makers = std::unordered_map<absl::string_view, size_t, absl::Hash<absl::string_view>>;
Makers MakersOf(const DiffSide& side) {
  Makers makers;
  for (size_t n = 0; n < side.nodes.size(); ++n) {
    const auto [at, fresh] = makers.emplace(ResultOf(side.nodes[n]), n);
    if (!fresh) at->second = kSeveral;
  }
  return makers;
}

bool Reads(const DiffNode& node, size_t other) {
  return std::any_of(node.inputs.begin(), node.inputs.end(),
                     [&](const DiffEdge& edge) { return edge.node == static_cast<int64_t>(other); });
}

// Whether a neighbour of `chosen` on the other side has the operator and result name of `node`.
bool HasNamesake(const DiffNode& node, const DiffSide& other, const Makers& makers, size_t chosen) {
  const auto found = makers.find(ResultOf(node));
  if (found == makers.end() || found->first.empty() || found->second == kSeveral || found->second == chosen)
    return false;
  const DiffNode& namesake = other.nodes[found->second];
  return namesake.op == node.op && (Reads(namesake, chosen) || Reads(other.nodes[chosen], found->second));
}

// A key that orders the two sides whichever is called a.
uint64_t SideKey(const DiffSide& side) {
  uint64_t hash = Mix(1, side.from_report);
  for (const DiffNode& node : side.nodes) hash = HashText(Mix(hash, OwnHash(node, Detail::kYes)), node.name);
  return hash;
}

class Matcher {
 public:
  Matcher(const DiffSide& a, const DiffSide& b)
      : a_(a), b_(b), uses_a_(UsesOf(a)), uses_b_(UsesOf(b)), makers_a_(MakersOf(a)), makers_b_(MakersOf(b)) {
    match_.b_of_a.assign(a.nodes.size(), -1);
    match_.a_of_b.assign(b.nodes.size(), -1);
  }

  NodeMatch Run() {
    ByStructure(Detail::kYes);
    Spread(Same::kDetails);
    ByStructure(Detail::kNo);
    const auto output = [](const DiffNode& node) { return std::string(ResultOf(node)); };
    Pair(NameKeys(a_, output), NameKeys(b_, output), Twins::kNo);
    const auto name = [](const DiffNode& node) { return node.name; };
    Pair(NameKeys(a_, name), NameKeys(b_, name), Twins::kNo);
    Spread(Same::kOperator);
    Align();
    Spread(Same::kOperator);
    Between();
    return std::move(match_);
  }

 private:
  // Whether equally many nodes of a key on both sides are paired in order, or only single ones.
  enum class Twins : bool { kNo, kInOrder };
  enum class Same : uint8_t { kDetails, kOperator };

  bool IsFree(size_t a, size_t b) const { return match_.b_of_a[a] < 0 && match_.a_of_b[b] < 0; }

  // Structure cannot tell which of two like operators in a row was inserted; names can.
  bool IsBesideNamesake(size_t a, size_t b) const {
    return ResultOf(a_.nodes[a]) != ResultOf(b_.nodes[b]) &&
           (HasNamesake(a_.nodes[a], b_, makers_b_, b) || HasNamesake(b_.nodes[b], a_, makers_a_, a));
  }

  void Take(size_t a, size_t b) {
    match_.b_of_a[a] = static_cast<int64_t>(b);
    match_.a_of_b[b] = static_cast<int64_t>(a);
  }

  void ByStructure(Detail detail) {
    // Reports and models share no details.
    if (detail == Detail::kYes && a_.from_report != b_.from_report) return;
    const Keys forward_a = ForwardKeys(a_, detail), forward_b = ForwardKeys(b_, detail);
    const Keys backward_a = BackwardKeys(a_, uses_a_, detail), backward_b = BackwardKeys(b_, uses_b_, detail);
    Pair(Joined(forward_a, backward_a), Joined(forward_b, backward_b), Twins::kInOrder);
    Pair(forward_a, forward_b, Twins::kNo);
    Pair(backward_a, backward_b, Twins::kNo);
  }

  struct Class {
    std::vector<size_t> a, b;
  };

  // Pairs free nodes whose key occurs once on each side; equally many twins in the order of their names, then ids.
  void Pair(const Keys& keys_a, const Keys& keys_b, Twins twins) {
    std::unordered_map<uint64_t, Class> classes;
    for (size_t i = 0; i < keys_a.size(); ++i) {
      if (match_.b_of_a[i] < 0 && keys_a[i] != kNoKey) classes[keys_a[i]].a.push_back(i);
    }
    for (size_t i = 0; i < keys_b.size(); ++i) {
      if (match_.a_of_b[i] >= 0) continue;
      const auto known = classes.find(keys_b[i]);
      if (known != classes.end()) known->second.b.push_back(i);
    }
    for (auto& [key, found] : classes) {
      if (found.a.size() != found.b.size()) continue;
      if (found.a.size() > 1) {
        if (twins == Twins::kNo) continue;
        PairTwins(&found);
      }
      for (size_t i = 0; i < found.a.size(); ++i) {
        const bool is_sure = twins == Twins::kInOrder || !IsBesideNamesake(found.a[i], found.b[i]);
        if (is_sure && IsFree(found.a[i], found.b[i])) Take(found.a[i], found.b[i]);
      }
    }
  }

  // Orders both sides alike: by name if they have the same names, else as they stand.
  void PairTwins(Class* found) const {
    std::vector<size_t> a = found->a, b = found->b;
    std::stable_sort(a.begin(), a.end(), [&](size_t x, size_t y) { return a_.nodes[x].name < a_.nodes[y].name; });
    std::stable_sort(b.begin(), b.end(), [&](size_t x, size_t y) { return b_.nodes[x].name < b_.nodes[y].name; });
    for (size_t i = 0; i < a.size(); ++i) {
      if (a_.nodes[a[i]].name != b_.nodes[b[i]].name) return;
    }
    found->a = std::move(a);
    found->b = std::move(b);
  }

  bool Fits(size_t a, size_t b, Same same) const {
    const DiffNode& x = a_.nodes[a];
    const DiffNode& y = b_.nodes[b];
    return IsFree(a, b) && x.op == y.op && (same == Same::kOperator || x.details == y.details) &&
           !IsBesideNamesake(a, b);
  }

  // Spreads from pairs to their inputs and readers until it finds no more. Among several that fit, it takes only one
  // that is unique on its side.
  void Spread(Same same) {
    std::vector<size_t> work;
    for (size_t i = 0; i < a_.nodes.size(); ++i) {
      if (match_.b_of_a[i] >= 0) work.push_back(i);
    }
    while (!work.empty()) {
      const size_t a = work.back();
      work.pop_back();
      const auto b = static_cast<size_t>(match_.b_of_a[a]);
      SpreadToInputs(a, b, same, &work);
      SpreadToUses(a, b, same, &work);
    }
  }

  void SpreadToInputs(size_t a, size_t b, Same same, std::vector<size_t>* work) {
    const std::vector<DiffEdge>& x = a_.nodes[a].inputs;
    const std::vector<DiffEdge>& y = b_.nodes[b].inputs;
    for (size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
      if (x[i].node < 0 || y[i].node < 0 || x[i].output != y[i].output) continue;
      TakeIf(static_cast<size_t>(x[i].node), static_cast<size_t>(y[i].node), same, work);
    }
  }

  void TakeIf(size_t a, size_t b, Same same, std::vector<size_t>* work) {
    if (!Fits(a, b, same)) return;
    Take(a, b);
    work->push_back(a);
  }

  // A key of a free use: operator, place and details distinguish it.
  uint64_t UseKey(const DiffSide& side, const DiffUse& use, Same same) const {
    const Detail detail = same == Same::kDetails ? Detail::kYes : Detail::kNo;
    return Mix(Mix(OwnHash(side.nodes[static_cast<size_t>(use.node)], detail), use.output), use.input);
  }

  void SpreadToUses(size_t a, size_t b, Same same, std::vector<size_t>* work) {
    if (uses_a_[a].empty() || uses_b_[b].empty()) return;
    std::unordered_map<uint64_t, Class> classes;
    for (const DiffUse& use : uses_a_[a]) {
      if (match_.b_of_a[static_cast<size_t>(use.node)] < 0)
        classes[UseKey(a_, use, same)].a.push_back(static_cast<size_t>(use.node));
    }
    if (classes.empty()) return;
    for (const DiffUse& use : uses_b_[b]) {
      if (match_.a_of_b[static_cast<size_t>(use.node)] < 0)
        classes[UseKey(b_, use, same)].b.push_back(static_cast<size_t>(use.node));
    }
    for (const auto& [key, found] : classes) {
      if (found.a.size() == 1 && found.b.size() == 1) TakeIf(found.a[0], found.b[0], same, work);
    }
  }

  // A key for the order of the rest: operator and result, or in a report what it computes.
  uint64_t PlaceKey(const DiffNode& node) const {
    uint64_t hash = HashText(1, node.op);
    const bool both = a_.from_report == b_.from_report;
    for (const auto& [key, text] : node.details) {
      if (both && (key == "output 0" || key == "macs")) hash = HashText(hash, text);
    }
    return hash;
  }

  // Pairs free nodes along the longest common order of both sides.
  void Align() {
    std::vector<size_t> a, b;
    for (size_t i = 0; i < a_.nodes.size(); ++i) {
      if (match_.b_of_a[i] < 0) a.push_back(i);
    }
    for (size_t i = 0; i < b_.nodes.size(); ++i) {
      if (match_.a_of_b[i] < 0) b.push_back(i);
    }
    Keys keys_a, keys_b;
    for (const size_t i : a) keys_a.push_back(PlaceKey(a_.nodes[i]));
    for (const size_t i : b) keys_b.push_back(PlaceKey(b_.nodes[i]));
    for (const auto& [i, j] : CommonOrder(keys_a, keys_b)) Take(a[i], b[j]);
  }

  // The pair of the producer of a node's first computed input; -1 when it has none.
  int64_t ReadsPairOf(const DiffNode& node, const std::vector<int64_t>* pairs) const {
    for (const DiffEdge& edge : node.inputs) {
      if (edge.node < 0) continue;
      return pairs != nullptr ? (*pairs)[static_cast<size_t>(edge.node)] : edge.node;
    }
    return -2;  // nothing computed
  }

  // Pairs nodes of different operators with the same inputs and readers, if there is only one on each side.
  void Between() {
    for (size_t a = 0; a < a_.nodes.size(); ++a) {
      if (match_.b_of_a[a] >= 0 || uses_a_[a].empty()) continue;
      const DiffUse& use = uses_a_[a][0];
      const int64_t reader = match_.b_of_a[static_cast<size_t>(use.node)];
      if (reader < 0) continue;
      const std::vector<DiffEdge>& inputs = b_.nodes[static_cast<size_t>(reader)].inputs;
      if (use.input >= inputs.size() || inputs[use.input].node < 0) continue;
      const auto b = static_cast<size_t>(inputs[use.input].node);
      if (!IsFree(a, b)) continue;
      if (ReadsPairOf(a_.nodes[a], &match_.b_of_a) == ReadsPairOf(b_.nodes[b], nullptr)) Take(a, b);
    }
    // The producer of a model output has no reader.
    for (size_t a = 0; a < a_.nodes.size(); ++a) {
      if (match_.b_of_a[a] >= 0 || !a_.nodes[a].makes_output || !uses_a_[a].empty()) continue;
      std::vector<size_t> others;
      for (size_t b = 0; b < b_.nodes.size(); ++b) {
        const bool may_be = match_.a_of_b[b] < 0 && b_.nodes[b].makes_output && uses_b_[b].empty();
        if (may_be && ReadsPairOf(a_.nodes[a], &match_.b_of_a) == ReadsPairOf(b_.nodes[b], nullptr))
          others.push_back(b);
      }
      if (others.size() == 1) Take(a, others[0]);
    }
  }

  const DiffSide& a_;
  const DiffSide& b_;
  const std::vector<std::vector<DiffUse>> uses_a_, uses_b_;
  const Makers makers_a_, makers_b_;
  NodeMatch match_;
};

}  // namespace

NodeMatch MatchNodes(const DiffSide& a, const DiffSide& b) {
  if (SideKey(a) <= SideKey(b)) return Matcher(a, b).Run();
  NodeMatch match = Matcher(b, a).Run();
  std::swap(match.b_of_a, match.a_of_b);
  return match;
}

}  // namespace hwest
