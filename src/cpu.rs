//! Whether this processor has what the program was built for.

use raw_cpuid::CpuId;

use crate::failure::Failure;

/// Refuses to go on where an instruction that the compiler may have used is not there.
///
/// `is_x86_feature_detected!` would not do: for a feature that is built in, it says yes without looking.
#[inline(never)]
pub fn check() -> Result<(), Failure> {
    let cpu = CpuId::new();
    let basic = cpu.get_feature_info();
    let extended = cpu.get_extended_feature_info();
    let amd = cpu.get_extended_processor_and_feature_identifiers();
    let (basic, extended, amd) = (basic.as_ref(), extended.as_ref(), amd.as_ref());
    let features = [
        ("popcnt", cfg!(target_feature = "popcnt"), basic.is_some_and(|cpu| cpu.has_popcnt())),
        ("sse4.2", cfg!(target_feature = "sse4.2"), basic.is_some_and(|cpu| cpu.has_sse42())),
        ("avx", cfg!(target_feature = "avx"), basic.is_some_and(|cpu| cpu.has_avx() && cpu.has_oxsave())),
        ("fma", cfg!(target_feature = "fma"), basic.is_some_and(|cpu| cpu.has_fma())),
        ("movbe", cfg!(target_feature = "movbe"), basic.is_some_and(|cpu| cpu.has_movbe())),
        ("f16c", cfg!(target_feature = "f16c"), basic.is_some_and(|cpu| cpu.has_f16c())),
        ("avx2", cfg!(target_feature = "avx2"), extended.is_some_and(|cpu| cpu.has_avx2())),
        ("bmi1", cfg!(target_feature = "bmi1"), extended.is_some_and(|cpu| cpu.has_bmi1())),
        ("bmi2", cfg!(target_feature = "bmi2"), extended.is_some_and(|cpu| cpu.has_bmi2())),
        ("lzcnt", cfg!(target_feature = "lzcnt"), amd.is_some_and(|cpu| cpu.has_lzcnt())),
    ];
    refuse(&features)
}

/// Of each feature: whether it is built in, and whether it is there.
fn refuse(features: &[(&str, bool, bool)]) -> Result<(), Failure> {
    let missing: Vec<&str> =
        features.iter().filter(|(_, built_in, there)| *built_in && !there).map(|(name, ..)| *name).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Failure::Other(format!(
        "this backrank was built for newer processors, and this one has no {}; `RUSTFLAGS=\"\" cargo build --release` \
         makes one for any",
        missing.join(", ")
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_built_in_is_missed() {
        assert!(refuse(&[("avx", false, false), ("bmi1", true, true)]).is_ok());
        let Err(Failure::Other(says)) =
            refuse(&[("avx2", true, false), ("bmi1", true, true), ("fma", true, false)])
        else {
            panic!("it has to be refused");
        };
        assert!(says.contains("has no avx2, fma;"), "{says}");
    }

    #[test]
    fn what_these_tests_run_on_will_do() {
        assert!(check().is_ok());
    }
}
