use std::collections::{BTreeSet, HashSet};

use proptest::prelude::*;
use proptest::sample::Index;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use treegauge_core::{Game, Keyed, Notation, positions_by_ply};
use treegauge_testkit::explore::{courses, explore, solved};
use treegauge_testkit::facts::{SolvedRow, facts};
use treegauge_testkit::{Laws, laws};

use super::{FAMILIES, MODULES};
use crate::tests::{Moves, Perft};
use crate::{Entry, GameSpec, Values, Visitor};

mod names;

/// Names of all families and presets.
fn all_names() -> Vec<&'static str> {
    FAMILIES
        .iter()
        .flat_map(|f| std::iter::once(f.name).chain(f.presets.iter().map(|p| p.name)))
        .collect()
}

/// Checks that the rules end in a full stop, and that the example move is legal at the start.
#[test]
fn every_family_says_how_it_is_played() {
    for family in FAMILIES {
        assert!(family.rules.len() > 60 && family.rules.ends_with('.'), "{}", family.name);
        let example = family.moves.split('`').nth(1).expect("there is an example");
        let moves = GameSpec::parse(family.name).unwrap().with_built_in_game(Moves).unwrap();
        assert!(moves.iter().any(|m| m == example), "{}: {example}", family.name);
    }
}

#[test]
fn every_file_of_this_folder_is_in_the_list() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/families");
    let files: BTreeSet<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .filter(|stem| stem != "mod" && stem != "tests")
        .collect();
    let listed: BTreeSet<String> = MODULES.iter().map(|m| (*m).to_owned()).collect();
    assert_eq!(files, listed);
    for (family, module) in FAMILIES.iter().zip(MODULES) {
        assert_eq!(family.name, *module, "a family lives in the file of its name");
    }
}

#[test]
fn every_folder_of_a_game_is_reached_by_a_family() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/src");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            assert!(MODULES.contains(&name.as_str()), "the game {name} is in no family");
        }
    }
}

#[test]
fn names_are_unique_and_every_preset_and_default_is_a_game() {
    let mut seen = BTreeSet::new();
    for family in FAMILIES {
        for name in family.aliases.iter().chain([&family.name]) {
            assert!(seen.insert(*name), "{name} is used twice");
        }
        for preset in family.presets {
            assert!(seen.insert(preset.name), "{} is used twice", preset.name);
        }
        for parameter in family.all_parameters() {
            assert!(parameter.values.take(parameter.default), "{}", parameter.name);
        }
    }
    for name in all_names() {
        let spec = GameSpec::parse(name).unwrap_or_else(|error| panic!("{error}"));
        let moves = spec.with_built_in_game(Moves).unwrap_or_else(|error| panic!("{error}"));
        assert!(!moves.is_empty(), "{name} is over at the start");
        assert_eq!(
            GameSpec::parse(&spec.canonical()).unwrap().args(),
            spec.args(),
            "the canonical text of {name} is the same game"
        );
    }
}

#[test]
fn perft_is_as_published() {
    let mut families = BTreeSet::new();
    for row in facts().perft {
        let spec = GameSpec::parse(&row.spec).unwrap_or_else(|error| panic!("{error}"));
        let depth = row.depth_within(6_000_000);
        let counts = spec.with_built_in_game(Perft(depth)).unwrap();
        assert_eq!(counts, row.leaf_counts[..depth], "{}", row.spec);
        families.insert(spec.family().name);
    }
    for family in FAMILIES {
        assert_eq!(
            families.contains(family.name),
            !WITHOUT_COUNTS.contains(&family.name),
            "published counts of {}",
            family.name
        );
    }
}

/// Counts the distinct positions after each of this number of plies, within a number of bytes.
struct Distinct(usize, Option<u64>);

impl Visitor for Distinct {
    type Output = Vec<u64>;
    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> Vec<u64> {
        let start = entry.game.start();
        positions_by_ply(&entry.game, &start, self.0, self.1, &()).unwrap()
    }
}

#[test]
fn distinct_positions_by_ply_are_as_published() {
    let within = |spec: &str, depth: usize, bytes_max: Option<u64>| {
        GameSpec::parse(spec).unwrap().with_built_in_game(Distinct(depth, bytes_max)).unwrap()
    };
    let distinct = |spec: &str, depth: usize| within(spec, depth, None);
    let mut rows = 0;
    // In these games no position is reached after different numbers of plies.
    for row in facts().solved {
        if let Some(known) = row.positions_by_ply {
            assert_eq!(distinct(&row.spec, known.len() - 1), known[1..], "{}", row.spec);
            rows += 1;
        }
    }
    assert!(rows >= 8, "{rows}");
    // Tromp, "John's Connect Four Playground".
    assert_eq!(distinct("connect_four", 6), [7, 49, 238, 1_120, 4_263, 16_422]);
    // The list ends where the memory does.
    let few = within("connect_four", 12, Some(4_000_000));
    assert!((6..12).contains(&few.len()), "{few:?}");
    assert_eq!(few[..6], [7, 49, 238, 1_120, 4_263, 16_422]);
}

/// Counts the sequences of this number of plies, together with those that end earlier.
struct CountWithEnded {
    depth: usize,
}

impl Visitor for CountWithEnded {
    type Output = u64;
    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> u64 {
        fn count<G: Game>(game: &G, state: &G::State, depth: usize) -> u64 {
            if game.outcome(state).is_some() {
                return 1;
            }
            if depth == 1 {
                return u64::from(game.move_count(state));
            }
            let mut moves = Vec::new();
            game.moves_into(state, &mut moves);
            let below = moves.into_iter().map(|m| {
                let mut child = state.clone();
                game.play(&mut child, m);
                count(game, &child, depth - 1)
            });
            below.sum()
        }
        count(&entry.game, &entry.game.start(), self.depth)
    }
}

/// Compares deep perft counts with the published tables, which also count finished games: the
/// shortest games of Othello end with ply 9, and from ply 10 on the tables exceed the sequences of
/// exactly that many plies.
#[test]
fn deep_perft_is_as_others_published() {
    let published = facts().published_not_recomputed;
    let mut rows = 0;
    for (name, counts) in [("checkers", published.checkers), ("othello", published.othello)] {
        let spec = GameSpec::parse(name).unwrap();
        // The last ply of each table would take most of a minute.
        let most = u64::from(sampled(10_000_000, 100_000_000));
        for (depth, published) in counts.into_iter().filter(|row| row.1 < most) {
            let found = spec.with_built_in_game(CountWithEnded { depth }).unwrap();
            assert_eq!(found, published, "{name} at depth {depth}");
            rows += 1;
        }
    }
    assert_eq!(rows, sampled(2, 5));
}

/// Families without published counts.
#[rustfmt::skip] // One line each, so that a new one is one line.
const WITHOUT_COUNTS: &[&str] = &[
    "dots_corridor",
    "one_to_ten",
];

/// Solves a game with the plainest solver.
struct Solve {
    /// Whether to count the courses of the game.
    courses: bool,
}

impl Visitor for Solve {
    type Output = SolvedRow;
    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> SolvedRow {
        let graph = explore(&entry.game, 500_000);
        let found = solved(&entry.game);
        let mut canonical: Vec<HashSet<G::State>> = Vec::new();
        for (state, &ply) in graph.states.iter().zip(&graph.plies) {
            canonical.resize(canonical.len().max(ply as usize + 1), HashSet::new());
            canonical[ply as usize].insert(entry.canonical(state));
        }
        let apart: Vec<u64> = canonical.iter().map(|states| states.len() as u64).collect();
        let courses = self.courses.then(|| courses(&entry.game, &graph));
        SolvedRow {
            spec: String::new(),
            reachable_states: found.states as u64,
            terminal: Some(found.finished as u64),
            win_to_move: found.win as u64,
            lose_to_move: found.lose as u64,
            draw: found.draw as u64,
            start_value_for_first_player: found.start.map_or(0, |(winner, _)| winner.sign()),
            start_remoteness: found.start.map(|(_, plies)| plies),
            positions_by_ply: Some(graph.by_ply()),
            positions_up_to_symmetry: Some(apart.iter().sum()),
            positions_up_to_symmetry_by_ply: Some(apart),
            games_p1: courses.map(|courses| courses[0]),
            games_p2: courses.map(|courses| courses[1]),
            games_draw: courses.map(|courses| courses[2]),
        }
    }
}

#[test]
fn solved_games_are_as_published() {
    let mut rows = 0;
    for row in facts().solved {
        rows += 1;
        let spec = GameSpec::parse(&row.spec).unwrap_or_else(|error| panic!("{error}"));
        let solve = Solve { courses: row.games_p1.is_some() };
        let found = spec.with_built_in_game(solve).unwrap();
        let spec = &row.spec;
        assert_eq!(found.reachable_states, row.reachable_states, "states of {spec}");
        assert_eq!(found.win_to_move, row.win_to_move, "wins of {spec}");
        assert_eq!(found.lose_to_move, row.lose_to_move, "losses of {spec}");
        assert_eq!(found.draw, row.draw, "ties and draws of {spec}");
        assert_eq!(
            found.start_value_for_first_player, row.start_value_for_first_player,
            "the value of {spec}"
        );
        // Facts that some rows lack.
        let known = |what: &str, found: Option<u64>, known: Option<u64>| {
            assert!(known.is_none() || found == known, "{what} of {spec}: {found:?}, {known:?}");
        };
        known("finished states", found.terminal, row.terminal);
        known(
            "states up to symmetry",
            found.positions_up_to_symmetry,
            row.positions_up_to_symmetry,
        );
        known("courses that are won", found.games_p1, row.games_p1);
        known("courses that are lost", found.games_p2, row.games_p2);
        known("courses that are drawn", found.games_draw, row.games_draw);
        let by_ply = &row.positions_up_to_symmetry_by_ply;
        assert!(by_ply.is_none() || found.positions_up_to_symmetry_by_ply == *by_ply, "{spec}");
        // Some rows have the plies to a tie, which this solver does not find.
        let plies = |row: &SolvedRow| row.start_remoteness.map(u64::from);
        if row.start_value_for_first_player != 0 {
            known("the plies", plies(&found), plies(&row));
        }
        assert!(
            row.positions_by_ply.is_none() || found.positions_by_ply == row.positions_by_ply,
            "states by ply of {spec}"
        );
    }
    assert!(rows >= 12, "only {rows} solved games were checked");
}

/// Checks the laws of all games, and those of the capabilities in an entry.
struct KeepsTheLaws(Laws);

impl Visitor for KeepsTheLaws {
    /// Whether positions can come back.
    type Output = bool;
    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> bool {
        laws::all(&entry.game, entry.capabilities(), self.0);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut state = entry.game.start();
        // Some random games never end: neither player can win, and moves go round in circles.
        for _ in 0..200 {
            let Some(m) = entry.game.random_move(&state, &mut rng) else { break };
            let image = entry.canonical(&state);
            assert_eq!(entry.canonical(&image), image, "the canonical image is its own");
            assert_eq!(entry.game.outcome(&image), None);
            if entry.symmetry_count() == 1 {
                assert_eq!(image, state, "without symmetries every state is its own image");
            }
            entry.game.play(&mut state, m);
        }
        G::CYCLIC && entry.game.cyclic()
    }
}

/// Random value of a parameter, small boards more often than large ones.
fn any_value(values: Values) -> BoxedStrategy<String> {
    match values {
        Values::Whole(min, max) => {
            let near = max.min(min.saturating_add(6));
            prop_oneof![5 => min..=near, 1 => min..=max].prop_map(|n| n.to_string()).boxed()
        }
        Values::Hundredths(min, max) => {
            (min..=max).prop_map(|n| (f64::from(n) / 100.0).to_string()).boxed()
        }
        Values::Flag => any::<bool>().prop_map(|flag| flag.to_string()).boxed(),
        Values::Word(words) => prop::sample::select(words).prop_map(str::to_owned).boxed(),
        other => panic!("no game has a parameter of {other}"),
    }
}

/// Game of the catalog with about half of its parameters changed.
fn any_game() -> impl Strategy<Value = String> {
    prop::sample::select(FAMILIES).prop_flat_map(|family| {
        let parameters: Vec<_> = family
            .parameters
            .iter()
            .map(|p| prop::option::of(any_value(p.values)).prop_map(|value| (p.name, value)))
            .collect();
        parameters.prop_map(|values| {
            let set =
                values.into_iter().filter_map(|(name, value)| Some(format!("{name}={}", value?)));
            format!("{}({})", family.name, set.collect::<Vec<_>>().join(","))
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sampled(60, 200)))]

    /// Checks that a game with parameters in range keeps the laws, or is refused with a reason.
    #[test]
    fn any_game_of_the_catalog_keeps_the_laws(text in any_game(), seed: u64) {
        let spec = GameSpec::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        match spec.with_built_in_game(KeepsTheLaws(Laws { games: 1, every: sampled(3, 1), playouts: sampled(50, 150), seed })) {
            Ok(false) => {}
            Ok(true) => {
                let family = FAMILIES.iter().find(|family| text.starts_with(family.name));
                let rules = family.expect("the text names a family").rules;
                prop_assert!(rules.contains("third occurrence"), "{text}: {rules}");
            }
            Err(refusal) => prop_assert!(refusal.to_string().len() > 20, "{text}: {refusal}"),
        }
    }
}

/// Reads a text, and the texts of a position and of its moves after random edits.
struct Reads<'a> {
    text: &'a str,
    plies: u32,
    /// Edits: place, kind (replace, remove or insert), and the new character.
    edits: &'a [(Index, u8, Index)],
    seed: u64,
}

impl Reads<'_> {
    /// Applies the edits to a text. Most inserted characters occur in the text.
    fn edited(&self, text: &str) -> String {
        let mut chars: Vec<char> = text.chars().collect();
        let known: Vec<char> = text.chars().chain("xo.0123456789ab -/?\u{fc}".chars()).collect();
        for (place, kind, by) in self.edits {
            let place = place.index(chars.len() + 1);
            let taken = usize::from(kind % 3 != 0 && place < chars.len());
            let put = (kind % 3 != 1).then(|| known[by.index(known.len())]);
            chars.splice(place..place + taken, put);
        }
        chars.into_iter().collect()
    }
}

impl Visitor for Reads<'_> {
    type Output = ();

    fn visit<G: Notation + Keyed>(self, Entry { game, .. }: Entry<G>) {
        laws::parsers_stand(&game, self.text);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let mut state = game.start();
        for _ in 0..self.plies {
            let Some(m) = game.random_move(&state, &mut rng) else { break };
            let text = self.edited(&game.move_text(&state, m));
            if let Ok(read) = game.parse_move(&state, &text) {
                assert!(game.is_legal(&state, read), "{text} of {}", game.position_text(&state));
            }
            game.play(&mut state, m);
            laws::parsers_stand(&game, &self.edited(&game.position_text(&state)));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn any_text_is_a_position_or_refused(
        game in any_game(), text in "[ -~ü]{0,40}", plies in 0u32..40,
        edits in prop::collection::vec(any::<(Index, u8, Index)>(), 1..6), seed: u64,
    ) {
        let reads = Reads { text: &text, plies, edits: &edits, seed };
        // Parameters that do not fit together are refused.
        let _ = GameSpec::parse(&game).unwrap().with_built_in_game(reads);
    }
}

#[test]
fn rules_in_words_name_values_or_parameters() {
    for family in FAMILIES {
        let game = GameSpec::parse(family.name).unwrap();
        for text in [family.rules_text(), game.rules_text()] {
            assert!(!text.contains(['{', '}']), "{}: {text}", family.name);
        }
        assert!(!game.rules_text().contains("=true"), "{}", game.rules_text());
    }
    let text = |game: &str| GameSpec::parse(game).unwrap().rules_text();
    assert!(
        text("mnk(k1=3,k2=4,misere=true)").contains("with 3 or 4 stones in a straight line loses;")
    );
}

#[test]
fn every_default_and_preset_keeps_the_laws() {
    for name in all_names() {
        let spec = GameSpec::parse(name).unwrap();
        // The time of a law grows with the square of the number of moves.
        let moves = spec.with_built_in_game(Moves).unwrap().len() as u32;
        let games = (sampled(200, 600) / moves).clamp(1, sampled(8, 20));
        let laws = Laws { games, every: sampled(3, 1), playouts: sampled(400, 2_000), seed: 1 };
        spec.with_built_in_game(KeepsTheLaws(laws)).unwrap();
    }
}

/// Smallest and largest boards of families with texts or tables that depend on the size.
const EXTREMES: &[&str] = &[
    "achi(size=5,men=12)",
    "alak(length=3)",
    "alak(length=26,forbidden=false)",
    "breakthrough(cols=2,rows=4)",
    "breakthrough(cols=4,rows=16)",
    "breakthrough(cols=16,rows=4)",
    "breakthrough(cols=16,rows=9)",
    "connect_four(cols=9,rows=6)",
    "connect_four(cols=12,rows=9,k=5)",
    "connect_four(cols=20,rows=20)",
    "dots_and_boxes(rows=1,cols=15)",
    "dots_and_boxes(rows=5,cols=5)",
    "dots_and_boxes(rows=7,cols=7)",
    "dots_corridor(length=1)",
    "dots_corridor(length=60)",
    "forms(rows=2,cols=1)",
    "forms(rows=8,cols=7,objective=lose_all)",
    "isolation(cols=2,rows=2)",
    "isolation(cols=11,rows=2,piece=queen)",
    "isolation(cols=11,rows=11)",
    "kalah(houses=1,seeds=18)",
    "kalah(houses=7,seeds=18)",
    "kalah(houses=7,seeds=18,sow_stores=false,ply_cap=200)",
    "mnk(rows=19,cols=19,k=4)",
    "mnk(rows=19,cols=19,k=30,gravity=true)",
    "one_to_ten(target=1,max_step=100)",
    "one_to_ten(target=10000,max_step=1)",
    "oware(houses=1,seeds=1,ply_cap=150)",
    "oware(houses=7,seeds=18,grand_slam=all)",
    "qubic(lines=76)",
    "tic_tac_toe(size=1,k=1)",
    "tic_tac_toe(size=8,k=4)",
    "tic_tac_toe(size=11,k=5,misere=true)",
    "tic_tac_toe(size=20,k=4)",
];

/// Size of a sample of this crate, whose tests are not optimised: the small one, or the large one if
/// `RANDOM_GAMES` is set.
fn sampled(small: u32, large: u32) -> u32 {
    if std::env::var_os("RANDOM_GAMES").is_some() { large } else { small }
}

/// Checks ids and tensors in random games: 100, or as many as `RANDOM_GAMES` says. Returns which of
/// the two capabilities the game has.
struct IdsAndTensors;

impl Visitor for IdsAndTensors {
    type Output = [bool; 2];

    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> [bool; 2] {
        let games = std::env::var("RANDOM_GAMES").map_or(100, |games| games.parse().unwrap());
        let laws = Laws { games, seed: 9, ..Laws::default() };
        let has = entry.capabilities();
        if let Some(ids) = has.actions {
            laws::actions(&entry.game, ids, laws);
        }
        if let Some(tensors) = has.tensors {
            laws::tensors(&entry.game, tensors, laws);
        }
        [has.actions.is_some(), has.tensors.is_some()]
    }
}

#[test]
fn all_families_have_tensors_and_those_without_chains_have_ids() {
    let mut without_ids = BTreeSet::new();
    for family in FAMILIES {
        // Random walks know no repetition, so some would not end.
        let spec = GameSpec::parse(&format!("{}(ply_cap=120)", family.name)).unwrap();
        let [has_ids, has_tensors] = spec.with_built_in_game(IdsAndTensors).unwrap();
        assert!(has_tensors, "{}", family.name);
        if !has_ids {
            without_ids.insert(family.name);
        }
    }
    assert_eq!(without_ids, BTreeSet::from(["alquerque", "checkers"]));
}

#[test]
fn the_least_and_the_greatest_boards_keep_the_laws() {
    let laws = Laws { games: 1, every: sampled(7, 1), playouts: sampled(30, 200), seed: 5 };
    for name in EXTREMES {
        let spec = GameSpec::parse(name).unwrap_or_else(|error| panic!("{error}"));
        spec.with_built_in_game(KeepsTheLaws(laws)).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Checks that the games of the reference data for tree features are in this catalog, each with its
/// canonical text.
#[test]
fn every_game_of_the_reference_is_in_the_catalog() {
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../gauge/data/known_games.json");
    let reference: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let rows = reference["rows"].as_array().unwrap();
    assert!(rows.len() >= FAMILIES.len() / 2, "only {} games", rows.len());
    let mut seen = BTreeSet::new();
    for row in rows {
        let game = row["game"].as_str().unwrap();
        let spec = GameSpec::parse(game).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(spec.canonical(), game);
        assert!(spec.with_built_in_game(Moves).is_ok(), "{game}");
        assert!(seen.insert(game), "{game} has two rows");
    }
}
