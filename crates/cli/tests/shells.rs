//! Completions and manual pages.

use crate::common::{DATA, Room, stdout};

/// The commands that the help lists.
fn commands() -> Vec<String> {
    let help = stdout("--help");
    // A line for each command, in groups.
    let list = help
        .lines()
        .take_while(|line| *line != "Start here:")
        .skip_while(|line| !line.ends_with(':'));
    let names = list.filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
    let names: Vec<String> = names.map(str::to_owned).collect();
    assert!(names.len() > 15 && names.contains(&"gauge".to_owned()), "{names:?}");
    names
}

#[test]
fn every_shell_gets_a_script_with_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(["completions", shell]);
        for name in commands() {
            assert!(script.contains(&name), "{shell} does not complete {name}");
        }
        // Fish writes options without their hyphens.
        assert!(script.contains("skill-games"), "{shell} does not complete options");
    }
}

#[cfg(unix)]
#[test]
fn bash_reads_its_script() {
    use std::process::Command;

    let room = Room::new();
    room.write("treegauge.bash", stdout("completions bash"));
    // Not every machine has bash.
    let file = room.at("treegauge.bash");
    let Ok(output) = Command::new("bash").arg("-n").arg(file).output() else { return };
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn there_is_a_page_of_the_program_and_one_of_every_command() {
    let room = Room::new();
    let page = room.stdout("man");
    assert!(page.contains(".TH treegauge 1"), "{page}");
    // A folder that is missing is made.
    assert_eq!(room.stdout("man --dir share/man"), "");
    let read = |name: &str| room.text(&format!("share/man/{name}"));
    assert_eq!(read("treegauge.1"), page);
    for name in commands() {
        // Roff writes a hyphen with a backslash.
        assert!(page.contains(&format!("treegauge\\-{name}")), "{name} is not in {page}");
        let own = read(&format!("treegauge-{name}.1"));
        assert!(own.contains(&format!(".TH treegauge-{name} 1")), "{own}");
        assert!(own.contains("\\-\\-help"), "{own}");
    }
    assert!(read("treegauge-gauge.1").contains("\\-\\-skill\\-games"));
    room.refused("man --dir share/man/treegauge.1/pages", DATA, &["cannot make the folder"]);
}
