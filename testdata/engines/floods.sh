#!/bin/sh
# Never stops to write.
go() { while :; do echo "info depth 1 multipv 1 score cp 20 pv e2e4"; done; }
. "${0%/*}/common.sh"
