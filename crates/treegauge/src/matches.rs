//! Matches and tournaments between players.

use std::sync::Arc;

use treegauge_core::{Clock, Ended, Watch};
use treegauge_engine::{Competitor, Line, Player, PlayerSpec, StartingPoint};
use treegauge_matches::{
    Encounter, Fixture, MatchGame, MatchHeader, MatchPlan, MatchReport, MatchSummary, Matches,
    OneMatch, TournamentGame, TournamentHeader, TournamentRecord, TournamentReport,
    TournamentSummary, encounter_seed, encounters,
};
use treegauge_stats::Sprt;
use treegauge_store::{PieceSink, Planned, Shard, journal};

use crate::gauge::games_header;
use crate::{Error, ErrorKind, Game};

/// Settings of the games of a match or tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchOptions {
    /// Beginning of every game, before the random plies.
    pub from: StartingPoint,
    /// Number of games per pairing; game 2k and game 2k + 1 are a pair.
    pub games: u32,
    /// Number of uniformly random plies at the beginning of each game.
    pub opening_plies: u32,
    /// Seed of the games.
    pub seed: u64,
    /// Part of the pairs to play.
    pub shard: Shard,
    /// Whether to record games between two random players too, which makes them slower.
    pub keeps_random: bool,
}

impl Default for MatchOptions {
    /// 100 games after 2 random plies, seed 1.
    fn default() -> Self {
        MatchOptions {
            from: StartingPoint::default(),
            games: 100,
            opening_plies: 2,
            seed: 1,
            shard: Shard::WHOLE,
            keeps_random: false,
        }
    }
}

impl MatchOptions {
    fn plan(&self, seed: u64) -> MatchPlan {
        let MatchOptions { games, opening_plies, shard, .. } = *self;
        MatchPlan { games, opening_plies, seed, shard }
    }

    fn planned(&self) -> Planned {
        Planned { games: Some(self.games), part: self.shard.part(), ..Planned::default() }
    }
}

/// Game, players and clock that both kinds of runs share.
struct Table {
    game: Game,
    start: Line,
    players: Vec<Player>,
    clock: Arc<dyn Clock>,
}

impl Table {
    /// Opens the players of a game.
    ///
    /// # Errors
    ///
    /// If the game cannot begin there or is over there, or a player cannot play it.
    fn new(
        game: &Game,
        from: &StartingPoint,
        players: &[PlayerSpec],
        clock: &Arc<dyn Clock>,
    ) -> Result<Table, Error> {
        let start = game.begin(from)?;
        if let Some(Ended { by, .. }) = start.ended() {
            let message = format!("the game is over at the start, by {by}");
            return Err(Error::new(ErrorKind::Data, message));
        }
        let open = |spec| Player::open(spec, game.engine(), &start, clock);
        let players = players.iter().map(open).collect::<Result<_, _>>()?;
        Ok(Table { game: game.clone(), start, players, clock: clock.clone() })
    }

    fn matches<'a>(
        &'a self,
        competitors: &'a [&'a dyn Competitor],
        pairings: &'a [Fixture],
        sprt: Option<Sprt>,
        keeps_random: bool,
    ) -> Matches<'a> {
        Matches {
            engine: self.game.engine().as_ref(),
            start: &self.start,
            competitors,
            pairings,
            sprt,
            clock: &self.clock,
            keeps_random,
        }
    }

    fn competitors(&self) -> Vec<&dyn Competitor> {
        self.players.iter().map(|player| player as &dyn Competitor).collect()
    }
}

/// A match, ready to be played.
///
/// ```
/// use std::sync::Arc;
/// use treegauge::engine::PlayerSpec;
/// use treegauge::Record;
/// use treegauge::{Game, MatchOptions, MatchRun, NoClock};
///
/// let game = Game::parse("tic_tac_toe").unwrap();
/// let players = ["uct(iterations=100)", "random"].map(|text| PlayerSpec::parse(text).unwrap());
/// let options = MatchOptions { games: 20, ..MatchOptions::default() };
/// let run = MatchRun::new(&game, players, options, None, &NoClock::shared()).unwrap();
/// let report = run.run(&[], &Record::none(), &()).unwrap();
/// assert_eq!(report.summary.comparison.games, 20);
/// ```
pub struct MatchRun {
    table: Table,
    names: [String; 2],
    options: MatchOptions,
    /// Sequential test, and its text.
    sprt: Option<(Sprt, String)>,
}

impl MatchRun {
    /// Prepares a match between a and b. A sequential test may end it early. `clock` is read if a
    /// player has a time budget.
    ///
    /// # Errors
    ///
    /// If the game cannot begin there, a player cannot play it, or the text is not a test.
    pub fn new(
        game: &Game,
        players: [PlayerSpec; 2],
        options: MatchOptions,
        sprt: Option<&str>,
        clock: &Arc<dyn Clock>,
    ) -> Result<MatchRun, Error> {
        let sprt = sprt.map(|text| Ok::<_, Error>((parse_sprt(text)?, text.to_owned())));
        let sprt = sprt.transpose()?;
        let table = Table::new(game, &options.from, &players, clock)?;
        Ok(MatchRun { table, names: players.map(|player| player.to_string()), options, sprt })
    }

    /// Header of the record: everything that decides the games.
    #[must_use]
    pub fn header(&self) -> MatchHeader {
        let MatchOptions { from, seed, opening_plies, .. } = &self.options;
        let header = games_header(&self.table.game, from, *seed, *opening_plies);
        MatchHeader::of(header, self.names.clone())
    }

    /// First line of the record: the header, and the plan unless a sequential test decides the
    /// number of games.
    #[must_use]
    pub fn first_line(&self) -> journal::Header {
        let planned = match self.sprt {
            Some(_) => Planned::default(),
            None => self.options.planned(),
        };
        planned.header(&self.header())
    }

    /// Tests whether both players choose all moves at random.
    #[must_use]
    pub fn is_random(&self) -> bool {
        self.table.players.iter().all(Competitor::is_random)
    }

    /// Plays the games that are not in `known`, on rayon's current thread pool. If `watch` says
    /// stop, the report covers the finished games, and is marked as incomplete.
    ///
    /// # Errors
    ///
    /// If a player cannot answer, for example because its file is damaged. The record then holds
    /// the finished games.
    pub fn run(
        &self,
        known: &[MatchGame],
        keep: &dyn PieceSink<MatchGame>,
        watch: &dyn Watch,
    ) -> Result<MatchReport, Error> {
        let MatchRun { table, options, sprt, .. } = self;
        let pairings = [Fixture { players: [0, 1], plan: options.plan(options.seed) }];
        let competitors = table.competitors();
        let test = sprt.as_ref().map(|(sprt, _)| *sprt);
        let matches = table.matches(&competitors, &pairings, test, options.keeps_random);
        let mut summaries = matches.play(&[known.to_vec()], &OneMatch(keep), watch)?;
        let summary = summaries.pop().expect("there is one match");
        let text = sprt.as_ref().map(|(_, text)| text.clone());
        Ok(MatchReport::new(self.header(), text, summary))
    }
}

/// Reads a sequential test.
pub(crate) fn parse_sprt(text: &str) -> Result<Sprt, Error> {
    Sprt::parse(text).map_err(|error| Error::new(ErrorKind::Usage, error))
}

/// A tournament, ready to be played: every two of its players play a match.
pub struct TournamentRun {
    table: Table,
    names: Vec<String>,
    options: MatchOptions,
    pairings: Vec<Fixture>,
}

impl TournamentRun {
    /// Greatest number of players. More would play over 4,950 matches, so they count as a mistake.
    pub const PLAYERS_MAX: usize = 100;

    /// Prepares a tournament of at least two players. `clock` is read if a player has a time
    /// budget.
    ///
    /// # Errors
    ///
    /// If there are too few or too many players, the game cannot begin there, or a player cannot
    /// play it.
    pub fn new(
        game: &Game,
        players: &[PlayerSpec],
        options: MatchOptions,
        clock: &Arc<dyn Clock>,
    ) -> Result<TournamentRun, Error> {
        let (max, n) = (Self::PLAYERS_MAX, players.len());
        if !(2..=max).contains(&n) {
            let message = format!("a tournament has 2 to {max} players; here there are {n}");
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let table = Table::new(game, &options.from, players, clock)?;
        let names = disambiguate(players.iter().map(ToString::to_string).collect());
        let pairing = |players| Fixture {
            players,
            plan: options.plan(encounter_seed(options.seed, players)),
        };
        let pairings = encounters(n as u32).map(pairing).collect();
        Ok(TournamentRun { table, names, options, pairings })
    }

    /// Header of the record: everything that decides the games.
    #[must_use]
    pub fn header(&self) -> TournamentHeader {
        let MatchOptions { from, seed, opening_plies, .. } = &self.options;
        let header = games_header(&self.table.game, from, *seed, *opening_plies);
        TournamentHeader::of(header, self.names.clone())
    }

    /// First line of the record: the header and the plan.
    #[must_use]
    pub fn first_line(&self) -> journal::Header {
        self.options.planned().header(&self.header())
    }

    /// Tests whether all players choose all moves at random.
    #[must_use]
    pub fn is_random(&self) -> bool {
        self.table.players.iter().all(Competitor::is_random)
    }

    /// Plays the games that are not in `known`, as [`MatchRun::run`] does.
    ///
    /// # Errors
    ///
    /// As [`MatchRun::run`].
    pub fn run(
        &self,
        known: Vec<TournamentGame>,
        keep: &dyn PieceSink<TournamentGame>,
        watch: &dyn Watch,
    ) -> Result<TournamentReport, Error> {
        let TournamentRun { table, options, pairings, .. } = self;
        let mut known_by_pairing = vec![Vec::new(); pairings.len()];
        for TournamentGame { players, game } in known {
            // Games of other pairings are ignored.
            if let Some(place) = pairings.iter().position(|pairing| pairing.players == players) {
                known_by_pairing[place].push(game);
            }
        }
        let players: Vec<[u32; 2]> = pairings.iter().map(|pairing| pairing.players).collect();
        let competitors = table.competitors();
        let matches = table.matches(&competitors, pairings, None, options.keeps_random);
        let keep = TournamentRecord { keep, pairings: &players };
        let summaries = matches.play(&known_by_pairing, &keep, watch)?;
        let encounter =
            |(players, summary): ([u32; 2], MatchSummary)| Encounter { players, summary };
        let encounters = players.into_iter().zip(summaries).map(encounter).collect();
        let summary = TournamentSummary::of(self.names.len() as u32, encounters, watch);
        Ok(TournamentReport::new(self.header(), options.games, summary))
    }
}

/// Makes names distinct: a name that occurs more than once gets a number; all others stay
/// unchanged.
pub(crate) fn disambiguate(names: Vec<String>) -> Vec<String> {
    let named = |n: usize| {
        let name = &names[n];
        if names.iter().filter(|other| *other == name).count() == 1 {
            return name.clone();
        }
        let number = names[..=n].iter().filter(|other| *other == name).count();
        format!("{name} #{number}")
    };
    (0..names.len()).map(named).collect()
}
