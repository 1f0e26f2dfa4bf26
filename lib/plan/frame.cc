#include "plan/frame.h"

#include <algorithm>
#include <utility>

#include "partition/cuts.h"
#include "target/kinds.h"

namespace hwest {
namespace {

std::shared_ptr<const PlacementFrame> MakeFrame(const ModelView& model, const Target& target, const Usable& usable) {
  auto frame = std::make_shared<PlacementFrame>();
  frame->atoms = BuildAtoms(model, target, usable);
  frame->flow = MakeFlow(model, frame->atoms);
  frame->cuts = CutsOf(model, usable, frame->atoms);
  const std::vector<Atom>& atoms = frame->atoms.atoms;
  const size_t num_units = usable.units.size();
  frame->first_group.reserve(atoms.size() * num_units + 1);
  frame->first_group.push_back(0);
  for (uint32_t atom = 0; atom < atoms.size(); ++atom) {
    for (size_t unit = 0; unit < num_units; ++unit) {
      if (atoms[atom].feasible[unit]) AddGroupsOn(model, usable, frame->atoms, atom, unit, &frame->groups);
      frame->first_group.push_back(static_cast<uint32_t>(frame->groups.size()));
    }
  }
  return frame;
}

FrameKey KeyOf(const Target& target, const Overlays& overlays, const Usable& usable) {
  FrameKey key;
  for (const UnitChoice& choice : usable.units) {
    key.overlays.push_back(overlays[choice.unit]);
    key.is_cpu.push_back(IsCpu(target.units[choice.unit]));
  }
  key.use = usable.use;
  key.copies = usable.copies;
  key.width_first = usable.width_first;
  return key;
}

}  // namespace

bool FrameKey::operator==(const FrameKey& other) const {
  const auto same = [](const auto& a, const auto& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); };
  return width_first == other.width_first && overlays == other.overlays && is_cpu == other.is_cpu &&
         std::equal(use.begin(), use.end(), other.use.begin(), other.use.end(), same) &&
         std::equal(copies.begin(), copies.end(), other.copies.begin(), other.copies.end(), same);
}

std::shared_ptr<const PlacementFrame> FrameOf(const ModelView& model, const Target& target, const Overlays& overlays,
                                              const Usable& usable, FrameCache* known) {
  if (known == nullptr) return MakeFrame(model, target, usable);
  FrameKey key = KeyOf(target, overlays, usable);
  if (auto frame = known->Find([&](const FrameKey& other) { return other == key; })) return frame;
  std::shared_ptr<const PlacementFrame> frame = MakeFrame(model, target, usable);
  const size_t rows = usable.units.size() * model.graph.nodes().size();
  known->Keep(std::move(key), frame, rows);
  return frame;
}

}  // namespace hwest
