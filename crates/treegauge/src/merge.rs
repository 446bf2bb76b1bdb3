//! Merges the records of the parts of one match or tournament.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use treegauge_study::journal::{self, Contents, Header, Line};
use treegauge_study::{
    Encounter, MatchGame, MatchHeader, MatchReport, MatchSummary, TournamentGame, TournamentHeader,
    TournamentReport, TournamentSummary, encounters,
};

use crate::matches::{disambiguate, parse_sprt};
use crate::records::{bad, kind_of_record, read_record};
use crate::{Error, ErrorKind};

/// What a merge needs to know and no record says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeOptions {
    /// The planned number of games, per pairing in a tournament; `None` for the highest number
    /// found.
    pub games: Option<u32>,
    /// A sequential test of a match, which looks at the pairs in order; pairs after its decision
    /// are ignored.
    pub sprt: Option<String>,
}

/// The merged parts of a match or tournament.
#[derive(Debug)]
pub struct Merged {
    /// The report, as a single full run gives it.
    pub report: MergedReport,
    /// The number of games that was assumed, where [`MergeOptions::games`] gave none.
    pub assumed_games: Option<u32>,
    header: Header,
    games: Games,
}

/// The report of what was merged.
#[derive(Debug)]
pub enum MergedReport {
    /// Of a match.
    Match(Box<MatchReport>),
    /// Of a tournament.
    Tournament(Box<TournamentReport>),
}

#[derive(Debug)]
enum Games {
    Match(Vec<MatchGame>),
    Tournament(Vec<TournamentGame>),
}

impl Merged {
    /// What decides the games: the first line of the record.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Writes the record of the whole, as a single full run leaves it.
    ///
    /// # Errors
    ///
    /// Those of `out`; [`ErrorKind::Write`].
    pub fn write_record(&self, out: &mut dyn io::Write) -> Result<(), Error> {
        let written = match &self.games {
            Games::Match(games) => journal::write(out, &self.header, games),
            Games::Tournament(games) => journal::write(out, &self.header, games),
        };
        Ok(written?)
    }
}

/// Merges the records of the parts of one match or one tournament.
///
/// # Errors
///
/// When a file is no record, the files are of different runs, two of them disagree about a game, or
/// there is a test for a tournament; and when there is no file.
pub fn merge(files: &[PathBuf], options: &MergeOptions) -> Result<Merged, Error> {
    let Some(first) = files.first() else {
        return Err(Error::new(ErrorKind::Usage, "there is no record to merge"));
    };
    if kind_of_record(first)? != TournamentHeader::HOLDS {
        return merge_match(files, options);
    }
    if options.sprt.is_some() {
        let message =
            "a sequential test applies to the games of a match; these are of a tournament";
        return Err(Error::new(ErrorKind::Usage, message));
    }
    merge_tournament(files, options)
}

fn merge_match(files: &[PathBuf], options: &MergeOptions) -> Result<Merged, Error> {
    let sprt = options.sprt.as_deref().map(parse_sprt).transpose()?;
    let (header, games) =
        parts::<MatchGame>(files, MatchHeader::HOLDS, |game| game.game.to_string())?;
    let found = highest(games.iter());
    let known: MatchHeader = typed(files, &header)?;
    let planned = options.games.unwrap_or(found);
    let summary = MatchSummary::of(&games, planned, sprt);
    let report = MatchReport::new(known, options.sprt.clone(), summary);
    let report = MergedReport::Match(Box::new(report));
    let assumed_games = options.games.is_none().then_some(found);
    Ok(Merged { report, assumed_games, header, games: Games::Match(games) })
}

fn merge_tournament(files: &[PathBuf], options: &MergeOptions) -> Result<Merged, Error> {
    let (header, games) =
        parts::<TournamentGame>(files, TournamentHeader::HOLDS, TournamentGame::name)?;
    let found = highest(games.iter().map(|game| &game.game));
    let known: TournamentHeader = typed(files, &header)?;
    let planned = options.games.unwrap_or(found);
    let players = u32::try_from(known.players.len()).unwrap_or(u32::MAX);
    let mut by_players: BTreeMap<[u32; 2], Vec<MatchGame>> =
        encounters(players).map(|both| (both, Vec::new())).collect();
    for TournamentGame { players, game } in &games {
        let Some(own) = by_players.get_mut(players) else {
            return Err(bad(format!("there are no two players {players:?} in the tournament")));
        };
        own.push(game.clone());
    }
    let encounters = by_players.into_iter().map(|(players, games)| {
        let summary = MatchSummary::of(&games, planned, None);
        Encounter { players, summary }
    });
    let known = TournamentHeader { players: disambiguate(known.players), ..known };
    let summary = TournamentSummary::of(players, encounters.collect(), &());
    let report = TournamentReport::new(known, planned, summary);
    let report = MergedReport::Tournament(Box::new(report));
    let assumed_games = options.games.is_none().then_some(found);
    Ok(Merged { report, assumed_games, header, games: Games::Tournament(games) })
}

/// The number of games up to the last one that is known.
fn highest<'a>(games: impl Iterator<Item = &'a MatchGame>) -> u32 {
    games.map(|game| game.game.saturating_add(1)).max().unwrap_or(0)
}

/// The fields of the header that all files have.
fn typed<H: DeserializeOwned>(files: &[PathBuf], header: &Header) -> Result<H, Error> {
    let first = files[0].display();
    serde_json::from_value(header.clone().into())
        .map_err(|error| bad(format!("bad header in {first}: {error}")))
}

/// The header that all files have, and the games of all of them in order. `name` is what users call
/// a game.
fn parts<L: Line + Clone + PartialEq>(
    files: &[PathBuf],
    kind: &str,
    name: impl Fn(&L) -> String,
) -> Result<(Header, Vec<L>), Error> {
    let mut common: Option<(&Path, Header)> = None;
    let mut games: BTreeMap<L::Key, (&Path, L)> = BTreeMap::new();
    for path in files {
        let Contents { header, lines: more } = read_record::<L>(path, kind)?;
        let (first, common) = common.get_or_insert_with(|| (path, header.clone()));
        if let Some((field, there, here)) = journal::difference(&header, common) {
            let (path, first) = (path.display(), first.display());
            return Err(bad(format!(
                "{path} is of another run: `{field}` is {there} there and {here} in {first}"
            )));
        }
        for game in more {
            let (known_in, known) = games.entry(game.key()).or_insert_with(|| (path, game.clone()));
            if *known != game {
                let (one, other) = (known_in.display(), path.display());
                return Err(bad(format!("game {} in {other} is not that in {one}", name(&game))));
            }
        }
    }
    let (_, header) = common.expect("there is a file to merge");
    Ok((header, games.into_values().map(|(_, game)| game).collect()))
}
