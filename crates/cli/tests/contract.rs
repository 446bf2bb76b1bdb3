//! Numbers of reports fit together, and mean what was promised to other programs. The fields and their
//! types are those of the snapshots of `every_task`.

use serde_json::{Value, json};

use crate::common::{Fields, Room, json, refused, solved, stdout};

#[test]
fn games_lists_names_parameters_and_capabilities() {
    let report = json("games");
    let names: Vec<&str> = report.list("/games").iter().map(|game| game.word("/name")).collect();
    for expected in ["tic_tac_toe", "connect_four", "othello", "breakthrough", "dots_and_boxes"] {
        assert!(names.contains(&expected), "{expected} is listed");
    }
    for game in report.list("/games") {
        for text in ["/name", "/summary", "/rules"] {
            assert!(!game.word(text).is_empty(), "{game}");
        }
        assert!(game.word("/moves").contains('`'), "{game}");
        for words in ["/aliases", "/capabilities"] {
            assert!(game.list(words).iter().all(|word| !word.word("").is_empty()), "{game}");
        }
        let set: Vec<String> = game
            .list("/parameters")
            .iter()
            .map(|p| {
                assert!(!p.word("/default").is_empty() && !p.word("/values").is_empty());
                format!("{}={}", p.word("/name"), p.word("/default"))
            })
            .collect();
        assert!(set.iter().any(|parameter| parameter.starts_with("ply_cap=")), "{set:?}");
        // Every listed parameter can be set to its default.
        let name = game.word("/name");
        let shown = json(["show", &format!("{name}({})", set.join(","))]);
        assert_eq!(shown["position"], json(["show", name])["position"], "{name}");
    }
}

#[test]
fn games_are_listed_by_any_of_their_names() {
    let names = |arguments: &str| -> Vec<String> {
        let report = json(format!("games {arguments}"));
        report.list("/games").iter().map(|game| game.word("/name").to_owned()).collect()
    };
    assert_eq!(names("othello"), ["othello"]);
    // By an alias, a preset and a text with parameters.
    assert_eq!(names("broken_oware qirkat"), ["alquerque", "broken_oware"]);
    assert_eq!(names("mnk(k=3)"), ["mnk"]);
    // As they are printed.
    assert_eq!(
        names("Nine-Men\u{2019}s-Morris(flying=true) Toguz-Korgool"),
        ["nine_mens_morris", "toguz_korgool"]
    );
    assert!(names("").len() > 15);
    refused("games otello", 2, &["did you mean `othello`?"]);
}

/// Names of all games and presets.
fn all_games() -> Vec<String> {
    let report = json("games");
    let presets = report.list("/games").iter().flat_map(|game| {
        let presets = game.list("/presets").iter().map(|p| p.word("/name").to_owned());
        std::iter::once(game.word("/name").to_owned()).chain(presets)
    });
    presets.collect()
}

#[test]
fn every_command_takes_every_game() {
    let games = all_games();
    assert!(games.len() >= 32, "{games:?}");
    for game in &games {
        let legal_moves = json(format!("show {game}")).list("/moves").len() as u64;
        let found = json(format!("search {game} --iterations 40"));
        assert_eq!(found.number("/features/legal_moves"), legal_moves as f64, "{game}: {found}");
        // A model would play many more games.
        let few = "--games 1 --skill-games 0 --iterations 3 --solve-limit 10000 --model none";
        let gauge = json(format!("gauge {game} {few}"));
        assert_eq!((gauge.whole("/games"), &gauge["branching"]["n"]), (1, &1.into()), "{game}");
        let played = stdout(format!("play {game} --first random --second random"));
        let ends = ["player has won", "the game is drawn"];
        assert!(ends.iter().any(|end| played.contains(end)), "{played}");
        let counts = json(format!("perft {game} --depth 1"));
        assert_eq!(counts.whole("/counts/0"), legal_moves, "{game}");
        let bench = json(format!("bench {game} --seconds 0.01 --iterations 10"));
        assert!(bench.number("/rows/0/playouts_per_s") > 0.0, "{game}");
    }
}

#[test]
fn perft_counts_as_published_and_divided_it_adds_up() {
    // The counts of testdata/perft.json.
    let counts = [7, 49, 343, 2_401, 16_807, 117_649, 823_536];
    let report = json("perft connect_four --depth 7 --divide");
    assert_eq!(report["counts"], json!(counts));
    let divided: u64 = report.list("/divide").iter().map(|row| row.whole("/count")).sum();
    assert_eq!(divided, 823_536);
    let over = json("perft 'tic_tac_toe(k=2)' --moves 'a1 c3 b1' --depth 2");
    assert_eq!(over["counts"], json!([0, 0]), "finished games count nothing later");
}

#[test]
fn search_gives_moves_and_features() {
    for game in ["tic_tac_toe", "connect_four(cols=5,rows=4)", "othello(size=4)", "one_to_ten"] {
        let report = json(format!("search '{game}' --iterations 3000 --seed 7"));
        assert_eq!((report.word("/game"), report.whole("/seed")), (game, 7));
        assert_eq!(report.whole("/iterations"), 3_000);
        let nodes = report.whole("/nodes");
        assert!(nodes > 1 && nodes <= 3_000, "{nodes} nodes");

        let shown = json(["show", game]);
        assert_eq!(report["position"], shown["position"]);
        let moves = report.list("/moves");
        let names: Vec<&Value> = moves.iter().map(|row| &row["move"]).collect();
        assert_eq!(names, shown.list("/moves").iter().collect::<Vec<_>>());
        // The first iteration is the root's own; each later one goes through one child.
        let visits: u64 = moves.iter().map(|row| row.whole("/visits")).sum();
        assert_eq!(visits, 2_999, "{game}");
        let means: Vec<f64> = moves.iter().map(|row| row.number("/mean_score")).collect();
        assert!(means.iter().all(|mean| (-1.0..=1.0).contains(mean)), "{means:?}");
        let best = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let chosen = moves.iter().find(|row| row["move"] == report["best_move"]);
        assert_eq!(chosen.expect("the best move is a move").number("/mean_score"), best);

        let features = &report["features"];
        assert_eq!(features.number("/legal_moves"), moves.len() as f64);
        assert_eq!(features.number("/best"), best);
        for share in ["/leaf_fraction", "/uct_fraction"] {
            assert!((0.0..=1.0).contains(&features.number(share)), "{share}");
        }
    }
}

#[test]
fn mean_scores_are_for_the_player_to_move() {
    // The first player threatens a line in two places: with either player to move, it is bad for the second.
    let at = |moves: &str| json(format!("search tic_tac_toe --iterations 2000 --moves '{moves}'"));
    let first = at("a1 b2 c3 a3 c1 b3");
    assert_eq!(first["turn"], "first");
    assert!(first.number("/features/best") > 0.9, "{first}");
    let second = at("a1 b2 c3 a3 c1");
    assert_eq!(second["turn"], "second");
    assert!(second.number("/features/best") < -0.5, "{second}");
}

/// Checks every interval below `value` and returns how many there were.
fn check_intervals(path: &str, value: &Value) -> usize {
    match value {
        Value::Object(fields) if fields.contains_key("low") => {
            let [mean, low, high] = ["mean", "low", "high"].map(|end| &fields[end]);
            // Features of trees count these, and may be the same number for every tree.
            let trees = fields.get("trees").and_then(Value::as_u64);
            if trees.unwrap_or_else(|| value.whole("/n")) == 0 {
                assert!(mean.is_null() && low.is_null() && high.is_null(), "{path}: {value}");
            } else {
                let [mean, low, high] = ["/mean", "/low", "/high"].map(|end| value.number(end));
                // Lengths are whole numbers, and an interval of their median may be one of them.
                let is_length = path.ends_with("flags.together") && low > 1.0;
                let wide = low < high || (trees.is_some() || is_length) && low == high;
                assert!(wide, "{path} has an interval: {value}");
                assert!(low - 1e-9 <= mean && mean <= high + 1e-9, "{path}: {value}");
            }
            1
        }
        Value::Object(fields) => {
            let below = |(name, field): (&String, &Value)| {
                check_intervals(&format!("{path}.{name}"), field)
            };
            fields.iter().map(below).sum()
        }
        Value::Array(items) => items.iter().map(|item| check_intervals(path, item)).sum(),
        _ => 0,
    }
}

#[test]
fn gauge_gives_every_measurement_with_its_interval() {
    for (game, games) in [("tic_tac_toe", 8), ("othello(size=4)", 6), ("one_to_ten", 6)] {
        // The verdict of a model has other intervals.
        let report = json(format!("gauge '{game}' --games {games} --iterations 40 --model none"));
        let numbers = ["/seed", "/iterations", "/games", "/opening_plies"];
        assert_eq!(numbers.map(|name| report.whole(name)), [1, 40, games, 0]);
        assert!((1..=games).contains(&report.whole("/distinct_games")));
        assert_eq!((report.word("/game"), &report["incomplete"]), (game, &false.into()));

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
        let states = ["yes", "no", "cannot_tell", "depends_on_strength"];
        let flags = report.list("/verdict/flags");
        assert!(flags.iter().all(|judged| states.contains(&judged.word("/state"))), "{report}");
        let names = flags.iter().map(|judged| judged.word("/flag"));
        let found: Vec<&str> = names.filter(|flag| promised.contains(flag)).collect();
        assert_eq!(found, promised);
        assert!(report.word("/verdict/sentence").ends_with('.'));

        let shares =
            ["completion", "capped", "decision_moves", "first_player", "draw_rate", "skill_depth"];
        for share in shares {
            let (low, high) = (report[share].number("/low"), report[share].number("/high"));
            assert!(0.0 <= low && high <= 1.0, "{share}: {}", report[share]);
        }
        assert!(check_intervals(game, &report) >= 11, "estimates of {game}");
        // From the weakest to the strongest; the gauge's own strength is among them.
        let ladder = report.list("/ladder");
        let strengths: Vec<u64> = ladder.iter().map(|rung| rung.whole("/iterations")).collect();
        assert!(strengths.is_sorted() && strengths.contains(&40));
        assert!(ladder.iter().all(|rung| rung["games"] == games));
        assert!(report.number("/lead_changes/mean") >= 0.0);
        assert!(report.number("/branching/mean") >= 1.0);
        let plies = ["/min", "/median", "/max"].map(|name| report["plies"].number(name));
        assert!(plies[0] >= 1.0 && plies.is_sorted(), "{plies:?}");

        assert_eq!(report.list("/tree_by_player").len(), 2);
        for tree in report.list("/tree_by_player").iter().chain([&report["tree"]]) {
            for (name, feature) in tree.as_object().unwrap() {
                let [mean, variance, min, max] =
                    ["/mean", "/variance", "/min", "/max"].map(|field| feature.number(field));
                assert!(feature.whole("/trees") > 0, "{name}: {tree}");
                assert!(min - 1e-9 <= mean && mean <= max + 1e-9, "{name}: {tree}");
                assert!(variance >= 0.0, "{name}: {tree}");
            }
        }
    }
}

#[test]
fn thresholds_and_random_openings_are_obeyed() {
    let played = |more: &str| json(format!("gauge tic_tac_toe --games 8 --iterations 200 {more}"));
    let state = |report: &Value, flag: &str| {
        let flags = report.list("/verdict/flags");
        let judged = flags.iter().find(|judged| judged["flag"] == flag).expect("it is judged");
        judged.word("/state").to_owned()
    };
    // No game of nine plies is longer than nine, and none shorter than five.
    let strict = played("--plies-max 4 --plies-min 0");
    assert_eq!(state(&strict, "too_long"), "yes");
    assert_eq!(state(&strict, "too_short"), "no");
    let short = played("--plies-min 10 --plies-max 20");
    assert_eq!(state(&short, "too_short"), "yes");

    let opened = played("--opening-plies 3");
    assert_eq!(opened.whole("/opening_plies"), 3);
    // The first searched move is the fourth: six cells are left.
    assert_eq!(opened.number("/tree/legal_moves/max"), 6.0);
}

#[test]
fn a_finished_position_is_shown_with_its_result() {
    let report = json("show 'tic_tac_toe(k=2)' --moves 'a1 c3 b1'");
    assert_eq!((report.word("/outcome"), report.word("/ended_by")), ("first", "the rules"));
    assert_eq!(report.list("/moves").len(), 0);
    let report = json("show 'othello(size=4)'");
    assert_eq!((&report["outcome"], &report["margin"]), (&Value::Null, &0.into()));
}

#[test]
fn a_solve_counts_positions_by_value() {
    let report = json("solve tic_tac_toe");
    let counts = ["/positions", "/win", "/lose", "/tie", "/draw"].map(|name| report.whole(name));
    assert_eq!(counts, [5478, 2836, 1574, 1068, 0]);
    assert_eq!(report["start"], json!({"value": "tie", "remoteness": 9}));
    assert_eq!(report["canonical_positions"], Value::Null);
    let table = report.list("/table");
    assert_eq!(table[0], json!({"remoteness": 0, "win": 0, "lose": 942, "tie": 16}));
    assert!((0..).zip(table).all(|(n, row)| row.whole("/remoteness") == n));
    for name in ["/win", "/lose", "/tie"] {
        let sum: u64 = table.iter().map(|row| row.whole(name)).sum();
        assert_eq!(sum, report.whole(name), "{name}");
    }
    let digest = report.word("/digest");
    assert!(digest.len() == 32 && digest.chars().all(|c| c.is_ascii_hexdigit()), "{digest}");
    assert!(report.number("/cpu_s") >= 0.0);
    // Fewer positions are stored, and the same are counted.
    let reduced = json("solve tic_tac_toe --symmetry");
    assert_eq!(reduced.whole("/canonical_positions"), 765);
    for name in ["positions", "win", "lose", "tie", "draw", "start", "table", "digest"] {
        assert_eq!(reduced[name], report[name], "{name}");
    }
}

#[test]
fn a_solve_gives_the_margin_of_a_game_with_scores() {
    let report = json("solve 'dots_and_boxes(rows=2,cols=2)'");
    assert_eq!(report["margin"], json!({"points": 2, "unit": "boxes"}));
    // For the player to move, as the value is.
    let report = json("solve 'dots_and_boxes(rows=1,cols=1)'");
    assert_eq!(report["start"]["value"], "lose");
    assert_eq!(report["margin"], json!({"points": -1, "unit": "box"}));
    for without in ["tic_tac_toe", "alak(length=4)"] {
        assert_eq!(json(["solve", without])["margin"], Value::Null, "{without}");
    }
}

#[test]
fn endless_play_has_no_remoteness() {
    let room = Room::new();
    solved(&room, "file", "finger_game");
    let report = json("solve finger_game");
    assert_eq!(report["start"], json!({"value": "draw", "remoteness": null}));
    let report = room.json("probe file");
    assert_eq!((&report["value"], &report["remoteness"]), (&"draw".into(), &Value::Null));
    let row = report.list("/moves").iter().find(|row| row["value"] == "draw");
    assert_eq!(row.expect("a move holds the draw")["words"], "endless");
}

#[test]
fn a_probe_gives_the_value_of_every_move() {
    let room = Room::new();
    for symmetry in ["", "--symmetry"] {
        solved(&room, "file", &format!("tic_tac_toe {symmetry}"));
        let report = room.json("probe file --moves 'a1 a2 b1 b2'");
        assert_eq!((&report["value"], &report["remoteness"]), (&"win".into(), &1.into()));
        let rows = report.list("/moves");
        let best = json!({"move": "c1", "value": "win", "remoteness": 1, "words": "wins in 1"});
        let worst = json!({"move": "c3", "value": "lose", "remoteness": 2, "words": "loses in 2"});
        assert_eq!((rows.len(), &rows[0], &rows[4]), (5, &best, &worst));
        let there = room.json(format!("probe file --position '{}'", report.word("/position")));
        assert_eq!(there["moves"], report["moves"]);
        let over = room.json("probe file --moves 'a1 a2 b1 b2 c1'");
        assert_eq!((&over["value"], &over["remoteness"]), (&"lose".into(), &0.into()));
        assert_eq!(over.list("/moves").len(), 0);
    }
}
