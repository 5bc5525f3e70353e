//! The fingerprint of the search: the same each time, with any number of engines at a time.

use std::process::{Command, Stdio};

/// Starts a bench, not as deep as the usual one.
fn fingerprint(threads: &str) -> impl FnOnce() -> String {
    let bench = Command::new(env!("CARGO_BIN_EXE_backrank"))
        .args(["bench", "--nodes-only", "--depth", "8", "--threads", threads])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    || {
        let output = bench.wait_with_output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    }
}

#[test]
fn the_fingerprint_is_always_the_same() {
    let alone = fingerprint("1")();
    assert!(alone.trim().parse::<u64>().unwrap() > 100_000, "{alone}");
    assert_eq!(fingerprint("1")(), alone);
    assert_eq!(fingerprint("2")(), alone);
    let (one, another) = (fingerprint("1"), fingerprint("1"));
    assert_eq!([one(), another()], [alone.clone(), alone]);
}

#[test]
fn json_has_each_position_and_their_sum() {
    let output = Command::new(env!("CARGO_BIN_EXE_backrank"))
        .args(["bench", "--json", "--depth", "3"])
        .output()
        .unwrap();
    let bench: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let positions = bench["positions"].as_array().unwrap();
    let variants: std::collections::BTreeSet<&str> =
        positions.iter().map(|position| position["variant"].as_str().unwrap()).collect();
    assert_eq!(variants.len(), 6);
    let nodes: u64 = positions.iter().map(|position| position["nodes"].as_u64().unwrap()).sum();
    assert_eq!(bench["nodes"], nodes);
}
