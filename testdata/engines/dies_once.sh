#!/bin/sh
# Ends in its first search, and answers when it is started again. The option Mark is a file that the
# first run leaves for the second.
while read -r line; do
    case "$line" in
    uci)
        echo "id name Fake"
        echo "option name Mark type string default"
        echo "option name MultiPV type spin default 1 min 1 max 500"
        echo "uciok"
        ;;
    "setoption name Mark value "*) mark="${line#setoption name Mark value }" ;;
    isready) echo "readyok" ;;
    go*)
        if [ ! -e "$mark" ]; then
            : >"$mark"
            exit 1
        fi
        echo "info depth 1 multipv 1 score cp 200 pv e2e4"
        echo "info depth 1 multipv 2 score cp 180 pv d2d4"
        echo "info depth 1 multipv 3 score cp 160 pv c2c4"
        echo "info depth 1 multipv 4 score mate -1 pv g1f3"
        echo "bestmove e2e4"
        ;;
    quit) exit 0 ;;
    esac
done
