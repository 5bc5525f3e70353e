//! A check that this processor has the instruction sets for which the program was built.

use std::io::Write;
use std::process::exit;

use raw_cpuid::CpuId;

/// Ends the program with a message if this processor lacks an instruction set that the compiler may have used.
///
/// `is_x86_feature_detected!` cannot be used: if a feature is enabled in the build, it returns true without checking.
#[inline(never)]
pub fn check() {
    let cpu = CpuId::new();
    macro_rules! need {
        ($feature:literal, $leaf:ident, $has:ident) => {
            if cfg!(target_feature = $feature) && !cpu.$leaf().is_some_and(|leaf| leaf.$has()) {
                refuse($feature);
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
}

/// Nothing is formatted or copied here, because the compiler might use the missing instructions for it.
#[cold]
#[inline(never)]
fn refuse(feature: &'static str) -> ! {
    say("error: this backrank was built for newer processors; this one does not have ");
    say(feature);
    say("; `RUSTFLAGS=\"\" cargo build --release` builds one for any processor\n");
    exit(1)
}

fn say(text: &'static str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_these_tests_run_on_will_do() {
        super::check();
    }
}
