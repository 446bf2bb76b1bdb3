//! Rates, and the signature of all searches and random games.

use serde_json::Value;

use crate::common::{Fields, json, stdout, testdata};

#[test]
fn bench_gives_rates_for_the_games_asked_for() {
    let games = ["tic_tac_toe", "one_to_ten(max_step=3)"];
    let [one, other] = games;
    let report = json(format!("bench {one} '{other}' --seconds 0.05 --iterations 200"));
    assert_eq!(report["threads"], 1);
    let rows = report.list("/rows");
    assert_eq!(rows.len(), 2);
    for (place, (row, game)) in (1..).zip(rows.iter().zip(games)) {
        let named = (row.whole("/place"), row.word("/input"), row.word("/game"));
        assert_eq!(named, (place, game, game));
        assert_eq!(row.whole("/uct_iterations"), 200);
        for rate in ["playouts_per_s", "plies_per_s", "random_games_per_s", "uct_iterations_per_s"]
        {
            assert!(row.number(&format!("/{rate}")) > 1.0, "{rate} in {row}");
        }
        let bytes = row.number("/bytes_per_node");
        assert!(bytes > 0.0 && bytes <= 64.0, "{bytes} bytes per node");
        let plies = row.number("/plies_per_playout");
        assert!((3.0..=10.0).contains(&plies), "{plies} plies per playout of {game}");
    }
}

#[test]
fn bench_compares_a_text_with_the_built_in_game_before_it() {
    let text = testdata("rules/tic_tac_toe.rules");
    let bench = |games: &str| json(format!("bench {games} --seconds 0.05 --iterations 50"));
    let report = bench(&format!("tic_tac_toe {text}"));
    let [row] = report.list("/texts") else { panic!("one text: {report}") };
    assert_eq!((row.word("/game"), row.word("/beside")), (&*text, "tic_tac_toe"));
    for field in ["/playouts_ratio", "/uct_ratio", "/reading_ms"] {
        assert!(row.number(field) > 0.0, "{field} in {row}");
    }
    let report = bench(&text);
    let [row] = report.list("/texts") else { panic!("one text: {report}") };
    assert!(row["beside"].is_null() && row["uct_ratio"].is_null(), "{row}");
    assert!(bench("tic_tac_toe").get("texts").is_none());
}

#[test]
fn bench_gives_rates_of_solvers() {
    let report = json("bench --solve 'tic_tac_toe(k=3)' achi");
    assert_eq!(report["threads"], 1);
    let rows = report.list("/rows");
    let named = rows.iter().map(|row| (row.word("/game"), row.whole("/positions")));
    assert_eq!(named.collect::<Vec<_>>(), [("tic_tac_toe", 5_478), ("achi", 5_390)]);
    assert_eq!(rows[0]["input"], "tic_tac_toe(k=3)");
    for (place, row) in (1..).zip(rows) {
        assert_eq!((row.whole("/place"), row.whole("/runs")), (place, 5));
        for rate in ["/solved_per_s", "/interest_per_s"] {
            assert!(row.number(rate) > 1.0, "{rate} in {row}");
        }
        assert!(row.number("/solve_s") > 0.0);
    }
    assert_eq!(json("bench --solve tic_tac_toe --threads 2")["threads"], 2);
}

#[test]
fn phases_of_a_search_share_its_time() {
    let report = json("bench connect_four --phases --seconds 0.05");
    let row = &report.list("/phases")[0];
    let shares = ["/descent_share", "/playout_share", "/back_up_share"].map(|s| row.number(s));
    assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{shares:?}");
    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{shares:?}");
}

/// Every search, playout and random game does what it did when the file was written. A change
/// that is meant to move them writes it anew with `cargo xtask signature`, and its commit says so.
#[test]
fn the_bench_signature_is_the_committed_one() {
    let known = std::fs::read_to_string(testdata("signature.json")).unwrap();
    let known: Value = serde_json::from_str(&known).unwrap();
    let found = json("bench --signature");
    for (known, found) in known.list("/families").iter().zip(found.list("/families")) {
        assert_eq!(known, found, "the searches or random games of this family have changed");
    }
    assert_eq!(found["families"], known["families"]);
    assert_eq!(found["signature"], known["signature"]);
    assert_eq!(stdout("bench --signature"), format!("{}\n", known["signature"]));
}

/// The numbers of known games are those that this search finds: a change of the search that moves
/// them is seen here, and `cargo xtask reference` makes them anew.
#[test]
fn the_reference_is_what_a_gauge_finds() {
    let reference = &*treegauge::REFERENCE;
    let game = "tic_tac_toe(k=2)";
    let row = reference.rows.iter().find(|row| row.game == game).expect("it is a short game");
    // Games between a stronger and a weaker search have no part in it.
    let plan = format!("--games {} --iterations {}", reference.games, reference.iterations);
    let report = json(format!("gauge '{game}' {plan} --skill-games 2"));
    for measure in ["draw_rate", "first_player", "plies", "branching", "lead_changes"] {
        let mean = row.measures.get(measure).mean.unwrap();
        assert_eq!(report[measure].number("/mean"), mean, "{measure}");
    }
    for (feature, mean) in &row.features {
        assert_eq!(report["tree"][feature].number("/mean"), *mean, "{feature}");
    }
}

#[test]
fn benchmarks_and_comparisons_say_how_searches_differ() {
    let web = "--merge symmetric --solver";
    let bench = format!("bench tic_tac_toe --seconds 0.02 --iterations 50 {web}");
    assert!(stdout(&bench).contains("seed 1, merge=symmetric,solver=true"));
    let report = json(&bench);
    assert_eq!((&report["merge"], &report["solver"]), (&"symmetric".into(), &true.into()));
    let games = "tic_tac_toe 'tic_tac_toe(misere=true)' --games 2 --iterations 20 --ladder 1";
    let text = stdout(format!("compare {games} {web} --explain"));
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("Seed 1, merge=symmetric,solver=true. "), "{text}");
}
