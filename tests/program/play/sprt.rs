//! Matches that a sequential test ends.

use super::*;

/// A player with a thousand nodes against one that plays any move: decided after a few pairs.
fn uneven(threads: &'static str) -> Vec<String> {
    let weak = engine("");
    let test = ["chess8400", "--pairs", "--sprt", "0,200", "--black", &weak, "--nodes", "300", "--seed", "3"];
    test.iter().map(ToString::to_string).chain(["--threads".to_string(), threads.to_string()]).collect()
}

fn arguments(owned: &[String]) -> Vec<&str> {
    owned.iter().map(String::as_str).collect()
}

#[test]
fn a_match_stops_when_it_is_decided_and_says_the_same_when_asked_again() {
    let (_folder, one, other) = twice();
    let (first, second) = (uneven("1"), uneven("3"));
    let played = games(&one, &arguments(&first));
    let rows = column(&played, "result").len();
    assert!(rows.is_multiple_of(2) && (4..60).contains(&rows), "{rows} games");
    assert!(games(&other, &arguments(&second)) == played, "the number of threads decides nothing");

    let question = std::fs::read_to_string(one.join("study.toml")).unwrap();
    assert!(question.contains("[sprt]\nelo0 = 0.0\nelo1 = 200.0\nalpha = 0.05\nbeta = 0.05\n"), "{question}");
    let directory = one.to_str().unwrap();
    let again = play(&[directory]).assert().success().get_output().clone();
    let says = String::from_utf8(again.stdout.clone()).unwrap();
    assert!(says.contains("SPRT         accepted: builtin is stronger by 200 Elo rather than 0"), "{says}");
    assert!(stderr(&again).contains("nothing is left to play: the test of"), "{}", stderr(&again));
    assert!(std::fs::read(one.join("games.csv")).unwrap() == played);
    let json = play(&[directory, "--json"]).assert().success().get_output().stdout.clone();
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["match"]["sprt"]["verdict"], "accepted");
    assert!(json["match"]["sprt"]["log_likelihood_ratio"].as_f64().unwrap() > 2.94);
    assert!(json["match"]["likelihood_of_superiority"].as_f64().unwrap() > 0.95);
}

#[test]
fn a_match_that_was_interrupted_comes_to_the_same_end() {
    let (_folder, one, _) = twice();
    let asked = uneven("2");
    let played = games(&one, &arguments(&asked));
    let directory = one.to_str().unwrap();
    let file = one.join("games.csv");
    // What a crash leaves: three games, and part of the next.
    let line_ends: Vec<usize> =
        played.iter().enumerate().filter(|&(_, &byte)| byte == b'\n').map(|(at, _)| at).collect();
    std::fs::write(&file, &played[..line_ends[3] + 20]).unwrap();
    play(&[directory]).assert().success();
    assert!(std::fs::read(&file).unwrap() == played);
    // No game can come after the one that decides.
    let last = String::from_utf8(played[line_ends[line_ends.len() - 2] + 1..].to_vec()).unwrap();
    let number = line_ends.len() - 1;
    let (_, rest) = last.split_once(',').unwrap();
    std::fs::write(&file, [&played[..], format!("{number},{rest}").as_bytes()].concat()).unwrap();
    let refused = play(&[directory]).assert().code(2).get_output().clone();
    assert!(!stderr(&refused).is_empty());
}

#[test]
fn a_test_has_two_hypotheses_two_rates_and_an_undivided_study() {
    let (_folder, one, _) = twice();
    let directory = one.to_str().unwrap();
    for (options, says) in [
        (&["--sprt", "5,0"][..], "the first Elo must be below the second, not 5,0"),
        (&["--sprt", "5"], "ELO0,ELO1"),
        (&["--sprt", "0,5", "--alpha", "0.7"], "alpha must be between 0 and 0.5, not 0.7"),
        (&["--alpha", "0.1"], "--sprt"),
        (&["--sprt", "0,5", "--shard", "1/2"], "cannot be used with"),
        (&["--sprt", "0,5", "--games", "7"], "--sprt needs an even number of games, not --games 7"),
    ] {
        let refused = refusal(&[&["chess960", "-o", directory][..], options].concat());
        assert!(refused.contains(says), "{options:?}: {refused}");
        assert!(!one.exists());
    }
}

#[test]
fn a_match_without_a_verdict_ends_with_the_last_game() {
    let (_folder, one, _) = twice();
    let directory = one.to_str().unwrap();
    let asked =
        ["chess960", "-o", directory, "--sprt", "0,1", "--normalised", "--games", "6", "--nodes", "20"];
    let output = play(&asked).assert().success().get_output().stdout.clone();
    let says = String::from_utf8(output).unwrap();
    assert!(
        says.contains("SPRT         undecided: whether builtin is stronger by 0 or by 1 normalised Elo"),
        "{says}"
    );
    assert_eq!(column(&std::fs::read(one.join("games.csv")).unwrap(), "result").len(), 6);
}
