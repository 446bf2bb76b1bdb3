use treegauge_catalog::{Entry, GameSpec, Visitor};
use treegauge_core::{Keyed, Notation, Player};
use treegauge_testkit::facts::{SolvedRow, facts};

use crate::{Options, Reduction, Rules, Value, solve};

/// Solves the game of a row of known facts, with symmetry where there is any, and without.
struct Check(SolvedRow);

impl Visitor for Check {
    type Output = ();

    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) {
        let row = self.0;
        let rules = Rules::new(entry.game.clone())
            .with_tier(entry.tier())
            .with_symmetries(entry.symmetries());
        let start = rules.game().start();
        for symmetry in [false, Reduction::of(&rules, &start).is_ok()] {
            let options = Options { symmetry, ..Options::default() };
            let solution = solve(&rules, &start, options, &()).unwrap().done().unwrap();
            let counts = solution.reachable();
            assert_eq!(counts.total(), row.reachable_states, "{}", row.spec);
            assert_eq!(counts.finished, row.terminal.unwrap_or(counts.finished), "{}", row.spec);
            assert_eq!(counts.win, row.win_to_move, "{}", row.spec);
            assert_eq!(counts.lose, row.lose_to_move, "{}", row.spec);
            assert_eq!(counts.tie + counts.draw, row.draw, "{}", row.spec);
            let valued = solution.start_valued();
            let first = valued.value.seen(rules.game().turn(&start) == Player::First);
            let sign = match first {
                Value::Win => 1,
                Value::Lose => -1,
                Value::Tie | Value::Draw => 0,
            };
            assert_eq!(sign, row.start_value_for_first_player, "{}", row.spec);
            if let Some(remoteness) = row.start_remoteness {
                assert_eq!(u32::from(valued.remoteness), remoteness, "{}", row.spec);
            }
            if let (true, Some(canonical)) = (symmetry, row.positions_up_to_symmetry) {
                assert_eq!(solution.canonical_len(), Some(canonical as usize), "{}", row.spec);
            }
        }
    }
}

#[test]
fn solved_games_are_as_published() {
    for row in facts().solved.into_iter() {
        let spec = GameSpec::parse(&row.spec).unwrap();
        spec.with_game(Check(row)).unwrap();
    }
}
