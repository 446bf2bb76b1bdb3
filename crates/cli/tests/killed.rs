//! Long runs that are killed again and again.

use crate::common::{DATA, Room, kill_until_it_ends};
use crate::generate::generate;
use crate::vet::{TRAIN, study};

/// The bytes of all journals in the folder of a run that is killed.
fn grown(room: &Room) -> u64 {
    let journals = |folder: &str| format!("killed/{folder}instances.jsonl");
    let folders = std::fs::read_dir(room.at("killed")).into_iter().flatten().flatten();
    let below = folders.map(|folder| format!("{}/", folder.file_name().to_str().unwrap()));
    let all = below.map(|folder| journals(&folder));
    all.chain([journals(""), "killed/candidates.jsonl".to_owned()]).map(|one| room.size(&one)).sum()
}

#[test]
fn collections_and_generations_continue_to_the_same_bytes() {
    let games = "othello(size=6),connect_four";
    let collect = format!("collect --games {games} --iterations 300 --instances 8 -o FOLDER");
    for command in [collect, generate("FOLDER")] {
        let room = Room::new();
        room.stdout(command.replace("FOLDER", "whole"));
        kill_until_it_ends(&room, &command.replace("FOLDER", "killed"), || grown(&room));
        assert!(room.files("whole") == room.files("killed"), "{command}");
    }
}

#[test]
fn a_vetting_continues_to_the_same_answer() {
    let room = study();
    room.stdout(format!("{TRAIN} model.json"));
    room.write("games.txt", "othello(size=4)\nconnect_four\nothello(size=6)\nachi\n");
    let vet = "vet games.txt --model model.json --json";
    let with_record = format!("{vet} --record killed");
    kill_until_it_ends(&room, &with_record, || grown(&room));
    assert_eq!(room.stdout(&with_record), room.stdout(vet));
    // Another seed in the same folder is another run.
    room.refused(format!("{with_record} --seed 2"), DATA, &["`seed` is 1 there"]);
}
