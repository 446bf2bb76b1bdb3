//! Plays one game of a match.

use treegauge_core::{Ended, Outcome, Player, Watch};
use treegauge_engine::{AgentError, Forfeit, Limits};

use super::Match;
use super::record::{Effort, ForfeitKind, MatchGame, RecordedForfeit, Side};

/// Watch for an agent: forwards stop requests but not progress.
struct StopOnly<'a>(&'a treegauge_core::GameCounter<'a>);

impl Watch for StopOnly<'_> {
    fn stop(&self) -> bool {
        self.0.stop()
    }
}

impl Match<'_> {
    /// Plays a game; `None` if the watch said stop before its end.
    pub(super) fn game(&self, number: u32) -> Result<Option<MatchGame>, AgentError> {
        let first = Side::of_first(number);
        let randomness = self.plan.randomness();
        let (mut line, opening) = self.opening(number / 2);
        let opening = self.start.line_texts(&opening);
        let mut moves = Vec::new();
        let mut agents = self.competitors.map(|competitor| competitor.agent());
        let limits = self.competitors.map(|competitor| competitor.limits());
        let mut effort = [Effort::default(); 2];
        let mut rng = randomness.game(number);
        let (outcome, by, forfeit) = loop {
            if let Some(Ended { outcome, by }) = line.ended() {
                break (outcome, Some(by), None);
            }
            let turn = line.turn();
            let side = if turn == Player::First { first } else { first.other() };
            let agent = &mut agents[side.index()];
            let begin = self.clock.now();
            let chosen = agent.choose(&line, &mut rng, &StopOnly(self.counter));
            let time = self.clock.now().saturating_sub(begin);
            // A stop of the match may also have cut short the agent's search, so its move does not
            // count.
            if self.counter.stop() {
                return Ok(None);
            }
            let lost = |kind, detail| {
                let forfeit = RecordedForfeit { side, kind, detail };
                (Outcome::win_of(turn.other()), None, Some(forfeit))
            };
            let choice = match chosen {
                Ok(choice) => choice,
                Err(AgentError::Forfeit(forfeit)) => {
                    let (kind, detail) = kind_of(forfeit);
                    break lost(kind, detail);
                }
                Err(error) => return Err(error),
            };
            let spent = agent.spent();
            let own = &mut effort[side.index()];
            own.moves += 1;
            own.nodes += spent.nodes;
            own.searches += u64::from(spent.depth.is_some());
            own.depth_sum += u64::from(spent.depth.unwrap_or(0));
            let Limits { nodes_max, time_max } = limits[side.index()];
            if time_max.is_some() {
                own.time_us += time.as_micros() as u64;
            }
            if let Some(max) = nodes_max.filter(|&max| spent.nodes > max) {
                break lost(ForfeitKind::Nodes, format!("{} of {max}", spent.nodes));
            }
            if let Some(max) = time_max.filter(|&max| time > max) {
                let [time, max] = [time, max].map(|time| time.as_secs_f64() * 1e3);
                let detail = format!("{time:.1} ms, where {max:.1} are tolerated");
                break lost(ForfeitKind::Time, detail);
            }
            if choice.m >= line.move_count() {
                break lost(ForfeitKind::IllegalMove, format!("number {}", choice.m));
            }
            moves.push(line.move_text(choice.m));
            line.play(choice.m);
        };
        for (competitor, agent) in self.competitors.into_iter().zip(agents) {
            competitor.put_back(agent);
        }
        Ok(Some(MatchGame { game: number, first, opening, moves, outcome, by, forfeit, effort }))
    }

    /// Returns the line after the random opening of a pair, with the moves of the opening.
    fn opening(&self, pair: u32) -> (treegauge_engine::Line, Vec<treegauge_engine::MoveNumber>) {
        let randomness = self.plan.randomness();
        let mut trials = randomness.trials();
        loop {
            let mut line = self.start.clone();
            let rng = &mut randomness.opening(pair, trials.number);
            let moves = line.random_plies(trials.plies, rng);
            if trials.plies == 0 || line.ended().is_none() {
                return (line, moves);
            }
            trials.ended(moves.len() as u32);
        }
    }
}

/// Converts a forfeit into its recorded form.
fn kind_of(forfeit: Forfeit) -> (ForfeitKind, String) {
    match forfeit {
        Forfeit::NoMove => (ForfeitKind::NoMove, String::new()),
        Forfeit::IllegalMove { text } => (ForfeitKind::IllegalMove, text),
        Forfeit::Failed { reason } => (ForfeitKind::Failed, reason),
        other => (ForfeitKind::Failed, other.to_string()),
    }
}
