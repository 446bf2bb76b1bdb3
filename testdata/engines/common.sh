# Answers the protocol up to a search; `go` is what an engine does then.
while read -r line; do
    case "$line" in
    uci)
        echo "id name Fake"
        echo "option name Threads type spin default 1"
        echo "option name MultiPV type spin default 1 min 1 max 500"
        echo "uciok"
        ;;
    isready) echo "readyok" ;;
    go*) go ;;
    quit) exit 0 ;;
    esac
done
