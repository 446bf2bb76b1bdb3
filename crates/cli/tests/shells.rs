//! Completions and manual pages.

use std::fs;

use crate::common::{refused, stdout};

/// The commands that the help lists.
fn commands() -> Vec<String> {
    let help = stdout(&["--help"]);
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = list.map_while(|line| line.split_whitespace().next().map(str::to_owned));
    let names: Vec<String> = names.collect();
    assert!(names.len() > 15 && names.contains(&"gauge".to_owned()), "{names:?}");
    names
}

#[test]
fn every_shell_gets_a_script_with_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&["completions", shell]);
        for name in commands() {
            assert!(script.contains(&name), "{shell} does not complete {name}");
        }
        // Fish writes options without their hyphens.
        assert!(script.contains("skill-games"), "{shell} does not complete options");
    }
    refused(&["completions", "csh"], 2, &["csh", "bash"]);
}

#[cfg(unix)]
#[test]
fn bash_reads_its_script() {
    use std::process::Command;

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("treegauge.bash");
    fs::write(&file, stdout(&["completions", "bash"])).unwrap();
    // Not every machine has bash.
    let Ok(output) = Command::new("bash").arg("-n").arg(&file).output() else { return };
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn there_is_a_page_of_the_program_and_one_of_every_command() {
    let page = stdout(&["man"]);
    assert!(page.contains(".TH treegauge 1"), "{page}");
    let temporary = tempfile::tempdir().unwrap();
    // A folder that is missing is made.
    let folder = temporary.path().join("share/man");
    assert_eq!(stdout(&["man", "--dir", folder.to_str().unwrap()]), "");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(read("treegauge.1"), page);
    for name in commands() {
        // Roff writes a hyphen with a backslash.
        assert!(page.contains(&format!("treegauge\\-{name}")), "{name} is not in {page}");
        if name != "help" {
            let own = read(&format!("treegauge-{name}.1"));
            assert!(own.contains(&format!(".TH treegauge-{name} 1")), "{own}");
            assert!(own.contains("\\-\\-help"), "{own}");
        }
    }
    assert!(read("treegauge-gauge.1").contains("\\-\\-skill\\-games"));
    let file = folder.join("treegauge.1/pages");
    refused(&["man", "--dir", file.to_str().unwrap()], 65, &["cannot make the folder"]);
}
