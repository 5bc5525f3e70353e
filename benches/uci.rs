//! How quickly the engine answers over UCI, on a machine that does nothing else. `cargo bench --bench uci`.
//!
//! `stop`, `isready` and `ponderhit` should be answered within 50 ms; a search should not take longer than it is allowed to.

#[path = "../tests/program/uci/client.rs"]
#[allow(dead_code, reason = "what the tests need of it")]
mod client;

use std::time::{Duration, Instant};

use client::Client;

/// A line for what was measured, with the median and the longest time.
fn show(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
    let (median, longest) = (times[times.len() / 2], times[times.len() - 1]);
    println!(
        "{what:<48} median {:8.2} ms, longest {:8.2} ms of {}",
        milliseconds(median),
        milliseconds(longest),
        times.len()
    );
}

fn repeat(count: usize, mut measure: impl FnMut() -> Duration) -> Vec<Duration> {
    (0..count).map(|_| measure()).collect()
}

/// Sends a line and says how long it takes until one comes that begins so.
fn time(client: &mut Client, line: &str, beginning: &str) -> Duration {
    let sent = Instant::now();
    client.send(line);
    client.until(beginning);
    sent.elapsed()
}

fn stop(variant: &str) {
    let mut client = Client::playing(variant);
    let times = repeat(15, || {
        client.send("position startpos");
        client.send("go infinite");
        client.says_no("bestmove", Duration::from_millis(100));
        time(&mut client, "stop", "bestmove")
    });
    show(&format!("{variant}: stop"), times);
}

/// The endgame tables of a game take about a second to make, which a search does not wait for.
fn unprepared(variant: &str) {
    let times = repeat(5, || {
        let mut client = Client::start();
        client.send(&format!("setoption name UCI_Variant value {variant}"));
        client.send("position startpos");
        time(&mut client, "go movetime 100", "bestmove")
    });
    show(&format!("{variant}: go movetime 100, the first command"), times);
}

fn isready_during_a_search() {
    let mut client = Client::playing("modern");
    client.send("go infinite");
    client.until("info depth 5 ");
    show("isready during a search", repeat(30, || time(&mut client, "isready", "readyok")));
}

fn ponderhit() {
    let mut client = Client::start();
    client.send("position startpos moves e2e4 e7e5");
    let times = repeat(15, || {
        client.send("go ponder depth 4 wtime 100 btime 100");
        client.says_no("bestmove", Duration::from_millis(200));
        time(&mut client, "ponderhit", "bestmove")
    });
    show("ponderhit, the search being over", times);
}

fn end_of(begin: &str) {
    let times = repeat(5, || {
        let mut client = Client::playing("mmcc");
        client.send(begin);
        client.says_no("bestmove", Duration::from_millis(50));
        let sent = Instant::now();
        client.send("quit");
        client.end();
        sent.elapsed()
    });
    show(&format!("quit after {begin}"), times);
}

fn limits(limits: &str) {
    let mut client = Client::playing("chess8400");
    client.send("position startpos");
    show(&format!("go {limits}"), repeat(5, || time(&mut client, &format!("go {limits}"), "bestmove")));
}

fn main() {
    ["chess", "pmrc", "mmcc", "icrc", "capablanca-random"].into_iter().for_each(stop);
    isready_during_a_search();
    ponderhit();
    ["uci", "go infinite", "perft 9"].into_iter().for_each(end_of);
    ["pmrc", "mmcc", "icrc"].into_iter().for_each(unprepared);
    for allowed in [
        "movetime 200",
        "wtime 2000 btime 2000",
        "wtime 3000 btime 3000 movestogo 2",
        "wtime 0 btime 0",
        "wtime -5 btime -5 winc 10",
    ] {
        limits(allowed);
    }
}
