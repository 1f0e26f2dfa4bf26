// Values carried from run to run of a body: what holds in every run, and what remains after the last.
#pragma once

#include <vector>

#include "op/control/state.h"

namespace hwest {

// Counter is the number of the run that is looked at: a symbol from 0 to trips - 1, or the constant 0.
struct Counter {
  Dim iter;
  Dim trips;
};

// One value handed from run to run: what the first run gets, the body's input, the body's output.
struct Carried {
  State initial;
  ValueId in;
  ValueId out;
};

// StartCarried sets the body's inputs for the first look.
void StartCarried(InferContext& ctx, const std::vector<Carried>& values, Effort effort);
// AdvanceCarried compares what the body gives with what it was given. Sizes and numbers that change get a guess that is
// linear in the number of the run, and what no guess proves is left open. Returns false when everything holds in every
// run.
bool AdvanceCarried(InferContext& ctx, const std::vector<Carried>& values, Dim iter, int round, Effort effort);
// The value after all runs. Requires that AdvanceCarried returned false.
State FinalOf(InferContext& ctx, const Carried& value, const Counter& counter);

// What a value of the body is in every run alike: sizes that change from run to run are unknown.
Type InEveryRun(InferContext& ctx, const Type& type, Dim iter);

// True when the state depends on sizes that the bodies make anew in every run.
bool IsMadeInRun(InferContext& ctx, const State& state);

}  // namespace hwest
