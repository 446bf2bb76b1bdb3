#!/bin/sh
# Ends in a search, while a program in a session of its own holds all that it had open.
go() {
    setsid sleep 98764 &
    exit 7
}
. "${0%/*}/common.sh"
