//! Why a game cannot be solved, in words.

use treegauge::solve::{Reached, SolveError, Whole};

use super::rough::rough;
use crate::exit::{Exit, Failure};
use crate::output::counted;

/// A solve that was refused: the game or the options do not suit it. `could_reduce` is whether
/// `--symmetry` would save memory.
pub(crate) fn refused(error: &SolveError, could_reduce: bool) -> Failure {
    let mut text = format!("cannot solve this: {error}");
    if let SolveError::Memory { reached, .. } = error {
        text.push_str(&reached_words(reached));
        text.push_str(if could_reduce {
            "; --memory-max allows more, --symmetry needs less, and so does a smaller size of the \
             game"
        } else {
            "; --memory-max allows more, and a smaller size of the game needs less"
        });
    }
    Failure::new(Exit::Usage, text)
}

/// How far a solve was when memory ran out, and what follows for the whole game.
fn reached_words(reached: &Reached) -> String {
    let found = counted(reached.positions, "position");
    match reached.whole {
        Whole::Exactly { .. } => format!("; the game has {found}, which were all found"),
        whole => {
            let levels = match reached.levels {
                0 => String::new(),
                levels => format!(" in {}", counted(levels, "level")),
            };
            let rest = match whole {
                Whole::About { positions, bytes } => format!(
                    "if their number keeps growing as it did, the game has some {} and takes some {} \
                     bytes: an estimate that may be wrong by a factor of three",
                    rough(positions as f64),
                    rough(bytes as f64)
                ),
                _ => "how many more there are is not known yet".to_owned(),
            };
            if reached.positions == 0 {
                return String::new();
            }
            format!("; that much was needed for {found}{levels}, and {rest}")
        }
    }
}

#[cfg(test)]
mod tests {
    use treegauge::solve::{Reached, Whole};

    use super::reached_words;

    #[test]
    fn a_refused_solve_says_how_far_it_was() {
        let mut reached = Reached { positions: 1, levels: 0, whole: Whole::Unknown };
        let rest = "how many more there are is not known yet";
        assert_eq!(
            reached_words(&reached),
            format!("; that much was needed for 1 position, and {rest}")
        );
        (reached.positions, reached.levels) = (56_789, 9);
        let known = "; that much was needed for 56789 positions in 9 levels, and ";
        assert_eq!(reached_words(&reached), known.to_owned() + rest);
        reached.whole = Whole::About { positions: 4_100_000, bytes: 61_000_000 };
        let about = "if their number keeps growing as it did, the game has some 4.1 million and takes some \
                     61 million bytes: an estimate that may be wrong by a factor of three";
        assert_eq!(reached_words(&reached), known.to_owned() + about);
        reached.whole = Whole::Exactly { bytes: 738_257 };
        let all = "; the game has 56789 positions, which were all found";
        assert_eq!(reached_words(&reached), all);
    }
}
