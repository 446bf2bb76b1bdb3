//! `treegauge interest`.

use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use clap::Args;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use treegauge_core::{Game, KeyCode, Keyed, Notation, Played};
use treegauge_solve::file::with_section;
use treegauge_solve::{
    Children, Draws, Erased, Form, Interest, InterestOptions, LoseChildren, Point, Rules,
    RulesVisitor, Solution, Terms, Value, Valued, interest,
};

use super::play;
use crate::exit::{Exit, Failure, OrExit, Outcome};
use crate::output::{check_file, print, print_json, write_file, write_file_with};
use crate::solving::{Asked, Bar, SolveArgs, Source, bad_file, open_file, with_rules};
use crate::{interrupt, report};

/// The section of a solution file in which the analysis is kept.
const SECTION: &str = "interest";

/// The version of what is kept there.
const VERSION: u32 = 1;

/// Rows of the table of all positions that are made before they are written.
const CSV_BATCH: usize = 1 << 16;

/// Positions that are drawn on the page beside the most interesting one: more would make a page
/// that no browser likes.
const PICTURES_MAX: usize = 24;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The game, as `games` lists it, or a file that `solve` wrote
    #[arg(value_name = "GAME|FILE")]
    source: String,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Write every position with its interestingness and what it is made of, as comma-separated
    /// values
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write the report as a web page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Keep the summary, with the most interesting position of each remoteness, in the solution
    /// file
    #[arg(long)]
    save: bool,

    /// Show the most interesting position that --save has kept, or that of the wins in N plies
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u16).range(1..),
        conflicts_with_all = ["save", "csv", "html", "form", "lose_children", "children", "draws"],
    )]
    start: Option<Option<u16>>,

    /// With --start: play from there against perfect play
    #[arg(long, requires = "start", conflicts_with = "json")]
    play: bool,

    #[command(flatten)]
    choices: Choices,

    #[command(flatten)]
    solve: SolveArgs,
}

/// The choices that the definition leaves open, by their names.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[command(next_help_heading = "Choices in the definition")]
pub(crate) struct Choices {
    /// Whether the immediate term of a win is at least 1 %, as in the published program, or
    /// literally as the paper has it
    #[arg(long, value_name = "FORM", value_parser = ["clamped", "literal"], default_value = "clamped")]
    pub(crate) form: String,

    /// The winning moves over which a win averages
    #[arg(long, value_name = "WHICH", value_parser = ["all", "fastest"], default_value = "all")]
    pub(crate) lose_children: String,

    /// What is counted: two moves to one position are two moves and one position
    #[arg(long, value_name = "WHAT", value_parser = ["moves", "positions"], default_value = "moves")]
    pub(crate) children: String,

    /// What a move to endless play counts as where a win was to be had: a tie, or nothing
    #[arg(long, value_name = "HOW", value_parser = ["tie", "skip"], default_value = "tie")]
    pub(crate) draws: String,
}

impl Choices {
    pub(crate) fn options(&self) -> InterestOptions {
        InterestOptions {
            form: match self.form.as_str() {
                "literal" => Form::Literal,
                _ => Form::Clamped,
            },
            lose_children: match self.lose_children.as_str() {
                "fastest" => LoseChildren::Fastest,
                _ => LoseChildren::All,
            },
            children: match self.children.as_str() {
                "positions" => Children::Positions,
                _ => Children::Moves,
            },
            draws: match self.draws.as_str() {
                "skip" => Draws::Skip,
                _ => Draws::Tie,
            },
        }
    }
}

/// What is printed as JSON and kept in files.
#[derive(Serialize, Deserialize)]
pub(crate) struct Analysis {
    pub(crate) game: String,
    #[serde(flatten)]
    pub(crate) choices: Choices,
    /// Those that can be reached, symmetry not reduced.
    pub(crate) positions: u64,
    pub(crate) start: Place,
    /// Null when no position is a win before the end.
    pub(crate) most_interesting: Option<Place>,
    pub(crate) by_remoteness: Vec<Row>,
    pub(crate) sweeps: u32,
    /// Those that lie on a cycle or depend on one.
    pub(crate) positions_in_loops: u64,
}

/// A position with what is known of it.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Place {
    pub(crate) position: String,
    pub(crate) turn: String,
    value: String,
    pub(crate) remoteness: Option<u16>,
    pub(crate) interestingness: f64,
    /// Null when the interestingness does not depend on the moves.
    pub(crate) terms: Option<PlaceTerms>,
}

/// What the interestingness of a position is made of: its moves by what they do, and the two terms.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct PlaceTerms {
    pub(crate) children: u32,
    pub(crate) winning: u32,
    /// The children over which the accumulated term is a mean.
    pub(crate) averaged: u32,
    pub(crate) losing: u32,
    pub(crate) losing_at_once: u32,
    pub(crate) ties: u32,
    pub(crate) draws: u32,
    pub(crate) immediate: Option<f64>,
    pub(crate) accumulated: Option<f64>,
}

/// The wins of one remoteness.
#[derive(Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) wins: u64,
    pub(crate) mean: f64,
    pub(crate) max: f64,
    /// How many have an interestingness from n / 20 up to less than (n + 1) / 20.
    pub(crate) bins: Vec<u64>,
    /// The most interesting one.
    #[serde(flatten)]
    pub(crate) most: Place,
}

impl Place {
    fn of<G: Notation + Keyed>(
        solution: &Solution<G>,
        found: &Interest<G::Key>,
        point: &Point<G::Key>,
    ) -> Place {
        let game = solution.rules().game();
        let state = game.unkey(point.key);
        Place {
            position: game.position_text(&state),
            turn: game.turn(&state).to_string(),
            value: point.valued.value.name().to_owned(),
            remoteness: plies(point.valued),
            interestingness: rounded(point.interestingness),
            terms: PlaceTerms::of(&found.terms(solution, point.index)),
        }
    }

    /// The value and remoteness; `None` when these are not what a position can have.
    pub(crate) fn valued(&self) -> Option<Valued> {
        let value = Value::ALL.into_iter().find(|value| value.name() == self.value)?;
        match (value, self.remoteness) {
            (Value::Draw, None) => Some(Valued::DRAW),
            (Value::Draw, Some(_)) => None,
            (_, remoteness) => Some(Valued { value, remoteness: remoteness? }),
        }
    }
}

impl PlaceTerms {
    /// `None` when the interestingness does not depend on the moves.
    pub(crate) fn of(terms: &Terms) -> Option<Self> {
        (terms.children > 0).then_some(PlaceTerms {
            children: terms.children,
            winning: terms.winning,
            averaged: terms.averaged,
            losing: terms.losing,
            losing_at_once: terms.losing_at_once,
            ties: terms.ties,
            draws: terms.draws,
            immediate: terms.immediate.map(rounded),
            accumulated: terms.accumulated.map(rounded),
        })
    }
}

/// The remoteness, which a draw does not have.
fn plies(valued: Valued) -> Option<u16> {
    (valued.value != Value::Draw).then_some(valued.remoteness)
}

/// A number without the digits in which sums end up by chance: 0.01 and not 0.010000000000000009.
pub(crate) fn rounded(x: f64) -> f64 {
    (x * 1e12).round() / 1e12
}

/// What the command reports; the text and the page are made of it.
pub(crate) struct Report {
    pub(crate) analysis: Analysis,
    /// Wins, losses and ties by remoteness.
    pub(crate) counts: Vec<[u64; 3]>,
    /// Positions of endless play.
    pub(crate) draws: u64,
    pub(crate) start: Drawn,
    /// The most interesting position.
    pub(crate) most: Option<Drawn>,
    /// Rows of the analysis with pictures of their positions.
    pub(crate) pictures: Vec<(usize, Drawn)>,
    /// The file in which the analysis was kept.
    pub(crate) kept: Option<String>,
}

/// A position as it is drawn.
pub(crate) struct Drawn {
    pub(crate) text: String,
    pub(crate) svg: String,
}

impl Drawn {
    fn of<G: Notation>(game: &G, state: &G::State) -> Drawn {
        Drawn { text: game.draw_text(state), svg: game.draw_svg(state) }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let source = Source::parse(&arguments.source)?;
    arguments.solve.fit(&source)?;
    if let Some(remoteness) = arguments.start {
        return start(arguments, &source, remoteness);
    }
    let keeper = if arguments.save { Some(needed_file(&source, "--save")?) } else { None };
    for path in [arguments.csv.as_deref(), arguments.html.as_deref(), keeper].into_iter().flatten()
    {
        check_file(path)?;
    }
    let pool = arguments.solve.pool()?;
    let run = Run { arguments, source: &source };
    let mut report = pool.install(|| with_rules(source.spec(), run))??;
    if let Some(path) = keeper {
        keep(path, &report.analysis)?;
        report.kept = Some(source.quoted());
    }
    if let Some(path) = &arguments.html {
        write_file(path, &report::interest_html(&report))?;
    }
    if arguments.json {
        return print_json(&report.analysis);
    }
    print(&report::interest_text(&report))
}

/// The file, where an option works on files only.
fn needed_file<'a>(source: &'a Source, option: &str) -> Outcome<&'a Path> {
    source.file().ok_or_else(|| {
        let message = format!(
            "{option} needs the file of a solved game; to make one that keeps the analysis:\n  \
             treegauge solve {} -o FILE\n  treegauge interest FILE --save",
            source.quoted()
        );
        Failure::new(Exit::Usage, message)
    })
}

struct Run<'a> {
    arguments: &'a Arguments,
    source: &'a Source,
}

impl RulesVisitor for Run<'_> {
    type Output = Outcome<Report>;

    fn visit<K: KeyCode>(self, rules: Rules<Erased<K>>) -> Outcome<Report> {
        let Run { arguments, source } = self;
        let interrupted = || Failure::interrupted("interrupted, and nothing is kept");
        let solution = source.solution(&rules, &arguments.solve)?;
        let watch = Bar::new();
        let found = interest(&solution, arguments.choices.options(), &watch);
        watch.finish();
        let found = found.ok_or_else(interrupted)?;
        if let Some(path) = &arguments.csv {
            let written = write_file_with(path, |out| csv(&solution, &found, out));
            written.map_err(|error| if interrupt::requested() { interrupted() } else { error })?;
        }
        let game = rules.game();
        let place = |point: &Point<K>| Place::of(&solution, &found, point);
        let rows = found.by_remoteness();
        let most = found.most_interesting();
        let pictures = if arguments.html.is_some() { pictured(&found) } else { Vec::new() };
        let table = solution.remoteness_table();
        Ok(Report {
            counts: table.rows().to_vec(),
            draws: table.draws(),
            start: Drawn::of(game, solution.start()),
            most: most.map(|most| Drawn::of(game, &most.key)),
            pictures: pictures
                .into_iter()
                .map(|n| (n, Drawn::of(game, &rows[n].most.key)))
                .collect(),
            kept: None,
            analysis: Analysis {
                game: source.spec().to_string(),
                choices: arguments.choices.clone(),
                positions: solution.reachable().total(),
                start: place(found.start()),
                most_interesting: most.map(place),
                by_remoteness: rows
                    .iter()
                    .map(|row| Row {
                        wins: row.wins,
                        mean: rounded(row.mean),
                        max: rounded(row.most.interestingness),
                        bins: row.bins.to_vec(),
                        most: place(&row.most),
                    })
                    .collect(),
                sweeps: found.sweeps(),
                positions_in_loops: found.in_loops(),
            },
        })
    }
}

/// The rows whose positions are drawn, in their order: the most interesting ones.
fn pictured<K: Copy>(found: &Interest<K>) -> Vec<usize> {
    let rows = found.by_remoteness();
    let mut order: Vec<usize> = (0..rows.len()).collect();
    // A stable sort: of equals the shorter wins come first.
    order.sort_by(|&a, &b| rows[b].most.interestingness.total_cmp(&rows[a].most.interestingness));
    order.truncate(PICTURES_MAX);
    order.sort_unstable();
    order
}

/// Writes all positions that can be reached in ascending order of their keys, which is the same
/// whether or not the solution is reduced.
fn csv<G: Notation + Keyed>(
    solution: &Solution<G>,
    found: &Interest<G::Key>,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let expander = solution.expander();
    let mut images = Vec::new();
    let mut all: Vec<(G::Key, usize)> = Vec::new();
    for (index, key, _) in solution.iter() {
        expander.images_into(key, &mut images);
        all.extend(images.iter().map(|&image| (image, index)));
    }
    all.par_sort_unstable_by_key(|&(key, _)| key);
    let mut header = csv::Writer::from_writer(&mut *out);
    header.write_record([
        "position",
        "value",
        "remoteness",
        "interestingness",
        "children",
        "winning",
        "averaged",
        "losing",
        "losing_at_once",
        "ties",
        "draws",
        "immediate",
        "accumulated",
    ])?;
    header.flush()?;
    drop(header);
    for batch in all.chunks(CSV_BATCH) {
        if interrupt::requested() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let parts: Vec<Vec<u8>> = batch
            .par_chunks(CSV_BATCH / 64)
            .map(|rows| csv_rows(solution, found, rows))
            .collect::<io::Result<_>>()?;
        parts.iter().try_for_each(|part| out.write_all(part))?;
    }
    Ok(())
}

/// The lines of some positions.
fn csv_rows<G: Notation + Keyed>(
    solution: &Solution<G>,
    found: &Interest<G::Key>,
    rows: &[(G::Key, usize)],
) -> io::Result<Vec<u8>> {
    let game = solution.rules().game();
    let mut lines = csv::Writer::from_writer(Vec::new());
    for &(key, index) in rows {
        let valued = solution.valued(index);
        let terms = PlaceTerms::of(&found.terms(solution, index));
        let count = |of: fn(&PlaceTerms) -> u32| terms.as_ref().map(of);
        lines.serialize((
            game.position_text(&game.unkey(key)),
            valued.value.name(),
            plies(valued),
            rounded(found.of(index)),
            [
                count(|terms| terms.children),
                count(|terms| terms.winning),
                count(|terms| terms.averaged),
                count(|terms| terms.losing),
                count(|terms| terms.losing_at_once),
                count(|terms| terms.ties),
                count(|terms| terms.draws),
            ],
            terms.as_ref().and_then(|terms| terms.immediate),
            terms.as_ref().and_then(|terms| terms.accumulated),
        ))?;
    }
    lines.into_inner().map_err(|error| error.into_error())
}

/// What a file keeps.
#[derive(Serialize, Deserialize)]
struct Kept<A> {
    version: u32,
    analysis: A,
}

/// Keeps an analysis in the solution file.
fn keep(path: &Path, analysis: &Analysis) -> Outcome {
    let kept = serde_json::to_vec(&Kept { version: VERSION, analysis })
        .map_err(|error| Failure::new(Exit::Internal, error))?;
    with_section(path, SECTION, &kept)
        .map(|_| ())
        .map_err(|error| format!("cannot keep the analysis in {}: {error}", path.display()))
        .or_data()
}

/// Shows a position of the analysis that a file keeps, or plays from it.
fn start(arguments: &Arguments, source: &Source, remoteness: Option<u16>) -> Outcome {
    let path = needed_file(source, "--start")?;
    let start = Start { arguments, source, path, remoteness };
    let pool = arguments.solve.pool()?;
    pool.install(|| with_rules(source.spec(), start))?
}

struct Start<'a> {
    arguments: &'a Arguments,
    source: &'a Source,
    path: &'a Path,
    pub(crate) remoteness: Option<u16>,
}

/// A position of a kept analysis as JSON.
#[derive(Serialize)]
struct StartReport<'a> {
    game: &'a str,
    #[serde(flatten)]
    choices: &'a Choices,
    #[serde(flatten)]
    place: &'a Place,
}

impl RulesVisitor for Start<'_> {
    type Output = Outcome;

    fn visit<K: KeyCode>(self, rules: Rules<Erased<K>>) -> Outcome {
        let Start { arguments, source, path, .. } = self;
        let file = open_file(path, rules.clone(), &source.spec().canonical())?;
        let section = file.section(SECTION).map_err(|error| bad_file(path, &error))?;
        let section =
            section.ok_or_else(|| self.refused("keeps no analysis of interestingness"))?;
        let analysis = self.read(&section)?;
        let place = self.chosen(&analysis)?;
        let game = rules.game();
        let wrong = || self.refused("keeps an analysis of positions that it does not have");
        let state = game.parse_position(&place.position).map_err(|_| wrong())?;
        let there = file.get(&state).map_err(|error| bad_file(path, &error))?;
        if there.is_none() || there != place.valued() || game.turn(&state).to_string() != place.turn
        {
            return Err(wrong());
        }
        if arguments.play {
            let file = Asked::open(path, rules.clone(), &source.spec().canonical())?;
            print(&report::task_text(place))?;
            let person = game.turn(&state);
            let played = Played::from_state(state);
            let perfect = Rc::new(|state: &K| file.moves(state));
            return play::against(game, &analysis.game, played, person, perfect);
        }
        if arguments.json {
            let Analysis { game, choices, .. } = &analysis;
            return print_json(&StartReport { game, choices, place });
        }
        let command = match self.remoteness {
            None => format!("treegauge interest {} --start --play", source.quoted()),
            Some(n) => format!("treegauge interest {} --start {n} --play", source.quoted()),
        };
        let drawn = Drawn::of(game, &state);
        print(&report::kept_text(&analysis, place, &drawn, &command))
    }
}

impl Start<'_> {
    /// That there is no analysis of use, and how to make one.
    fn refused(&self, why: &str) -> Failure {
        let message = format!(
            "{} {why}; to keep one there:\n  treegauge interest {} --save",
            self.path.display(),
            self.source.quoted()
        );
        Failure::new(Exit::Data, message)
    }

    fn read(&self, section: &[u8]) -> Outcome<Analysis> {
        let unread = |_| self.refused("keeps an analysis that cannot be read");
        let kept: Kept<serde_json::Value> = serde_json::from_slice(section).map_err(unread)?;
        if kept.version != VERSION {
            let there = kept.version;
            return Err(self.refused(&format!(
                "keeps an analysis of version {there}, and this program reads version {VERSION}"
            )));
        }
        serde_json::from_value(kept.analysis).map_err(unread)
    }

    /// The position that is asked for.
    fn chosen<'b>(&self, analysis: &'b Analysis) -> Outcome<&'b Place> {
        let rows = &analysis.by_remoteness;
        let Some(n) = self.remoteness else {
            let none = || format!("no position of {} is a win before the end", analysis.game);
            return analysis.most_interesting.as_ref().ok_or_else(none).or_data();
        };
        let row = rows.iter().find(|row| row.most.remoteness == Some(n));
        let none = || {
            let known = rows.iter().filter_map(|row| row.most.remoteness);
            let mut known: Vec<String> = known.map(|n| n.to_string()).collect();
            // The last one tells how far they reach.
            if known.len() > 12 {
                known.splice(10..known.len() - 1, ["...".to_owned()]);
            }
            match known.is_empty() {
                true => format!("no position of {} is a win before the end", analysis.game),
                false => format!("no position is won in {n} plies, but in {}", known.join(", ")),
            }
        };
        row.map(|row| &row.most).ok_or_else(none).or_data()
    }
}
