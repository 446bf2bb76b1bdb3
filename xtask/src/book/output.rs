//! The output that a page shows, beside that of its commands.

use super::page::Numbered;

/// Stands for anything in a shown line, and for any lines as a line of its own.
const ANYTHING: &str = "...";

/// The columns of a page.
const WIDTH: usize = 100;

/// The least likeness at which an actual line takes the place of a shown one.
const LEAST_LIKENESS: f64 = 0.3;

/// The first shown line that the output lacks, by its place, with the fault in words.
pub(super) fn missing(shown: &[String], actual: &[String]) -> Option<(usize, String)> {
    let mut rest = actual.iter();
    for (at, line) in shown.iter().enumerate() {
        let line = line.trim_end();
        if !line.is_empty() && line != ANYTHING && !rest.any(|actual| shows(line, actual)) {
            let is_earlier = actual.iter().any(|actual| shows(line, actual));
            let order = if is_earlier { " in this order" } else { "" };
            let nearest = actual.iter().max_by(|a, b| like(line, a).total_cmp(&like(line, b)));
            let nearest = nearest.map_or("none", String::as_str);
            let fault = format!(
                "the output has no such line{order}:\n  {line}\nthe nearest is\n  {nearest}\n\
                 `cargo xtask book --renew` renews what pages show"
            );
            return Some((at, fault));
        }
    }
    None
}

/// Whether a shown line is an actual one, or one with `...` in the place of some of it.
fn shows(shown: &str, actual: &str) -> bool {
    let parts: Vec<&str> = shown.split(ANYTHING).collect();
    let [first, within @ .., last] = &parts[..] else { return shown == actual };
    // Blanks around `...` are those of the page.
    let mut rest = actual.strip_prefix(first.trim_end());
    for part in within {
        rest = rest.and_then(|rest| Some(rest.split_once(part.trim())?.1));
    }
    shown == actual || rest.is_some_and(|rest| rest.ends_with(last.trim_start()))
}

/// The likeness of a shown line and an actual one, from 0 to 1.
fn like(shown: &str, actual: &str) -> f64 {
    if shows(shown, actual) {
        return 1.0;
    }
    // Of a line that is cut the rest says nothing.
    let begin = shown.split(ANYTHING).next().unwrap_or_default().trim_end();
    let cut: String = actual.chars().take(begin.chars().count()).collect();
    let likeness = strsim::sorensen_dice(begin, &cut).max(strsim::sorensen_dice(shown, actual));
    0.95 * likeness
}

/// The shown lines with the actual ones most like them in their places, in the order of the output, and
/// the lines for which there is none, by their places.
pub(super) fn renewed(shown: &[String], actual: &[String]) -> (Vec<String>, Numbered) {
    let is_line = |line: &str| !line.trim().is_empty() && line.trim() != ANYTHING;
    let places: Vec<usize> = (0..shown.len()).filter(|&at| is_line(&shown[at])).collect();
    let actual: Vec<&String> = actual.iter().filter(|line| !line.trim().is_empty()).collect();
    let pairs = aligned(shown, &places, &actual);
    let is_lost = pairs.iter().all(Option::is_none);
    let (mut new, mut lost) = (Vec::new(), Vec::new());
    let mut pairs = pairs.into_iter().enumerate();
    for (at, line) in shown.iter().enumerate() {
        if !is_line(line) {
            new.push(line.trim_end().to_owned());
            continue;
        }
        let (nth, pair) = pairs.next().expect("every line has a pair");
        // If nothing of a block is left, the first lines take its place.
        match pair.or_else(|| Some(nth).filter(|&nth| is_lost && nth < actual.len())) {
            Some(to) if shows(line.trim_end(), actual[to]) => new.push(line.trim_end().to_owned()),
            Some(to) => new.push(cut(actual[to])),
            None => lost.push((at, line.clone())),
        }
    }
    (new, lost)
}

/// For each shown line the actual line in its place, with the greatest likeness of all together.
///
/// Lines between which nothing is left out stay neighbours where that is as good.
fn aligned(shown: &[String], places: &[usize], actual: &[&String]) -> Vec<Option<usize>> {
    let columns = actual.len();
    // The best of the first lines with the first actual ones, and the same with the last of each paired.
    let mut best = vec![vec![0.0_f64; columns + 1]; places.len() + 1];
    let mut paired = vec![vec![f64::NEG_INFINITY; columns + 1]; places.len() + 1];
    let is_next = |i: usize| {
        i > 0 && shown[places[i - 1]..places[i]].iter().all(|line| line.trim() != ANYTHING)
    };
    for (i, &at) in places.iter().enumerate() {
        for (j, line) in actual.iter().enumerate() {
            let likeness = like(shown[at].trim_end(), line);
            if likeness >= LEAST_LIKENESS {
                let beside = if is_next(i) { paired[i][j] + 0.1 } else { f64::NEG_INFINITY };
                paired[i + 1][j + 1] = likeness + best[i][j].max(beside);
            }
            best[i + 1][j + 1] = paired[i + 1][j + 1].max(best[i + 1][j]).max(best[i][j + 1]);
        }
    }
    let mut pairs = vec![None; places.len()];
    let (mut i, mut j, mut is_beside) = (places.len(), columns, false);
    while i > 0 && j > 0 {
        if is_beside || paired[i][j] > best[i][j - 1].max(best[i - 1][j]) {
            pairs[i - 1] = Some(j - 1);
            is_beside = is_next(i - 1) && paired[i - 1][j - 1] + 0.1 > best[i - 1][j - 1];
            (i, j) = (i - 1, j - 1);
        } else if best[i][j] == best[i][j - 1] {
            j -= 1;
        } else {
            i -= 1;
        }
    }
    // A line unlike any other whose neighbours have pairs takes the place between these.
    for i in 1..places.len().saturating_sub(1) {
        if let (Some(before), None, Some(after)) = (pairs[i - 1], pairs[i], pairs[i + 1])
            && after == before + 2
            && is_next(i)
            && is_next(i + 1)
        {
            pairs[i] = Some(before + 1);
        }
    }
    pairs
}

/// A line of at most the columns of a page; the rest of a longer one is left out.
fn cut(line: &str) -> String {
    if line.chars().count() <= WIDTH {
        return line.to_owned();
    }
    let kept: String = line.chars().take(WIDTH - ANYTHING.len()).collect();
    let end = kept.trim_end().rfind(' ').unwrap_or(kept.len());
    format!("{} {ANYTHING}", kept[..end].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    const ACTUAL: &str = "a game: No flaw found (80 games)\n\n flaw      measured\n drawish   5%\n too short 33 plies\n\nlength 31.1\n";

    #[test]
    fn shown_lines_stand_in_the_output_in_their_order() {
        let found = |shown: &str| missing(&lines(shown), &lines(ACTUAL));
        assert_eq!(
            found("a game: No flaw found (80 games)\n...\n too short 33 plies  \nlength 31.1"),
            None
        );
        assert_eq!(found("a game: ...\n\n...\n drawish ...%\n"), None);
        let (at, fault) = found("...\n drawish   6%\n").unwrap();
        assert_eq!(at, 1);
        assert!(
            fault.contains("no such line:\n   drawish   6%\nthe nearest is\n   drawish   5%\n"),
            "{fault}"
        );
        let (at, fault) = found("length 31.1\n drawish   5%\n").unwrap();
        assert!(at == 1 && fault.contains("in this order"), "{fault}");
        assert!(found("a game: Some flaw ...").is_some());
    }

    #[test]
    fn anything_within_a_line_is_left_out() {
        for (shown, actual, is_shown) in [
            ("1 of ... s", "1 of 22 s", true),
            ("1 of ... s", "1 of 22 ms.", false),
            ("a ... b ... c", "a 1 b 2 c", true),
            ("a ... b ... c", "a 1 2 c", false),
            ("1... Rd8", "1... Rd8", true),
            ("a", "a b", false),
        ] {
            assert_eq!(shows(shown, actual), is_shown, "{shown}");
        }
    }

    #[test]
    fn renewed_lines_are_those_most_like_the_shown_ones() {
        let renewed = |shown: &str| renewed(&lines(shown), &lines(ACTUAL));
        let shown = "a game: No flaw was found in 80 games\n\n flaw   measured in games\n ...\n too short 30 plies\n...";
        let new = "a game: No flaw found (80 games)\n\n flaw      measured\n ...\n too short 33 plies\n...";
        assert_eq!(renewed(shown), (lines(new), vec![]));
        // What is true stays as it is.
        assert_eq!(renewed("a game: ...\n").0, ["a game: ..."]);
        // A line for which there is none is dropped, and said.
        let (new, lost) = renewed(" drawish   6%\n...\nwxyz\nlength 31.2");
        assert_eq!(new, [" drawish   5%", "...", "length 31.1"]);
        assert_eq!(lost, [(2, "wxyz".to_owned())]);
        // One that stands between two neighbours takes what stands between them.
        let (new, lost) = renewed(" flaw   measured\nwxyz\n too short 30 plies");
        assert_eq!((&*new[1], &*lost), (" drawish   5%", &[][..]));
        // Of a block that has nothing in common with the output the size stays.
        assert_eq!(renewed("wxyz\n...").0, ["a game: No flaw found (80 games)", "..."]);
    }

    #[test]
    fn renewed_output_is_true() {
        let shown = lines(" drawish of all 7\nlength 1\n length 2");
        let (new, _) = renewed(&shown, &lines(ACTUAL));
        assert_eq!(missing(&new, &lines(ACTUAL)), None);
    }

    #[test]
    fn long_lines_are_cut_between_words() {
        let long = "word ".repeat(40);
        let (new, _) = renewed(&lines("word of a line"), &lines(&long));
        assert!(new[0].ends_with("word ...") && new[0].len() <= WIDTH, "{new:?}");
        assert_eq!(missing(&new, &lines(long.trim_end())), None);
    }
}
