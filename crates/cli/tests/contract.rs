//! The JSON that other programs read: every field that was promised, with its type and range.

use serde_json::{Value, json};

use crate::common::{json, run, run_with, solved, stdout};

/// A text that describes a game, in a file of `testdata`.
fn text_of(folder: &str, name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    path.join(folder).join(name).to_str().expect("the path is text").to_owned()
}

#[test]
fn check_says_what_is_wrong_with_a_text() {
    let good = json(&["check", &text_of("rules", "riptide.rules"), "--json"]);
    has(&good, &["schema", "kind", "file", "errors", "warnings", "seed", "random_games"]);
    let games = &good["random_games"];
    let ended = ["first_wins", "second_wins", "draws", "repetitions", "quiet", "capped"];
    let sum: u64 = ended.iter().map(|name| whole(&games[*name])).sum();
    assert_eq!(sum, whole(&games["games"]));
    assert_eq!(good["errors"].as_array().map(Vec::len), Some(0));
    let ran = run(&["check", &text_of("rules_bad", "word.rules"), "--json"]);
    assert_eq!(ran.code, Some(65), "{}", ran.stderr);
    let bad: Value = serde_json::from_str(&ran.stdout).expect("stdout is JSON");
    let error = &bad["errors"][0];
    assert_eq!((whole(&error["line"]), whole(&error["column"])), (4, 10));
    assert_eq!(error["nearest"], "place");
    assert!(error["message"].as_str().unwrap().contains("plase"));
}

#[test]
fn the_rules_of_a_text_are_shown_in_plain_english() {
    let text = text_of("rules", "breakthrough.rules");
    let shown = json(&["show", &text, "--json"]);
    let moves = shown["rules"].as_array().unwrap().iter().find(|part| part["heading"] == "Moves");
    let paragraph = &moves.unwrap()["paragraphs"][0];
    assert_eq!(whole(&paragraph["level"]), 0);
    assert_eq!(
        paragraph["text"],
        "A man steps straight forward to an empty cell, or diagonally forward to an empty cell or \
         onto an opposing man, which is captured."
    );
    let printed = stdout(&["show", &text]);
    assert!(printed.contains("\nMoves\n  A man steps straight forward"), "{printed}");
    assert_eq!(json(&["show", "breakthrough", "--json"])["rules"], json!([]));
}

#[test]
fn a_text_to_begin_from_is_a_game_at_once() {
    let text = stdout(&["new", "breakthrough"]);
    assert!(text.starts_with("; The rules of the built-in game breakthrough.\n"), "{text}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mygame.rules");
    let path = path.to_str().unwrap();
    assert_eq!(stdout(&["new", "breakthrough", "-o", path]), "");
    assert_eq!(std::fs::read_to_string(path).unwrap(), text);
    let counts = json(&["perft", path, "--depth", "3", "--json"]);
    assert_eq!(
        counts["counts"],
        json(&["perft", "breakthrough", "--depth", "3", "--json"])["counts"]
    );
    // What somebody has written is not lost.
    let again = run(&["new", "othello", "-o", path]);
    assert_eq!(again.code, Some(65), "{}", again.stderr);
    assert!(again.stderr.contains("--force replaces it"), "{}", again.stderr);
    assert_eq!(std::fs::read_to_string(path).unwrap(), text);
    let list = stdout(&["new", "--list"]);
    assert!(list.contains("checkers(kings=true)") && list.contains("\nalak "), "{list}");
    let report = json(&["new", "--list", "--json"]);
    let lists = |part: &str, name: &str, value: &str| {
        report[part].as_array().unwrap().iter().any(|one| one[name] == value)
    };
    assert!(lists("games", "game", "checkers(kings=true)"), "{report}");
    assert!(lists("without_text", "family", "alak"), "{report}");
    let report = json(&["new", "othello", "--json"]);
    assert_eq!(report["source"].as_str().unwrap(), stdout(&["new", "othello"]));
    crate::common::refused(&["new", "--list", "-o", "a.rules"], 2, &["--list", "--output"]);
    crate::common::refused(&["new", "--json"], 2, &["<GAME>"]);
    for (game, said) in
        [("alak", "no text"), ("brakthrough", "breakthrough"), ("kalah(pits=4)", "`kalah`")]
    {
        let ran = run(&["new", game]);
        assert_eq!(ran.code, Some(2), "{game}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{game}: {}", ran.stderr);
    }
}

#[test]
fn a_text_is_read_from_standard_input() {
    let text = std::fs::read_to_string(text_of("rules", "tic_tac_toe.rules")).unwrap();
    let given = |arguments: &[&str]| {
        let ran = run_with(arguments, &text);
        (ran.code, ran.stdout)
    };
    let (code, report) = given(&["check", "-", "--json"]);
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(
        (code, &report["file"], &report["name"]),
        (Some(0), &json!("-"), &json!("Tic-tac-toe"))
    );
    let (code, laid_out) = given(&["check", "-", "--format"]);
    assert!(code == Some(0) && laid_out.contains("(game \"Tic-tac-toe\""), "{laid_out}");
    let (code, counts) = given(&["perft", "-", "--depth", "2"]);
    assert!(code == Some(0) && counts.contains("72"), "{counts}");
    let (code, shown) = given(&["show", "-"]);
    assert!(code == Some(0) && shown.contains("makes a line of three stones"), "{shown}");
    // A record would name a file that is not there.
    assert_eq!(given(&["gauge", "-"]).0, Some(2));
}

#[test]
fn a_text_is_a_game_for_every_command() {
    let text = text_of("rules", "tic_tac_toe.rules");
    let counts = json(&["perft", &text, "--depth", "4", "--json"]);
    assert_eq!(counts["counts"], serde_json::json!([9, 72, 504, 3024]));
    let solved = json(&["solve", &text, "--json"]);
    let built_in = json(&["solve", "tic_tac_toe", "--json"]);
    assert_eq!(solved["positions"], built_in["positions"]);
    assert_eq!(solved["start"], built_in["start"]);
    let found = json(&["search", &text, "--iterations", "500", "--json"]);
    assert_eq!(found["best_move"], "b2");
    assert!(stdout(&["show", &text, "--moves", "b2 a1"]).contains('x'));
    let options = text_of("rules", "mnk_options.rules");
    let counts = json(&["perft", &format!("{options}(width=5)"), "--depth", "1", "--json"]);
    assert_eq!(counts["counts"], serde_json::json!([20]));
    let ran = run(&["perft", &format!("{options}(widht=5)"), "--depth", "1"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("did you mean `width`?"), "{}", ran.stderr);
    let ran = run(&["perft", &text_of("rules_bad", "line.rules"), "--depth", "1"]);
    assert_eq!(ran.code, Some(65), "{}", ran.stderr);
    assert!(ran.stderr.contains("a line of 5 does not fit"), "{}", ran.stderr);
}

/// The features of a tree that are promised, in their order; more may stand among them.
const FEATURES: &[&str] = &[
    "legal_moves",
    "depth",
    "best",
    "worst",
    "spread",
    "spread_third",
    "mean_l1",
    "var_l1",
    "leaf_fraction",
    "uct_fraction",
    "effective_branching",
    "mean_depth",
    "mean_branching",
    "var_subtree_depth",
    "var_subtree_width",
    "score_drift",
];

#[track_caller]
fn has(value: &Value, fields: &[&str]) {
    let object = value.as_object().unwrap_or_else(|| panic!("{value} is an object"));
    for field in fields {
        assert!(object.contains_key(*field), "no field {field:?} in {value}");
    }
}

#[track_caller]
fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is a number"))
}

#[track_caller]
fn whole(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is a whole number"))
}

#[track_caller]
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is a text"))
}

#[track_caller]
fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value} is a list"))
}

#[test]
fn games_lists_names_parameters_and_capabilities() {
    let report = json(&["games", "--json"]);
    let games = list(&report["games"]);
    assert!(games.len() >= 7, "{} games", games.len());
    for game in games {
        has(game, &["name", "aliases", "summary", "parameters", "capabilities"]);
        assert!(!text(&game["name"]).is_empty() && !text(&game["summary"]).is_empty());
        for words in [&game["aliases"], &game["capabilities"]] {
            list(words).iter().for_each(|word| assert!(!text(word).is_empty()));
        }
        let names: Vec<&str> = list(&game["parameters"])
            .iter()
            .map(|parameter| {
                has(parameter, &["name", "default", "values"]);
                assert!(!text(&parameter["default"]).is_empty());
                assert!(!text(&parameter["values"]).is_empty());
                text(&parameter["name"])
            })
            .collect();
        assert!(names.contains(&"ply_cap"), "{names:?}");
    }
    let described =
        |game: &&Value| !text(&game["rules"]).is_empty() && text(&game["moves"]).contains('`');
    assert!(games.iter().all(|game| described(&game)));
    let names: Vec<&str> = games.iter().map(|game| text(&game["name"])).collect();
    for expected in ["tic_tac_toe", "connect_four", "othello", "breakthrough", "dots_and_boxes"] {
        assert!(names.contains(&expected), "{expected} is listed");
    }
}

#[test]
fn every_listed_parameter_can_be_set_to_its_default() {
    for game in list(&json(&["games", "--json"])["games"]) {
        let set: Vec<String> = list(&game["parameters"])
            .iter()
            .map(|p| format!("{}={}", text(&p["name"]), text(&p["default"])))
            .collect();
        let spec = format!("{}({})", text(&game["name"]), set.join(","));
        let shown = json(&["show", &spec, "--json"]);
        let plain = json(&["show", text(&game["name"]), "--json"]);
        assert_eq!(shown["position"], plain["position"], "{spec}");
    }
}

/// Names of all games and presets.
fn all_games() -> Vec<String> {
    let mut names = Vec::new();
    for game in list(&json(&["games", "--json"])["games"]) {
        names.push(text(&game["name"]).to_owned());
        names.extend(list(&game["presets"]).iter().map(|p| text(&p["name"]).to_owned()));
    }
    names
}

#[test]
fn every_command_takes_every_game() {
    let games = all_games();
    assert!(games.len() >= 32, "{games:?}");
    for game in &games {
        let shown = json(&["show", game, "--json"]);
        let legal_moves = list(&shown["moves"]).len() as u64;
        let found = json(&["search", game, "--iterations", "40", "--json"]);
        assert_eq!(
            found["features"]["legal_moves"].as_f64(),
            Some(legal_moves as f64),
            "{game}: {found}"
        );
        let gauge = json(&[
            "gauge",
            game,
            "--games",
            "1",
            "--skill-games",
            "0",
            "--iterations",
            "3",
            "--solve-limit",
            "10000",
            // It would play many more games.
            "--model",
            "none",
            "--json",
        ]);
        assert_eq!(whole(&gauge["games"]), 1, "{game}");
        assert_eq!(gauge["branching"]["n"], 1, "{game}");
        let played = stdout(&["play", game, "--first", "random", "--second", "random"]);
        assert!(played.contains("(ended by "), "{played}");
        let counts = json(&["perft", game, "--depth", "1", "--json"]);
        assert_eq!(whole(&counts["counts"][0]), legal_moves, "{game}");
        let bench = json(&["bench", game, "--seconds", "0.01", "--iterations", "10", "--json"]);
        assert!(bench["rows"][0]["playouts_per_s"].as_f64() > Some(0.0), "{game}");
    }
}

#[test]
fn perft_counts_connect_four_as_published() {
    let report = json(&["perft", "connect_four", "--depth", "8", "--json"]);
    has(&report, &["schema", "game", "counts"]);
    assert_eq!(report["game"], "connect_four");
    let counts: Vec<u64> = list(&report["counts"]).iter().map(whole).collect();
    // The counts of testdata/perft.json.
    assert_eq!(counts, [7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234]);
}

#[test]
fn perft_divided_adds_up_and_finished_games_count_nothing_later() {
    let report = json(&["perft", "connect_four", "--depth", "7", "--divide", "--json"]);
    let divided: u64 = list(&report["divide"]).iter().map(|row| whole(&row["count"])).sum();
    assert_eq!(divided, 823_536);
    let over = ["perft", "tic_tac_toe(k=2)", "--moves", "a1 c3 b1", "--depth", "2", "--json"];
    assert_eq!(json(&over)["counts"], serde_json::json!([0, 0]));
}

#[test]
fn bench_gives_rates_for_the_games_asked_for() {
    let games = ["tic_tac_toe", "one_to_ten(max_step=3)"];
    let report =
        json(&["bench", games[0], games[1], "--seconds", "0.05", "--iterations", "200", "--json"]);
    assert_eq!(report["threads"], 1);
    let rows = list(&report["rows"]);
    assert_eq!(rows.len(), 2);
    for (place, (row, game)) in (1..).zip(rows.iter().zip(games)) {
        assert_eq!(
            (whole(&row["place"]), &row["input"], &row["game"]),
            (place, &game.into(), &game.into())
        );
        assert_eq!(whole(&row["uct_iterations"]), 200);
        for rate in ["playouts_per_s", "plies_per_s", "random_games_per_s", "uct_iterations_per_s"]
        {
            assert!(number(&row[rate]) > 1.0, "{rate} in {row}");
        }
        let bytes = number(&row["bytes_per_node"]);
        assert!(bytes > 0.0 && bytes <= 64.0, "{bytes} bytes per node");
        let plies = number(&row["plies_per_playout"]);
        assert!((3.0..=10.0).contains(&plies), "{plies} plies per playout of {game}");
    }
}

#[test]
fn bench_compares_a_text_with_the_built_in_game_before_it() {
    let text = text_of("rules", "tic_tac_toe.rules");
    let bench = |games: &[&str]| {
        let options = ["--seconds", "0.05", "--iterations", "50", "--json"];
        json(&[&["bench"], games, &options].concat())
    };
    let report = bench(&["tic_tac_toe", &text]);
    let [row] = list(&report["texts"]) else { panic!("one text: {report}") };
    assert_eq!((&row["game"], &row["beside"]), (&text.clone().into(), &"tic_tac_toe".into()));
    for field in ["playouts_ratio", "uct_ratio", "reading_ms"] {
        assert!(number(&row[field]) > 0.0, "{field} in {row}");
    }
    let report = bench(&[&text]);
    let [row] = list(&report["texts"]) else { panic!("one text: {report}") };
    assert!(row["beside"].is_null() && row["uct_ratio"].is_null(), "{row}");
    assert!(bench(&["tic_tac_toe"]).get("texts").is_none());
}

#[test]
fn bench_gives_rates_of_solvers() {
    let games = ["tic_tac_toe", "achi"];
    let report = json(&["bench", "--solve", "tic_tac_toe(k=3)", games[1], "--json"]);
    assert_eq!(report["threads"], 1);
    let rows = list(&report["rows"]);
    assert_eq!(rows.iter().map(|row| whole(&row["positions"])).collect::<Vec<_>>(), [5_478, 5_390]);
    assert_eq!(rows[0]["input"], "tic_tac_toe(k=3)");
    for (place, (row, game)) in (1..).zip(rows.iter().zip(games)) {
        assert_eq!((whole(&row["place"]), &row["game"]), (place, &game.into()));
        assert_eq!(whole(&row["runs"]), 5);
        for rate in ["solved_per_s", "interest_per_s"] {
            assert!(number(&row[rate]) > 1.0, "{rate} in {row}");
        }
        assert!(number(&row["solve_s"]) > 0.0);
    }
    let two = json(&["bench", "--solve", "tic_tac_toe", "--threads", "2", "--json"]);
    assert_eq!(two["threads"], 2);
}

#[test]
fn phases_of_a_search_share_its_time() {
    let report = json(&["bench", "connect_four", "--phases", "--seconds", "0.05", "--json"]);
    let row = &list(&report["phases"])[0];
    let shares = ["descent_share", "playout_share", "back_up_share"].map(|s| number(&row[s]));
    assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{shares:?}");
    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{shares:?}");
}

/// Every search, playout and random game does what it did when the file was written. A change
/// that is meant to move them writes it anew with `cargo xtask signature`, and its commit says so.
#[test]
fn the_bench_signature_is_the_committed_one() {
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/signature.json");
    let known = std::fs::read_to_string(path).unwrap();
    let known: Value = serde_json::from_str(&known).unwrap();
    let found = json(&["bench", "--signature", "--json"]);
    let families = |report: &Value| report["families"].as_array().unwrap().clone();
    for (known, found) in families(&known).iter().zip(&families(&found)) {
        assert_eq!(known, found, "the searches or random games of this family have changed");
    }
    assert_eq!(found["families"], known["families"]);
    assert_eq!(found["signature"], known["signature"]);
    assert_eq!(stdout(&["bench", "--signature"]), format!("{}\n", known["signature"]));
}

/// The numbers of known games are those that this search finds: a change of the search that moves
/// them is seen here, and `cargo xtask reference` makes them anew.
#[test]
fn the_reference_is_what_a_gauge_finds() {
    let reference = &*treegauge::REFERENCE;
    let [games, iterations] = [reference.games, reference.iterations].map(|n| n.to_string());
    let game = "tic_tac_toe(k=2)";
    let row = reference.rows.iter().find(|row| row.game == game).expect("it is a short game");
    // Games between a stronger and a weaker search have no part in it.
    let plan = ["--games", &games, "--iterations", &iterations, "--skill-games", "2", "--json"];
    let report = json(&[&["gauge", game], &plan[..]].concat());
    for measure in ["draw_rate", "first_player", "plies", "branching", "lead_changes"] {
        let mean = row.measures.get(measure).mean.unwrap();
        assert_eq!(number(&report[measure]["mean"]), mean, "{measure}");
    }
    for (feature, mean) in &row.features {
        assert_eq!(number(&report["tree"][feature]["mean"]), *mean, "{feature}");
    }
}

#[test]
fn search_gives_moves_and_features() {
    let iterations = 3_000;
    for game in ["tic_tac_toe", "connect_four(cols=5,rows=4)", "othello(size=4)", "one_to_ten"] {
        let report = json(&[
            "search",
            game,
            "--iterations",
            &iterations.to_string(),
            "--seed",
            "7",
            "--json",
        ]);
        has(&report, &["game", "position", "iterations", "seed", "nodes", "best_move", "moves"]);
        assert_eq!(report["game"], game);
        assert_eq!(whole(&report["iterations"]), iterations);
        assert_eq!(whole(&report["seed"]), 7);
        let nodes = whole(&report["nodes"]);
        assert!(nodes > 1 && nodes <= iterations, "{nodes} nodes");

        let shown = json(&["show", game, "--json"]);
        assert_eq!(report["position"], shown["position"]);
        let moves = list(&report["moves"]);
        let names: Vec<&Value> = moves.iter().map(|row| &row["move"]).collect();
        assert_eq!(names, list(&shown["moves"]).iter().collect::<Vec<_>>());
        assert!(names.contains(&&report["best_move"]), "the best move is a move");
        // The first iteration is the root's own; each later one goes through one child.
        let visits: u64 = moves.iter().map(|row| whole(&row["visits"])).sum();
        assert_eq!(visits, iterations - 1, "{game}");
        let mut best = f64::NEG_INFINITY;
        for row in moves {
            let mean = number(&row["mean_score"]);
            assert!((-1.0..=1.0).contains(&mean), "{row}");
            best = best.max(mean);
        }
        let chosen = moves.iter().find(|row| row["move"] == report["best_move"]);
        assert_eq!(number(&chosen.expect("it is there")["mean_score"]), best);

        has(&report["features"], FEATURES);
        assert_eq!(number(&report["features"]["legal_moves"]), moves.len() as f64);
        assert_eq!(number(&report["features"]["best"]), best);
        for share in ["leaf_fraction", "uct_fraction"] {
            assert!((0.0..=1.0).contains(&number(&report["features"][share])), "{share}");
        }
    }
}

#[test]
fn mean_scores_are_for_the_player_to_move() {
    // The first player threatens a line in two places: with either player to move, it is bad for the second.
    let at = ["--moves", "a1 b2 c3 a3 c1 b3", "--iterations", "2000", "--json"];
    let first = json(&[&["search", "tic_tac_toe"], &at[..]].concat());
    assert_eq!(first["turn"], "first");
    assert!(number(&first["features"]["best"]) > 0.9, "{first}");
    let at = ["--moves", "a1 b2 c3 a3 c1", "--iterations", "2000", "--json"];
    let second = json(&[&["search", "tic_tac_toe"], &at[..]].concat());
    assert_eq!(second["turn"], "second");
    assert!(number(&second["features"]["best"]) < -0.5, "{second}");
}

/// Checks every interval below `value` and returns how many there were.
fn check_intervals(path: &str, value: &Value) -> usize {
    match value {
        Value::Object(fields) if fields.contains_key("low") => {
            has(value, &["mean", "low", "high"]);
            let [mean, low, high] = ["mean", "low", "high"].map(|end| &fields[end]);
            // Features of trees count these, and may be the same number for every tree.
            let trees = fields.get("trees").map(whole);
            if trees.unwrap_or_else(|| whole(&fields["n"])) == 0 {
                assert!(mean.is_null() && low.is_null() && high.is_null(), "{path}: {value}");
            } else {
                let (mean, low, high) = (number(mean), number(low), number(high));
                let wide = low < high || trees.is_some() && low == high;
                assert!(wide, "{path} has an interval: {value}");
                assert!(low - 1e-9 <= mean && mean <= high + 1e-9, "{path}: {value}");
            }
            1
        }
        Value::Object(fields) => fields
            .iter()
            .map(|(name, field)| check_intervals(&format!("{path}.{name}"), field))
            .sum(),
        Value::Array(items) => items.iter().map(|item| check_intervals(path, item)).sum(),
        _ => 0,
    }
}

#[test]
fn gauge_gives_every_measurement_with_its_interval() {
    // The verdict of a model has other intervals.
    let few = ["--iterations", "40", "--model", "none", "--json"];
    for (game, games) in [("tic_tac_toe", 8), ("othello(size=4)", 6), ("one_to_ten", 6)] {
        let report = json(&[&["gauge", game, "--games", &games.to_string()][..], &few].concat());
        assert_eq!(report["game"], game);
        assert_eq!(whole(&report["seed"]), 1);
        assert_eq!(whole(&report["iterations"]), 40);
        assert_eq!(whole(&report["games"]), games);
        assert!((1..=games).contains(&whole(&report["distinct_games"])));
        assert_eq!(report["incomplete"], false);
        assert_eq!(whole(&report["opening_plies"]), 0);

        let flags: Vec<&str> = list(&report["verdict"]["flags"])
            .iter()
            .map(|judged| {
                assert!(
                    ["yes", "no", "cannot_tell", "depends_on_strength"]
                        .contains(&text(&judged["state"])),
                    "{judged}"
                );
                text(&judged["flag"])
            })
            .collect();
        // These are promised, in this order; more may stand among them.
        let promised = [
            "drawish",
            "biased_first",
            "biased_second",
            "unfinished",
            "too_short",
            "too_long",
            "capped",
        ];
        let found: Vec<&str> = flags.into_iter().filter(|flag| promised.contains(flag)).collect();
        assert_eq!(found, promised);
        assert!(text(&report["verdict"]["sentence"]).ends_with('.'));

        let shares =
            ["completion", "capped", "decision_moves", "first_player", "draw_rate", "skill_depth"];
        for share in shares {
            let (low, high) = (number(&report[share]["low"]), number(&report[share]["high"]));
            assert!(0.0 <= low && high <= 1.0, "{share}: {}", report[share]);
        }
        assert!(check_intervals(game, &report) >= 11, "estimates of {game}");
        has(&report["skill_depth"]["elo_per_doubling"], &["mean", "low", "high"]);
        if !report["solved"].is_null() {
            has(&report["solved"], &["value", "remoteness", "positions"]);
        }
        // From the weakest to the strongest; the gauge's own strength is among them.
        let strengths: Vec<u64> =
            list(&report["ladder"]).iter().map(|rung| whole(&rung["iterations"])).collect();
        assert!(strengths.is_sorted() && strengths.contains(&whole(&report["iterations"])));
        for rung in list(&report["ladder"]) {
            assert_eq!(whole(&rung["games"]), games);
            for name in ["first_player", "draw_rate", "plies"] {
                has(&rung[name], &["mean", "low", "high"]);
            }
        }
        for unit in ["drama", "decisiveness"] {
            has(&report[unit], &["mean", "low", "high"]);
        }
        assert!(number(&report["lead_changes"]["mean"]) >= 0.0);
        assert!(number(&report["branching"]["mean"]) >= 1.0);
        let plies = &report["plies"];
        let (least, median, most) =
            (number(&plies["min"]), number(&plies["median"]), number(&plies["max"]));
        assert!(1.0 <= least && least <= median && median <= most, "{plies}");

        assert_eq!(list(&report["tree_by_player"]).len(), 2);
        for tree in list(&report["tree_by_player"]).iter().chain([&report["tree"]]) {
            has(tree, FEATURES);
            for feature in FEATURES {
                let [mean, variance, min, max] =
                    ["mean", "variance", "min", "max"].map(|field| number(&tree[*feature][field]));
                assert!(whole(&tree[*feature]["trees"]) > 0, "{feature}: {tree}");
                assert!(min - 1e-9 <= mean && mean <= max + 1e-9, "{feature}: {tree}");
                assert!(variance >= 0.0, "{feature}: {tree}");
            }
        }
    }
}

#[test]
fn games_are_listed_by_any_of_their_names() {
    let names = |arguments: &[&str]| -> Vec<String> {
        let report = json(&[&["games", "--json"], arguments].concat());
        list(&report["games"]).iter().map(|game| text(&game["name"]).to_owned()).collect()
    };
    assert_eq!(names(&["othello"]), ["othello"]);
    // By an alias, a preset and a text with parameters.
    assert_eq!(names(&["broken_oware", "qirkat"]), ["alquerque", "oware"]);
    assert_eq!(names(&["mnk(k=3)"]), ["mnk"]);
    assert!(names(&[]).len() > 15);
    crate::common::refused(&["games", "otello"], 2, &["did you mean `othello`?"]);
}

#[test]
fn thresholds_and_random_openings_are_obeyed() {
    let played = ["gauge", "tic_tac_toe", "--games", "8", "--iterations", "200", "--json"];
    let state = |report: &Value, flag: &str| {
        let flags = list(&report["verdict"]["flags"]);
        let judged = flags.iter().find(|judged| judged["flag"] == flag).expect("it is judged");
        text(&judged["state"]).to_owned()
    };
    // No game of nine plies is longer than nine, and none shorter than five.
    let strict = json(&[&played[..], &["--plies-max", "4", "--plies-min", "0"]].concat());
    assert_eq!(state(&strict, "too_long"), "yes");
    assert_eq!(state(&strict, "too_short"), "no");
    let short = json(&[&played[..], &["--plies-min", "10", "--plies-max", "20"]].concat());
    assert_eq!(state(&short, "too_short"), "yes");

    let opened = json(&[&played[..], &["--opening-plies", "3"]].concat());
    assert_eq!(whole(&opened["opening_plies"]), 3);
    // The first searched move is the fourth: six cells are left.
    assert_eq!(number(&opened["tree"]["legal_moves"]["max"]), 6.0);
}

#[test]
fn a_finished_position_is_shown_with_its_result() {
    let report = json(&["show", "tic_tac_toe(k=2)", "--moves", "a1 c3 b1", "--json"]);
    assert_eq!(report["outcome"], "first");
    assert_eq!(report["ended_by"], "the rules");
    assert_eq!(list(&report["moves"]).len(), 0);
    let report = json(&["show", "othello(size=4)", "--json"]);
    assert_eq!(report["outcome"], Value::Null);
    assert_eq!(report["margin"], 0);
}

#[test]
fn a_solve_counts_positions_by_value() {
    let report = json(&["solve", "tic_tac_toe", "--json"]);
    has(&report, &["game", "positions", "canonical_positions", "win", "lose", "tie", "draw"]);
    has(&report, &["start", "table", "digest", "peak_memory_bytes", "cpu_s"]);
    assert_eq!(report["game"], "tic_tac_toe");
    let counts = ["positions", "win", "lose", "tie", "draw"].map(|name| whole(&report[name]));
    assert_eq!(counts, [5478, 2836, 1574, 1068, 0]);
    assert_eq!(report["start"], json!({"value": "tie", "remoteness": 9}));
    assert_eq!(report["canonical_positions"], Value::Null);
    let table = list(&report["table"]);
    assert_eq!(table[0], json!({"remoteness": 0, "win": 0, "lose": 942, "tie": 16}));
    for (n, row) in table.iter().enumerate() {
        assert_eq!(whole(&row["remoteness"]), n as u64);
    }
    for name in ["win", "lose", "tie"] {
        let sum: u64 = table.iter().map(|row| whole(&row[name])).sum();
        assert_eq!(sum, whole(&report[name]), "{name}");
    }
    let digest = text(&report["digest"]);
    assert!(digest.len() == 32 && digest.chars().all(|c| c.is_ascii_hexdigit()), "{digest}");
    assert!(number(&report["cpu_s"]) >= 0.0);
    // Fewer positions are stored, and the same are counted.
    let reduced = json(&["solve", "tic_tac_toe", "--symmetry", "--json"]);
    assert_eq!(whole(&reduced["canonical_positions"]), 765);
    for name in ["positions", "win", "lose", "tie", "draw", "start", "table", "digest"] {
        assert_eq!(reduced[name], report[name], "{name}");
    }
}

#[test]
fn a_solve_gives_the_margin_of_a_game_with_scores() {
    let report = json(&["solve", "dots_and_boxes(rows=2,cols=2)", "--json"]);
    assert_eq!(report["margin"], json!({"points": 2, "unit": "boxes"}));
    // For the player to move, as the value is.
    let report = json(&["solve", "dots_and_boxes(rows=1,cols=1)", "--json"]);
    assert_eq!(report["start"]["value"], "lose");
    assert_eq!(report["margin"], json!({"points": -1, "unit": "box"}));
    for without in ["tic_tac_toe", "alak(length=4)"] {
        assert_eq!(json(&["solve", without, "--json"])["margin"], Value::Null, "{without}");
    }
}

#[test]
fn endless_play_has_no_remoteness() {
    let folder = tempfile::tempdir().unwrap();
    let file = solved(folder.path(), "file", &["finger_game"]);
    let report = json(&["solve", "finger_game", "--json"]);
    assert_eq!(report["start"], json!({"value": "draw", "remoteness": null}));
    let report = json(&["probe", &file, "--json"]);
    assert_eq!((&report["value"], &report["remoteness"]), (&"draw".into(), &Value::Null));
    let row = list(&report["moves"]).iter().find(|row| row["value"] == "draw");
    assert_eq!(row.expect("a move holds the draw")["words"], "endless");
}

#[test]
fn a_probe_gives_the_value_of_every_move() {
    let folder = tempfile::tempdir().unwrap();
    for symmetry in [&[][..], &["--symmetry"]] {
        let file = solved(folder.path(), "file", &[&["tic_tac_toe"], symmetry].concat());
        let report = json(&["probe", &file, "--moves", "a1 a2 b1 b2", "--json"]);
        has(&report, &["game", "position"]);
        assert_eq!((&report["value"], &report["remoteness"]), (&"win".into(), &1.into()));
        let rows = list(&report["moves"]);
        let best = json!({"move": "c1", "value": "win", "remoteness": 1, "words": "wins in 1"});
        let worst = json!({"move": "c3", "value": "lose", "remoteness": 2, "words": "loses in 2"});
        assert_eq!((rows.len(), &rows[0], &rows[4]), (5, &best, &worst));
        let there = json(&["probe", &file, "--position", text(&report["position"]), "--json"]);
        assert_eq!(there["moves"], report["moves"]);
        let over = json(&["probe", &file, "--moves", "a1 a2 b1 b2 c1", "--json"]);
        assert_eq!((&over["value"], &over["remoteness"]), (&"lose".into(), &0.into()));
        assert_eq!(list(&over["moves"]).len(), 0);
    }
}

/// An estimate of which an end may be unknown.
#[track_caller]
fn estimate(value: &Value) {
    has(value, &["mean", "low", "high"]);
    let all = [&value["mean"], &value["low"], &value["high"]];
    assert!(all.iter().all(|end| end.is_null() || end.is_number()), "{value}");
}

/// What a match reports about its two players.
#[track_caller]
fn compared(report: &Value) {
    let counts = ["games", "pairs", "distinct_games", "a_wins", "draws", "b_wins", "missing"];
    assert!(counts.iter().all(|field| report[field].is_u64()), "{report}");
    let games: u64 = ["a_wins", "draws", "b_wins"].iter().map(|field| whole(&report[field])).sum();
    assert_eq!(games, whole(&report["games"]));
    ["score", "elo", "normalised_elo", "first_mover"].iter().for_each(|f| estimate(&report[f]));
    let mean = number(&report["score"]["mean"]);
    let points = whole(&report["a_wins"]) as f64 + whole(&report["draws"]) as f64 / 2.0;
    assert!((mean - points / games as f64).abs() < 1e-12, "{report}");
    assert!((0.0..=1.0).contains(&number(&report["likelihood_of_superiority"])));
    let pentanomial = list(&report["pentanomial"]);
    assert_eq!(pentanomial.len(), 5);
    assert_eq!(pentanomial.iter().map(whole).sum::<u64>(), whole(&report["pairs"]));
    for both in ["depth", "nodes", "faults"] {
        has(&report[both], &["a", "b"]);
    }
    assert_eq!((whole(&report["faults"]["a"]), whole(&report["faults"]["b"])), (0, 0));
}

#[test]
fn a_match_has_its_fields() {
    let players = ["--a", "uct(iterations=30)", "--b", "random", "--games", "11"];
    let arguments = [&["match", "tic_tac_toe"], &players[..], &["--json"]].concat();
    let report = json(&arguments);
    compared(&report);
    assert_eq!((whole(&report["seed"]), whole(&report["games"])), (1, 11));
    assert_eq!((text(&report["game"]), text(&report["b"])), ("tic_tac_toe", "random"));
    assert!(text(&report["a"]).starts_with("uct(iterations=30"));
    assert_eq!((&report["nodes"]["a"], &report["depth"]["b"]), (&json!(30.0), &Value::Null));
    assert_eq!((&report["sprt"], &report["incomplete"]), (&Value::Null, &json!(false)));
    let test = json(&[&arguments[..], &["--sprt", "elo0=0,elo1=300"]].concat());
    compared(&test);
    for field in ["llr", "lower", "upper"] {
        number(&test["sprt"][field]);
    }
    text(&test["sprt"]["verdict"]);
}

#[test]
fn a_tournament_has_its_fields() {
    let players = ["--player", "random", "--player", "uct(iterations=30)", "--player", "random"];
    let arguments = [&["tournament", "tic_tac_toe"], &players[..], &["--games", "6"]].concat();
    let report = json(&[&arguments[..], &["--json"]].concat());
    has(&report, &["game", "players", "seed", "opening_plies", "games", "incomplete", "standings"]);
    let encounters = list(&report["encounters"]);
    let players: Vec<&Value> = encounters.iter().map(|one| &one["players"]).collect();
    assert_eq!(players, [&json!([0, 1]), &json!([0, 2]), &json!([1, 2])]);
    encounters.iter().for_each(compared);
    let rated = &report["bradley_terry"];
    for rating in list(&rated["ratings"]) {
        whole(&rating["player"]);
        estimate(&rating["elo"]);
    }
    for difference in list(&rated["differences"]) {
        has(difference, &["better", "worse", "p_value", "real"]);
        estimate(&difference["elo"]);
    }
    has(&rated["fit"], &["chi_squared", "degrees_of_freedom", "p_value"]);
    list(&rated["cycles"]);
}
