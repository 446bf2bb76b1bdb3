//! Searches of positions.

use clap::Args;
use treegauge_engine::{AlphaBetaPlayer, Line, PlayerSpec, UctPlayer};
use treegauge_grammar::{count, parse_size};
use treegauge_report::{
    AlphaBetaSearchReport, CUT_TREE_BOARDS_DEFAULT, NoBoards, SavedKind, SearchReport,
    TREE_BOARDS_DEFAULT, cut_tree_svg, search_doc, tree_svg,
};
use treegauge_search::picture::{self, Limits, Style};
use treegauge_search::{Budget, Stopped, UctVariant};

use super::blocks::full_list_note;
use super::given::GivenOptions;
use super::playing::files_of;
use super::{
    Context, CpArg, DEFAULT_SEED, Done, Ending, FileOption, Group, Means, PositionArgs, Product,
    ReportForms, ShapeArgs, Task, TaskFile, VariantArgs,
};
use crate::{
    CutLimits, Error, ErrorKind, FileKind, Game, SearchOptions, Searched, alpha_beta_tree,
    mirrored, search, search_alpha_beta,
};

const DOT: &str = "dot";
const SVG: &str = "svg";
const TREE_JSON: &str = "tree_json";

/// Greatest number of nodes of a tree that is walked for a page alone.
const PAGE_NODES_MAX: u32 = 1_000_000;

/// Search one position: values of its moves, shape of the tree
#[derive(Debug, Args)]
pub struct SearchTask {
    #[command(flatten)]
    given: GivenOptions,

    /// Game, as `games` lists it
    game: String,

    /// Iterations of the search
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = count::<u32>(1..=u64::from(Budget::ITERATIONS_MAX)))]
    iterations: u32,

    /// Search as this player: alphabeta(eval=NAME,nodes=N), with depth=N or time_ms=N instead of nodes, or
    /// uct(iterations=N,cp=X,...), which equals --iterations N --cp X ...
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,

    /// Moves that the text lists, the most visited first
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = count::<u32>(..=u64::from(u32::MAX)))]
    top: u32,

    /// Random seed
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, value_parser = count::<u64>(..))]
    seed: u64,

    #[command(flatten)]
    cp: CpArg,

    /// Stop before the tree exceeds this number of nodes
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..))]
    nodes_max: Option<u32>,

    /// Stop before the tree exceeds this memory: bytes, or a size such as 500M or 6G (1G is 1024M) [default: 4G]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory_max: Option<u64>,

    /// Style of the pictures
    #[arg(long, value_enum, default_value = "plain", help_heading = PICTURES)]
    style: StyleArg,

    /// Children of a node in a picture; the others are folded
    #[arg(long, alias = "draw-children", value_name = "N", help_heading = PICTURES, default_value_t = Limits::default().children_max as u32, value_parser = count::<u32>(1..))]
    picture_children: u32,

    /// Nodes in a picture
    #[arg(long, alias = "draw-nodes", value_name = "N", help_heading = PICTURES, default_value_t = Limits::default().nodes_max as u32, value_parser = count::<u32>(1..))]
    picture_nodes: u32,

    /// Plies below the root in a picture
    #[arg(long, value_name = "N", help_heading = PICTURES, default_value_t = Limits::default().depth_max as u32, value_parser = count::<u32>(1..))]
    picture_depth: u32,

    /// Nodes with a small board in a picture: those of the best line first, then the most visited, or of alpha-beta
    /// the nearest to the root [default: 20; 44 for alpha-beta]
    #[arg(long, value_name = "N", help_heading = PICTURES, value_parser = count::<u32>(..))]
    picture_boards: Option<u32>,

    #[command(flatten)]
    variant: VariantArgs,

    /// Grow N independent trees, which share --iterations and the limits, and add up their results for the moves;
    /// features and pictures are those of the first tree (a player has threads=N; the result depends on N)
    #[arg(
        long,
        value_name = "N",
        help_heading = "Variants of UCT",
        default_value_t = 1,
        value_parser = count::<u32>(1..=u64::from(UctVariant::THREADS_MAX))
    )]
    trees: u32,

    #[command(flatten)]
    shape: ShapeArgs,

    #[command(flatten)]
    at: PositionArgs,
}

/// The heading of the options about pictures.
const PICTURES: &str = "Pictures of the tree";

mirrored! {
    /// [`Style`] on the command line.
    StyleArg of Style { Plain, Williams }
}

/// The note on a search that was stopped.
const SHORTER: &str = "the search is shorter than was asked for";

/// Options that are also parameters of a UCT player.
const OF_PLAYER: [&str; 8] =
    ["iterations", "cp", "expansion", "merge", "backup", "counts", "solver", "trees"];

/// Further options of UCT searches, which alpha-beta searches do not have.
const OF_UCT: [&str; 10] = [
    "seed",
    "nodes_max",
    "memory_max",
    "style",
    "picture_children",
    "top",
    "spread_third",
    "variance",
    "uct_nodes",
    "unvisited",
];

impl Task for SearchTask {
    const NAME: &'static str = "search";
    const GROUP: Group = Group::Judge;
    const EXAMPLES: &'static [&'static str] = &[
        "search connect_four --moves 'd d d' --iterations 1e5",
        "search othello --svg tree.svg",
        "search tic_tac_toe --moves 'a1 b2 c3 a3 c1' --player alphabeta --svg tree.svg",
        "search isolation --player 'alphabeta(eval=mobility,nodes=100000)'",
    ];
    const COMMON: &'static [&'static str] = &["moves", "iterations", "svg"];
    const MEANS: Means = Means {
        files: &[
            FileOption::file(DOT, FileKind::TreeDot, "Write the tree for GraphViz"),
            FileOption::file(
                SVG,
                FileKind::TreeSvg,
                "Write a picture of the tree with boards and values; that of alpha-beta has its cuts",
            ),
            FileOption::file(TREE_JSON, FileKind::TreeJson, "Write the whole tree as JSON"),
        ],
        ..Means::NONE
    };
    const REPORTS: &'static [SavedKind] =
        &[SavedKind::of::<SearchReport>(), SavedKind::of::<AlphaBetaSearchReport>()];

    fn inputs(&self) -> Result<Vec<std::path::PathBuf>, Error> {
        Ok(files_of(self.player()?.as_slice()))
    }

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        let game = context.game(&self.game)?;
        let line = self.at.line_of(&game)?;
        let mut uct = UctPlayer {
            iterations: self.iterations,
            cp: self.cp.cp,
            expansion: self.variant.expansion(),
            variant: UctVariant { threads: self.trees, ..self.variant.variant()? },
        };
        if let Some(player) = self.player()? {
            match player.get::<UctPlayer>() {
                Some(player) => uct = *player,
                None => return self.alpha_beta(&game, &line, &context.player(&player)?, context),
            }
        }
        let UctPlayer { cp, expansion, variant, iterations } = uct;
        let budget = Budget {
            iterations_max: iterations,
            nodes_max: self.nodes_max.unwrap_or(u32::MAX),
            memory_bytes_max: self.memory_max.unwrap_or(Budget::DEFAULT_MEMORY_BYTES_MAX),
        };
        let (seed, shape) = (self.seed, self.shape.options());
        let options = SearchOptions { budget, cp, expansion, variant, seed, shape };
        let mut found = search(&game, &line, &options, context.watch)?;
        let notes = full_list_note(&game, &line).into_iter().collect();
        let files = self.pictures(&mut found, context);
        let top = self.top as usize;
        let text = Some(search_doc(&found.report, &NoBoards, top));
        let more = found.report.moves.len() > top;
        let hints = more.then(|| "`--top N` lists more moves".to_owned()).into_iter().collect();
        let ending = match found.report.stopped {
            Stopped::Caller => Ending::Incomplete(Some(SHORTER.to_owned())),
            _ => Ending::Good,
        };
        let done = Done::of(found.report.clone(), game).ending(ending);
        let product = Some(Product::Search(Box::new(found)));
        Ok(Done { files, notes, text, hints, product, ..done })
    }
}

impl SearchTask {
    /// The named player, after a check against the other options.
    fn player(&self) -> Result<Option<PlayerSpec>, Error> {
        let Some(text) = &self.player else { return Ok(None) };
        let spec = PlayerSpec::parse(text)?;
        let beside = format!("--player {text}");
        if spec.get::<AlphaBetaPlayer>().is_some() {
            self.given.refuse(&OF_UCT, &beside)?;
        } else if spec.get::<UctPlayer>().is_none() {
            let message = format!(
                "--player takes alphabeta(eval=NAME,nodes=N) or uct(iterations=N), and {text} is neither"
            );
            return Err(Error::new(ErrorKind::Usage, message));
        }
        self.given.refuse(&OF_PLAYER, &beside)?;
        Ok(Some(spec))
    }

    fn alpha_beta(
        &self,
        game: &Game,
        line: &Line,
        player: &PlayerSpec,
        context: &Context<'_>,
    ) -> Result<Done, Error> {
        if let Some(wanted) = context.wanted.iter().find(|wanted| wanted.option != SVG) {
            let option = wanted.option.replace('_', "-");
            let message =
                format!("the argument '--{option}' cannot be used with '--player {player}'");
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let mut report = search_alpha_beta(game, line, player, &context.clock, context.watch)?;
        let ending = if context.watch.stop() {
            Ending::Incomplete(Some(SHORTER.to_owned()))
        } else {
            Ending::Good
        };
        let mut files = Vec::new();
        if context.wants(SVG) || context.forms == ReportForms::All {
            let limits =
                CutLimits { nodes_max: self.picture_nodes as usize, depth_max: self.picture_depth };
            let best = &report.principal_variation;
            let tree = alpha_beta_tree(game, line, player, limits, best, context.watch);
            if context.wants(SVG) {
                let boards = self.boards(CUT_TREE_BOARDS_DEFAULT);
                let svg = cut_tree_svg(&report, tree.as_ref().map_err(Error::clone)?, boards);
                files.push(TaskFile::new(SVG, svg));
            }
            // A page has no tree where not even one ply fits.
            report.tree = tree.ok();
        }
        Ok(Done { files, ..Done::of(report, game.clone()).ending(ending) })
    }

    /// Greatest number of boards in a picture.
    fn boards(&self, default: usize) -> usize {
        self.picture_boards.map_or(default, |boards| boards as usize)
    }

    /// The requested files. The report keeps the part of the tree that a page shows.
    fn pictures(&self, found: &mut Searched, context: &Context<'_>) -> Vec<TaskFile> {
        let has_page = context.forms == ReportForms::All && found.report.nodes <= PAGE_NODES_MAX;
        if context.wanted.is_empty() && !has_page {
            return Vec::new();
        }
        let outline = found.tree();
        let limits = Limits {
            children_max: self.picture_children as usize,
            nodes_max: self.picture_nodes as usize,
            depth_max: self.picture_depth as usize,
        };
        let picked = picture::pick(&outline, self.style.into(), limits);
        let mut files = Vec::new();
        if context.wants(DOT) {
            files.push(TaskFile::new(DOT, picture::dot(&picked)));
        }
        if context.wants(SVG) {
            let svg = tree_svg(&picked, found.game(), self.boards(TREE_BOARDS_DEFAULT));
            files.push(TaskFile::new(SVG, svg));
        }
        if context.wants(TREE_JSON) {
            files.push(TaskFile::new(TREE_JSON, picture::json(&outline)));
        }
        found.report.tree = Some(picked);
        files
    }
}
