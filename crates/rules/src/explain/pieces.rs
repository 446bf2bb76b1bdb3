//! Sentences about pieces, the start, turns, limits and options.

use treegauge_core::Player;

use super::nouns::{a, capital, counted, digits, list, noun, number, plural, sentence};
use super::sets::Phrase;
use super::{Paragraph, Speaker, Voice, plain, player_name};
use crate::notation::shown_symbols;
use crate::said::Placed;
use crate::tree::{Kind, Owner, Turns, Verb};

impl Speaker<'_> {
    pub(super) fn pieces(&self) -> Vec<Paragraph> {
        if self.program.board.is_pits() {
            let seeds = counted(i64::from(self.program.seeds), "seed");
            let text = format!(
                "Each pit begins with {seeds}, and the stores are empty. Seeds belong to neither player; a player \
                 moves those of its own row."
            );
            return vec![plain(text)];
        }
        let mut text = Vec::new();
        for (number, kind) in self.program.kinds.iter().enumerate() {
            if kind.owner != Owner::Neutral {
                text.extend(self.supply(number as Kind, kind.owner));
            }
        }
        let neutral = self.program.kinds.iter().filter(|kind| kind.owner == Owner::Neutral);
        let neutral: Vec<String> = neutral.map(|kind| plural(&noun(&kind.name))).collect();
        if !neutral.is_empty() {
            text.push(format!("{} belong to neither player.", capital(&list(&neutral, "and"))));
        }
        for placed in &self.program.said.start {
            text.push(self.placed(placed));
        }
        if self.program.start.is_empty() {
            text.push("The board is empty at the start.".to_owned());
        }
        text.extend(self.symbols());
        vec![plain(text.join(" "))]
    }

    /// Sentence about the symbols of the pieces; `None` if they need none.
    fn symbols(&self) -> Option<String> {
        let of = |(symbols, kind): (Vec<char>, &str)| {
            let kind = noun(kind);
            let symbols: Vec<String> = symbols.iter().map(char::to_string).collect();
            match symbols.len() {
                1 => format!("{} is {}", symbols[0], a(&kind)),
                _ => format!("{} are {}", list(&symbols, "and"), plural(&kind)),
            }
        };
        let shown: Vec<String> = shown_symbols(self.program).into_iter().map(of).collect();
        (!shown.is_empty()).then(|| format!("On boards and in positions {}.", list(&shown, "and")))
    }

    /// Sentence about the owner and the supply of a kind; `None` if the start already tells it.
    fn supply(&self, number: Kind, owner: Owner) -> Option<String> {
        let kind = &self.program.kinds[number as usize];
        let many = plural(&noun(&kind.name));
        let who = match owner {
            Owner::Only(player) => player_name(player),
            _ => "each player",
        };
        let starts = self.program.start.iter().any(|put| put.kind == number);
        let text = match (kind.hand, self.is_placed(number)) {
            (Some(0), _) => format!("{who} has {many}, none of them in hand"),
            (Some(hand), _) => {
                format!("{who} has {} in hand", counted(i64::from(hand), &noun(&kind.name)))
            }
            (None, true) => format!("{who} has {many}, as many as are needed"),
            (None, false) if starts => return None,
            (None, false) => {
                format!("{who} may get {many}, which are not on the board at the start")
            }
        };
        Some(sentence(&text))
    }

    fn is_placed(&self, number: Kind) -> bool {
        let movers = self.program.all_movers();
        movers.iter().any(|mover| mover.verb == Verb::Place && mover.kind == Some(number))
    }

    /// Phrase for the pieces that a part of `start` puts on the board.
    fn placed(&self, placed: &Placed) -> String {
        let name = noun(&self.program.kinds[placed.kind as usize].name);
        let (who, player) = match placed.owner {
            Owner::Each => ("each player", Some(Player::First)),
            Owner::Only(player) => (player_name(player), Some(player)),
            Owner::Neutral => ("", None),
        };
        // The pieces are counted on the board, because some sites of a set may not be filled.
        let on = self.with_voice(Voice::of("it")).phrase(&placed.on);
        let sites = self.sites_at_start(placed, player);
        let places = match &on {
            Phrase::Simple(simple)
                if simple.parts.len() == 1
                    && !simple.parts[0].of.is_empty()
                    && simple.is_one_part() =>
            {
                simple.parts[0].of.clone()
            }
            Phrase::Simple(simple) if simple.piece.is_none() => {
                let text = on.many(self.site());
                if simple.only_names().is_some() {
                    text
                } else {
                    format!("the {}", text.trim_start_matches("all "))
                }
            }
            Phrase::Any(all) if all.iter().all(|phrase| place(phrase).is_some()) => {
                list(&all.iter().filter_map(place).collect::<Vec<_>>(), "and on")
            }
            _ => {
                let names = sites.iter().map(|&s| self.program.board.names[s as usize].clone());
                list(&names.collect::<Vec<_>>(), "and")
            }
        };
        let many = counted(sites.len() as i64, &name);
        match player {
            Some(_) => sentence(&format!("{who} starts with {many} on {places}")),
            None if sites.len() == 1 => {
                format!("{} stands on {places} at the start.", capital(&a(&name)))
            }
            None => format!("{} stand on {places} at the start.", capital(&many)),
        }
    }

    fn sites_at_start(&self, placed: &Placed, player: Option<Player>) -> Vec<u16> {
        let all = self.program.start.iter();
        let this = all.filter(|put| put.kind == placed.kind && put.player == player);
        let mover = player.unwrap_or(Player::First);
        let fixed = self.program.fixed(&placed.on, mover);
        this.map(|put| put.site).filter(|site| fixed.contains(site)).collect()
    }

    pub(super) fn turns(&self) -> Vec<Paragraph> {
        let Some(turns) = &self.program.turns else {
            return vec![plain("The players move in turn; the first player begins.")];
        };
        vec![plain(turns_text(turns))]
    }

    pub(super) fn limits(&self) -> Vec<Paragraph> {
        let mut text = Vec::new();
        let body = &self.program.body;
        let next = self.with_voice(Voice::of("the player to move"));
        if let Some((plies, settled)) = &body.quiet {
            text.push(format!(
                "After {} in a row without progress the game is {}. {}",
                counted(i64::from(*plies), "ply"),
                stopped(next.settled(settled)),
                self.progress()
            ));
        }
        let ends = self.program.always_adds() || self.program.must_end();
        let repeats = self.program.is_cyclic() && !ends;
        match &body.repetition {
            Some(settled) => text.push(format!(
                "When a position occurs for the third time the game is {}.",
                stopped(next.settled(settled))
            )),
            None if repeats => text.push(
                "When a position occurs for the third time the game is stopped as a draw."
                    .to_owned(),
            ),
            None => {}
        }
        let program = self.program;
        let short = program.only_adds_pieces() || program.always_adds() || program.only_advances();
        match self.program.cap {
            Some(cap) => text.push(capped(i64::from(cap))),
            None if !short => text.push(capped(1_000)),
            None => {}
        }
        text.into_iter().map(plain).collect()
    }

    /// Sentence that defines progress.
    fn progress(&self) -> String {
        let program = self.program;
        if program.board.is_pits() {
            let claims = if program.memory.claims { " or claims a pit" } else { "" };
            return format!("Progress is a ply that brings seeds into a store{claims}.");
        }
        let movers = program.all_movers();
        let flow = program.flow();
        let mut what = Vec::new();
        if flow.enter || movers.iter().any(|mover| mover.verb == Verb::Place) {
            what.push("places a piece".to_owned());
        }
        if flow.leave {
            what.push("captures a piece".to_owned());
        }
        if program.flips() {
            what.push("turns a piece".to_owned());
        }
        if program.promotes() {
            what.push("changes the kind of a piece".to_owned());
        }
        let onward: Vec<String> = (0..program.kinds.len() as Kind)
            .filter(|&kind| {
                program.kinds[kind as usize].owner != Owner::Neutral && program.leads_onward(kind)
            })
            .filter(|&kind| {
                movers.iter().any(|mover| {
                    mover.verb != Verb::Place && mover.kind.is_none_or(|moved| moved == kind)
                })
            })
            .map(|kind| format!("moves {}", a(&noun(&program.kinds[kind as usize].name))))
            .collect();
        what.extend(onward);
        match what.is_empty() {
            true => "No ply is progress.".to_owned(),
            false => format!("Progress is a ply that {}.", list(&what, "or")),
        }
    }

    pub(super) fn options(&self) -> Vec<Paragraph> {
        let options = self.program.options.iter();
        let options = options.map(|option| {
            plain(format!(
                "`{}` is {}; it can be {} to {}.",
                option.name,
                digits(i64::from(option.value)),
                digits(i64::from(option.lowest)),
                digits(i64::from(option.highest))
            ))
        });
        options.collect()
    }
}

/// Verb phrase for a game stopped by a limit, with the given consequence.
fn stopped(settled: String) -> String {
    match settled.as_str() {
        "the game is a draw" => "stopped as a draw".to_owned(),
        settled => format!("stopped: {settled}"),
    }
}

/// Name of a set as a place where pieces stand; `None` if it is not one part of the board.
fn place(phrase: &Phrase) -> Option<String> {
    let Phrase::Simple(simple) = phrase else { return None };
    if let Some(names) = simple.only_names() {
        return Some(list(names, "and"));
    }
    (simple.is_one_part() && !simple.parts[0].of.is_empty()).then(|| simple.parts[0].of.clone())
}

fn capped(plies: i64) -> String {
    let plies = counted(plies, "ply");
    format!("A game that goes on for {plies} is stopped as a draw.")
}

fn turns_text(turns: &Turns) -> String {
    let (opening, cycle) = turns.seats.split_at(turns.cycle);
    let runs = |seats: &[Player]| {
        let mut runs: Vec<(Player, i64)> = Vec::new();
        for &seat in seats {
            match runs.last_mut() {
                Some((player, n)) if *player == seat => *n += 1,
                _ => runs.push((seat, 1)),
            }
        }
        let one = |&(player, n): &(Player, i64)| {
            let times = if n == 1 { "one move".to_owned() } else { format!("{} moves", number(n)) };
            format!("{} makes {times}", player_name(player))
        };
        list(&runs.iter().map(one).collect::<Vec<_>>(), "and then")
    };
    let cycle = format!("again and again, {}", runs(cycle));
    match opening.is_empty() {
        true => sentence(&cycle),
        false => format!("At first, {}. After that, {cycle}.", runs(opening)),
    }
}
