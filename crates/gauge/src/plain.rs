//! Flaws that show before a model is asked: in the first plies, in random games, in games of a
//! player that copies, or in results of self-play that one side wins.
//!
//! A model of labelled games judges by likeness, so such evidence comes before its answer. Each
//! kind is strict; `record` has the known games that show one.

use serde::{Deserialize, Serialize};
use treegauge_core::{CellMark, Outcome, Player, Watch, counted, grouped};
use treegauge_engine::{Engine, Line, MoveNumber};
use treegauge_search::{Generator, Seed};
use treegauge_stats::{Estimate, ratio_interval, share_of_points};

use super::copying::{Copying, GAMES_MIN, SHARE_OF_FLAW, Stopped};
use super::exact::{CHOICE_POSITIONS_MAX, Exact};
use super::findings::CHOICES_MIN;
use super::verdict::{listed, measured_share, percent};
use super::{Multiple, Plan};

/// Flaw that shows before a model is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlainFlaw {
    /// Kind of flaw.
    pub flaw: PlainFlawKind,
    /// Evidence in words, without a full stop.
    pub words: String,
}

/// Kind of flaw that shows before a model is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlainFlawKind {
    /// One player wins within three plies of the start, whatever the other does.
    ForcedWin,
    /// No move matters, or hardly any ply has more than one legal move.
    NoChoice,
    /// A player wins by copying the moves of the other.
    Copied,
    /// One player wins nearly all games of self-play, and most games of random players.
    OneSided,
}

/// Plies within which a forced win is a flaw.
const FORCED_PLIES: u32 = 3;

/// Positions after which the search for a forced win is given up.
const FORCED_POSITIONS_MAX: u32 = 50_000;

/// Random games in which choices are counted.
const RANDOM_GAMES: u64 = 100;

/// Plies of these games together after which no further one begins.
const RANDOM_PLIES_MAX: u64 = 20_000;

/// Fewest random games that are looked at.
const RANDOM_GAMES_MIN: usize = 20;

/// Share of the points of self-play above which a side wins nearly all games, with all strengths
/// together and at each strength alone.
const ONE_SIDED: [f64; 2] = [0.9, 0.8];

/// Share of the points of random games above which a side has an advantage that needs no skill.
const ONE_SIDED_AT_RANDOM: f64 = 0.8;

/// Random games that are played to see whether it does.
const ONE_SIDED_GAMES: u32 = 400;

/// Iterations per move of the stronger of the two searches that a copying player meets.
const COPYING_ITERATIONS: u32 = 1_000;

/// Streams of the seed.
mod stream {
    pub(super) const RANDOM: u64 = 0;
    pub(super) const COPYING: u64 = 1;
    pub(super) const ONE_SIDED: u64 = 2;
}

/// The work was stopped before anything was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainStopped;

impl From<Stopped> for PlainStopped {
    fn from(_: Stopped) -> PlainStopped {
        PlainStopped
    }
}

impl PlainFlaw {
    /// Looks for a flaw in the first plies of a game, in random games, and in games of a player that
    /// copies; `None` if there is none.
    ///
    /// The result depends on the game, the start and the seed alone.
    ///
    /// # Errors
    ///
    /// If `watch` says stop.
    pub fn of(
        engine: &dyn Engine,
        start: &Line,
        seed: Seed,
        watch: &dyn Watch,
    ) -> Result<Option<PlainFlaw>, PlainStopped> {
        if start.ended().is_some() {
            return Ok(None);
        }
        if let Some(flaw) = forced_win(start, watch)? {
            return Ok(Some(flaw));
        }
        if let Some(flaw) = no_choice(engine, start, seed.child(stream::RANDOM), watch)? {
            return Ok(Some(flaw));
        }
        copied(engine, start, seed.child(stream::COPYING), watch)
    }

    /// Looks for a side that wins nearly all games of self-play. `results` has the iterations of
    /// each strength, and the games that the second player won, drawn ones, and those that the first
    /// player won.
    ///
    /// Players of some strength may find the best play of a small game, and strong ones may balance
    /// a hunt of many against few. So the side must also win most games of random players, and both
    /// sides must begin with as many pieces.
    #[must_use]
    pub fn of_results(
        engine: &dyn Engine,
        start: &Line,
        results: &[(u32, [u64; 3])],
        seed: Seed,
    ) -> Option<PlainFlaw> {
        let together = results.iter().fold([0; 3], |mut sum, (_, one)| {
            sum.iter_mut().zip(one).for_each(|(sum, n)| *sum += n);
            sum
        });
        let is_above = |share: &Estimate, limit| share.low.is_some_and(|low| low > limit);
        let [of_all, of_each] = ONE_SIDED;
        let wins_nearly_all = |player: &Player| {
            is_above(&share_of(together, *player), of_all)
                && results.iter().all(|(_, one)| is_above(&share_of(*one, *player), of_each))
        };
        let player = Player::BOTH.into_iter().find(wins_nearly_all)?;
        let [first, second] = forces(start);
        if first != second {
            return None;
        }
        let mut rng = seed.child(stream::ONE_SIDED).generator();
        let at_random = engine.playouts(start, ONE_SIDED_GAMES, &mut rng).outcomes;
        let at_random = share_of(at_random, player);
        if !is_above(&at_random, ONE_SIDED_AT_RANDOM) {
            return None;
        }
        let each: Vec<String> = results
            .iter()
            .map(|(iterations, one)| {
                let share = percent(share_of(*one, player).mean.unwrap_or_default());
                format!("{share} at {}", grouped(*iterations))
            })
            .collect();
        let at_random = percent(at_random.mean.unwrap_or_default());
        Some(PlainFlaw {
            flaw: PlainFlawKind::OneSided,
            words: format!(
                "the {player} player takes {at_random} of the points if all moves are random, and with UCT {} iterations per move",
                listed(&each, "and")
            ),
        })
    }
}

/// Number of pieces of each player on the board.
fn forces(line: &Line) -> [usize; 2] {
    let board = line.board();
    let owners = board.cells.iter().filter_map(|cell| match &cell.mark {
        CellMark::Piece { owner, .. } => *owner,
        CellMark::Chessman { owner, .. } => Some(*owner),
        _ => None,
    });
    owners.fold([0; 2], |mut counts, owner| {
        counts[owner.index()] += 1;
        counts
    })
}

/// Share of the points of a player, from the games that the second player won, drawn ones, and those
/// that the first player won.
fn share_of([second, drawn, first]: [u64; 3], player: Player) -> Estimate {
    share_of_points(match player {
        Player::First => [second, drawn, first],
        Player::Second => [first, drawn, second],
    })
}

/// A win that one player can force within [`FORCED_PLIES`] plies, with the fewest plies.
fn forced_win(start: &Line, watch: &dyn Watch) -> Result<Option<PlainFlaw>, PlainStopped> {
    for plies in 1..=FORCED_PLIES {
        for player in Player::BOTH {
            let mut search = Forced { player, left: FORCED_POSITIONS_MAX, watch };
            let forced = match search.wins(start, plies) {
                Ok(true) => search.words(start, plies),
                Ok(false) => continue,
                Err(GivenUp::Stopped) => return Err(PlainStopped),
                // Wins that take longer have more positions.
                Err(GivenUp::Positions) => return Ok(None),
            };
            return Ok(Some(PlainFlaw { flaw: PlainFlawKind::ForcedWin, words: forced }));
        }
    }
    Ok(None)
}

/// Search for a win of a player.
struct Forced<'a> {
    player: Player,
    /// Positions that may still be made.
    left: u32,
    watch: &'a dyn Watch,
}

/// Reason that a search for a win has no answer.
enum GivenUp {
    Positions,
    Stopped,
}

impl Forced<'_> {
    /// Whether the player wins within some plies, whatever the other does.
    fn wins(&mut self, line: &Line, plies: u32) -> Result<bool, GivenUp> {
        if let Some(ended) = line.ended() {
            return Ok(ended.outcome.winner() == Some(self.player));
        }
        if plies == 0 {
            return Ok(false);
        }
        if self.watch.stop() {
            return Err(GivenUp::Stopped);
        }
        let is_own = line.turn() == self.player;
        for number in 0..line.move_count() {
            self.left = self.left.checked_sub(1).ok_or(GivenUp::Positions)?;
            let mut next = line.clone();
            next.play(number as MoveNumber);
            if self.wins(&next, plies - 1)? == is_own {
                return Ok(is_own);
            }
        }
        Ok(!is_own)
    }

    /// The win in words, with the first move if the player makes it.
    fn words(&mut self, start: &Line, plies: u32) -> String {
        let (player, within) = (self.player, counted(plies, "ply"));
        self.left = FORCED_POSITIONS_MAX;
        let is_winning = |search: &mut Self, number: MoveNumber| {
            let mut next = start.clone();
            next.play(number);
            search.wins(&next, plies - 1).unwrap_or(false)
        };
        let first = (start.turn() == player)
            .then(|| (0..start.move_count()).find(|&number| is_winning(self, number)))
            .flatten();
        let begins = first.map_or_else(String::new, |m| format!(" with {}", start.move_text(m)));
        format!("the {player} player wins within {within}{begins}, whatever the other player does")
    }
}

/// A game in which players hardly ever choose, or in which no move matters.
fn no_choice(
    engine: &dyn Engine,
    start: &Line,
    seed: Seed,
    watch: &dyn Watch,
) -> Result<Option<PlainFlaw>, PlainStopped> {
    let mut games: Vec<(f64, f64)> = Vec::new();
    let mut outcomes: Vec<Outcome> = Vec::new();
    let mut plies = 0;
    for game in 0..RANDOM_GAMES {
        if plies > RANDOM_PLIES_MAX {
            break;
        }
        let mut rng: Generator = seed.child(game).generator();
        let mut line = start.clone();
        let (mut played, mut chosen) = (0_u32, 0_u32);
        // The position alone does not show an end by repetition or quiet plies.
        while line.ended().is_none() {
            if watch.stop() {
                return Err(PlainStopped);
            }
            let Some(number) = line.random_move(&mut rng) else { break };
            played += 1;
            chosen += u32::from(line.move_count() > 1);
            line.play(number);
        }
        plies += u64::from(played);
        games.push((f64::from(played), f64::from(chosen)));
        outcomes.extend(line.ended().map(|ended| ended.outcome));
    }
    if games.len() < RANDOM_GAMES_MIN {
        return Ok(None);
    }
    let of = |words| Some(PlainFlaw { flaw: PlainFlawKind::NoChoice, words });
    let choices = ratio_interval(&games, 0.0, (0.0, 1.0));
    if choices.high.is_some_and(|high| high < CHOICES_MIN) {
        let (share, games) = (measured_share(&choices), counted(games.len() as u64, "game"));
        return Ok(of(format!(
            "only {share} of the plies of {games} with random moves have more than one legal move"
        )));
    }
    // Where two games end differently, the result depends on the moves.
    if outcomes.windows(2).any(|two| two[0] != two[1]) {
        return Ok(None);
    }
    let exact = Exact::of(engine, start, CHOICE_POSITIONS_MAX, None, &Quiet(watch));
    if watch.stop() {
        return Err(PlainStopped);
    }
    let exact = exact.ok().flatten().filter(|exact| exact.is_without_choice);
    Ok(exact.and_then(|exact| of(exact.words_without_choice())))
}

/// Watch that says stop, and shows no progress: a solve is a small part of the work.
struct Quiet<'a>(&'a dyn Watch);

impl Watch for Quiet<'_> {
    fn stop(&self) -> bool {
        self.0.stop()
    }
}

/// A game that a player wins by copying.
fn copied(
    engine: &dyn Engine,
    start: &Line,
    seed: Seed,
    watch: &dyn Watch,
) -> Result<Option<PlainFlaw>, PlainStopped> {
    let plan = Plan {
        games: GAMES_MIN,
        iterations: COPYING_ITERATIONS,
        ladder: vec![Multiple::QUARTER],
        ..Plan::default()
    };
    let Some(copying) = Copying::of(engine, start, &plan, seed, watch)? else { return Ok(None) };
    let is_won = |share: Estimate| share.low.is_some_and(|low| low > SHARE_OF_FLAW);
    if !copying.against.iter().all(|one| is_won(one.share())) {
        return Ok(None);
    }
    let iterations: Vec<String> =
        copying.against.iter().map(|one| grouped(one.iterations)).collect();
    let (won, games) =
        copying.against.iter().fold((0, 0), |(won, games), one| (won + one.won, games + one.games));
    Ok(Some(PlainFlaw {
        flaw: PlainFlawKind::Copied,
        words: format!(
            "the {} player {}, and wins {won} of {games} games against UCT at {} iterations per move",
            copying.copier,
            copying.words(),
            listed(&iterations, "and")
        ),
    }))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use treegauge_catalog::GameSpec;

    use super::*;

    fn open(game: &str) -> Arc<dyn Engine> {
        treegauge_engine::open(&GameSpec::parse(game).unwrap()).unwrap()
    }

    fn flaw(game: &str) -> Option<PlainFlaw> {
        let engine = open(game);
        PlainFlaw::of(engine.as_ref(), &engine.start(), Seed(1), &()).unwrap()
    }

    #[test]
    fn wins_within_three_plies_are_found() {
        for (game, words) in [
            ("tic_tac_toe(k=1)", "the first player wins within 1 ply with a1, whatever"),
            ("tic_tac_toe(k=2)", "the first player wins within 3 plies with a1, whatever"),
            ("connect_four(k=2)", "the first player wins within 3 plies with "),
            // The second player is the first with a line of one.
            ("mnk(rows=3,cols=3,k1=3,k2=1)", "the second player wins within 2 plies, whatever"),
        ] {
            let flaw = flaw(game).unwrap();
            assert_eq!(flaw.flaw, PlainFlawKind::ForcedWin, "{game}");
            assert!(flaw.words.starts_with(words), "{game}: {}, and not {words}", flaw.words);
        }
        // Five plies are more than three.
        assert_eq!(flaw("connect_four(k=3)"), None);
    }

    #[test]
    fn games_whose_moves_do_not_matter_are_found() {
        let flaw = flaw("dots_and_boxes(rows=1,cols=1)").unwrap();
        let words = "whatever the players do, the second player wins";
        assert_eq!((flaw.flaw, flaw.words.as_str()), (PlainFlawKind::NoChoice, words));
    }

    #[test]
    fn games_that_are_won_by_copying_are_found() {
        let flaw = flaw("cram(cols=4,rows=4)").unwrap();
        assert_eq!(flaw.flaw, PlainFlawKind::Copied);
        let words = "the second player copies each move of the other player, turned by 180 degrees, and wins 40 of 40 games \
                     against UCT at 250 and 1,000 iterations per move";
        assert_eq!(flaw.words, words);
    }

    #[test]
    fn sound_games_have_no_plain_flaw() {
        for game in [
            "achi",
            "breakthrough(cols=6,rows=6)",
            "connect_four",
            "dodgem",
            "dots_and_boxes",
            "hare_and_hounds",
            "hexapawn",
            "isolation",
            "kalah",
            "knightthrough(cols=5,rows=6)",
            "mu_torere",
            "nine_mens_morris",
            "othello(size=6)",
            "oware",
            "qubic",
            "teeko",
            "three_mens_morris",
            "tic_tac_toe",
            "wild_tic_tac_toe",
        ] {
            assert_eq!(flaw(game), None, "{game}");
        }
    }

    #[test]
    fn a_side_that_wins_without_skill_is_found() {
        let of = |game: &str, results: [[u64; 3]; 2]| {
            let engine = open(game);
            let results = [(100, results[0]), (1_000, results[1])];
            let found = PlainFlaw::of_results(engine.as_ref(), &engine.start(), &results, Seed(1));
            found.map(|flaw| {
                assert_eq!(flaw.flaw, PlainFlawKind::OneSided, "{game}");
                flaw.words
            })
        };
        let (first, second) = ([0, 0, 40], [40, 0, 0]);
        // Three in a row against five.
        let words = of("mnk(rows=9,cols=9,k1=3,k2=5)", [first, first]).unwrap();
        assert!(words.starts_with("the first player takes 9"), "{words}");
        let with = "of the points if all moves are random, and with UCT 100% at 100 and 100% at 1,000 iterations per move";
        assert!(words.ends_with(with), "{words}");
        assert!(of("mnk(rows=9,cols=9,k1=5,k2=3)", [second, second]).is_some());
        // Each strength must show it, with few draws.
        assert_eq!(of("mnk(rows=9,cols=9,k1=3,k2=5)", [first, [8, 0, 32]]), None);
        assert_eq!(of("mnk(rows=9,cols=9,k1=3,k2=5)", [[0, 10, 30], first]), None);
        assert_eq!(of("mnk(rows=9,cols=9,k1=3,k2=5)", [first, second]), None);
        // Best play decides these, and a random player does not find it; or the sides are unequal.
        for game in
            ["hexapawn", "kalah(houses=2,seeds=6,captures=false)", "dawsons_chess", "asalto"]
        {
            assert_eq!(of(game, [first, first]), None, "{game}");
            assert_eq!(of(game, [second, second]), None, "{game}");
        }
    }

    /// Says stop after some calls.
    struct Stopping(std::sync::atomic::AtomicU32);

    impl Watch for Stopping {
        fn stop(&self) -> bool {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= 20
        }
    }

    #[test]
    fn a_stop_is_obeyed() {
        let engine = open("connect_four");
        let stopping = Stopping(0.into());
        let found = PlainFlaw::of(engine.as_ref(), &engine.start(), Seed(1), &stopping);
        assert_eq!(found, Err(PlainStopped));
    }
}
