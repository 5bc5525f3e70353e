//! Whether this processor has the instruction sets for which the program was built.

use raw_cpuid::CpuId;

/// The first instruction set that the compiler may have used and this processor does not have, such as `avx2`. A program
/// asks before it does anything else: any other function may contain such an instruction.
///
/// `is_x86_feature_detected!` cannot tell: if a feature is enabled in the build, it is true without a look at the processor.
///
/// ```
/// assert_eq!(backrank_rules::missing_instructions(), None);
/// ```
#[inline(never)]
pub fn missing_instructions() -> Option<&'static str> {
    let cpu = CpuId::new();
    macro_rules! need {
        ($feature:literal, $leaf:ident, $has:ident) => {
            if cfg!(target_feature = $feature) && !cpu.$leaf().is_some_and(|leaf| leaf.$has()) {
                return Some($feature);
            }
        };
    }
    need!("popcnt", get_feature_info, has_popcnt);
    need!("sse4.2", get_feature_info, has_sse42);
    need!("avx", get_feature_info, has_avx);
    need!("avx", get_feature_info, has_oxsave);
    need!("fma", get_feature_info, has_fma);
    need!("movbe", get_feature_info, has_movbe);
    need!("f16c", get_feature_info, has_f16c);
    need!("avx2", get_extended_feature_info, has_avx2);
    need!("bmi1", get_extended_feature_info, has_bmi1);
    need!("bmi2", get_extended_feature_info, has_bmi2);
    need!("lzcnt", get_extended_processor_and_feature_identifiers, has_lzcnt);
    None
}
