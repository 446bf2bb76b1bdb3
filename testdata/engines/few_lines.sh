#!/bin/sh
# Lists two moves at most, and says so.
while read -r line; do
    case "$line" in
    uci)
        echo "id name Fake"
        echo "option name MultiPV type spin default 1 min 1 max 2"
        echo "uciok"
        ;;
    isready) echo "readyok" ;;
    go*)
        echo "info depth 1 multipv 1 score cp 300 pv e2e4"
        echo "info depth 1 multipv 2 score cp 200 pv d2d4"
        echo "bestmove e2e4"
        ;;
    quit) exit 0 ;;
    esac
done
