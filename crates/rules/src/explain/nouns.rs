//! Nouns: articles, plurals, numbers and lists.

/// Number in a sentence; small numbers are spelt out.
pub(super) fn number(n: i64) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    match n {
        1..=12 => WORDS[n as usize].to_owned(),
        _ => digits(n),
    }
}

/// Number in digits, with commas between thousands.
pub(super) fn digits(n: i64) -> String {
    let plain = n.unsigned_abs().to_string();
    let mut text = String::new();
    for (at, c) in plain.chars().enumerate() {
        if at > 0 && (plain.len() - at).is_multiple_of(3) && plain.len() > 3 {
            text.push(',');
        }
        text.push(c);
    }
    if n < 0 { format!("-{text}") } else { text }
}

/// Tests whether the name of a kind is an adjective, so that `piece` must follow it.
fn is_adjective(name: &str) -> bool {
    let last = name.rsplit('-').next().unwrap_or(name);
    let known = [
        "gone",
        "drawn",
        "dead",
        "lost",
        "taken",
        "fallen",
        "broken",
        "burnt",
        "eaten",
        "beaten",
        "hidden",
        "frozen",
        "sunken",
        "stolen",
        "chosen",
        "forgotten",
        "forbidden",
        "open",
        "wooden",
        "golden",
        "black",
        "white",
        "red",
        "blue",
        "green",
        "yellow",
        "neutral",
        "big",
        "small",
        "high",
        "low",
    ];
    known.contains(&last) || last.len() > 4 && last.ends_with("ed") && !last.ends_with("eed")
}

/// Noun for a kind: its name, followed by `piece` if it is an adjective.
pub(super) fn noun(name: &str) -> String {
    if is_adjective(name) { format!("{name} piece") } else { name.to_owned() }
}

/// Plural of a noun. In a compound the last word changes.
pub(super) fn plural(noun: &str) -> String {
    const IRREGULAR: &[(&str, &str)] = &[
        ("man", "men"),
        ("woman", "women"),
        ("child", "children"),
        ("foot", "feet"),
        ("goose", "geese"),
        ("mouse", "mice"),
        ("ox", "oxen"),
        ("x", "xs"),
        ("die", "dice"),
        ("person", "people"),
        ("wolf", "wolves"),
        ("elf", "elves"),
        ("dwarf", "dwarves"),
        ("thief", "thieves"),
        ("leaf", "leaves"),
        ("knife", "knives"),
        ("wife", "wives"),
        ("half", "halves"),
        ("fish", "fish"),
        ("sheep", "sheep"),
        ("deer", "deer"),
    ];
    let start = noun.rfind([' ', '-']).map_or(0, |at| at + 1);
    let (before, last) = noun.split_at(start);
    let irregular = IRREGULAR.iter().find(|(one, _)| *one == last);
    if let Some((_, many)) = irregular {
        return format!("{before}{many}");
    }
    if let Some(stem) = last.strip_suffix("man")
        && stem.len() > 1
        && !["hu", "ger", "ro", "sha", "talis", "otto"].contains(&stem)
    {
        return format!("{before}{stem}men");
    }
    let consonant = |c: char| !"aeiou".contains(c);
    if let Some(stem) = last.strip_suffix('y')
        && stem.chars().last().is_some_and(consonant)
    {
        return format!("{before}{stem}ies");
    }
    let hisses = ["s", "x", "z", "ch", "sh"].iter().any(|end| last.ends_with(end));
    format!("{before}{last}{}", if hisses { "es" } else { "s" })
}

/// Number in digits with its noun: `1 man`, `3 men`. `name` is a name of a kind or another noun.
pub(crate) fn in_number(n: impl Into<i64>, name: &str) -> String {
    let (n, noun) = (n.into(), noun(name));
    if n == 1 { format!("1 {noun}") } else { format!("{n} {}", plural(&noun)) }
}

/// Noun phrase with `a` or `an`.
pub(super) fn a(phrase: &str) -> String {
    let like_y = ["uni", "use", "eu", "one"].iter().any(|begin| phrase.starts_with(begin));
    let vowel = phrase.starts_with(['a', 'e', 'i', 'o', 'u']) && !like_y;
    let silent = ["hour", "heir"].iter().any(|begin| phrase.starts_with(begin));
    // The letter x is spoken with a vowel.
    let silent = silent || phrase == "x" || phrase.starts_with("x ");
    format!("{} {phrase}", if vowel || silent { "an" } else { "a" })
}

/// Count of a noun in words: `one man`, `three men`, `no men`.
pub(super) fn counted(n: i64, noun: &str) -> String {
    if n == 1 { format!("one {noun}") } else { format!("{} {}", number_or_no(n), plural(noun)) }
}

fn number_or_no(n: i64) -> String {
    if n == 0 { "no".to_owned() } else { number(n) }
}

/// List in words: `a`, `a and b`, `a, b and c`. `word` is the conjunction.
pub(super) fn list(items: &[String], word: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [before @ .., last] => format!("{} {word} {last}", before.join(", ")),
    }
}

/// Text with its first letter in upper case.
pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// Sentence made from a phrase: first letter in upper case, full stop at the end.
pub(super) fn sentence(text: &str) -> String {
    format!("{}.", capital(text))
}

/// Possessive form: `its` for `it`, otherwise the name with 's.
pub(super) fn possessive(who: &str) -> String {
    match who {
        "it" => "its".to_owned(),
        who => format!("{who}'s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_kinds_have_their_plurals() {
        let plurals = [
            ("man", "men"),
            ("fisherman", "fishermen"),
            ("shaman", "shamans"),
            ("king", "kings"),
            ("cross", "crosses"),
            ("lady", "ladies"),
            ("boy", "boys"),
            ("wolf", "wolves"),
            ("sea-mouse", "sea-mice"),
            ("gone piece", "gone pieces"),
        ];
        for (one, many) in plurals {
            assert_eq!(plural(one), many);
        }
        assert_eq!(noun("gone"), "gone piece");
        assert_eq!(noun("seed"), "seed");
        assert_eq!(noun("line-drawn"), "line-drawn piece");
    }

    #[test]
    fn articles_numbers_and_lists_are_english() {
        assert_eq!([a("amazon"), a("man"), a("unicorn")], ["an amazon", "a man", "a unicorn"]);
        assert_eq!(
            [counted(0, "man"), counted(1, "man"), counted(20, "man")],
            ["no men", "one man", "20 men"]
        );
        assert_eq!(digits(-12_345), "-12,345");
        let items = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(list(&items, "and"), "a, b and c");
    }
}
