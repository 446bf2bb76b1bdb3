#!/bin/sh
# Answers after the question, when nobody waits any more.
go() {
    sleep 5
    echo "info depth 1 multipv 1 score cp 20 pv e2e4"
    echo "bestmove e2e4"
}
. "${0%/*}/common.sh"
