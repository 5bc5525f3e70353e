#!/usr/bin/env bash
# Builds a newer Fairy-Stockfish than Debian's for this machine's processor, from the sources that PyPI has with pyffish, and prints the path
# of the program: an opponent for strength.sh. It takes two minutes, needs a processor with AVX2, and plays on boards of up to eight files and
# ranks.
#
#   OPPONENT=$(benches/native-fairy-stockfish.sh runs/native) THREADS=2 benches/strength.sh clock
set -euo pipefail

folder=${1:?where to? benches/native-fairy-stockfish.sh DIR}
version=0.0.90
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
if [ ! -x "$folder/fairy-stockfish-native" ]; then
    pip download --quiet --no-deps --no-binary pyffish --dest "$folder" "pyffish==$version" >&2
    tar xzf "$folder/pyffish-$version.tar.gz" -C "$folder"
    cd "$folder/pyffish-$version/src"
    # All but what makes it a library of Python and of JavaScript.
    mapfile -t sources < <(ls ./*.cpp nnue/*.cpp nnue/features/*.cpp syzygy/*.cpp | grep -v 'ffish')
    g++ -std=c++17 -O3 -march=native -flto=auto -w -pthread -DNDEBUG -DIS_64BIT -DUSE_PTHREADS -DUSE_POPCNT -DUSE_PEXT -DUSE_AVX2 -DUSE_SSE41 \
        -DUSE_SSSE3 -DUSE_SSE2 -DNNUE_EMBEDDING_OFF "${sources[@]}" -o "$folder/fairy-stockfish-native"
fi
echo "$folder/fairy-stockfish-native"
