//! Help: the first words, the commands by groups, the options of a command, and the steps of workflows.

use treegauge::tasks::{Group, TASKS};

use crate::common::{Room, USAGE, run, stdout};

#[test]
fn a_command_line_without_a_command_is_told_where_to_begin() {
    let ran = run("");
    assert_eq!((ran.code, &*ran.stderr), (Some(USAGE), ""));
    assert!(ran.stdout.lines().count() <= 12, "{}", ran.stdout);
    for part in ["designer", "teacher", "coach", "researcher", "treegauge --help", "help workflow"]
    {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
}

#[test]
fn help_lists_every_task_in_its_group() {
    let help = stdout("--help");
    assert_eq!(stdout("help"), help);
    let mut titles = help.lines().filter_map(|line| line.strip_suffix(':'));
    for group in Group::ALL {
        assert!(titles.any(|title| title == group.title()), "{} in {help}", group.title());
    }
    for kind in TASKS {
        let (_, of_group) = help.split_once(&format!("{}:\n", kind.group.title())).unwrap();
        let mut lines = of_group.lines().take_while(|line| !line.is_empty());
        assert!(lines.any(|line| line.trim_start().starts_with(kind.name)), "{}", kind.name);
    }
    // What follows the commands stands in this order.
    let places = ["\nStart here:\n", "\nGlobal options:\n", "\nExit codes:"];
    let places = places.map(|part| help.find(part).unwrap_or_else(|| panic!("{part} in {help}")));
    assert!(places.is_sorted(), "{help}");
}

#[test]
fn the_help_of_a_command_has_all_options_and_its_short_help_the_common_ones() {
    for kind in TASKS {
        let name = kind.name;
        let (short, long) = (stdout([name, "-h"]), stdout([name, "--help"]));
        assert_eq!(stdout(["help", name]), long);
        assert!(long.contains("\nCommon options:\n") && long.contains("\nExamples:\n"), "{long}");
        for id in kind.common {
            let option = format!("--{}", id.replace('_', "-"));
            assert!(short.contains(&option) && long.contains(&option), "{name} {option}");
        }
        assert!(!short.contains("--stop-on-eof") && long.contains("--stop-on-eof"), "{name}");
    }
}

#[test]
fn a_workflow_is_a_list_of_commands() {
    let all = stdout("help workflow");
    let mut sum = 0;
    for user in ["designer", "teacher", "coach", "researcher"] {
        let one = stdout(["help", "workflow", user]);
        assert!(all.contains(&one), "{user}");
        let steps = one.lines().filter(|line| line.contains(". treegauge ")).count();
        assert!((5..=8).contains(&steps), "{one}");
        sum += steps;
    }
    assert_eq!(all.lines().filter(|line| line.contains(". treegauge ")).count(), sum);
}

#[test]
fn a_number_is_read_in_the_same_way_by_every_option() {
    let seed = |text: &str| stdout(["match", "tic_tac_toe", "random", "random", "--seed", text]);
    assert_eq!(seed("1e3"), seed("1,000"));
    assert_ne!(seed("1e3"), seed("1001"));
}

#[test]
fn a_power_analysis_is_repeated_with_its_record() {
    let room = Room::new();
    room.stdout("match tic_tac_toe random random --games 20 --record games.jsonl");
    let report = room.stdout("match --power --record games.jsonl --gap 0.1 --json");
    assert!(report.contains("\"record\":\"games.jsonl\""), "{report}");
    room.write("power.json", &report);
    assert_eq!(room.stdout("run power.json --json"), report);
}
