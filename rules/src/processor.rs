//! Whether this processor has the instruction sets for which the program was built.

use core::arch::x86_64::__cpuid_count;

/// The first instruction set that the compiler may have used and this processor does not have, such as `avx2`. A program
/// asks before it does anything else: any other function may contain such an instruction.
///
/// `is_x86_feature_detected!` cannot tell: if a feature is enabled in the build, it is true without a look at the processor.
/// A crate that reads `cpuid` into structures cannot either, because copying them may take the instructions that are missing.
/// The bits are those of the manual of Intel's processors, volume 2A, CPUID.
///
/// ```
/// assert_eq!(backrank_rules::missing_instructions(), None);
/// ```
#[inline(never)]
pub fn missing_instructions() -> Option<&'static str> {
    const EXTENDED: u32 = 0x8000_0000;
    macro_rules! need {
        ($($feature:literal: $leaf:expr, $register:ident, $bit:literal;)*) => {
            $(
                let first = $leaf & EXTENDED;
                let supported = __cpuid_count(first, 0).eax >= $leaf;
                if cfg!(target_feature = $feature) && !(supported && __cpuid_count($leaf, 0).$register >> $bit & 1 == 1) {
                    return Some($feature);
                }
            )*
        };
    }
    need! {
        "popcnt": 1, ecx, 23;
        "sse4.2": 1, ecx, 20;
        "avx": 1, ecx, 28;
        // The operating system keeps the registers of AVX.
        "avx": 1, ecx, 27;
        "fma": 1, ecx, 12;
        "movbe": 1, ecx, 22;
        "f16c": 1, ecx, 29;
        "avx2": 7, ebx, 5;
        "bmi1": 7, ebx, 3;
        "bmi2": 7, ebx, 8;
        "lzcnt": 0x8000_0001, ecx, 5;
    }
    None
}
