//! Drives random and damaged bytes through every reader of untrusted input.
//!
//! A reader may accept or refuse an input. It must not panic, overflow the stack, take unbounded
//! memory or hang. The inputs follow from a seed alone, which is printed; the clock only decides
//! their number. While an input is read, a file in the folder holds it under its reader's name, so
//! the input survives a crash of the whole process.

mod mutate;
mod readers;

use std::any::Any;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use xxhash_rust::xxh3::xxh3_64;

use readers::Reader;

const HELP: &str = "\
usage: treegauge-fuzz [--seconds N] [--seed N] [--reader NAME] [--folder PATH] [--input FILE]

  --seconds N    how long, split among the readers (default: 60)
  --seed N       another seed makes other inputs (default: by the clock)
  --reader NAME  one reader only
  --folder PATH  where inputs are kept (default: target/fuzz)
  --input FILE   read this one input of --reader, as it was kept, and no other
";

/// Seconds after which a reader that still reads one input counts as hanging.
const INPUT_SECONDS_MAX: u64 = 30;

/// One input in this many gets valid checksums again.
const RESEALED: u64 = 2;

#[derive(Debug)]
struct Arguments {
    seconds: f64,
    seed: Option<u64>,
    reader: Option<String>,
    folder: PathBuf,
    input: Option<PathBuf>,
}

impl Arguments {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Arguments> {
        let mut arguments = Arguments {
            seconds: 60.0,
            seed: None,
            reader: None,
            folder: PathBuf::from("target/fuzz"),
            input: None,
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().with_context(|| format!("{word} needs a value"));
            match word.as_str() {
                "--seconds" => arguments.seconds = value()?.parse()?,
                "--seed" => arguments.seed = Some(value()?.parse()?),
                "--reader" => arguments.reader = Some(value()?),
                "--folder" => arguments.folder = value()?.into(),
                "--input" => arguments.input = Some(value()?.into()),
                _ => bail!("unknown argument {word:?}\n{HELP}"),
            }
        }
        ensure!((0.0..1e6).contains(&arguments.seconds), "seconds must be a number from 0");
        Ok(arguments)
    }
}

fn main() -> ExitCode {
    match Arguments::parse(std::env::args().skip(1)).and_then(|arguments| run(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("treegauge-fuzz: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    let mut readers = readers::all();
    if let Some(name) = &arguments.reader {
        let names: Vec<_> = readers.iter().map(|reader| reader.name()).collect();
        ensure!(names.contains(&name.as_str()), "unknown reader {name:?}; known: {names:?}");
        readers.retain(|reader| reader.name() == name);
    }
    fs::create_dir_all(&arguments.folder)?;
    if let Some(input) = &arguments.input {
        ensure!(readers.len() == 1, "--input needs --reader");
        let path = arguments.folder.join("again");
        fs::copy(input, &path)?;
        let taken = readers[0].read(&fs::read(input)?, &path);
        println!("{} {} it", readers[0].name(), if taken { "takes" } else { "refuses" });
        return Ok(());
    }
    let by_clock = || {
        let since = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
        since.as_secs()
    };
    let seed = arguments.seed.unwrap_or_else(by_clock);
    println!("fuzz: seed {seed}, {} seconds for {} readers", arguments.seconds, readers.len());
    let share = Duration::from_secs_f64(arguments.seconds / readers.len() as f64);
    let mut failed = Vec::new();
    for reader in &readers {
        let failures = drive(reader.as_ref(), seed, share, &arguments.folder)?;
        failed.extend(failures);
    }
    ensure!(
        failed.is_empty(),
        "with seed {seed} these inputs make a reader panic:\n  {}\n\
         read one again with `cargo run -p treegauge-fuzz -- --reader NAME --input FILE`",
        failed.join("\n  ")
    );
    Ok(())
}

/// Drives a reader for some time. Returns the file name of the input that made it panic; `None` if
/// it never panicked.
fn drive(reader: &dyn Reader, seed: u64, time: Duration, folder: &Path) -> Result<Option<String>> {
    let name = reader.name();
    let samples = reader.samples().with_context(|| format!("the samples of {name}"))?;
    let path = folder.join(name);
    let (beats, watched) = channel();
    let watchdog = std::thread::spawn({
        let path = path.clone();
        move || watch(&watched, &path)
    });
    let begin = Instant::now();
    let (mut inputs, mut taken) = (0u64, 0u64);
    let mut failed = None;
    while begin.elapsed() < time && failed.is_none() {
        // Seed, reader and number alone decide each input.
        let case = [seed.to_be_bytes(), inputs.to_be_bytes()].concat();
        let mut rng =
            Xoshiro256PlusPlus::seed_from_u64(xxh3_64(&[&case, name.as_bytes()].concat()));
        let mut bytes = mutate::input(&mut rng, &samples);
        if inputs.is_multiple_of(RESEALED) {
            reader.reseal(&mut bytes);
        }
        fs::write(&path, &bytes)?;
        beat(&beats);
        match catch_unwind(AssertUnwindSafe(|| reader.read(&bytes, &path))) {
            Ok(is_valid) => taken += u64::from(is_valid),
            Err(panic) => {
                let kept = folder.join(format!("{name}-{seed}-{inputs}"));
                fs::write(&kept, &bytes)?;
                failed = Some(format!("{}: {}", kept.display(), words(panic.as_ref())));
            }
        }
        inputs += 1;
    }
    drop(beats);
    watchdog.join().expect("the watchdog ends with the beats");
    println!("fuzz: {name}: {inputs} inputs, {taken} taken");
    Ok(failed)
}

/// Tells the watchdog that another input begins.
fn beat(beats: &Sender<()>) {
    beats.send(()).expect("the watchdog listens");
}

/// Ends the process if one input takes longer than [`INPUT_SECONDS_MAX`].
fn watch(beats: &Receiver<()>, path: &Path) {
    loop {
        match beats.recv_timeout(Duration::from_secs(INPUT_SECONDS_MAX)) {
            Ok(()) => (),
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                eprintln!(
                    "treegauge-fuzz: the input in {} takes more than {INPUT_SECONDS_MAX} seconds",
                    path.display()
                );
                std::process::exit(1);
            }
        }
    }
}

/// Message of a panic.
fn words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without words")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reader_takes_its_samples() {
        let folder = tempfile::tempdir().unwrap();
        for reader in readers::all() {
            let samples = reader.samples().unwrap();
            assert!(!samples.is_empty(), "{}", reader.name());
            let path = folder.path().join(reader.name());
            for mut sample in samples {
                let whole = sample.clone();
                reader.reseal(&mut sample);
                assert_eq!(sample, whole, "{}: a valid input has its checksums", reader.name());
                fs::write(&path, &sample).unwrap();
                assert!(reader.read(&sample, &path), "{}: a sample is refused", reader.name());
            }
        }
    }

    struct Panics;

    impl Reader for Panics {
        fn name(&self) -> &'static str {
            "panics"
        }

        fn samples(&self) -> Result<Vec<Vec<u8>>> {
            Ok(vec![b"abc".to_vec()])
        }

        fn read(&self, bytes: &[u8], _: &Path) -> bool {
            assert!(bytes.starts_with(b"ab"), "does not begin with ab");
            true
        }
    }

    #[test]
    fn a_panic_is_caught_and_its_input_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let time = Duration::from_secs(50);
        let failed = drive(&Panics, 1, time, folder.path()).unwrap().expect("it panics");
        let (file, said) = failed.split_once(": ").unwrap();
        assert_eq!(said, "does not begin with ab");
        assert!(!fs::read(file).unwrap().starts_with(b"ab"));
        assert_eq!(drive(&Panics, 1, time, folder.path()).unwrap(), Some(failed), "by the seed");
    }
}
