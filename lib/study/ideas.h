// What --what-if tries, one function for each idea. Each adds the rows of its changes; refused ones have none.
#pragma once

#include "study/trials.h"

namespace hwest {

// Settings of the request: they need no other file.
void TryModes(Trials& trials);
void TryPrecisions(Trials& trials);  // of the whole, and of single units
void TrySparsity(Trials& trials);
void TryToolchains(Trials& trials);
void TryPlacements(Trials& trials);  // which units may work, and who divides the model between them
void TryBatches(Trials& trials);
// Integers are meant to be faster; where they are not, that is news. After TryPrecisions.
void NoteSlowerIntegers(Trials& trials);

// Files that `rewrite` writes. True = one of the rewrites stands.
bool TryRewrites(Trials& trials);
void TryOpsets(Trials& trials);
// Several settings together, with a rewrite where `has_rewrite`. After all ideas above.
void TryRecipes(Trials& trials, bool has_rewrite);

// Cuts off what stands behind the network, or before it, and what no accelerator takes.
void TryCuts(Trials& trials);

// Single layers in another format than the rest, where that alone gains.
void TryLayers(Trials& trials);

// Other networks, which are to be trained: Relu in place of a costlier activation, fewer channels.
void TryActivations(Trials& trials);
void TryWidths(Trials& trials);  // of one of the layers that take longest

// Compilers that take what falls back to the CPU now.
void TrySupport(Trials& trials);

}  // namespace hwest
