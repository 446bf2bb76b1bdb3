#!/usr/bin/perl
# Leaves its process group for that of the program, and hangs.
setpgrp 0, getpgrp getppid;
$| = 1;
while (<STDIN>) {
    print "id name Fake\noption name MultiPV type spin default 1 min 1 max 500\nuciok\n" if /^uci$/;
    print "readyok\n" if /^isready/;
    exec "sleep", "98763" if /^go/;
}
