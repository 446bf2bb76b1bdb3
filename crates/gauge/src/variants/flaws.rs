//! Sentences on the flaws that only some variants have, with the parameter that they depend on.

use treegauge_catalog::{GameSpec, Parameter, TEXT_FAMILY};
use treegauge_core::{Argument, Call, CallError};

use crate::{FlawState, Verdict};

/// Name of a game with its verdict.
pub(super) type Variant<'a> = (&'a str, &'a Verdict);

/// Writes a sentence for each flaw that some variants have and others do not, or perhaps do not.
/// `players` names the players by whose games the variants were judged.
pub(super) fn flaw_sentences(games: &[Variant], players: &str) -> Vec<String> {
    let labels = Labels::of(games);
    let flags = Verdict::flaws_of_all(games.iter().map(|(_, verdict)| *verdict));
    let sentence = |flag: &str, words: &str| {
        let with = |states: &[FlawState]| {
            let has = |(_, verdict): &&Variant| {
                verdict.state_of(flag).is_some_and(|state| states.contains(&state))
            };
            games.iter().filter(has).map(|(game, _)| labels.value(game)).collect::<Vec<_>>()
        };
        let yes = with(&[FlawState::Yes]);
        let no = with(&[FlawState::No]);
        let depends = with(&[FlawState::DependsOnStrength]);
        let open = with(&[FlawState::CannotTell]);
        if yes.is_empty() || yes.len() == games.len() {
            return None;
        }
        let begin = match &labels.parameter {
            // The flaw depends on the parameter only if some variant is free of it.
            Some(parameter) if !no.is_empty() => {
                format!("Whether the game is {words} for {players} depends on {parameter}")
            }
            Some(parameter) => format!("Whether the game is {words} for {players}, by {parameter}"),
            None => format!("Whether the game is {words} for {players}"),
        };
        let groups = [
            ("yes", yes),
            ("no", no),
            ("depends on the strength of the players", depends),
            ("cannot tell", open),
        ];
        let groups: Vec<String> = groups
            .into_iter()
            .filter(|(_, games)| !games.is_empty())
            .map(|(answer, games)| format!("{answer} for {}", games.join(", ")))
            .collect();
        Some(format!("{begin}: {}.", groups.join("; ")))
    };
    flags.iter().filter_map(|judged| sentence(&judged.flag, judged.words())).collect()
}

/// Labels of the variants: values of the one parameter in which they differ if there is exactly
/// one, otherwise their full names.
struct Labels {
    parameter: Option<String>,
}

impl Labels {
    fn of(games: &[Variant]) -> Labels {
        let calls = games.iter().map(|(game, _)| complete_call(game).ok());
        let calls: Option<Vec<Call>> = calls.collect();
        Labels { parameter: calls.and_then(|calls| one_parameter(&calls)) }
    }

    fn value(&self, game: &str) -> String {
        let value = self
            .parameter
            .as_ref()
            .and_then(|parameter| complete_call(game).ok()?.value(parameter).map(str::to_owned));
        value.unwrap_or_else(|| game.to_owned())
    }
}

/// Parses a game; unless it is that of a file, it gets all its parameters, those at their default too.
pub(super) fn complete_call(game: &str) -> Result<Call, CallError> {
    let mut call = Call::parse(game)?;
    let named = GameSpec::parse(game).ok();
    if let Some(spec) = named.filter(|spec| spec.family().name != TEXT_FAMILY.name) {
        call.name = spec.family().name.to_owned();
        let argument = |parameter: &Parameter| Argument {
            name: parameter.name.to_owned(),
            value: spec.args().text(parameter.name).to_owned(),
            at: 0,
            value_at: 0,
        };
        call.arguments = spec.family().all_parameters().map(argument).collect();
    }
    Ok(call)
}

/// Returns the one parameter in which calls differ; `None` unless they have the same name and the
/// same parameters and differ in exactly one.
pub(super) fn one_parameter(calls: &[Call]) -> Option<String> {
    let (first, others) = calls.split_first()?;
    let names = |call: &Call| -> Vec<String> {
        let mut names: Vec<String> =
            call.arguments.iter().map(|argument| argument.name.clone()).collect();
        names.sort_unstable();
        names
    };
    let alike = others.iter().all(|call| call.name == first.name && names(call) == names(first));
    let differs = |name: &String| others.iter().any(|call| call.value(name) != first.value(name));
    let differing: Vec<String> = names(first).into_iter().filter(differs).collect();
    match &differing[..] {
        [one] if alike => Some(one.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::JudgedFlaw;

    fn verdict(states: [FlawState; 2]) -> Verdict {
        let named = ["drawish", "too_long"].into_iter().zip(states);
        let flags = named.map(|(flag, state)| JudgedFlaw::new(flag, state)).collect();
        Verdict { flags, ..Verdict::default() }
    }

    #[test]
    fn the_parameter_of_a_flaw_is_named() {
        use FlawState::{CannotTell, DependsOnStrength, No, Yes};
        let [yes, no, depends, open] =
            [Yes, No, DependsOnStrength, CannotTell].map(|state| verdict([state, No]));
        let games = [
            ("connect_four(cols=4,rows=5)", &yes),
            ("connect_four(rows=5,cols=5)", &open),
            ("connect_four(cols=6,rows=5)", &depends),
            ("connect_four(cols=7,rows=5)", &no),
        ];
        let expected = "Whether the game is drawish for players depends on cols: yes for 4; no for 7; depends on the strength of the players for 6; cannot tell for 5.";
        assert_eq!(flaw_sentences(&games, "players"), [expected]);
        let expected =
            "Whether the game is drawish for players, by cols: yes for 4; cannot tell for 5.";
        assert_eq!(flaw_sentences(&games[..2], "players"), [expected]);
        let both = verdict([Yes, Yes]);
        assert_eq!(
            flaw_sentences(&[("achi", &both), ("kalah", &yes)], "players"),
            ["Whether the game is too long for players: yes for achi; no for kalah."]
        );
        assert_eq!(flaw_sentences(&[], "players"), Vec::<String>::new());
    }

    #[test]
    fn a_parameter_is_one_only_between_calls_that_are_alike() {
        let parameter = |texts: [&str; 2]| one_parameter(&texts.map(|t| Call::parse(t).unwrap()));
        assert_eq!(parameter(["a(x=1,y=2)", "a(y=2,x=3)"]), Some("x".to_owned()));
        let complete = ["connect_four", "connect_four(cols=6)"].map(|t| complete_call(t).unwrap());
        assert_eq!(one_parameter(&complete), Some("cols".to_owned()));
        for texts in [["a", "a(x=1)"], ["a(x=1)", "b(x=2)"], ["a(x=1,y=1)", "a(x=2,y=2)"]] {
            assert_eq!(parameter(texts), None, "{texts:?}");
        }
    }
}
