//! Merging the records of the parts of one match or tournament.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use treegauge_matches::{
    Encounter, MatchGame, MatchHeader, MatchReport, MatchSummary, TournamentGame, TournamentHeader,
    TournamentReport, TournamentSummary, encounters,
};
use treegauge_store::journal::{self, Contents, Header, Piece};
use treegauge_store::{MissingParts, Pieces, Planned, Shard};

use crate::matches::{disambiguate, parse_sprt};
use crate::records::{bad, kind_of_record, read_record};
use crate::{Error, ErrorKind};

/// Options of a merge that no record decides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeOptions {
    /// Planned number of games, per pairing in a tournament. `None` for the number in the records;
    /// for old records without one, the greatest number found.
    pub games: Option<u32>,
    /// Sequential test of a match, applied to the pairs in order. Pairs after its decision are
    /// ignored.
    pub sprt: Option<String>,
}

/// Merged parts of a match or tournament.
#[derive(Debug)]
pub struct Merged {
    /// Report, equal to that of a single full run.
    pub report: MergedReport,
    /// Assumed number of games; `None` if [`MergeOptions::games`] or a record gives the number.
    pub assumed_games: Option<u32>,
    /// Missing games; `None` if all planned games are there.
    pub missing: Option<MissingGames>,
    header: Header,
    games: Games,
}

/// Games of a plan that merged records lack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingGames {
    /// Number of missing games.
    pub count: u64,
    /// Numbers of the first missing games, from 0. In a tournament, those of the first incomplete
    /// pairing.
    pub first: Vec<u32>,
    /// Parts that the missing games belong to, if the records are parts.
    pub parts: Option<MissingParts>,
}

impl MissingGames {
    /// Missing games of pairings of `planned` games each; `None` if all are there.
    fn of(
        pairings: &[Vec<MatchGame>],
        planned: u32,
        given: &BTreeSet<Option<Shard>>,
    ) -> Option<MissingGames> {
        let pieces = |games: &Vec<MatchGame>| {
            let known = games.iter().map(|game| game.game).collect();
            Pieces { planned, known, together: 2 }
        };
        let pairings: Vec<Pieces> = pairings.iter().map(pieces).collect();
        let first = pairings.iter().find(|pieces| pieces.missing() > 0)?.first_missing();
        let count = pairings.iter().map(Pieces::missing).sum();
        Some(MissingGames { count, first, parts: MissingParts::of(given, &pairings) })
    }
}

/// Report of a merge.
#[derive(Debug)]
pub enum MergedReport {
    /// Report of a match.
    Match(Box<MatchReport>),
    /// Report of a tournament.
    Tournament(Box<TournamentReport>),
}

#[derive(Debug)]
enum Games {
    Match(Vec<MatchGame>),
    Tournament(Vec<TournamentGame>),
}

impl Merged {
    /// First line of the merged record: everything that decides the games.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Writes the merged record, equal to that of a single full run.
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
/// If `files` is empty, a file is not a record, the files belong to different runs, two of them
/// disagree about a game, or the options have a test for a tournament.
pub fn merge(files: &[PathBuf], options: &MergeOptions) -> Result<Merged, Error> {
    let Some(first) = files.first() else {
        return Err(Error::new(ErrorKind::Usage, "no record to merge"));
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
    let Parts { header, given, games } =
        parts::<MatchGame>(files, MatchHeader::HOLDS, |game| game.game.to_string())?;
    let found = highest(games.iter());
    let known: MatchHeader = typed(files, &header)?;
    let (planned, assumed_games) = planned_games(options, &header, found)?;
    let summary = MatchSummary::of(&games, planned, sprt);
    let missing = match summary.incomplete {
        // Games after the decision of a test are not missing.
        true => MissingGames::of(std::slice::from_ref(&games), planned, &given),
        false => None,
    };
    let mut report = MatchReport::new(known, options.sprt.clone(), summary);
    report.missing_parts = missing.as_ref().and_then(|missing| missing.parts.clone());
    let report = MergedReport::Match(Box::new(report));
    Ok(Merged { report, assumed_games, missing, header, games: Games::Match(games) })
}

fn merge_tournament(files: &[PathBuf], options: &MergeOptions) -> Result<Merged, Error> {
    let Parts { header, given, games } =
        parts::<TournamentGame>(files, TournamentHeader::HOLDS, TournamentGame::name)?;
    let found = highest(games.iter().map(|game| &game.game));
    let known: TournamentHeader = typed(files, &header)?;
    let (planned, assumed_games) = planned_games(options, &header, found)?;
    let players = u32::try_from(known.players.len()).unwrap_or(u32::MAX);
    let mut by_players: BTreeMap<[u32; 2], Vec<MatchGame>> =
        encounters(players).map(|both| (both, Vec::new())).collect();
    for TournamentGame { players, game } in &games {
        let Some(own) = by_players.get_mut(players) else {
            return Err(bad(format!("the tournament has no pairing {players:?}")));
        };
        own.push(game.clone());
    }
    let pairings: Vec<Vec<MatchGame>> = by_players.values().cloned().collect();
    let missing = MissingGames::of(&pairings, planned, &given);
    let encounters = by_players.into_iter().map(|(players, games)| {
        let summary = MatchSummary::of(&games, planned, None);
        Encounter { players, summary }
    });
    let known = TournamentHeader { players: disambiguate(known.players), ..known };
    let summary = TournamentSummary::of(players, encounters.collect(), &());
    let mut report = TournamentReport::new(known, planned, summary);
    report.missing_parts = missing.as_ref().and_then(|missing| missing.parts.clone());
    let report = MergedReport::Tournament(Box::new(report));
    Ok(Merged { report, assumed_games, missing, header, games: Games::Tournament(games) })
}

/// Planned number of games, and the same number again if it is only assumed because neither the
/// options nor the header gives one.
fn planned_games(
    options: &MergeOptions,
    header: &Header,
    found: u32,
) -> Result<(u32, Option<u32>), Error> {
    let planned = Planned::of(header).map_err(bad)?.and_then(|planned| planned.games);
    Ok(match options.games.or(planned.map(|planned| planned.max(found))) {
        Some(planned) => (planned, None),
        None => (found, Some(found)),
    })
}

/// Number of games up to the last known one.
fn highest<'a>(games: impl Iterator<Item = &'a MatchGame>) -> u32 {
    games.map(|game| game.game.saturating_add(1)).max().unwrap_or(0)
}

/// Header of the merged record as a typed value.
fn typed<H: DeserializeOwned>(files: &[PathBuf], header: &Header) -> Result<H, Error> {
    let first = files[0].display();
    serde_json::from_value(header.clone().into())
        .map_err(|error| bad(format!("bad header in {first}: {error}")))
}

/// Several records, read together.
struct Parts<L> {
    /// Common header, with the plan of the whole.
    header: Header,
    /// Part of each record; `None` for a whole one.
    given: BTreeSet<Option<Shard>>,
    /// Games of all records, in order.
    games: Vec<L>,
}

/// Reads the parts of a run. `name` is the name of a game in messages.
fn parts<L: Piece + Clone + PartialEq>(
    files: &[PathBuf],
    kind: &str,
    name: impl Fn(&L) -> String,
) -> Result<Parts<L>, Error> {
    let mut common = CommonHeader::default();
    let mut games: BTreeMap<L::Key, (&Path, L)> = BTreeMap::new();
    for path in files {
        let Contents { header, lines: more } = read_record::<L>(path, kind)?;
        common.add(path, header, "run")?;
        for game in more {
            let (known_in, known) = games.entry(game.key()).or_insert_with(|| (path, game.clone()));
            if *known != game {
                let (one, other) = (known_in.display(), path.display());
                return Err(bad(format!("game {} in {other} is not that in {one}", name(&game))));
            }
        }
    }
    let games = games.into_values().map(|(_, game)| game).collect();
    let CommonHeader { first, given, .. } = common;
    let (_, header) = first.expect("there is a file to merge");
    Ok(Parts { header, given, games })
}

/// Header of the whole that several journals are parts of.
#[derive(Debug, Default)]
pub(crate) struct CommonHeader {
    /// First journal, and the header with the plan of all.
    pub(crate) first: Option<(PathBuf, Header)>,
    /// Part of each journal; `None` for a whole one.
    pub(crate) given: BTreeSet<Option<Shard>>,
    /// Joined plan of all journals; `None` if none of them has a plan.
    pub(crate) planned: Option<Planned>,
    /// Whether a journal has no plan, as in old ones.
    pub(crate) has_unplanned: bool,
}

impl CommonHeader {
    /// Adds a journal. `whole` names the whole in messages: a run or a study.
    ///
    /// # Errors
    ///
    /// If it belongs to another whole than the journals before.
    pub(crate) fn add(&mut self, path: &Path, header: Header, whole: &str) -> Result<(), Error> {
        let planned = Planned::of(&header).map_err(bad)?;
        self.given.insert(planned.as_ref().and_then(|planned| planned.part));
        self.has_unplanned |= planned.is_none();
        if let Some(planned) = planned {
            let before = self.planned.take().unwrap_or_default();
            self.planned = Some(before.join(planned));
        }
        let (first, common) = self.first.get_or_insert_with(|| (path.to_owned(), header.clone()));
        if let Some((field, there, here)) = journal::difference(&header, common) {
            let (path, first) = (path.display(), first.display());
            return Err(bad(format!(
                "{path} is of another {whole} than {first}: `{field}` is {there} there and {here} in {first}"
            )));
        }
        if let Some(planned) = &self.planned {
            *common = planned.header(common);
        }
        Ok(())
    }
}
