#!/usr/bin/env bash
# The games of a PGN that `backrank import` and python-chess read in a second of processor time, in one run, from one archive:
# 10,000 games of chess at 50 nodes a move, without comments, again and again. Needs python3 with venv and a network.
#
#     cargo build --release && benches/import.sh [GAMES]
set -euo pipefail
cd "$(dirname "$0")/.."
backrank=$PWD/target/release/backrank
games=${1:-100000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check -r tests/requirements.txt

$backrank -q play chess --games 10000 --nodes 50 -o "$work/played" > /dev/null
$backrank export "$work/played" --format pgn -o "$work/once.pgn"
each=$(grep -c '^\[Event ' "$work/once.pgn")
for ((written = 0; written < games; written += each)); do cat "$work/once.pgn"; done > "$work/games.pgn"
"$work/venv/bin/python" - "$backrank" "$work" <<'PYTHON'
import os, resource, subprocess, sys, time
import chess.pgn

backrank, work = sys.argv[1:]
archive = f"{work}/games.pgn"

def processor(who):
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime

def ours(archive, name, *options):
    begun, wall = processor(resource.RUSAGE_CHILDREN), time.monotonic()
    command = [backrank, "import", archive, "-o", f"{work}/{name}", "--variant", "chess", *options]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    games = int(said.split()[0].replace(",", ""))
    rate = games / (processor(resource.RUSAGE_CHILDREN) - begun)
    print(f"backrank import, {name}: {games:,} games, {rate:,.0f} a second of processor time, "
          f"{games / (time.monotonic() - wall):,.0f} a second", flush=True)
    return rate

def theirs(games):
    begun = processor(resource.RUSAGE_SELF)
    with open(archive) as file:
        for _ in range(games):
            assert chess.pgn.read_game(file)
    rate = games / (processor(resource.RUSAGE_SELF) - begun)
    print(f"python-chess {chess.__version__}: {games:,} games, {rate:,.0f} a second of processor time", flush=True)
    return rate

print(f"{os.path.getsize(archive) / 1e6:.0f} MB", flush=True)
ours(archive, "plain")
subprocess.run(["gzip", "-k", archive], check=True)
ours(f"{archive}.gz", "gzip")
# The median of five comparisons.
ratios = sorted(ours(archive, f"one-thread-{turn}", "--threads", "1") / theirs(2000) for turn in range(5))
print(f"{ratios[2]:.0f} times as many, from {ratios[0]:.0f} to {ratios[-1]:.0f}")
PYTHON
