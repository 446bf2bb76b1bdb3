#!/bin/sh
# Starts another program and hangs.
go() {
    sleep 98765 &
    echo "info string child $!"
    wait
}
. "${0%/*}/common.sh"
