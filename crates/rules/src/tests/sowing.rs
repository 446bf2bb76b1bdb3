//! Games of sowing against play that is coded from their rules, without the words of the language.

use std::sync::Arc;

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use treegauge_core::{Game, Keyed, Notation, Outcome, Player, Plies, uniform_below};

use super::agreement::agree;
use super::laws::Keeps;
use super::library::program as library_program;
use super::program;
use crate::Text;
use crate::fast::Moment;
use crate::game::{MoveBits, RulesVisitor, TextRules, visit};
use crate::position::Position;
use crate::state::BoardWord;
use crate::tree::LAPS_MAX;

/// Board of a sowing game: the pits counter-clockwise, those of player 0 first.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pits {
    seeds: Vec<u32>,
    stores: [u32; 2],
    /// Pit of the opponent's row that belongs to each player.
    tuz: [Option<usize>; 2],
    turn: usize,
    is_over: bool,
}

impl Pits {
    fn new(pits: usize, seeds: u32) -> Pits {
        let (seeds, tuz) = (vec![seeds; 2 * pits], [None; 2]);
        Pits { seeds, stores: [0; 2], tuz, turn: 0, is_over: false }
    }

    /// Takes up the seeds of a pit. One stays there if there are several.
    fn take_up_but_one(&mut self, pit: usize) -> u32 {
        let hand = self.seeds[pit];
        self.seeds[pit] = u32::from(hand > 1);
        hand - self.seeds[pit]
    }

    /// Number of pits of a player.
    fn row(&self) -> usize {
        self.seeds.len() / 2
    }

    fn is_own(&self, pit: usize) -> bool {
        pit / self.row() == self.turn
    }

    /// Moves all seeds of a pit to the store of the player to move.
    fn take(&mut self, pit: usize) {
        self.stores[self.turn] += std::mem::take(&mut self.seeds[pit]);
    }

    /// Takes the seeds of an empty pit of one's own that a last seed fell into, and those facing it.
    fn take_both(&mut self, pit: usize) {
        let facing = self.seeds.len() - 1 - pit;
        if self.is_own(pit) && self.seeds[pit] == 1 && self.seeds[facing] > 0 {
            self.take(pit);
            self.take(facing);
        }
    }

    fn is_empty(&self, player: usize) -> bool {
        let row = self.row();
        self.seeds[player * row..(player + 1) * row].iter().all(|&seeds| seeds == 0)
    }

    /// Ends the game: the seeds left go to the store of a player, or of the owner of each row.
    fn end(&mut self, taker: Option<usize>) {
        let row = self.row();
        for pit in 0..2 * row {
            let seeds = std::mem::take(&mut self.seeds[pit]);
            self.stores[taker.unwrap_or(pit / row)] += seeds;
        }
        self.is_over = true;
    }

    /// Drops seeds from the place after `pit` on. Returns the pit of the last; `None` for the store,
    /// which only gets seeds with `with_store`.
    fn drop(&mut self, pit: usize, hand: u32, with_store: bool) -> Option<usize> {
        let (all, mut at, mut in_store) = (self.seeds.len(), pit, false);
        for _ in 0..hand {
            let leaves_row = !in_store && at % self.row() == self.row() - 1 && self.is_own(at);
            in_store = with_store && leaves_row;
            if in_store {
                self.stores[self.turn] += 1;
            } else {
                at = (at + 1) % all;
                match self.tuz.iter().position(|tuz| *tuz == Some(at)) {
                    Some(owner) => self.stores[owner] += 1,
                    None => self.seeds[at] += 1,
                }
            }
        }
        (!in_store).then_some(at)
    }
}

/// Move of a game coded by hand: plays a pit. Returns the number of laps.
type ByHand = fn(&mut Pits, usize) -> usize;

fn congkak(board: &mut Pits, pit: usize) -> usize {
    let (mut from, mut laps) = (pit, 0);
    let last = loop {
        laps += 1;
        let hand = std::mem::take(&mut board.seeds[from]);
        match board.drop(from, hand, true) {
            Some(at) if board.seeds[at] > 1 => from = at,
            last => break last,
        }
    };
    if let Some(at) = last {
        board.take_both(at);
        board.turn = 1 - board.turn;
    }
    if board.is_empty(0) || board.is_empty(1) {
        board.end(None);
    }
    laps
}

fn ali_guli_mane(board: &mut Pits, pit: usize) -> usize {
    let (mut from, mut laps) = (pit, 0);
    while laps < LAPS_MAX {
        laps += 1;
        let hand = std::mem::take(&mut board.seeds[from]);
        let last = board.drop(from, hand, false).expect("no seed is sown into a store");
        from = (last + 1) % 14;
        if board.seeds[from] == 0 {
            board.take((from + 1) % 14);
            break;
        }
    }
    board.is_over = board.stores[board.turn] > 35;
    board.turn = 1 - board.turn;
    laps
}

fn toguz_korgool(board: &mut Pits, pit: usize) -> usize {
    let hand = board.take_up_but_one(pit);
    let last = board.drop(pit, hand, false).expect("no seed is sown into a store");
    let (mover, number) = (board.turn, last % board.row());
    if !board.is_own(last) && !board.tuz.contains(&Some(last)) {
        let is_last = number == board.row() - 1;
        let is_counterpart = board.tuz[1 - mover].is_some_and(|tuz| tuz % board.row() == number);
        if board.seeds[last].is_multiple_of(2) {
            board.take(last);
        } else if board.seeds[last] == 3
            && board.tuz[mover].is_none()
            && !is_last
            && !is_counterpart
        {
            board.tuz[mover] = Some(last);
            board.take(last);
        }
    }
    board.is_over = board.stores[mover] > 81;
    board.turn = 1 - mover;
    1
}

fn mangala(board: &mut Pits, pit: usize) -> usize {
    let (mover, hand) = (board.turn, board.take_up_but_one(pit));
    let last = board.drop(pit, hand, true);
    if let Some(at) = last {
        if !board.is_own(at) && board.seeds[at].is_multiple_of(2) {
            board.take(at);
        }
        board.take_both(at);
    }
    if board.is_empty(mover) {
        board.end(Some(mover));
    } else if last.is_some() || board.is_empty(1 - mover) {
        board.turn = 1 - mover;
    }
    1
}

fn bohnenspiel(board: &mut Pits, pit: usize) -> usize {
    let hand = std::mem::take(&mut board.seeds[pit]);
    let mut last = board.drop(pit, hand, false).expect("no bean is sown into a store");
    while matches!(board.seeds[last], 2 | 4 | 6) {
        board.take(last);
        last = (last + 11) % 12;
    }
    board.is_over = board.stores[board.turn] > 36;
    board.turn = 1 - board.turn;
    1
}

/// Random games of a text and of the same game coded by hand, which must agree at every ply. The
/// output is the greatest number of laps of a move.
struct Alike {
    by_hand: ByHand,
    /// Whether a player who cannot move takes all seeds left, not only those of its row.
    stuck_takes_all: bool,
    start: Pits,
    games: u32,
}

impl RulesVisitor for Alike {
    type Output = usize;

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> usize {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut most = 0;
        for _ in 0..self.games {
            let (mut board, mut state) = (self.start.clone(), game.start());
            for _ in 0..400 {
                let row = board.row();
                let at = game.position(&state);
                let found = format!("{} against {board:?}", game.position_text(&state));
                alike(&board, &at, &found);
                if let Some(outcome) = game.outcome(&state) {
                    if !board.is_over {
                        assert!(board.is_empty(board.turn), "{found}");
                        board.end(self.stuck_takes_all.then_some(board.turn));
                    }
                    let [first, second] = board.stores.map(i64::from);
                    let margin = (first - second).signum() as i32;
                    assert_eq!(outcome, Outcome::of_margin(margin), "{found}");
                    break;
                }
                let own = board.turn * row..(board.turn + 1) * row;
                let pits: Vec<usize> = own.filter(|&pit| board.seeds[pit] > 0).collect();
                let mut moves = Vec::new();
                game.moves_into(&state, &mut moves);
                let texts: Vec<String> = moves.iter().map(|&m| game.move_text(&state, m)).collect();
                let numbers: Vec<String> =
                    pits.iter().map(|pit| (pit % row + 1).to_string()).collect();
                assert_eq!(texts, numbers, "{found}");
                let n = uniform_below(&mut rng, pits.len() as u32) as usize;
                most = most.max((self.by_hand)(&mut board, pits[n]));
                game.play(&mut state, moves[n]);
            }
        }
        most
    }
}

fn alike(board: &Pits, at: &Position, found: &str) {
    let seeds: Vec<u32> = at.seeds.iter().map(|&seeds| seeds.into()).collect();
    assert_eq!(seeds, [&board.seeds[..], &board.stores].concat(), "{found}");
    assert_eq!(at.result.is_some(), board.is_over, "{found}");
    let turn = if board.turn == 0 { Player::First } else { Player::Second };
    assert!(board.is_over || at.turn == turn, "{found}");
}

#[test]
fn congkak_is_played_in_laps_as_by_hand() {
    for (pits, seeds) in [(7, 7), (8, 8), (9, 9), (7, 1), (3, 9), (7, 9)] {
        let name = format!("congkak(houses={pits},shells={seeds})");
        let start = Pits::new(pits, seeds);
        let alike = Alike { by_hand: congkak, stuck_takes_all: false, start, games: 20 };
        let laps = visit(&library_program(&name), Plies(1_000), alike);
        assert!((4..LAPS_MAX).contains(&laps), "{laps} laps in {name}");
    }
}

#[test]
fn games_with_other_sowings_are_played_as_by_hand() {
    let games: [(&str, ByHand, bool, Pits); 4] = [
        ("ali_guli_mane", ali_guli_mane, false, Pits::new(7, 5)),
        ("toguz_korgool", toguz_korgool, false, Pits::new(9, 9)),
        ("mangala", mangala, true, Pits::new(6, 4)),
        ("bohnenspiel", bohnenspiel, false, Pits::new(6, 6)),
    ];
    for (name, by_hand, stuck_takes_all, start) in games {
        let alike = Alike { by_hand, stuck_takes_all, start, games: 100 };
        visit(&library_program(name), Plies(1_000), alike);
    }
}

/// Games of people, from `testdata/toguz_korgool_games.txt`. The output is the number of moves and
/// of boards.
struct Recorded;

impl RulesVisitor for Recorded {
    type Output = [u32; 2];

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> [u32; 2] {
        let text = std::fs::read_to_string(super::folder("toguz_korgool_games.txt")).unwrap();
        let mut found = [0; 2];
        let mut state = game.start();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            if line.starts_with("game ") {
                state = game.start();
            } else if line.contains('|') {
                let at = game.position(&state);
                let pit = |pit: usize| match (at.claims[pit], at.seeds[pit]) {
                    (Some(_), _) => "x".to_owned(),
                    (None, 0) => ".".to_owned(),
                    (None, seeds) => seeds.to_string(),
                };
                let row =
                    |pits: Vec<usize>| pits.into_iter().map(pit).collect::<Vec<_>>().join(" ");
                let (second, first) = (row((9..18).rev().collect()), row((0..9).collect()));
                let board = format!("{} | {second} | {first} | {}", at.seeds[19], at.seeds[18]);
                assert_eq!(board, line);
                found[1] += 1;
            } else {
                for word in line.split_whitespace() {
                    let mut moves = Vec::new();
                    game.moves_into(&state, &mut moves);
                    let is_it = |m: &&M| word.starts_with(&game.move_text(&state, **m));
                    let m = *moves.iter().find(is_it).unwrap_or_else(|| panic!("{word}"));
                    let mut now = Moment::before(&state, state.rest.turn);
                    game.code.parts_of(&mut now, m.bits());
                    let claims = now.state.claimed() != state.claimed();
                    let last = now.to.lowest() % 9 + 1;
                    let x = if claims { "x" } else { "" };
                    assert_eq!(format!("{}{last}{x}", &word[..1]), word);
                    game.play(&mut state, m);
                    found[0] += 1;
                }
            }
        }
        found
    }
}

#[test]
fn recorded_games_of_toguz_korgool_are_played_as_people_did() {
    assert_eq!(visit(&library_program("toguz_korgool"), Plies(1_000), Recorded), [220, 10]);
}

/// Text of a game of sowing with some clauses.
fn text(pits: usize, seeds: u32, clauses: &str) -> String {
    format!(
        r#"(game "A" (board (pits {pits})) (start (seeds {seeds})) (play (sow {clauses}))
            (end (if (and (none mine) (none theirs)) (most score)) (stuck pass (most score))))"#
    )
}

#[test]
fn both_interpreters_agree_on_laps_with_and_without_an_end() {
    for laps in ["to", "next"] {
        for clauses in ["", "(skip origin)", "(stores own)", "(stores own) (skip origin)"] {
            for (pits, seeds) in [(1, 4), (2, 3), (3, 2), (4, 5), (7, 18), (8, 3), (12, 2)] {
                let then = "(then (if (> (seeds (after to)) 2) (collect (after to))))";
                let text = text(pits, seeds, &format!("{clauses} (laps {laps}) {then}"));
                agree(&text, &program(&text), 2, 30, 5);
            }
        }
    }
}

/// Seeds of the pits and stores after the move of the first pit.
struct AfterFirst;

impl RulesVisitor for AfterFirst {
    type Output = Vec<u8>;

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> Vec<u8> {
        let mut state = game.start();
        let m = game.nth_move(&state, 0, &mut Vec::new());
        game.play(&mut state, m);
        game.position(&state).seeds
    }
}

fn after_first(source: &str) -> Vec<u8> {
    visit(&Arc::clone(&program(source)), Plies(100), AfterFirst)
}

#[test]
fn laps_without_an_end_stop_after_a_fixed_number() {
    // All four seeds go from one pit to the other, lap by lap. An even number of laps ends where it
    // began.
    assert_eq!(LAPS_MAX % 2, 0);
    assert_eq!(after_first(&text(1, 2, "(skip origin) (laps to)")), [4, 0, 0, 0]);
}

#[test]
fn laps_end_where_their_words_say() {
    let of = |clauses: &str| after_first(&text(3, 2, clauses));
    assert_eq!(of(""), [0, 3, 3, 2, 2, 2, 0, 0]);
    // The last of two seeds falls into c1, which held two; the last of its three into c2, which held
    // two; the last of its three into c1, which is empty by now.
    assert_eq!(of("(laps to)"), [1, 4, 1, 3, 3, 0, 0, 0]);
    // The two seeds of a2, which follows c1, are sown on; a1, which follows c2, is empty.
    assert_eq!(of("(laps next)"), [0, 3, 3, 0, 3, 3, 0, 0]);
    // c1, b2 and b1 are sown on, and twice a seed falls into the store.
    assert_eq!(of("(stores own) (laps to)"), [1, 0, 1, 4, 1, 3, 2, 0]);
}

#[test]
fn after_is_the_next_pit_around_the_board() {
    let collects = |set: &str| after_first(&text(2, 1, &format!("(then (collect {set}))")));
    assert_eq!(collects("to"), [0, 0, 1, 1, 2, 0]);
    assert_eq!(collects("(after to)"), [0, 2, 0, 1, 1, 0]);
    // The pit after the last of the second player is the first of the first player.
    assert_eq!(collects("(after (far 1))"), [0, 2, 1, 0, 1, 0]);
    assert_eq!(collects("(after store)"), [0, 2, 1, 1, 0, 0]);
}

#[test]
fn one_seed_may_stay_where_it_was() {
    let of = |clauses: &str| after_first(&text(3, 2, clauses));
    assert_eq!(of("(leave one)"), [1, 3, 2, 2, 2, 2, 0, 0]);
    let single = after_first(&text(3, 1, "(leave one)"));
    assert_eq!(single, [0, 2, 1, 1, 1, 1, 0, 0]);
}

/// Text in which the first pit that a last seed falls into is claimed.
const CLAIMS: &str = r#"(game "A" (board (pits 2)) (start (seeds 2))
    (play (sow (then (if (none (claimed mover)) (claim to)))))
    (end (if (and (none mine) (none theirs)) (most score)) (stuck pass (most score))))"#;

/// Position after some moves, as text.
struct After<'a>(&'a str);

impl RulesVisitor for After<'_> {
    type Output = [String; 2];

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> [String; 2] {
        let mut state = game.start();
        for word in self.0.split_whitespace() {
            let mut moves = Vec::new();
            game.moves_into(&state, &mut moves);
            let is_it = |m: &&M| game.move_text(&state, **m) == word;
            let m = *moves.iter().find(is_it).unwrap_or_else(|| panic!("{word}"));
            game.play(&mut state, m);
        }
        [game.position_text(&state), game.board_text(&state)]
    }
}

#[test]
fn seeds_that_fall_into_a_claimed_pit_go_to_its_owner() {
    let after = |moves: &str| visit(&program(CLAIMS), Plies(100), After(moves));
    // The last seed falls into b2, which the first player then owns.
    let [position, board] = after("2");
    assert_eq!(position, "0,3/2,0 o s3,0 cb2,-");
    assert_eq!(
        board,
        "        2  1\n        x  3\no   0          3 x\n        2  0\n        1  2\n"
    );
    // The second player sows a2: a seed goes to the first player, and the last falls into b1.
    assert_eq!(after("2 1")[0], "0,0/3,0 x s4,1 cb2,b1");
}

/// Claims are part of a position: of its key, and of the text that is read back.
struct Differ;

impl RulesVisitor for Differ {
    type Output = ();

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) {
        let texts = ["-,-", "a2,-", "-,a2", "a2,b2", "b2,a2", "a2+b2,-"];
        let states = texts.map(|claims| {
            let text = format!("0,0/4,1 x s2,1 c{claims}");
            let state = game.parse_position(&text).unwrap();
            assert_eq!(game.position_text(&state), text);
            let key = game.key(&state);
            assert_eq!(game.try_unkey(key), Some(state));
            (state, key)
        });
        for (n, one) in states.iter().enumerate() {
            assert!(states[..n].iter().all(|other| other.0 != one.0 && other.1 != one.1));
        }
        for (text, said) in [
            ("0,0/4,1 x s2,1 ca2,a2", "a2 is claimed twice"),
            ("0,0/4,1 x s2,1 ca1,-", "a1 is claimed and has seeds"),
            ("0,0/4,1 x s2,1 cstore1,-", "a pit or -"),
            ("0,0/4,1 x s2,1 ca2", "the claimed pits of both players"),
            ("0,0/4,1 x s2,1", "the pits that each player has claimed"),
        ] {
            let error = game.parse_position(text).unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
        // A key cannot hold a claimed pit with seeds.
        let mut wrong = states[1].0;
        wrong.owners[1].set(0);
        assert_eq!(game.try_unkey(game.key(&wrong)), None);
    }
}

#[test]
fn claims_are_part_of_a_position() {
    visit(&program(CLAIMS), Plies(100), Differ);
}

#[test]
fn games_of_laps_and_claims_keep_the_laws() {
    visit(&program(CLAIMS), Plies(80), Keeps);
    for name in ["congkak(houses=3,shells=3)", "congkak(houses=8)", "toguz_korgool", "mangala"] {
        visit(&library_program(name), Plies(80), Keeps);
    }
}

#[test]
fn both_interpreters_agree_on_claims() {
    let then = "(then (if (even (count empty)) (claim (after to))) (if (not (even (seeds to))) \
                (claim (counterpart (and to (home 1))))) (if (some (claimed opponent)) \
                (collect (after (claimed mover)))))";
    for clauses in
        ["", "(leave one)", "(laps to)", "(leave one) (skip origin) (laps next)", "(stores own)"]
    {
        for (pits, seeds) in [(1, 4), (2, 3), (3, 2), (6, 4), (7, 18), (9, 9), (12, 2)] {
            let text = text(pits, seeds, &format!("{clauses} {then}"));
            agree(&text, &program(&text), 2, 30, 5);
        }
    }
}

#[test]
fn words_of_sowing_have_their_messages() {
    let message = |clause: &str| {
        let text = text(3, 2, clause);
        Text::read(&text).and_then(|text| text.check()).unwrap_err().text("a.rules")
    };
    for (clause, said) in [
        ("(laps)", "`laps` needs arguments"),
        ("(laps from)", "laps cannot go on from `from`"),
        ("(laps from)", "`(laps to)` sows the pit of the last seed"),
        ("(relay)", "did you mean `laps`?"),
        ("(leave 1)", "write `(leave one)`"),
        ("(then (tuzdik to))", "did you mean `claim`?"),
        ("(then (collect (tuzdik mover)))", "did you mean `claimed`?"),
        ("(then (if (odd (seeds to)) again))", "did you mean `even`?"),
    ] {
        assert!(message(clause).contains(said), "{clause}: {}", message(clause));
    }
    let men =
        r#"(game "A" (board (grid 3 3)) (play (place (then (claim to)))) (end (stuck draw)))"#;
    let said = Text::read(men).and_then(|text| text.check()).unwrap_err().text("a.rules");
    assert!(said.contains("`claim` needs a board of pits"), "{said}");
}
