#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/builder_impl.h"
#include "ir/order.h"

namespace hwest {
namespace {

// Libraries of operator helpers: their functions spell one operator each and are no modules of the source program.
bool IsOperatorLibrary(absl::string_view domain) { return absl::StartsWith(domain, "pkg.onnxscript."); }

}  // namespace

absl::Status GraphBuilder::EmitCall(const RawNode& raw, CallableFunction& function, Frame& frame) {
  const RawFunction& callee = *function.raw;
  if (function.active || frame.call_depth + 1 > options_.limits.max_call_depth) {
    return MakeError(
        Code::kModelRefused,
        absl::StrCat("function '", text(callee.name), "' ", function.active ? "calls itself" : "is nested too deeply"),
        "export the model again without recursive functions");
  }
  HWEST_RETURN_IF_ERROR(Spend(1 + static_cast<int64_t>(raw.inputs.size() + raw.outputs.size() + raw.attributes.size()),
                              static_cast<int64_t>(frame.prefix.size() * (1 + raw.outputs.size()))));
  function.active = true;
  if (!function.order.has_value()) {
    HWEST_ASSIGN_OR_RETURN(function.order, TopologicalOrder(callee.nodes, strings()));
  }
  Frame call;
  call.graph = frame.graph;
  call.opsets = &OpsetsOf(function);
  const std::string label = Describe(raw);
  call.prefix = frame.prefix.empty() ? label : absl::StrCat(frame.prefix, "/", label);
  call.body_depth = frame.body_depth;
  call.call_depth = frame.call_depth + 1;
  call.in_function = true;
  call.source_line = Absent(raw.metadata.source_line) ? frame.source_line : raw.metadata.source_line;
  const ScopeId caller = ScopeOf(raw, frame);
  call.scope = IsOperatorLibrary(text(callee.domain)) ? caller : scopes_.AddCall(caller, label, text(callee.name));

  HWEST_RETURN_IF_ERROR(BindCallInputs(raw, callee, frame, call));
  // Values the caller knows by name keep that name: outputs are defined before the body names them.
  for (size_t i = 0; i < callee.outputs.size() && i < raw.outputs.size(); ++i) {
    if (Absent(raw.outputs[i]) || call.names.contains(callee.outputs[i])) continue;
    call.names[callee.outputs[i]] = Define(raw.outputs[i], frame);
  }
  HWEST_RETURN_IF_ERROR(EmitNodes(callee.nodes, *function.order, call));
  HWEST_RETURN_IF_ERROR(BindCallOutputs(raw, callee, frame, call));
  function.active = false;
  return absl::OkStatus();
}

absl::Status GraphBuilder::BindCallInputs(const RawNode& raw, const RawFunction& callee, Frame& frame, Frame& call) {
  HWEST_ASSIGN_OR_RETURN(const std::vector<ValueId> inputs, ResolveInputs(raw, frame));
  for (size_t i = 0; i < callee.inputs.size(); ++i) {
    call.names[callee.inputs[i]] = i < inputs.size() ? inputs[i] : ValueId();
  }
  for (const RawAttribute& attribute : callee.default_attributes) call.arguments[attribute.name] = &attribute;
  for (const RawAttribute& attribute : raw.attributes) {
    const RawAttribute* source = &attribute;
    if (!Absent(attribute.ref)) {
      const auto outer = frame.arguments.find(attribute.ref);
      if (outer == frame.arguments.end()) continue;
      source = outer->second;
    }
    call.arguments[attribute.name] = source;
  }
  return absl::OkStatus();
}

// An output that no node of the body produced is one of its inputs, or listed twice: the call's name becomes an
// Identity of it.
absl::Status GraphBuilder::BindCallOutputs(const RawNode& raw, const RawFunction& callee, Frame& frame, Frame& call) {
  for (size_t i = 0; i < callee.outputs.size() && i < raw.outputs.size(); ++i) {
    if (Absent(raw.outputs[i])) continue;
    const auto mine = frame.names.find(raw.outputs[i]);
    const ValueId inner = Lookup(callee.outputs[i], call);
    if (!inner.valid()) {
      return MakeError(Code::kModelRefused,
                       absl::StrCat("output '", text(callee.outputs[i]), "' of function '", text(callee.name),
                                    "' is produced by no node"),
                       "export the model again");
    }
    if (mine != frame.names.end() && mine->second == inner) continue;
    RawNode identity;
    identity.domain = strings().Intern("");
    identity.op = strings().Intern("Identity");
    identity.name = raw.outputs[i];
    const ValueId output = mine != frame.names.end() ? mine->second : Define(raw.outputs[i], frame);
    HWEST_RETURN_IF_ERROR(CheckWritable(output, raw.outputs[i], Describe(raw)));
    AddNode(identity, call, {inner}, {output}, {});
  }
  return absl::OkStatus();
}

CallableFunction* GraphBuilder::FindFunction(const RawNode& raw) {
  if (functions_.empty()) return nullptr;
  const StrId domain = strings().Intern(CanonicalDomain(text(raw.domain)));
  const auto found = functions_.find({domain, {raw.op, strings().Intern(text(raw.overload))}});
  if (found == functions_.end()) return nullptr;
  const bool native = options_.role_of != nullptr && options_.role_of(text(domain), text(raw.op)).is_native;
  return native ? nullptr : &found->second;
}

const OpsetMap& GraphBuilder::OpsetsOf(CallableFunction& function) {
  if (function.opsets.empty()) {
    function.opsets = MakeOpsetMap(function.raw->opsets, strings());
    // A domain the function does not import itself applies as the model imports it.
    for (const auto& [domain, version] : opsets_) function.opsets.try_emplace(domain, version);
  }
  return function.opsets;
}

}  // namespace hwest
