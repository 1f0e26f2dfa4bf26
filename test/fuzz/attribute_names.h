// Attributes of the standard operators and of the contributed ones, with the kind each has.
#pragma once

#include "absl/strings/string_view.h"
#include "hwest/graph.h"

namespace hwest::test {

struct AttributeName {
  absl::string_view name;
  AttrKind kind;
};

// Findings are kept as models, so the order may change.
// clang-format off
inline constexpr AttributeName kAttributeNames[] = {
    {"K", AttrKind::kInt}, {"N", AttrKind::kInt}, {"accuracy_level", AttrKind::kInt},
    {"activation", AttrKind::kString}, {"activation_alpha", AttrKind::kFloats}, {"activation_beta", AttrKind::kFloats},
    {"activation_params", AttrKind::kFloats}, {"activations", AttrKind::kStrings},
    {"aggregate_function", AttrKind::kInt}, {"align_corners", AttrKind::kInt}, {"allowzero", AttrKind::kInt},
    {"alpha", AttrKind::kFloat}, {"antialias", AttrKind::kInt}, {"approximate", AttrKind::kString},
    {"auto_pad", AttrKind::kString}, {"axes", AttrKind::kInts}, {"axis", AttrKind::kInt},
    {"batch_axis", AttrKind::kInt}, {"batch_dims", AttrKind::kInt}, {"beta", AttrKind::kFloat},
    {"bias", AttrKind::kFloat}, {"bits", AttrKind::kInt}, {"block_size", AttrKind::kInt},
    {"blocksize", AttrKind::kInt}, {"body", AttrKind::kGraph}, {"broadcast", AttrKind::kInt},
    {"case_change_action", AttrKind::kString}, {"cast_to", AttrKind::kString}, {"causal", AttrKind::kInt},
    {"ceil_mode", AttrKind::kInt}, {"center_point_box", AttrKind::kInt}, {"channels", AttrKind::kInt},
    {"channels_last", AttrKind::kInt}, {"chunk_size", AttrKind::kInt}, {"classes_strings", AttrKind::kStrings},
    {"classlabels_int64s", AttrKind::kInts}, {"classlabels_ints", AttrKind::kInts},
    {"classlabels_strings", AttrKind::kStrings}, {"clip", AttrKind::kFloat}, {"coefficients", AttrKind::kFloats},
    {"consumed_inputs", AttrKind::kInts}, {"coordinate_transformation_mode", AttrKind::kString},
    {"count_include_pad", AttrKind::kInt}, {"cubic_coeff_a", AttrKind::kFloat}, {"default_float", AttrKind::kFloat},
    {"default_int64", AttrKind::kInt}, {"default_string", AttrKind::kString}, {"default_tensor", AttrKind::kTensor},
    {"delimiter", AttrKind::kString}, {"detect_negative", AttrKind::kInt}, {"detect_positive", AttrKind::kInt},
    {"dilations", AttrKind::kInts}, {"direction", AttrKind::kString}, {"directions", AttrKind::kInts},
    {"do_rotary", AttrKind::kInt}, {"do_softmax", AttrKind::kInt}, {"dtype", AttrKind::kInt},
    {"else_branch", AttrKind::kGraph}, {"end", AttrKind::kInt}, {"ends", AttrKind::kInts},
    {"epsilon", AttrKind::kFloat}, {"equation", AttrKind::kString}, {"exclude_outside", AttrKind::kInt},
    {"exclusive", AttrKind::kInt}, {"expert_weight_bits", AttrKind::kInt}, {"extrapolation_value", AttrKind::kFloat},
    {"fmod", AttrKind::kInt}, {"gamma", AttrKind::kFloat}, {"gather_axis", AttrKind::kInt}, {"group", AttrKind::kInt},
    {"groups", AttrKind::kInt}, {"height_scale", AttrKind::kFloat}, {"hidden_size", AttrKind::kInt},
    {"high", AttrKind::kFloat}, {"ignore_index", AttrKind::kInt}, {"imputed_value_floats", AttrKind::kFloats},
    {"imputed_value_int64s", AttrKind::kInts}, {"input_forget", AttrKind::kInt}, {"inputdimensions", AttrKind::kInts},
    {"int64_vocabulary", AttrKind::kInts}, {"intercepts", AttrKind::kFloats}, {"interleaved", AttrKind::kInt},
    {"inverse", AttrKind::kInt}, {"is_case_sensitive", AttrKind::kInt}, {"is_causal", AttrKind::kInt},
    {"is_test", AttrKind::kInt}, {"k", AttrKind::kInt}, {"k_quant_type", AttrKind::kString},
    {"keep_aspect_ratio_policy", AttrKind::kString}, {"keepdims", AttrKind::kInt},
    {"kernel_params", AttrKind::kFloats}, {"kernel_shape", AttrKind::kInts}, {"kernel_type", AttrKind::kString},
    {"kv_cache_bit_width", AttrKind::kInt}, {"kv_num_heads", AttrKind::kInt}, {"lambd", AttrKind::kFloat},
    {"largest", AttrKind::kInt}, {"layout", AttrKind::kInt}, {"left_window_size", AttrKind::kInt},
    {"linear_before_reset", AttrKind::kInt}, {"local_window_size", AttrKind::kInt}, {"locale", AttrKind::kString},
    {"low", AttrKind::kFloat}, {"map_form", AttrKind::kString}, {"mask_filter_value", AttrKind::kFloat},
    {"max", AttrKind::kFloat}, {"max_gram_length", AttrKind::kInt}, {"max_map", AttrKind::kInt},
    {"max_skip_count", AttrKind::kInt}, {"maxsplit", AttrKind::kInt}, {"mean", AttrKind::kFloat},
    {"membership_values", AttrKind::kTensor}, {"min", AttrKind::kFloat}, {"min_gram_length", AttrKind::kInt},
    {"mode", AttrKind::kString}, {"momentum", AttrKind::kFloat}, {"multi_class", AttrKind::kInt},
    {"n_supports", AttrKind::kInt}, {"n_targets", AttrKind::kInt}, {"nearest_mode", AttrKind::kString},
    {"new_axis", AttrKind::kInt}, {"ngram_counts", AttrKind::kInts}, {"ngram_indexes", AttrKind::kInts},
    {"noop_with_empty_axes", AttrKind::kInt}, {"norm", AttrKind::kString}, {"num_groups", AttrKind::kInt},
    {"num_heads", AttrKind::kInt}, {"num_outputs", AttrKind::kInt}, {"num_scan_inputs", AttrKind::kInt},
    {"offset", AttrKind::kFloats}, {"offset_group", AttrKind::kInt}, {"one_class", AttrKind::kInt},
    {"onesided", AttrKind::kInt}, {"operator", AttrKind::kString}, {"output_datatype", AttrKind::kInt},
    {"output_dtype", AttrKind::kInt}, {"output_height", AttrKind::kInt}, {"output_padding", AttrKind::kInts},
    {"output_sequence", AttrKind::kInt}, {"output_shape", AttrKind::kInts}, {"output_width", AttrKind::kInt},
    {"p", AttrKind::kFloat}, {"padding_mode", AttrKind::kString}, {"paddings", AttrKind::kInts},
    {"pads", AttrKind::kInts}, {"past_present_share_buffer", AttrKind::kInt}, {"pattern", AttrKind::kString},
    {"periodic", AttrKind::kInt}, {"perm", AttrKind::kInts}, {"pixel_format", AttrKind::kString},
    {"pool_int64s", AttrKind::kInts}, {"pool_strings", AttrKind::kStrings}, {"pooled_shape", AttrKind::kInts},
    {"post_transform", AttrKind::kInt}, {"precision", AttrKind::kInt}, {"prob_a", AttrKind::kFloats},
    {"prob_b", AttrKind::kFloats}, {"prob_mod", AttrKind::kGraph}, {"q_num_heads", AttrKind::kInt},
    {"qk_matmul_output_mode", AttrKind::kInt}, {"qkv_hidden_sizes", AttrKind::kInts},
    {"quantize_axis", AttrKind::kInt}, {"ratio", AttrKind::kFloat}, {"reduction", AttrKind::kString},
    {"replaced_value_float", AttrKind::kFloat}, {"replaced_value_int64", AttrKind::kInt}, {"reverse", AttrKind::kInt},
    {"rho", AttrKind::kFloats}, {"right_window_size", AttrKind::kInt}, {"rotary_embedding_dim", AttrKind::kInt},
    {"rotary_interleaved", AttrKind::kInt}, {"round_mode", AttrKind::kString}, {"sample_size", AttrKind::kInt},
    {"sampling_ratio", AttrKind::kInt}, {"saturate", AttrKind::kInt}, {"scale", AttrKind::kFloat},
    {"scales", AttrKind::kFloats}, {"scan_input_axes", AttrKind::kInts}, {"scan_input_directions", AttrKind::kInts},
    {"scan_output_axes", AttrKind::kInts}, {"scan_output_directions", AttrKind::kInts},
    {"score_mod", AttrKind::kGraph}, {"seed", AttrKind::kFloat}, {"select_last_index", AttrKind::kInt},
    {"shape", AttrKind::kInts}, {"size", AttrKind::kInt}, {"smooth_softmax", AttrKind::kInt},
    {"softcap", AttrKind::kFloat}, {"softmax_precision", AttrKind::kInt}, {"sorted", AttrKind::kInt},
    {"sparse_value", AttrKind::kSparseTensor}, {"spatial", AttrKind::kInt}, {"spatial_scale", AttrKind::kFloat},
    {"split", AttrKind::kInts}, {"start", AttrKind::kInt}, {"starts", AttrKind::kInts}, {"stash_type", AttrKind::kInt},
    {"stopwords", AttrKind::kStrings}, {"storage_order", AttrKind::kInt}, {"strides", AttrKind::kInts},
    {"string_vocabulary", AttrKind::kStrings}, {"support_vectors", AttrKind::kFloats}, {"targets", AttrKind::kInt},
    {"then_branch", AttrKind::kGraph}, {"threshold", AttrKind::kFloat}, {"time_axis", AttrKind::kInt},
    {"to", AttrKind::kInt}, {"training_mode", AttrKind::kInt}, {"transA", AttrKind::kInt}, {"transB", AttrKind::kInt},
    {"transBatchA", AttrKind::kInt}, {"transBatchB", AttrKind::kInt}, {"tree_roots", AttrKind::kInts},
    {"type", AttrKind::kType}, {"unidirectional", AttrKind::kInt}, {"update_rule", AttrKind::kString},
    {"upper", AttrKind::kInt}, {"value", AttrKind::kTensor}, {"value_float", AttrKind::kFloat},
    {"value_floats", AttrKind::kFloats}, {"value_int", AttrKind::kInt}, {"value_ints", AttrKind::kInts},
    {"value_string", AttrKind::kString}, {"value_strings", AttrKind::kStrings}, {"vectors_per_class", AttrKind::kInts},
    {"weights", AttrKind::kFloats}, {"width_scale", AttrKind::kFloat}, {"zeros", AttrKind::kInt},
};
// clang-format on

}  // namespace hwest::test
