//! The first thing that a verdict says, in one or two sentences.

use treegauge_core::{Player, counted};

use super::Gauge;
use super::exact::Exact;
use super::findings::{self, Finding};
use super::measure_table::Flag;
use super::strength::Change;
use super::verdict::{FlawState, JudgedFlaw, Weakness, games_judged, listed};

/// The verdict in one or two sentences of at most three numbers each.
pub(super) fn lead(
    gauge: &Gauge,
    flags: &[JudgedFlaw],
    weakness: Option<&Weakness>,
    over_at_start: bool,
) -> String {
    if over_at_start {
        return "The game is over at the start, so there is nothing to play or judge.".to_owned();
    }
    let of_players = match weakness {
        _ if gauge.games == 0 && gauge.incomplete => Some(
            "No game was over when the run was stopped, so nothing is known of players.".to_owned(),
        ),
        _ if gauge.games == 0 => {
            Some("No game was played, so nothing is known of players.".to_owned())
        }
        Some(Weakness { why, .. }) => Some(format!("Cannot tell whether it has flaws: {why}.")),
        None => None,
    };
    let found = findings::found(flags);
    let is_measured = |judged: &&JudgedFlaw| {
        judged.state != FlawState::Yes || Finding::named(&judged.flag).is_none()
    };
    let measured: Vec<JudgedFlaw> = flags.iter().filter(is_measured).cloned().collect();
    if !found.is_empty() {
        let flaws = format!("Flawed: {}.", listed(&found, "and"));
        // Two sentences are enough; the table of flaws has the others.
        if let Some(exact) = &gauge.solved {
            return format!("Solved: {}. {flaws}", exact.words());
        }
        let also = match &words_of(&measured, FlawState::Yes)[..] {
            [] => String::new(),
            others => format!(
                " It is also {} ({}, {}).",
                listed(others, "and"),
                counted(games_judged(gauge), "game"),
                gauge.players()
            ),
        };
        return format!("{flaws}{also}");
    }
    match (&gauge.solved, of_players) {
        (Some(exact), of_players) => {
            let of_players = of_players.or_else(|| after_solving(exact, gauge, &measured));
            let solved = format!("Solved: {}.", exact.words());
            of_players.map_or(solved.clone(), |words| format!("{solved} {words}"))
        }
        (None, Some(of_players)) => of_players,
        (None, None) => of_games(gauge, &measured),
    }
}

/// The verdict on a game whose exact value is not known.
fn of_games(gauge: &Gauge, flags: &[JudgedFlaw]) -> String {
    let games = counted(games_judged(gauge), "game");
    let sample = format!("{games}, {}", gauge.players());
    let words = |state| words_of(flags, state);
    let (yes, depends, open) =
        (words(FlawState::Yes), words(FlawState::DependsOnStrength), words(FlawState::CannotTell));
    let first_flaw = flags.iter().find(|judged| judged.state == FlawState::Yes);
    if let Some(first) = first_flaw {
        let (_, others) = yes.split_at(1);
        let measured = gauge.evidence(first).map_or(String::new(), |found| {
            let subject = Flag::named(&first.flag).map_or("", |flag| flag.subject);
            // Without parentheses inside of parentheses.
            let together = found.together.replacen(" (", ", interval ", 1).replace(')', "");
            format!(" ({subject} {together})")
        });
        let mut all = vec![format!("{}{measured}", first.words())];
        all.extend(others.iter().map(|&words| words.to_owned()));
        return format!(
            "Flawed: {}. Measured in {}.",
            listed(&all, "and"),
            sample.replacen(", ", " of ", 1)
        );
    }
    if !depends.is_empty() {
        let how =
            flags.iter().find_map(JudgedFlaw::reason_of_change).filter(|_| depends.len() == 1);
        let how = how.map_or(String::new(), |how| format!(": {how}"));
        return format!(
            "Whether it is {} depends on the strength of the players{how} ({sample}).",
            listed(&depends, "or")
        );
    }
    match &open[..] {
        [] => {}
        [_, _, _, _, ..] => return format!("Cannot tell yet: too few games ({sample})."),
        few => return format!("Cannot tell yet whether it is {} ({sample}).", listed(few, "or")),
    }
    let advantage = advantage(gauge, flags).unwrap_or_default();
    // A player copies after all other games are over.
    let (so_far, untested) = match gauge.incomplete {
        true => (" so far", " Whether a player wins by copying is not tested yet."),
        false => ("", ""),
    };
    format!(
        "No flaw found{so_far} ({sample}): not drawish, not biased, neither too short nor too long.{advantage}{untested}"
    )
}

/// A sentence about the player who took clearly more than half of the points, but too few for a bias.
fn advantage(gauge: &Gauge, flags: &[JudgedFlaw]) -> Option<String> {
    [(Player::First, "biased_first"), (Player::Second, "biased_second")].into_iter().find_map(
        |(player, name)| {
            let judged = flags.iter().find(|judged| judged.flag == name)?;
            judged.together?.low.filter(|&low| low > 0.5)?;
            let share = gauge.evidence(judged)?.together;
            Some(format!(" In these games the {player} player took {share} of the points."))
        },
    )
}

/// The second sentence on a solved game: its flaws, or whether players find the value; `None` if there
/// is nothing to add.
fn after_solving(exact: &Exact, gauge: &Gauge, flags: &[JudgedFlaw]) -> Option<String> {
    let players = gauge.players();
    let games = counted(games_judged(gauge), "game");
    let yes = words_of(flags, FlawState::Yes);
    let others = shown_against(exact, flags) + &open_besides_bias(flags);
    let judged = |name: &str| flags.iter().find(|judged| judged.flag == name);
    let biased = |player: Player| match player {
        Player::First => judged("biased_first"),
        Player::Second => judged("biased_second"),
    };
    let is_other = |judged: Option<&JudgedFlaw>| {
        judged.is_some_and(|judged| judged.change == Some(Change::OtherWithBestPlay))
    };
    if !yes.is_empty() {
        let found = exact.winner().and_then(biased).filter(|bias| bias.state == FlawState::Yes);
        let Some(bias) = found else {
            return Some(format!("In {games} of {players} it is {}{others}.", listed(&yes, "and")));
        };
        let further: Vec<&str> = yes.into_iter().filter(|&words| words != bias.words()).collect();
        let also = match &further[..] {
            [] => String::new(),
            further => format!("; it is also {}", listed(further, "and")),
        };
        let often = match bias.together.and_then(|share| share.mean) {
            Some(share) if share >= 1.0 => "always",
            _ => "mostly",
        };
        return Some(format!(
            "{players} {often} finds the win: {}{also} ({games}{others}).",
            bias.words()
        ));
    }
    let Some(winner) = exact.winner() else {
        let favoured = Player::BOTH.into_iter().find(|&player| is_other(biased(player)));
        return match favoured {
            Some(player) => Some(format!(
                "{players} does not hold it: the {player} player wins most of {games}{others}."
            )),
            None if is_other(judged("drawish")) => {
                Some(format!("{players} seldom plays so well ({games}{others})."))
            }
            None => Some(of_games(gauge, flags)),
        };
    };
    let bias = biased(winner)?;
    if is_other(biased(winner.other())) {
        return Some(format!(
            "{players} does not find the win: the {} player wins most of {games}{others}.",
            winner.other()
        ));
    }
    Some(match (bias.state, bias.change) {
        (_, Some(Change::OtherWithBestPlay)) => {
            format!(
                "{players} mostly misses the win, so between such players it is not biased ({games}{others})."
            )
        }
        (FlawState::DependsOnStrength, _) => {
            format!("Whether {players} finds the win depends on its strength ({games}{others}).")
        }
        _ => format!("Cannot tell whether {players} finds the win ({games}{others})."),
    })
}

/// The flaws besides a bias and draws that the games show and best play does not, at the end of a sentence on a
/// solved game; empty if there are none.
fn shown_against(exact: &Exact, flags: &[JudgedFlaw]) -> String {
    let is_shown = |judged: &&JudgedFlaw| {
        judged.change == Some(Change::OtherWithBestPlay)
            && judged.flag != "drawish"
            && !judged.flag.starts_with("biased")
            && Flag::named(&judged.flag)
                .and_then(|flag| flag.with_best_play)
                .is_some_and(|has_flaw| !has_flaw(exact))
    };
    let shown: Vec<&str> = flags.iter().filter(is_shown).map(JudgedFlaw::words).collect();
    if shown.is_empty() {
        return String::new();
    }
    format!("; unlike with best play it is {}", listed(&shown, "and"))
}

/// The flaws besides a bias that the games leave open, at the end of a sentence on a solved game; empty
/// if they decide all.
fn open_besides_bias(flags: &[JudgedFlaw]) -> String {
    let open_in = |state| {
        let is_open = |judged: &&JudgedFlaw| {
            judged.state == state
                && judged.change != Some(Change::OtherWithBestPlay)
                && !judged.flag.starts_with("biased")
        };
        flags.iter().filter(is_open).map(JudgedFlaw::words).collect::<Vec<_>>()
    };
    let mut words = String::new();
    let unknown = open_in(FlawState::CannotTell);
    if !unknown.is_empty() {
        words.push_str(&format!("; cannot tell whether it is {}", listed(&unknown, "or")));
    }
    let changing = open_in(FlawState::DependsOnStrength);
    if !changing.is_empty() {
        let changing = listed(&changing, "or");
        words.push_str(&format!("; whether it is {changing} depends on the strength"));
    }
    words
}

/// The words of the flaws in some state.
fn words_of(flags: &[JudgedFlaw], state: FlawState) -> Vec<&str> {
    flags.iter().filter(|judged| judged.state == state).map(JudgedFlaw::words).collect()
}
