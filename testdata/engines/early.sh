#!/bin/sh
# Answers a question that comes later: the last answer is written twice.
go() {
    echo "bestmove e2e4"
    echo "info depth 1 multipv 1 score cp 20 pv e2e4"
    echo "bestmove e2e4"
}
. "${0%/*}/common.sh"
