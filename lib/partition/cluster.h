// Cluster: the order of blocks where an accelerator takes only some of them.
#pragma once

#include <cstdint>
#include <vector>

#include "partition/order.h"

namespace hwest {

enum class BlockKind : uint8_t {
  kNone,  // runs nowhere: views, folded nodes
  kHost,
  kAccelerator,
  kContraction,  // of an accelerator, too
};

// GlueFirst orders blocks as compilers begin with what comes before all products: tables of tokens and positions that
// the host looks up, masks made of inputs. In the order of the file, a block of the accelerator joins the first cluster
// that makes one of its inputs and that it closes no cycle with, else it begins a new one. First come the clusters and
// the blocks of the host that need no cluster with a contraction, in the order of the file, each as soon as it has what
// it needs, up to the last one of the host; then all others, in the order of the file, too. Without a block of the host
// the order is `order`, in which each block follows all it needs.
std::vector<uint32_t> GlueFirst(const BlockGraph& blocks, const std::vector<BlockKind>& kinds,
                                const std::vector<uint32_t>& order);

}  // namespace hwest
