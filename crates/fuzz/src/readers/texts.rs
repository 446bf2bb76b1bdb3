//! Readers of texts: the grammar, games, players, descriptions, labels, tables, positions and
//! moves.

use std::path::Path;

use anyhow::{Result, ensure};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use treegauge_catalog::rules::{Genome, format, vary};
use treegauge_catalog::{FAMILIES, Family, GameSpec, LibraryGame, described_game, library};
use treegauge_core::Call;
use treegauge_dataset::Corpus;
use treegauge_dataset::aggregate::{Aggregate, Split};
use treegauge_engine::{EvaluatorSpec, Line, PlayerSpec, StartingPoint};
use treegauge_search::AlphaBetaOptions;
use xxhash_rust::xxh3::xxh3_64;

use super::Reader;
use treegauge::Game;

pub(super) fn all() -> Vec<Box<dyn Reader>> {
    vec![
        Box::new(Text { name: "grammar", samples: grammar_samples, read: grammar }),
        Box::new(Text { name: "game", samples: game_samples, read: game }),
        Box::new(Text { name: "player", samples: player_samples, read: player }),
        Box::new(Text { name: "description", samples: description_samples, read: description }),
        Box::new(Text { name: "rules", samples: rules_samples, read: rules }),
        Box::new(Text { name: "labels", samples: labels_samples, read: labels }),
        Box::new(Text { name: "attributes", samples: attributes_samples, read: attributes }),
        Box::new(OfGames { name: "position", sample: position_sample, read: position }),
        Box::new(OfGames { name: "moves", sample: moves_sample, read: moves }),
    ]
}

/// A reader of text.
struct Text {
    name: &'static str,
    samples: fn() -> Vec<String>,
    read: fn(&str) -> bool,
}

impl Reader for Text {
    fn name(&self) -> &'static str {
        self.name
    }

    fn samples(&self) -> Result<Vec<Vec<u8>>> {
        let samples = (self.samples)();
        for sample in &samples {
            ensure!((self.read)(sample), "{sample:?} is refused by {}", self.name);
        }
        Ok(samples.into_iter().map(String::into_bytes).collect())
    }

    fn read(&self, bytes: &[u8], _: &Path) -> bool {
        (self.read)(&String::from_utf8_lossy(bytes))
    }
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

fn grammar_samples() -> Vec<String> {
    strings(&[
        "a",
        " connect_four ( cols = 5 , rows=4)",
        "alphabeta(eval=custom_score(f=0.5),depth=3)",
    ])
}

/// A call that can be read equals the call that its own text gives.
fn grammar(text: &str) -> bool {
    let Ok(call) = Call::parse(text) else { return false };
    let again = Call::parse(&call.to_string()).expect("the text of a call is one");
    assert_eq!(again.to_string(), call.to_string());
    assert_eq!(again.arguments.len(), call.arguments.len());
    true
}

/// Every family with all its parameters at their defaults, every alias and every preset.
fn game_samples() -> Vec<String> {
    let mut samples = Vec::new();
    let published = library().iter().map(LibraryGame::family);
    for family in FAMILIES.iter().copied().chain(published) {
        let set = family.all_parameters().map(|p| format!("{}={}", p.name, p.default));
        samples.push(format!("{}({})", family.name, set.collect::<Vec<_>>().join(",")));
        samples.extend(strings(family.aliases));
        samples.extend(family.presets.iter().map(|preset| preset.name.to_owned()));
    }
    samples
}

/// A game that can be read equals the game that either of its own texts gives.
fn game(text: &str) -> bool {
    let Ok(spec) = GameSpec::parse(text) else { return false };
    for own in [spec.canonical(), spec.to_string()] {
        let again = GameSpec::parse(&own).expect("the text of a game is one");
        assert_eq!(again.args(), spec.args());
    }
    Game::of(&spec).is_ok_and(|game| {
        let start = game.start();
        assert!(!start.position_text().is_empty() && start.ended().is_none());
        true
    })
}

fn player_samples() -> Vec<String> {
    strings(&[
        "random",
        "uct",
        "uct(iterations=500,cp=0.7)",
        "alphabeta(eval=custom_score(f=0.5),nodes=100)",
        "alphabeta(eval=random(seed=3),time_ms=20)",
        "perfect(file=a.tgs)",
        "custom_score(f=0.5)",
        "custom_score_2(limit=3)",
        "improved_score",
    ])
}

/// Reads a player, or an evaluator of a game that has evaluators.
fn player(text: &str) -> bool {
    if let Ok(player) = PlayerSpec::parse(text) {
        let again = PlayerSpec::parse(&player.to_string()).expect("the text of a player is one");
        assert_eq!(again.to_string(), player.to_string());
        return true;
    }
    let Ok(evaluator) = EvaluatorSpec::parse(text) else { return false };
    let game = Game::parse("isolation").expect("it is a game");
    game.engine()
        .alpha_beta(AlphaBetaOptions { table_bytes: None, ..Default::default() }, &evaluator)
        .is_ok()
}

fn description_samples() -> Vec<String> {
    strings(&[
        "7\n7\n4 pieces in a row loses.",
        "inf\ninf\n5 pieces in a row wins. However, a player cannot win by making a diagonal row.",
        "5\n10\nThe first player needs 3 pieces in a row to win, but the second player only needs 2 \
         pieces in a row to win.",
    ])
}

/// Reads a description: rows, columns and rule, one line each.
fn description(text: &str) -> bool {
    let mut lines = text.splitn(3, '\n');
    let [rows, cols, rule] = [(); 3].map(|()| lines.next().unwrap_or_default());
    let Ok(spec) = described_game(rows, cols, rule) else { return false };
    Game::of(&spec).is_ok_and(|game| game.start().ended().is_none())
}

/// Rules texts that cover every kind of board and mover.
fn rules_samples() -> Vec<String> {
    strings(&[
        include_str!("../../../../testdata/rules/checkers.rules"),
        include_str!("../../../../testdata/rules/graph.rules"),
        include_str!("../../../../testdata/rules/isola.rules"),
        include_str!("../../../../testdata/rules/kalah.rules"),
        include_str!("../../../../testdata/rules/mnk_options.rules"),
        include_str!("../../../../testdata/rules/nine_mens_morris.rules"),
        include_str!("../../../../testdata/rules/palisade.rules"),
        include_str!("../../../../testdata/rules/riptide.rules"),
        include_str!("../../../../testdata/rules/squares.rules"),
    ])
}

/// Formatting a formatted text changes nothing. A valid rules text gives a game that can be played,
/// with positions that can be read back.
fn rules(text: &str) -> bool {
    if let Ok(laid_out) = format(text) {
        assert_eq!(format(&laid_out).expect("it was laid out"), laid_out);
    }
    if let Ok(genome) = Genome::read(text) {
        genome_and_child(&genome, xxh3_64(text.as_bytes()));
    }
    let spec = match GameSpec::parse_with("a.rules", &mut |_| Ok(text.to_owned())) {
        Ok(spec) => spec,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    let game = Game::of(&spec).expect("what was checked is a game");
    let (played, _) = line(&game, 2);
    position(&game, &played.position_text())
}

/// A genome and a child of it stay the same when their own texts are read.
fn genome_and_child(genome: &Genome, seed: u64) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let child = vary(genome, &[], &mut rng).map(|varied| varied.child);
    for genome in std::iter::once(genome).chain(&child) {
        let source = genome.source();
        let again = Genome::read(&source).expect("the text of a genome is one");
        assert_eq!(again.source(), source);
        assert_eq!(again.identity(), genome.identity(), "{source}");
    }
}

fn labels_samples() -> Vec<String> {
    let game = "[[game]]\ngame = \"othello\"\nplayable = true\nrating = 5\ngroup = \"othello\"\n";
    let other = game.replace("othello\"\np", "achi\"\nreason = \"3 x 3\"\np");
    vec![game.to_owned(), format!("# two\n{game}{other}")]
}

/// A valid file of labels lists every game once.
fn labels(text: &str) -> bool {
    let Ok(corpus) = Corpus::parse(text) else { return false };
    let names: std::collections::HashSet<&str> =
        corpus.games.iter().map(|game| game.game.as_str()).collect();
    assert_eq!(names.len(), corpus.games.len());
    true
}

fn attributes_samples() -> Vec<String> {
    strings(&[
        "game,iterations,instances,trees,depth.mean,first.depth.mean\nothello,10,2,120,3.5,-1e-3\n\
         \"forms(rows=4,cols=4)\",10,2,9,0,7\n",
        "trees,game,instances,iterations\n1,achi,1,1\n",
    ])
}

/// A table that can be read equals the table that its own text gives, and all its numbers are
/// finite.
fn attributes(text: &str) -> bool {
    let Ok(read) = Aggregate::read_csv(text.as_bytes()) else { return false };
    let again = Aggregate::read_csv(read.csv().as_bytes()).expect("its own text is a table");
    assert_eq!(again, read);
    for split in Split::BOTH {
        let table = read.table(split).expect("what was read makes tables");
        assert!(table.rows().flatten().all(|value| value.is_finite()));
    }
    true
}

/// A reader of a kind of text that every game has. The first byte of the input selects the game.
struct OfGames {
    name: &'static str,
    /// Makes a sample from a game and a number that differs between the samples of one game.
    sample: fn(&Game, usize) -> String,
    read: fn(&Game, &str) -> bool,
}

/// Every family with its defaults, and every preset.
fn games() -> Vec<&'static str> {
    let presets = |family: &'static Family| family.presets.iter();
    let names = FAMILIES.iter().flat_map(|f| presets(f).map(|p| p.name).chain([f.name]));
    names.collect()
}

fn opened(name: &str) -> Game {
    Game::parse(name).expect("it is listed")
}

impl Reader for OfGames {
    fn name(&self) -> &'static str {
        self.name
    }

    fn samples(&self) -> Result<Vec<Vec<u8>>> {
        let mut samples = Vec::new();
        for (number, name) in games().into_iter().enumerate() {
            let game = opened(name);
            for n in 0..3 {
                let text = (self.sample)(&game, n);
                ensure!((self.read)(&game, &text), "{name}: {text:?} is refused");
                samples.push([&[u8::try_from(number)?], text.as_bytes()].concat());
            }
        }
        Ok(samples)
    }

    fn read(&self, bytes: &[u8], _: &Path) -> bool {
        let Some((&number, text)) = bytes.split_first() else { return false };
        let games = games();
        let game = opened(games[usize::from(number) % games.len()]);
        (self.read)(&game, &String::from_utf8_lossy(text))
    }
}

/// Plays up to 5n plies of a game, with pseudo-random moves. Returns the position and its moves.
fn line(game: &Game, n: usize) -> (Line, Vec<String>) {
    let (mut position, mut line) = (game.start(), Vec::new());
    for ply in 0..5 * n {
        let moves = position.moves();
        if moves.is_empty() {
            break;
        }
        let text = &moves[(ply * 7 + n) % moves.len()];
        position.play_text(text).expect("the move was listed");
        line.push(text.clone());
    }
    (position, line)
}

fn position_sample(game: &Game, n: usize) -> String {
    line(game, n).0.position_text()
}

/// A position that can be read equals the position that its own text gives, and none of its methods
/// panics.
fn position(game: &Game, text: &str) -> bool {
    let at = |text: &str| {
        let position = Some(text.to_owned());
        game.begin(&StartingPoint { position, moves: Vec::new() })
    };
    let Ok(mut position) = at(text) else { return false };
    let own = position.position_text();
    let again = at(&own).unwrap_or_else(|error| panic!("{own:?} of {text:?}: {error}"));
    assert_eq!(again.position_text(), own);
    let _ = (position.board_text(), position.board_svg(), position.margin(), position.turn());
    let (moves, paths) = (position.moves(), position.paths(&position.board()));
    assert_eq!(paths.len(), moves.len(), "{own:?}");
    if position.ended().is_none() {
        assert!(!moves.is_empty(), "{own:?} is not over and has no moves");
    }
    for m in moves.iter().take(4) {
        position.clone().play_text(m).unwrap_or_else(|error| panic!("{own:?}: {error}"));
    }
    if let Some(last) = moves.last() {
        position.play_text(last).expect("the move was listed");
        let _ = (position.position_text(), position.ended(), position.moves());
    }
    true
}

fn moves_sample(game: &Game, n: usize) -> String {
    line(game, n).1.join(" ")
}

/// Plays the moves of a text from the start. Returns whether all of them are legal.
fn moves(game: &Game, text: &str) -> bool {
    let mut position = game.start();
    text.split_whitespace().take(200).all(|text| position.play_text(text).is_ok())
}
