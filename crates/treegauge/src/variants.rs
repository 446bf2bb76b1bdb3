//! Several variants of a game.

use crate::{Error, ErrorKind, Game};

/// Greatest number of games of one comparison.
const GAMES_MAX: usize = 20;

/// Games of a comparison. Each text is a game, in which `param=A..B` stands for all whole numbers
/// from A to B.
///
/// # Errors
///
/// If an entry is not a game, or there are fewer than 2 or more than 20.
///
/// ```
/// let texts = ["connect_four".to_owned(), "connect_four(cols=4..6,rows=4)".to_owned()];
/// let names: Vec<String> =
///     treegauge::variants(&texts).unwrap().iter().map(|game| game.name()).collect();
/// let four = ["connect_four(cols=4,rows=4)", "connect_four(cols=5,rows=4)", "connect_four(cols=6,rows=4)"];
/// assert_eq!(names[0], "connect_four");
/// assert_eq!(names[1..], four);
/// ```
pub fn variants(texts: &[String]) -> Result<Vec<Game>, Error> {
    variants_with(texts, &Game::parse)
}

/// Games of a comparison as in [`variants`], opened by `game`.
pub(crate) fn variants_with(
    texts: &[String],
    game: &dyn Fn(&str) -> Result<Game, Error>,
) -> Result<Vec<Game>, Error> {
    let mut names: Vec<String> = Vec::new();
    for text in texts {
        for name in expanded(text, GAMES_MAX)? {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let refused = |found: String| {
        let message = format!("a comparison takes 2 to {GAMES_MAX} different games; {found}");
        Err(Error::new(ErrorKind::Usage, message))
    };
    if names.is_empty() || names.len() > GAMES_MAX {
        return refused(format!("there are {}", names.len()));
    }
    // Different texts may name one game.
    let mut games: Vec<Game> = Vec::new();
    for name in &names {
        let one = game(name)?;
        if games.iter().all(|other| other.info().canonical_name != one.info().canonical_name) {
            games.push(one);
        }
    }
    match &games[..] {
        [only] => refused(format!("{} is the only one here", only.name())),
        _ => Ok(games),
    }
}

/// Texts with each range replaced by one of its numbers, the last range changing first; at most
/// `max` texts.
pub(crate) fn expanded(text: &str, max: usize) -> Result<Vec<String>, Error> {
    let mut done = vec![String::new()];
    let mut rest = text;
    while let Some(at) = rest.find("..") {
        let digits = |c: char| c.is_ascii_digit();
        let before = &rest[..at];
        if rest[at + 2..].starts_with(['/', '\\']) {
            // A parent folder, in the path of a file.
            done.iter_mut().for_each(|begun| begun.push_str(&rest[..at + 2]));
            rest = &rest[at + 2..];
            continue;
        }
        let first = before.trim_end_matches(digits).len();
        let after = &rest[at + 2..];
        let last = after.len() - after.trim_start_matches(digits).len();
        let range = (before[first..].parse::<u32>(), after[..last].parse::<u32>());
        let (Ok(from), Ok(to)) = range else {
            let message = format!("expected a range of whole numbers like cols=5..9 in {text:?}");
            return Err(Error::new(ErrorKind::Usage, message));
        };
        let many = to.saturating_sub(from) as usize;
        if from > to || many >= max || done.len() * (many + 1) > max {
            let message = format!(
                "a range goes up, and the ranges of a game stand for at most {max} games: {text:?} does not fit"
            );
            return Err(Error::new(ErrorKind::Usage, message));
        }
        done = done
            .iter()
            .flat_map(|begun| (from..=to).map(move |n| format!("{begun}{}{n}", &before[..first])))
            .collect();
        rest = &after[last..];
    }
    Ok(done.into_iter().map(|begun| begun + rest).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn ranges_are_expanded_and_errors_are_named() {
        let all = expanded("mnk(rows=3..4,cols=9..10,k=3)", 4).unwrap();
        let expected = ["3,cols=9", "3,cols=10", "4,cols=9", "4,cols=10"];
        assert_eq!(all, expected.map(|set| format!("mnk(rows={set},k=3)")));
        assert_eq!(expanded("achi", 1).unwrap(), ["achi"]);
        for wrong in [
            "mnk(rows=3..)",
            "mnk(rows=a..4)",
            "mnk(rows=9..3)",
            "mnk(rows=1..30)",
            "..",
            "mnk(rows=1..9,cols=1..9)",
        ] {
            assert!(expanded(wrong, GAMES_MAX).is_err(), "{wrong}");
        }
        for (wrong, why) in [
            (texts(&["achi"]), "achi is the only one"),
            (texts(&["achi", "achi"]), "achi is the only one"),
            (texts(&["achi", "achy"]), "did you mean `achi`?"),
            (texts(&["one_to_ten(target=10..20)", "one_to_ten(target=30..39)"]), "there are 21"),
        ] {
            let error = variants(&wrong).unwrap_err().to_string();
            assert!(error.contains(why), "{wrong:?}: {error}");
        }
    }
}
