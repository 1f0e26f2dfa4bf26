// Variables of a file, which operators read and assign through handles.
#include <algorithm>
#include <numeric>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "import/tflite_file.h"

namespace hwest {
namespace {

enum { kCallOnce = 129, kVarHandle = 142, kReadVariable = 143, kAssignVariable = 144 };
enum { kContainer = 0, kSharedName = 1 };  // slots of VarHandleOptions

class Variables {
 public:
  Variables(FlatBuffer& flat, TfliteFile* file) : flat_(flat), file_(*file), stands_for_(file->tensors.size()) {
    std::iota(stands_for_.begin(), stands_for_.end(), int64_t{0});
  }

  void Run() {
    std::vector<TfliteOperator> kept;
    for (TfliteOperator& op : file_.operators) {
      for (int64_t& input : op.inputs) input = Now(input);
      if (!Takes(op)) kept.push_back(std::move(op));
    }
    file_.operators = std::move(kept);
    for (int64_t& output : file_.outputs) output = Now(output);
    AddStates();
  }

 private:
  int64_t Now(int64_t number) const { return number < 0 ? number : stands_for_[static_cast<size_t>(number)]; }

  // Null for a handle that comes from elsewhere.
  std::string* VariableOf(const TfliteOperator& op) {
    const auto found = op.inputs.empty() ? handles_.end() : handles_.find(op.inputs[0]);
    return found == handles_.end() ? nullptr : &found->second;
  }

  // True for an operator of variables, which is no operator of the graph then.
  bool Takes(const TfliteOperator& op) {
    const bool has_output = op.outputs.size() == 1 && op.outputs[0] >= 0;
    std::string* const variable = VariableOf(op);
    switch (op.code) {
      case kCallOnce: return op.outputs.empty();  // writes first contents
      case kVarHandle: {
        if (!has_output) return false;
        std::string name(flat_.Text(op.options, kContainer));
        absl::StrAppend(&name, "/", flat_.Text(op.options, kSharedName));
        handles_[op.outputs[0]] = std::move(name);
        return true;
      }
      case kReadVariable: {
        if (!has_output || variable == nullptr) return false;
        const auto [held, is_first] = now_.try_emplace(*variable, op.outputs[0]);
        if (is_first) file_.inputs.push_back(op.outputs[0]);
        stands_for_[static_cast<size_t>(op.outputs[0])] = held->second;
        return true;
      }
      case kAssignVariable:
        if (variable == nullptr || op.inputs.size() != 2 || op.inputs[1] < 0) return false;
        now_[*variable] = op.inputs[1];
        if (std::find(assigned_.begin(), assigned_.end(), *variable) == assigned_.end()) assigned_.push_back(*variable);
        return true;
      default: return false;
    }
  }

  // What a variable holds in the end is a result, if the graph makes it.
  void AddStates() {
    std::vector<bool> is_result(file_.tensors.size(), true);
    for (const TfliteOperator& op : file_.operators) {
      for (const int64_t output : op.outputs) {
        if (output >= 0) is_result[static_cast<size_t>(output)] = false;
      }
    }
    for (const int64_t output : file_.outputs) is_result[static_cast<size_t>(output)] = true;
    for (const std::string& variable : assigned_) {
      const int64_t held = now_[variable];
      if (is_result[static_cast<size_t>(held)]) continue;
      is_result[static_cast<size_t>(held)] = true;
      file_.outputs.push_back(held);
    }
  }

  FlatBuffer& flat_;
  TfliteFile& file_;
  std::vector<int64_t> stands_for_;                    // by tensor
  absl::flat_hash_map<int64_t, std::string> handles_;  // names of variables by the tensor of their handle
  absl::flat_hash_map<std::string, int64_t> now_;      // by name: the tensor that holds what the variable does
  std::vector<std::string> assigned_;                  // in the order of the file
};

}  // namespace

void SettleVariables(FlatBuffer& flat, TfliteFile* file) { Variables(flat, file).Run(); }

}  // namespace hwest
