// Width first: the order of blocks where a compiler runs what is ready before what it makes ready.
#pragma once

#include <cstdint>
#include <vector>

#include "hwest/target.h"
#include "partition/order.h"
#include "partition/usable.h"

namespace hwest {

// Which of the blocks that are ready is taken: the one of the least turn, of those the one that was ready first.
enum class Turn : uint8_t {
  kFolded,     // not there at run time
  kMoved,      // what the host brings into another order
  kOne,        // one operator, a view, or what else the host runs
  kActivated,  // a product with weights and what is applied to its result
  kSummed,     // a product with weights, to which another value is added
  kWide,       // normalisations, products of two values
  kLast,       // what the toolchain names, and what reads rows that the host makes
};

// By block, its turn. `on_host` = it has kernels, and no accelerator runs it.
std::vector<Turn> TurnsOf(const ModelView& model, const BlockGraph& blocks, const IdMap<NodeId, uint32_t>& block_of,
                          const std::vector<bool>& on_host, const std::vector<std::string>& last);

// Orders the blocks so that each follows all it needs. Requires an acyclic graph.
std::vector<uint32_t> WidthFirst(const BlockGraph& blocks, const std::vector<Turn>& turns);

}  // namespace hwest
