//! Guesses at misspelt names.

/// Letters of a name that suffice as an abbreviation of it.
const BEGIN_MIN: usize = 3;

/// The name that `name` probably means: the first of those with the fewest edits, which include exchanged neighbours.
/// Letter case is ignored. `None` if more than a third of the letters would change, though one of two may, and `name` is
/// not the beginning of a known name.
#[must_use]
pub fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let name = name.to_lowercase();
    let letters = name.chars().count();
    let mut best: Option<(usize, &str)> = None;
    for known in names {
        let known_low = known.to_lowercase();
        let known_letters = known_low.chars().count();
        let edits_max = (letters.max(known_letters) / 3).max(1);
        let begins = letters >= BEGIN_MIN && known_low.starts_with(&name);
        // A long text differs in too many letters, so it is not compared letter by letter.
        if letters.abs_diff(known_letters) > edits_max && !begins {
            continue;
        }
        let edits = strsim::osa_distance(&name, &known_low);
        let is_near = edits <= edits_max && edits < letters.max(known_letters);
        if (is_near || begins) && best.is_none_or(|(least, _)| edits < least) {
            best = Some((edits, known));
        }
    }
    best.map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_guess_changes_up_to_a_third_of_the_letters() {
        const GAMES: [&str; 5] = ["achi", "forms", "connect_four", "othello", "tic_tac_toe"];
        for (name, expected) in [
            ("othelo", Some("othello")),
            ("Otehllo", Some("othello")),
            ("tictactoe", Some("tic_tac_toe")),
            ("connect", Some("connect_four")),
            ("form", Some("forms")),
            ("achy", Some("achi")),
            ("a", None),
            ("frogs", None),
            ("co", None),
            ("chess", None),
            ("", None),
        ] {
            assert_eq!(nearest(name, GAMES), expected, "{name}");
        }
        // One letter of two may change, but not the only one.
        assert_eq!(nearest("d2", ["a1", "d3"]), Some("d3"));
        assert_eq!(nearest("aq", ["b", "a"]), Some("a"));
        assert_eq!(nearest("a", ["b"]), None);
        assert_eq!(nearest("x", [""; 0]), None);
    }
}
