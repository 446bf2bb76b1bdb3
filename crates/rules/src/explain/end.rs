//! Sentences about the end of a game.

use super::nouns::{list, sentence};
use super::{Paragraph, Speaker, Voice, plain};
use crate::board::Site;
use crate::tree::{Cond, Outcome, Rule, Stuck, Who};

impl Speaker<'_> {
    pub(super) fn end_section(&self) -> Vec<Paragraph> {
        let body = &self.program.body;
        let mut paragraphs = Vec::new();
        let several = body.end.len() > 1;
        if several {
            paragraphs.push(plain(
                "After each move these are looked at in order, and the first that holds decides:",
            ));
        }
        for rule in &body.end {
            let level = usize::from(several);
            paragraphs.push(Paragraph { level, text: self.rule(rule) });
        }
        paragraphs.push(plain(self.stuck(&body.stuck)));
        paragraphs
    }

    fn rule(&self, rule: &Rule<Vec<Site>>) -> String {
        let winner = match &rule.settled.outcome {
            Outcome::Win(Who::Mover) | Outcome::Lose(Who::Opponent) => Some("wins"),
            Outcome::Lose(Who::Mover) | Outcome::Win(Who::Opponent) => Some("loses"),
            _ => None,
        };
        let named = Self::named(&rule.when);
        let whole = [&rule.when];
        let (name, conds): (Option<&str>, Vec<&Cond<Vec<Site>>>) = match named {
            Some((name, conds)) => (Some(name), conds),
            None => (None, whole.to_vec()),
        };
        let clause = |speaker: &Self| {
            let conds: Vec<String> = conds.iter().map(|cond| speaker.cond(cond, true)).collect();
            list(&conds, "and")
        };
        if let (Some(verb), true) = (winner, rule.settled.effects.is_empty()) {
            // The sentence speaks of the player who has just moved.
            let speaker = self.with_voice(Voice::after_move());
            let who = name.unwrap_or("a player");
            let when = clause(&speaker);
            // Conditions on what the move itself makes need no word for the time of the check.
            let done = ["it makes", "it connects"].iter().any(|done| when.starts_with(done));
            let in_move = [
                format!("something was {}", self.taking()),
                format!("nothing was {}", self.taking()),
            ];
            let when = match &when {
                when if when.is_empty() => "as soon as it has moved".to_owned(),
                when if done => format!("when {when}"),
                when if in_move.contains(when) => format!("when in its move {when}"),
                when => format!("when, after its move, {when}"),
            };
            return sentence(&format!("{who} {verb} {when}"));
        }
        let who = name.unwrap_or("the player who has moved");
        let speaker = self.with_voice(Voice::of(who));
        let when = clause(&speaker);
        let settled = speaker.settled(&rule.settled);
        match (when.is_empty(), name) {
            (true, _) => sentence(&format!("when {who} has moved, {settled}")),
            (false, Some(name)) => {
                sentence(&format!("when {name} has moved and {when}, {settled}"))
            }
            (false, None) => sentence(&format!("when {when}, {settled}")),
        }
    }

    fn stuck(&self, stuck: &Stuck<Vec<Site>>) -> String {
        let speaker = self.with_voice(Voice::of("it"));
        match stuck {
            Stuck::Pass(outcome) => format!(
                "A player that cannot move passes. When neither player can move, the game is over: {}.",
                speaker.with_voice(Voice::of("the player to move")).outcome(outcome)
            ),
            Stuck::Ends(settled) => {
                let plain = match &settled.outcome {
                    Outcome::Lose(Who::Mover) | Outcome::Win(Who::Opponent) => Some("loses"),
                    Outcome::Win(Who::Mover) | Outcome::Lose(Who::Opponent) => Some("wins"),
                    _ => None,
                };
                match plain {
                    Some(verb) if settled.effects.is_empty() => {
                        format!("A player that cannot move {verb}.")
                    }
                    _ => {
                        let speaker = self.with_voice(Voice::of("that player"));
                        let settled = speaker.settled(settled);
                        format!("When a player cannot move, {settled}.")
                    }
                }
            }
        }
    }
}
