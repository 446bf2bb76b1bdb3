#!/bin/sh
# Plays a move of its book without a value, unless its book is switched off.
book=true
while read -r line; do
    case "$line" in
    uci)
        echo "id name Fake"
        echo "option name MultiPV type spin default 1 min 1 max 2"
        echo "option name OwnBook type check default true"
        echo "uciok"
        ;;
    "setoption name OwnBook value "*) book=${line##* } ;;
    isready) echo "readyok" ;;
    go*)
        if [ "$book" = true ]; then
            echo "info string book move"
        else
            echo "info depth 10 multipv 1 score cp 30 pv e2e4"
            echo "info depth 10 multipv 2 score cp 20 pv d2d4"
        fi
        echo "bestmove e2e4"
        ;;
    quit) exit 0 ;;
    esac
done
