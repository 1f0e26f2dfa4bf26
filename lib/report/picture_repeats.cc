// Equal blocks in a row, such as the layers of an encoder.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/text.h"
#include "report/picture_boxes.h"

namespace hwest {
namespace {

constexpr size_t kLongestBlock = 256;  // items
constexpr size_t kMostItems = 20000;   // searched: the time is their number times the block's
constexpr size_t kLeastBlock = 3;      // items; shorter ones are chance unless they repeat as often
constexpr size_t kLeastSaved = 4;      // boxes; less is no gain over seeing them

// A key that two items must share to be equal.
std::vector<size_t> KeysOf(const View& view, const std::vector<Item>& items) {
  std::map<std::string, size_t> numbers;
  std::vector<size_t> keys;
  for (const Item& item : items) {
    std::string text = absl::StrCat(item.unit.valid() ? item.unit.index() : UINT32_MAX, " ", item.precision);
    for (const NodeId node : item.nodes) {
      absl::StrAppend(&text, " ", view.graph->domain(node), ".", view.graph->op(node));
      for (const ValueId output : view.graph->outputs(node)) {
        if (output.valid()) absl::StrAppend(&text, " ", TypeText(view.values[output.index()]));
      }
    }
    keys.push_back(numbers.try_emplace(std::move(text), numbers.size()).first->second);
  }
  return keys;
}

class Finder {
 public:
  Finder(std::vector<size_t> keys, std::vector<std::vector<uint32_t>> sources)
      : keys_(std::move(keys)), sources_(std::move(sources)) {}

  struct Found {
    Repeat repeat;
    size_t slack = 0;  // items that it may begin later
  };

  // The repeat between two items that saves most, starting as early as possible; none when it saves too little.
  std::optional<Found> Best(size_t begin, size_t end) const {
    std::optional<Found> best;
    size_t most = kLeastSaved - 1;
    const size_t longest = std::min((end - begin) / 2, kLongestBlock);
    for (size_t period = 1; period <= longest; ++period) {
      size_t run = 0;  // items from here on that equal those a period later
      for (size_t i = end - period; i-- > begin;) {
        run = AreAlike(i, period) ? run + 1 : 0;
        const bool is_block = period >= kLeastBlock || run / period >= kLeastBlock;
        const size_t saved = is_block ? run / period * period : 0;
        const bool is_earlier = best.has_value() && saved == most && best->repeat.length == period;
        if (saved > most || is_earlier) best = Found{{i, period, saved / period + 1}, run - saved};
        most = std::max(most, saved);
      }
    }
    return best;
  }

 private:
  // Whether an item a period later is the same operator and reads from the items a period later, or from the same one.
  bool AreAlike(size_t item, size_t period) const {
    const std::vector<uint32_t>&a = sources_[item], &b = sources_[item + period];
    if (keys_[item] != keys_[item + period] || a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i) {
      if (b[i] != a[i] && b[i] != a[i] + period) return false;
    }
    return true;
  }

  std::vector<size_t> keys_;
  std::vector<std::vector<uint32_t>> sources_;
};

// The innermost module that contains the items; none = there is none.
ScopeId CommonModule(const View& view, const std::vector<Item>& items, size_t first, size_t length) {
  std::vector<ScopeId> common;
  for (size_t i = first; i < first + length; ++i) {
    std::vector<ScopeId> chain = ModulesOf(*view.graph, items[i].root);
    if (i == first) common = chain;
    const size_t size = std::min(common.size(), chain.size());
    size_t same = 0;
    while (same < size && common[same] == chain[same]) ++same;
    common.resize(same);
  }
  return common.empty() ? ScopeId() : common.back();
}

// Equal blocks in a row can be cut anywhere; the best cut makes each a module.
Repeat AtModules(const View& view, const std::vector<Item>& items, const Finder::Found& found) {
  for (size_t shift = 0; shift <= found.slack; ++shift) {
    Repeat moved = found.repeat;
    moved.first += shift;
    const ScopeId one = CommonModule(view, items, moved.first, moved.length);
    const ScopeId next = CommonModule(view, items, moved.first + moved.length, moved.length);
    if (one.valid() && next.valid() && one != next) return moved;
  }
  return found.repeat;
}

void Search(const View& view, const std::vector<Item>& items, const Finder& finder, size_t begin, size_t end,
            std::vector<Repeat>* repeats) {
  const std::optional<Finder::Found> found = finder.Best(begin, end);
  if (!found.has_value()) return;
  const Repeat best = AtModules(view, items, *found);
  Search(view, items, finder, begin, best.first, repeats);
  repeats->push_back(best);
  Search(view, items, finder, best.first + best.length * best.times, end, repeats);
}

}  // namespace

std::vector<Repeat> FindRepeats(const View& view, const std::vector<Item>& items) {
  std::vector<Repeat> repeats;
  if (items.size() > kMostItems) return repeats;
  const Finder finder(KeysOf(view, items), SourcesOf(view, items));
  Search(view, items, finder, 0, items.size(), &repeats);
  return repeats;
}

std::string NameOf(const View& view, const std::vector<Item>& items, const Repeat& repeat) {
  const ScopeId first = CommonModule(view, items, repeat.first, repeat.length);
  const ScopeId last = CommonModule(view, items, repeat.first + repeat.length * (repeat.times - 1), repeat.length);
  const std::string times = absl::StrCat(repeat.times, " x ");
  if (!first.valid() || !last.valid() || first == last) return absl::StrCat(times, "this block");
  const Graph& graph = *view.graph;
  return EscapeControl(
      absl::StrCat(times, graph.str(graph.scope(first).path), " to ", graph.str(graph.scope(last).path)));
}

}  // namespace hwest
