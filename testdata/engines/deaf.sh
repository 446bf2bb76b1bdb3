#!/bin/sh
# Never reads, and repeats a right answer for ever.
echo "id name Fake"
echo "option name MultiPV type spin default 1 min 1 max 500"
echo "uciok"
while echo "readyok
info depth 10 multipv 1 score cp 20 pv e2e4
info depth 10 multipv 2 score cp 10 pv d2d4
bestmove e2e4"; do :; done
