// Operators of a file that are a part of the convolution between them.
#include <algorithm>

#include "import/tflite_ops.h"
#include "import/tflite_translator.h"

namespace hwest {
namespace {

enum { kPadding = 0, kStrideWide = 1, kStrideHigh = 2 };  // slots of the options of both convolutions
constexpr int64_t kUnpadded = 1;

}  // namespace

const TfliteOperator* TfliteTranslator::OnlyReader(int64_t number) const {
  const auto at = static_cast<size_t>(number);
  const bool has_one = num_readers_[at] == 1 && !is_result_[at] && readers_[at]->inputs[0] == number;
  return has_one ? readers_[at] : nullptr;
}

bool TfliteTranslator::TakesWindow(int64_t number) {
  const TfliteOperator* const reader = OnlyReader(number);
  return reader != nullptr && TakesPads(reader->code) && flat_.Signed(reader->options, kPadding, 1) == kUnpadded;
}

bool TfliteTranslator::LeavePads(size_t input, size_t output, const std::vector<int64_t>& pads) {
  const int64_t number = op_->outputs[output];
  const bool is_left = out(output).is_quantised() && Has(input) && op_->inputs[input] != number && TakesWindow(number);
  if (is_left) left_out_[number] = {op_->inputs[input], {pads, {}}};
  return is_left;
}

bool TfliteTranslator::LeaveSteps(const std::vector<int64_t>& steps, const std::vector<int64_t>& pads) {
  const int64_t number = op_->outputs[0];
  if (op_->inputs[0] == number || !TakesWindow(number)) return false;
  const TfliteOperator& conv = *OnlyReader(number);
  for (const int slot : {kStrideWide, kStrideHigh}) {
    if (flat_.Signed(conv.options, slot, 4, 1) != 1) return false;
  }
  if (conv.outputs.size() != 1 || conv.outputs[0] < 0 || conv.outputs[0] == number) return false;
  const TfliteOperator* const undone = OnlyReader(conv.outputs[0]);
  const bool fits = undone != nullptr && EndsBlocks(undone->code) && undone->inputs.size() == 3 &&
                    undone->outputs.size() == 1 && undone->outputs[0] >= 0 && undone->inputs[1] >= 0 &&
                    undone->inputs[2] >= 0;
  if (!fits || ValuesOf(undone->inputs[1]) != steps) return false;
  const auto crops = ValuesOf(undone->inputs[2]);
  if (!crops.has_value() || crops->size() != pads.size()) return false;
  std::vector<int64_t> left(pads.size());  // in front of the axes, then behind them
  for (size_t i = 0; i < pads.size(); ++i) {
    left[i / 2 + i % 2 * steps.size()] = pads[i] - (*crops)[i];
    if ((*crops)[i] < 0 || (*crops)[i] > pads[i]) return false;
  }
  left_out_[number] = {op_->inputs[0], {left, steps}};
  made_by_[conv.outputs[0]] = undone->outputs[0];
  return true;
}

const AddedWindow* TfliteTranslator::AddedTo(size_t input) const {
  const auto found = Has(input) ? left_out_.find(op_->inputs[input]) : left_out_.end();
  return found == left_out_.end() ? nullptr : &found->second.added;
}

int64_t TfliteTranslator::MadeBy(int64_t number) const {
  const auto found = made_by_.find(number);
  return found == made_by_.end() ? number : found->second;
}

}  // namespace hwest
