//! Flaws that show before a model is asked: in the first plies, in random games, in games of a
//! player that copies, in results of self-play that one side wins, or in the games of a gauge that one
//! side wins or that are drawn.
//!
//! A model of labelled games judges by likeness, so such evidence comes before its answer. Each
//! kind is strict; `record` has the known games that show one.

use serde::{Deserialize, Serialize};
use treegauge_core::{CellMark, Outcome, Player, Watch, counted, grouped};
use treegauge_engine::{Engine, Line};
use treegauge_search::{Generator, Seed};
use treegauge_stats::{Estimate, ratio_interval, share_of_points};

use super::copying::{COPIED, Copying, GAMES_MIN, SHARE_OF_FLAW, Stopped};
use super::exact::{CHOICE_POSITIONS_MAX, Exact};
use super::findings::{CHOICES_MIN, NEVER_A_CHOICE, NO_CHOICE};
use super::forced::{self, Forced, GivenUp};
use super::verdict::{
    FlawState, JudgedFlaw, games_judged, listed, measured_share, percent, strongest,
};
use super::{Gauge, Multiple, Plan, Rung};

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
    /// One player wins within five plies; who does not look so far ahead may have a fair game.
    ForcedWinAhead,
    /// No move matters, or hardly any ply has more than one legal move.
    NoChoice,
    /// A player wins by copying the moves of the other.
    Copied,
    /// One player wins nearly all games of self-play, and most games of random players.
    OneSided,
    /// One player wins nearly all games of a gauge, at each strength, and most games of random players.
    OneSidedPlay,
    /// One player wins nearly all games between the two strongest players of a gauge; weaker ones or
    /// random ones may be balanced.
    OneSidedStrongPlay,
    /// Nearly all games between the two strongest players of a gauge are drawn; weaker ones or random ones
    /// may win.
    DrawnStrongPlay,
}

impl PlainFlawKind {
    /// Tests whether the flaw may be one between strong players only, so that others may have a fair
    /// game.
    #[must_use]
    pub const fn is_of_strong_players(self) -> bool {
        matches!(
            self,
            PlainFlawKind::ForcedWinAhead
                | PlainFlawKind::OneSidedStrongPlay
                | PlainFlawKind::DrawnStrongPlay
        )
    }
}

/// Plies within which a forced win is a flaw.
const FORCED_PLIES: u32 = 3;

/// Positions after which the search for a win of one player within some plies is given up.
const FORCED_POSITIONS_MAX: u32 = 50_000;

/// The same for a gauge, which looks farther ahead.
const FORCED_AHEAD_POSITIONS_MAX: u32 = 300_000;

/// Random games in which choices are counted.
const RANDOM_GAMES: u64 = 100;

/// Plies of these games together after which no further one begins.
const RANDOM_PLIES_MAX: u64 = 20_000;

/// Fewest random games that are looked at.
const RANDOM_GAMES_MIN: usize = 20;

/// Share of the points of self-play above which a side wins nearly all games, with all strengths
/// together and at each strength alone. The same shares of draws are nearly all games too.
const NEARLY_ALL: [f64; 2] = [0.9, 0.8];

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
        match PlainFlaw::without_search(engine, start, seed, watch)? {
            None if start.ended().is_none() => {
                copied(engine, start, seed.child(stream::COPYING), watch)
            }
            flaw => Ok(flaw),
        }
    }

    /// The same but for games of a player that copies, so that no search plays.
    ///
    /// # Errors
    ///
    /// If `watch` says stop.
    pub fn without_search(
        engine: &dyn Engine,
        start: &Line,
        seed: Seed,
        watch: &dyn Watch,
    ) -> Result<Option<PlainFlaw>, PlainStopped> {
        if start.ended().is_some() {
            return Ok(None);
        }
        if let Some(flaw) = forced_win(start, PlainFlawKind::ForcedWin, watch)? {
            return Ok(Some(flaw));
        }
        no_choice(engine, start, seed.child(stream::RANDOM), watch)
    }

    /// Flaw that a gauge has found, or a win by force a little later than [`PlainFlaw::of`] looks for one;
    /// `None` if nothing decides by itself. The verdict of the gauge must be there.
    ///
    /// A bias alone does not decide: one side must take nearly all points at each of the two greatest
    /// strengths, and best play must not contradict. Whether weaker players and random ones show it too
    /// decides its kind. Draws decide in the same way, and then always between strong players only.
    ///
    /// # Errors
    ///
    /// If `watch` says stop.
    pub fn of_gauge(
        engine: &dyn Engine,
        gauge: &Gauge,
        start: &Line,
        watch: &dyn Watch,
    ) -> Result<Option<PlainFlaw>, PlainStopped> {
        let found = |name: &str| {
            let is_found = |one: &&JudgedFlaw| one.flag == name && one.state == FlawState::Yes;
            gauge.verdict.flags.iter().find(is_found)
        };
        for (name, flaw) in [(NO_CHOICE, PlainFlawKind::NoChoice), (COPIED, PlainFlawKind::Copied)]
        {
            if let Some(judged) = found(name) {
                return Ok(Some(PlainFlaw { flaw, words: judged.why.clone() }));
            }
        }
        let of = |player| {
            let judged = found(match player {
                Player::First => "biased_first",
                Player::Second => "biased_second",
            })?;
            one_sided_play(engine, gauge, start, player, &judged.together?)
        };
        let one_sided = Player::BOTH.into_iter().find_map(of);
        if one_sided.as_ref().is_some_and(|one| one.flaw == PlainFlawKind::OneSidedPlay) {
            return Ok(one_sided);
        }
        let forced = forced_win(start, PlainFlawKind::ForcedWinAhead, watch)?;
        let drawn = || drawn_play(engine, gauge, start, &found("drawish")?.together?);
        Ok(forced.or(one_sided).or_else(drawn))
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
        let [of_all, of_each] = NEARLY_ALL;
        let wins_nearly_all = |player: &Player| {
            is_above(&share_of(together, *player), of_all)
                && results.iter().all(|(_, one)| is_above(&share_of(*one, *player), of_each))
        };
        let player = Player::BOTH.into_iter().find(wins_nearly_all)?;
        let [first, second] = forces(start);
        if first != second {
            return None;
        }
        let at_random = share_at_random(engine, start, player, seed);
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

/// A win that one player can force within the plies of a kind of flaw, with the fewest plies; `None` if
/// there is none, or the positions are too many.
fn forced_win(
    start: &Line,
    flaw: PlainFlawKind,
    watch: &dyn Watch,
) -> Result<Option<PlainFlaw>, PlainStopped> {
    let (plies_max, positions_max) = match flaw {
        PlainFlawKind::ForcedWinAhead => (forced::PLIES_MAX, FORCED_AHEAD_POSITIONS_MAX),
        _ => (FORCED_PLIES, FORCED_POSITIONS_MAX),
    };
    if start.ended().is_some() {
        return Ok(None);
    }
    for plies in 1..=plies_max {
        for player in Player::BOTH {
            let mut search = Forced::new(player, positions_max, watch);
            let words = match search.wins(start, plies) {
                Ok(true) => search.words(start, plies),
                Ok(false) => continue,
                Err(GivenUp::Stopped) => return Err(PlainStopped),
                // Wins that take longer have more positions.
                Err(GivenUp::Positions) => return Ok(None),
            };
            return Ok(Some(PlainFlaw { flaw, words }));
        }
    }
    Ok(None)
}

/// A player who takes nearly all points at each of the two greatest strengths of a gauge; `together`
/// is the share of both.
fn one_sided_play(
    engine: &dyn Engine,
    gauge: &Gauge,
    start: &Line,
    player: Player,
    together: &Estimate,
) -> Option<PlainFlaw> {
    let share = |rung: &Rung| {
        let first = rung.measures.get("first_player");
        if player == Player::First { first } else { first.complement() }
    };
    let [of_both, of_each] = NEARLY_ALL;
    let is_one_sided = |rungs: &[&Rung]| rungs.iter().all(|rung| is_above(&share(rung), of_each));
    let played: Vec<&Rung> = gauge.ladder.iter().filter(|rung| rung.games > 0).collect();
    let (weaker, strongest) = played.split_at(played.len().saturating_sub(2));
    if !is_above(together, of_both) || !is_one_sided(strongest) {
        return None;
    }
    let (players, games) = (gauge.players(), counted(games_judged(gauge), "game"));
    let mean = together.mean?;
    let mut words = if mean >= 1.0 {
        format!("the {player} player wins all {games} of {players}")
    } else {
        let share = percent(mean);
        format!("the {player} player takes {share} of the points in {games} of {players}")
    };
    let at_random = share_at_random(engine, start, player, Seed(gauge.seed));
    let random = percent(at_random.mean?);
    words += &match weaker.first() {
        Some(weakest) => format!(
            ", {} of the points at {} and {random} if all moves are random",
            percent(share(weakest).mean?),
            grouped(weakest.iterations)
        ),
        None => format!(", and {random} of the points if all moves are random"),
    };
    // As in results of self-play elsewhere: strong players may balance a hunt of many against few, and in a small
    // game even weak ones find the best play.
    let [first, second] = forces(start);
    let is_at_each = is_one_sided(weaker) && is_above(&at_random, ONE_SIDED_AT_RANDOM);
    let flaw = match is_at_each && first == second {
        true => PlainFlawKind::OneSidedPlay,
        false => PlainFlawKind::OneSidedStrongPlay,
    };
    Some(PlainFlaw { flaw, words })
}

/// Draws in nearly all games at each of the two greatest strengths of a gauge; `together` is their share at
/// both.
fn drawn_play(
    engine: &dyn Engine,
    gauge: &Gauge,
    start: &Line,
    together: &Estimate,
) -> Option<PlainFlaw> {
    let [of_both, of_each] = NEARLY_ALL;
    let is_drawn = |rung: &&Rung| is_above(&rung.measures.get("draw_rate"), of_each);
    if !is_above(together, of_both) || !strongest(gauge).iter().all(is_drawn) {
        return None;
    }
    let (players, games) = (gauge.players(), counted(games_judged(gauge), "game"));
    let mean = together.mean?;
    let which = if mean >= 1.0 { "all".to_owned() } else { format!("{} of", percent(mean)) };
    let at_random = at_random(engine, start, Seed(gauge.seed));
    let random = percent(at_random[1] as f64 / at_random.iter().sum::<u64>().max(1) as f64);
    Some(PlainFlaw {
        flaw: PlainFlawKind::DrawnStrongPlay,
        words: format!("{which} {games} of {players} are drawn; {random} if all moves are random"),
    })
}

/// Whether the whole interval of a share is above a limit.
fn is_above(share: &Estimate, limit: f64) -> bool {
    share.low.is_some_and(|low| low > limit)
}

/// Games with random moves: those that the second player won, drawn ones, and those that the first player
/// won.
fn at_random(engine: &dyn Engine, start: &Line, seed: Seed) -> [u64; 3] {
    let mut rng = seed.child(stream::ONE_SIDED).generator();
    engine.playouts(start, ONE_SIDED_GAMES, &mut rng).outcomes
}

/// Share of the points of a player in games with random moves.
fn share_at_random(engine: &dyn Engine, start: &Line, player: Player, seed: Seed) -> Estimate {
    share_of(at_random(engine, start, seed), player)
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
        if choices.mean == Some(0.0) {
            return Ok(of(NEVER_A_CHOICE.to_owned()));
        }
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
    Ok(match exact {
        Ok(None) => decided_later(engine, start, outcomes[0], &games, seed, watch)?.and_then(of),
        exact => {
            let exact = exact.ok().flatten().filter(|exact| exact.is_without_choice);
            exact.and_then(|exact| of(exact.words_without_choice()))
        }
    })
}

/// Positions of random games from which the rest of a game is solved, where the whole is too large.
const LATER_POSITIONS: u64 = 10;

/// The result of a game that is too large to solve, in words, if all of its random games end alike and
/// no move changes the result after their first plies; `None` if one does, or the rest is too large.
/// `games` has the plies of each random game first.
fn decided_later(
    engine: &dyn Engine,
    start: &Line,
    outcome: Outcome,
    games: &[(f64, f64)],
    seed: Seed,
    watch: &dyn Watch,
) -> Result<Option<String>, PlainStopped> {
    let is_decided = |plies: u32, game: u64| {
        let mut line = start.clone();
        line.random_plies(plies, &mut seed.child(RANDOM_GAMES + game).generator());
        let exact = match line.ended() {
            Some(_) => return Ok(None),
            None => Exact::of(engine, &line, CHOICE_POSITIONS_MAX, None, &Quiet(watch)),
        };
        if watch.stop() {
            return Err(PlainStopped);
        }
        let exact = exact.ok().flatten();
        Ok(exact.map(|exact| exact.is_without_choice && exact.winner() == outcome.winner()))
    };
    let shortest = games.iter().map(|(plies, _)| *plies as u32).min().unwrap_or_default();
    for part in [4, 3, 2] {
        let plies = shortest / part;
        match is_decided(plies, 0)? {
            // The rest of the game is too large too.
            None => continue,
            Some(false) => return Ok(None),
            Some(true) => {}
        }
        for game in 1..LATER_POSITIONS {
            if is_decided(plies, game)? != Some(true) {
                return Ok(None);
            }
        }
        let result = match outcome.winner() {
            Some(winner) => format!("the {winner} player wins"),
            None => "the game is a draw".to_owned(),
        };
        return Ok(Some(format!(
            "{result} in all of {} games with random moves, and from each of {LATER_POSITIONS} positions after {} whatever \
             the players do",
            games.len(),
            counted(plies, "random ply")
        )));
    }
    Ok(None)
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
        assert_eq!(flaw("mnk(rows=5,cols=5,k=3)"), None);
    }

    #[test]
    fn a_gauge_finds_wins_within_five_plies() {
        let ahead = |game: &str| {
            let kind = PlainFlawKind::ForcedWinAhead;
            forced_win(&open(game).start(), kind, &()).unwrap().map(|flaw| flaw.words)
        };
        for (game, words) in [
            // The third stone makes a line of three, on large boards too.
            ("mnk(rows=5,cols=5,k=3)", "the first player wins within 5 plies with b2, whatever"),
            ("mnk(rows=10,cols=10,k=3)", "the first player wins within 5 plies with b2, whatever"),
            ("mnk(rows=3,cols=3,k1=3,k2=2)", "the second player wins within 4 plies, whatever"),
        ] {
            let found = ahead(game).unwrap();
            assert!(found.starts_with(words), "{game}: {found}, and not {words}");
        }
        // The fourth stone wins, and none does.
        for game in ["connect_four(k=3)", "tic_tac_toe"] {
            assert_eq!(ahead(game), None, "{game}");
        }
    }

    #[test]
    fn games_whose_moves_do_not_matter_are_found() {
        let flaw = flaw("dots_and_boxes(rows=1,cols=1)").unwrap();
        let words = "whatever the players do, the second player wins";
        assert_eq!((flaw.flaw, flaw.words.as_str()), (PlainFlawKind::NoChoice, words));
    }

    #[test]
    fn games_without_any_choice_are_found() {
        let flaw = flaw("one_to_ten(target=9,max_step=1)").unwrap();
        let words = "no player ever has a choice: every ply has one legal move";
        assert_eq!((flaw.flaw, flaw.words.as_str()), (PlainFlawKind::NoChoice, words));
    }

    /// A game of stones that neither player owns, placed until the board is full.
    fn filled(cols: u32) -> Option<PlainFlaw> {
        let text = format!(
            "(game \"Fill\" (board (grid {cols} 3 (diagonals none))) (pieces (tile neutral)) (play (place tile)) \
             (end (stuck (lose mover))))"
        );
        let spec = GameSpec::parse_with("fill.rules", &mut |_| Ok(text.clone())).unwrap();
        let engine = treegauge_engine::open(&spec).unwrap();
        PlainFlaw::of(engine.as_ref(), &engine.start(), Seed(1), &()).unwrap()
    }

    #[test]
    fn no_choice_is_found_in_games_that_are_too_large_to_solve() {
        let small = filled(4).unwrap();
        assert_eq!(small.flaw, PlainFlawKind::NoChoice);
        assert_eq!(small.words, "whatever the players do, the second player wins");
        // 262,144 positions.
        let large = filled(6).unwrap();
        assert_eq!(large.flaw, PlainFlawKind::NoChoice);
        let words = "the second player wins in all of 100 games with random moves, and from each of 10 positions after 4 \
                     random plies whatever the players do";
        assert_eq!(large.words, words);
    }

    /// The flaw that a gauge with these iterations, games and limit of solving has found.
    fn of_gauge(game: &str, iterations: u32, games: u32, solve_limit: u64) -> Option<PlainFlaw> {
        let engine = open(game);
        let plan = Plan { games, iterations, skill_games: 0, solve_limit, ..Plan::default() };
        let start = engine.start();
        let gauge = crate::gauge(engine.as_ref(), &start, &plan, Vec::new(), &(), &());
        PlainFlaw::of_gauge(engine.as_ref(), &gauge, &start, &()).unwrap()
    }

    #[test]
    fn draws_of_strong_players_are_found() {
        for (game, solve_limit, words) in [
            // Large enough not to be solved here.
            (
                "mnk(rows=4,cols=4,k=4)",
                0,
                "all 80 games of UCT at 500 and 2,000 iterations per move are drawn; ",
            ),
            (
                "tic_tac_toe",
                0,
                "99% of 80 games of UCT at 500 and 2,000 iterations per move are drawn; 1",
            ),
            // Drawn with best play, too.
            (
                "tic_tac_toe",
                10_000,
                "99% of 80 games of UCT at 500 and 2,000 iterations per move are drawn; 1",
            ),
            (
                "pong_hau_ki",
                10_000,
                "all 80 games of UCT at 500 and 2,000 iterations per move are drawn; ",
            ),
        ] {
            let flaw = of_gauge(game, 500, 40, solve_limit).unwrap();
            assert_eq!(flaw.flaw, PlainFlawKind::DrawnStrongPlay, "{game}");
            assert!(flaw.flaw.is_of_strong_players());
            assert!(flaw.words.starts_with(words), "{game}: {}", flaw.words);
            assert!(flaw.words.ends_with("% if all moves are random"), "{game}: {}", flaw.words);
        }
        // Too few games.
        assert_eq!(of_gauge("tic_tac_toe", 500, 8, 0), None);
    }

    #[test]
    fn a_side_that_wins_the_games_of_a_gauge_is_found() {
        let of = of_gauge;
        for solve_limit in [0, 1_000] {
            let strong = of("hexapawn", 400, 40, solve_limit).unwrap();
            assert_eq!(strong.flaw, PlainFlawKind::OneSidedStrongPlay);
            let words = "the second player wins all 80 games of UCT at 400 and 1,600 iterations per move, 100% of the \
                         points at 25 and 44% if all moves are random";
            assert_eq!(strong.words, words);
        }
        // Three in a row against five needs no skill.
        let all = of("mnk(rows=6,cols=6,k1=3,k2=5)", 1_200, 20, 0).unwrap();
        assert_eq!(all.flaw, PlainFlawKind::OneSidedPlay, "{}", all.words);
        // A win by force says more than that strong players find it.
        let forced = of("mnk(rows=4,cols=4,k=3)", 800, 20, 0).unwrap();
        assert_eq!(forced.flaw, PlainFlawKind::ForcedWinAhead, "{}", forced.words);
        // Too few games, and a game that both sides win.
        assert_eq!(of("hexapawn", 400, 8, 0), None);
        assert_eq!(of("connect_four(cols=5,rows=4)", 200, 20, 0), None);
        // Flaws that a gauge finds without measures decide too.
        let copied = of("cram(cols=4,rows=4)", 600, 20, 0).unwrap();
        assert_eq!(copied.flaw, PlainFlawKind::Copied);
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
