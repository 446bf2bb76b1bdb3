//! Specialized loops of random games: the loop of each text, the uniform choice among the legal
//! moves, and the ends of games.

use std::collections::BTreeMap;

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use treegauge_core::{Game, HistoryEnd, Keyed, PlayoutLimits, Plies, uniform_below};
use treegauge_testkit::{Laws, laws};

use super::agreement::single_plies;
use super::{program, programs, texts};
use crate::game::{MoveBits, RulesVisitor, TextRules, has_loop, visit};
use crate::state::{BoardWord, State};

struct LoopName;

impl RulesVisitor for LoopName {
    type Output = &'static str;

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> &'static str {
        game.loop_name()
    }
}

fn text(name: &str) -> String {
    let all = texts("rules");
    all.into_iter().find(|(known, _)| known == name).expect("there is such a text").1
}

/// Text with one piece of it replaced by another.
fn with(name: &str, old: &str, new: &str) -> String {
    let source = text(name);
    assert_eq!(source.matches(old).count(), 1, "{old} stands once in {name}");
    source.replace(old, new)
}

#[test]
fn every_text_has_its_loop() {
    let mut found: Vec<String> = Vec::new();
    for (name, program) in programs() {
        let loop_name = visit(&program, Plies(1_000), LoopName);
        assert_eq!(has_loop(&program), loop_name != "general", "{name}");
        found.push(format!("{name}: {loop_name}"));
    }
    insta::assert_snapshot!(found.join("\n"));
}

/// Compares single plies and whole games of the loop with those of the rules.
struct LikeTheRules<'a> {
    name: &'a str,
    /// Number of positions from which single plies are played.
    positions: u32,
}

impl RulesVisitor for LikeTheRules<'_> {
    type Output = ();

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(19);
        let mut asked = 0;
        while asked < self.positions {
            let mut state = game.start();
            let mut quiet = 0;
            while asked < self.positions && game.outcome(&state).is_none() {
                single_plies(&game, &state, self.name);
                let m = game.random_move(&state, &mut rng).expect("it is not over");
                if uniform_below(&mut rng, 4) == 0 {
                    asked += 1;
                    let mut moves = Vec::new();
                    game.moves_into(&state, &mut moves);
                    let before = Before { state: &state, moves: &moves, quiet: Plies(quiet) };
                    before.single_plies(self.name, &game, 60, &mut rng);
                }
                quiet = if game.is_irreversible(&state, m) { 0 } else { quiet + 1 };
                if game.draw_plies().is_some_and(|limit| quiet >= limit.0) {
                    break;
                }
                game.play(&mut state, m);
            }
        }
        laws::playouts(&game, Laws { games: 1, every: 1, playouts: 800, seed: 5 });
    }
}

/// Unfinished position, its moves, and the plies without progress before it.
pub(super) struct Before<'a, W: BoardWord, M> {
    pub(super) state: &'a State<W>,
    pub(super) moves: &'a [M],
    pub(super) quiet: Plies,
}

impl<W: BoardWord, M: MoveBits> Before<'_, W, M> {
    /// Checks that playouts of one ply make each move equally often, on average `each` times, and
    /// end by the rules.
    pub(super) fn single_plies(
        &self,
        name: &str,
        game: &TextRules<W, M>,
        each: u32,
        rng: &mut Xoshiro256PlusPlus,
    ) {
        let &Before { state, moves, quiet } = self;
        let at = format!("{name}: {:?}", game.position(state));
        // Moves that lead to the same position are counted together.
        let mut ways: BTreeMap<W::Key, u32> = BTreeMap::new();
        for &m in moves {
            let mut after = *state;
            // `play` of the game would search the list of all moves for each move.
            game.code.play(&mut after, m.bits());
            *ways.entry(game.key(&after)).or_default() += 1;
        }
        let limits = PlayoutLimits::new(Plies(1), quiet);
        let mut counts: BTreeMap<W::Key, u32> = BTreeMap::new();
        for _ in 0..each * moves.len() as u32 {
            let mut after = *state;
            let end = game.playout(&mut after, limits, rng);
            assert_eq!(end.plies, Plies(1), "{at}");
            match game.outcome(&after) {
                Some(outcome) => assert!(!end.capped && end.outcome == outcome, "{end:?} {at}"),
                None if end.capped => {
                    assert_eq!(end.outcome, game.settle(&after, HistoryEnd::Capped), "{at}");
                }
                // Otherwise the move was one quiet ply too many.
                None => {
                    assert_eq!(Some(Plies(quiet.0 + 1)), game.draw_plies(), "{end:?} {at}");
                    assert_eq!(end.outcome, game.settle(&after, HistoryEnd::DrawPlies), "{at}");
                }
            }
            *counts.entry(game.key(&after)).or_default() += 1;
        }
        assert!(counts.keys().all(|key| ways.contains_key(key)), "no move leads there: {at}");
        let counts = ways.iter().map(|(key, &n)| {
            (f64::from(counts.get(key).copied().unwrap_or(0)), f64::from(each * n))
        });
        laws::counts_are_as_expected(counts, &at);
        // Nothing is played at a limit that is already reached.
        if let Some(limit) = game.draw_plies() {
            let mut after = *state;
            let limits = PlayoutLimits::new(Plies(1), limit);
            let end = game.playout(&mut after, limits, rng);
            assert_eq!((after, end.plies, end.capped), (*state, Plies(0), false), "{at}");
            assert_eq!(end.outcome, game.settle(state, HistoryEnd::DrawPlies), "{at}");
        }
    }
}

/// Checks that a text uses a loop and is played by it according to its rules.
fn plays(loop_name: &str, source: &str) {
    let program = program(source);
    assert_eq!(visit(&program, Plies(1_000), LoopName), loop_name, "{source}");
    visit(&program, Plies(200), LikeTheRules { name: source, positions: 12 });
}

#[test]
fn loops_choose_evenly_among_the_moves_of_the_rules() {
    let many = ["gomoku", "connect6", "yavalath", "palisade", "amazons", "isola"];
    for (name, program) in programs() {
        if visit(&program, Plies(1_000), LoopName) == "general" || many.contains(&&*name) {
            continue;
        }
        visit(&program, Plies(200), LikeTheRules { name: &name, positions: 6 });
    }
}

/// Flips on a board with levels.
const LEVELS: &str = "(game \"L\" (board (grid 4 4 2))
    (start (put first stone (sites b2z1 c3z1)) (put second stone (sites c2z1 b3z1)))
    (play (place (then (flip (custodial all))) (only-if (some taken))))
    (end (stuck pass (most (count mine)))))";

/// Flips on drawn lines. The first two lines have the same displacement and meet in d; no run
/// continues from one to the other.
const DRAWN: &str =
    "(game \"D\" (board (graph (line a b c d) (line d e f g) (line a d g) (line c e)))
    (start (put first stone (sites a e)) (put second stone (sites c f)))
    (play (place (then (flip (custodial all))) (only-if (some taken))))
    (end (stuck pass (most (count mine)))))";

#[test]
fn flips_may_be_straight_may_be_free_and_may_end_otherwise() {
    plays("flips", &with("othello", "custodial all", "custodial orthogonal"));
    plays("flips", &with("othello", "custodial all", "custodial (or forward diagonal)"));
    plays("flips", &with("othello", "grid 8 8", "grid 7 9"));
    plays("flips", &with("othello", "grid 8 8", "grid 11 11"));
    plays("flips", LEVELS);
    plays("flips", DRAWN);
    plays("flips", &DRAWN.replace("(only-if (some taken))", ""));
    plays("flips", &with("othello", "stuck pass (most (count mine))", "stuck (lose mover)"));
    plays(
        "flips",
        &with("othello", "(end (stuck", "(end (if (makes (line 5)) (win mover)) (stuck"),
    );
    plays(
        "flips",
        &with("othello", "(place disc (then", "(place disc (to (and empty (not corners))) (then"),
    );
    plays(
        "flips",
        &with(
            "othello",
            "(play",
            "(turns (opening first second second) (cycle first second)) (play",
        ),
    );
    plays("flips", &with("othello", "(only-if (some taken))", ""));
    plays("flips", &with("landslide", "grid 7 7", "grid 5 6"));
    // Seams, hands, limited runs and further effects use the general loop.
    plays("general", &with("othello", "(grid 8 8)", "(grid 8 8 (wrap columns))"));
    plays("general", &with("othello", "(disc each)", "(disc each (hand 20))"));
    plays("general", &with("othello", "custodial all", "custodial all 2"));
    plays(
        "general",
        &with("othello", "(then (flip (custodial all)))", "(then (flip (custodial all)) (add 1))"),
    );
}

/// Hops along the lines of rings, where a direction has steps of several displacements.
const RINGS: &str = "(game \"R\" (board (rings 3)) (pieces (man each))
    (start (put first man (rows 1 3)) (put second man (rows 5 7)))
    (play (first-of (hop man all (chain must) (then (capture over))) (step man all)))
    (end (if (none theirs) (win mover))) (limits (quiet 30)))";

/// Three kinds: two move alike, and pieces become another kind where they arrive.
const KINDS: &str = "(game \"K\" (board (grid 5 6)) (pieces (man each) (knave each) (king each))
    (start (put each man (home 1)) (put each knave (and (home 2) (not (home 1)))))
    (play (or (hop man orthogonal (over occupied) (chain no) (then (capture over)))
              (hop knave orthogonal (over occupied) (chain no))
              (hop king diagonal (over mine) (chain may))
              (step man forward (to (or empty theirs)) (then (if (in to (far 2)) (become king))))
              (step knave forward (to (or empty theirs)) (then (if (in to (far 1)) (become man))))
              (step king diagonal (to (and empty (rows 2 5))))))
    (end (if (< (count theirs) 3) (win mover)) (if (in to (far 1)) (lose mover)))
    (limits (quiet 12 (most (count mine))) (cap 60)))";

#[test]
fn hops_may_go_on_may_be_free_and_may_be_over_anybody() {
    let hops = "steps and hops";
    let free = "(play (or (hop man forward-diagonal (chain must) (then (capture over)))";
    let bound = "(play (first-of (hop man forward-diagonal (chain must) (then (capture over)))";
    plays(hops, &with("checkers_men", bound, free));
    plays(hops, &with("checkers_men", "chain must", "chain may"));
    plays(hops, &with("checkers_men", "chain must", "chain no"));
    plays(hops, &with("checkers_men", "(then (capture over))", ""));
    plays(hops, &with("checkers_men", "(chain must)", "(over mine) (chain must)"));
    plays(hops, &with("checkers", "quiet 100", "quiet 4 (most (count mine))"));
    plays(hops, &with("checkers", "grid 8 8", "grid 6 11"));
    plays(hops, &with("alquerque", "quiet 100", "quiet 7"));
    plays(hops, &with("alquerque", "(diagonals alternate)", "(diagonals all)"));
    plays(
        hops,
        &with("alquerque", "(if (none theirs) (win mover))", "(stuck pass (most (count mine)))"),
    );
    plays("general", &with("halma_small", "(over occupied)", "(over theirs)"));
    plays(hops, &with("halma_small", "(chain may)", "(chain must)"));
    plays(hops, RINGS);
    plays(hops, KINDS);
    // Neutral pieces are hopped over and captured, too.
    let posts = "(man each) (post neutral)) (start (put neutral post (row 4)) ";
    let source = with("checkers_men", "(chain must)", "(over occupied) (chain must)");
    plays(hops, &source.replace("(man each))\n  (start ", posts));
    // Conditions, slides, other effects and seams use the general loop.
    let after = "(then (capture over)))";
    plays("general", &with("checkers_men", after, "(then (capture over)) (only-if (some mine)))"));
    plays("general", &with("checkers_men", after, "(then (capture over) (capture (next to))))"));
    plays("general", &with("alquerque", "(step man all)", "(slide man all)"));
    plays("general", &with("checkers_men", "(grid 8 8)", "(grid 8 8 (wrap columns))"));
}

/// A man among posts, over which it may hop in more ways than the limit of legal moves.
const MANY: &str = "(game \"M\" (board (grid 11 11)) (pieces (man each) (post neutral))
    (start (put first man (sites g7)) (put second man (sites k11))
           (put neutral post (or (row 2) (row 4) (row 6) (row 8) (row 10)
               (column 2) (column 4) (column 6) (column 8) (column 10))))
    (play (hop man all (over occupied) (chain may) (then (capture over))))
    (end (stuck draw)) (limits (cap 4)))";

struct Many;

impl RulesVisitor for Many {
    type Output = ();

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) {
        assert_eq!(game.loop_name(), "steps and hops");
        let start = game.start();
        assert_eq!(game.move_count(&start), 65_535);
        let mut moves = Vec::new();
        game.moves_into(&start, &mut moves);
        assert_eq!(moves.len(), 65_535);
        let after = |m: M| {
            let mut state = start;
            // `play` would search the list of all moves for each move.
            game.code.play(&mut state, m.bits());
            game.key(&state)
        };
        let reached: std::collections::HashSet<W::Key> = moves.into_iter().map(after).collect();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        for _ in 0..5 {
            let mut state = start;
            let limits = PlayoutLimits::new(Plies(1), Plies(0));
            assert_eq!(game.playout(&mut state, limits, &mut rng).plies, Plies(1));
            assert!(reached.contains(&game.key(&state)));
        }
    }
}

#[test]
fn of_more_chains_than_are_legal_a_legal_one_is_played() {
    visit(&program(MANY), Plies(4), Many);
}

/// Pieces that stand on the board from the start, and leave their sites empty.
const STANDING: &str = "(game \"S\" (board (grid 4 5)) (pieces (king each) (gone neutral))
    (start (put first king (sites b1)) (put second king (sites c5)))
    (play (seq (step king (or forward sideways diagonal)) (place gone)))
    (end (stuck draw)))";

#[test]
fn lone_pieces_may_leap_step_and_slide_and_take_a_site_by_choice() {
    let lone = "lone pieces";
    plays(lone, &with("isolation", "(offsets (1 2))", "(offsets (1 1) (0 2))"));
    plays(
        lone,
        &with("isolation", "(leap knight (offsets (1 2))", "(step knight (or forward diagonal)"),
    );
    plays(lone, &with("isolation", "(grid 7 7)", "(grid 9 8)"));
    plays(lone, &with("isolation", "(stuck (lose mover))", "(stuck (win mover))"));
    plays(lone, &with("isolation", "(grid 7 7)", "(grid 4 4 (holes b2))"));
    plays(lone, &with("isolation_queen", "slide queen all", "slide queen (or forward sideways)"));
    plays(lone, &with("isolation_queen", "(grid 7 7)", "(grid 3 8)"));
    plays(lone, &with("isola", "(grid 7 7)", "(grid 4 4)"));
    plays(
        lone,
        &with("isola", "(grid 7 7)", "(grid 4 4)")
            .replace("(step king all)", "(step king all (then (put neutral gone from)))"),
    );
    plays(lone, STANDING);
    // If a player has two pieces, the loop does not handle the position.
    plays(lone, &STANDING.replace("sites b1", "sites b1 c1").replace("sites c5", "sites c5 b5"));
    // Slides of limited length, longer lines, rules of `end` and passes use the general loop.
    let rule = "(end (if (> (count (piece gone)) 9) draw) (stuck (lose mover)))";
    plays("general", &with("isolation", "(end (stuck (lose mover)))", rule));
    plays("general", &with("isolation", "(stuck (lose mover))", "(stuck pass)"));
    plays("general", &with("isolation_queen", "slide queen all", "slide queen all (at-most 2)"));
    plays("general", &with("isolation_queen", "(grid 7 7)", "(grid 3 12)"));
}

#[test]
fn sowings_may_end_anywhere_and_collect_what_the_text_says() {
    plays("sowing", &text("kalah"));
    plays("sowing", &text("oware"));
    plays("sowing", &with("oware", "pits 6", "pits 3"));
    plays("sowing", &with("kalah", "pits 6", "pits 7"));
    // A player may be left without seeds, so that each sowing is tried.
    let open = with("oware", "(only-if (some theirs))", "(only-if (or (some theirs) (> score 3)))");
    plays("sowing", &open);
    // A row that may be collected whole.
    plays(
        "sowing",
        &with("oware", "(< (seeds (back (far 1) 2 3)) (seeds (far 1)))", "(some theirs)"),
    );
    plays("sowing", SOWS);
}

/// Game with the words of sowing that the others lack.
const SOWS: &str = "(game \"S\" (board (pits 4)) (start (seeds 3))
    (play (sow (stores own)
               (then (if (and (not (in to store)) (= (seeds to) 1)) (collect (opposite to)))
                     (if (or (in from (home 1)) (is mover first))
                         (if (>= (- (+ (seeds empty) (count mine)) (count occupied)) 0)
                             (collect (and to (not (opposite from)))))
                     )
                     (if (= (count theirs) 0) (again)))
               (only-if (or (none (and empty (far 1))) (> (count mine) 0)))))
    (end (if (>= score 13) (win mover)) (if (none theirs) (sweep) (most score)))
    (limits (quiet 60 (sweep) (least score))))";
