# Answers the protocol up to a search; `go` is what an engine does then. `multipv` and `options` are lines
# that it declares options with; `lines` is how many moves it was told to list.
lines=1
while read -r line; do
    case "$line" in
    uci)
        echo "id name Fake"
        echo "option name Threads type spin default 1"
        echo "${multipv-option name MultiPV type spin default 1 min 1 max 500}"
        [ -z "$options" ] || echo "$options"
        echo "uciok"
        ;;
    "setoption name ${name:-MultiPV} value "*) lines=${line##* } ;;
    isready) echo "readyok" ;;
    position*) position=$line ;;
    go*) go ;;
    quit) exit 0 ;;
    esac
done
