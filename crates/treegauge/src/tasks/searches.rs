//! Options of searches, which several tasks have.

use clap::{Args, ValueEnum};
use treegauge_grammar::number;
use treegauge_search::{
    BackUp, DEFAULT_CP, Expansion, Merge, MoveCounts, ShapeOptions, SpreadThird, UctNodes,
    UctVariant, Unvisited, Variance,
};

use crate::{Error, ErrorKind, mirrored};

/// The exploration constant of searches.
#[derive(Debug, Args)]
pub struct CpArg {
    /// Exploration constant C_p on rewards in [0, 1]
    #[arg(long, value_name = "X", default_value_t = DEFAULT_CP, value_parser = number(0.0, 1_000.0))]
    pub cp: f64,
}

/// How UCT searches differ from those of Williams 2010.
#[derive(Debug, Args)]
#[command(next_help_heading = "Variants of UCT")]
pub struct VariantArgs {
    /// Order in which a search tries the moves of a position for the first time: `order` is that of the
    /// game's list of moves, `random` lets small searches see all parts of a wide board
    #[arg(long, value_name = "ORDER", value_enum, default_value = "order")]
    expansion: ExpansionArg,

    /// Which positions are one node: `equal` and `symmetric` make the tree a web
    #[arg(long, value_name = "WHICH", value_enum, default_value = "none")]
    merge: MergeArg,

    /// Which nodes of a web get the result of a playout
    #[arg(long, value_name = "WHICH", value_enum, default_value = "single")]
    backup: BackUpArg,

    /// Whose visits and results the choice among moves reads in a web
    #[arg(long, value_name = "WHOSE", value_enum, default_value = "node")]
    counts: CountsArg,

    /// Prove values: a move that cannot be better than another is not searched again, and a search ends when
    /// its root is proved
    #[arg(long)]
    solver: bool,
}

/// Whether searches of self-play keep their trees.
#[derive(Debug, Args)]
#[command(next_help_heading = "Variants of UCT")]
pub struct ReuseArg {
    /// Keep the tree below the moves played from one move of a game to the next: each search makes all its iterations
    /// on top of the visits that are kept, and the features are those of the whole tree
    #[arg(long)]
    reuse: bool,
}

impl ReuseArg {
    /// The variant of searches that do so.
    #[must_use]
    pub fn of(&self, variant: UctVariant) -> UctVariant {
        UctVariant { reuse: self.reuse, ..variant }
    }
}

/// [`Expansion`] on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ExpansionArg {
    Order,
    Random,
}

/// [`Merge`] on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum MergeArg {
    /// None: the search grows a tree.
    None,
    /// Equal ones.
    Equal,
    /// Those equal up to a symmetry of the board.
    Symmetric,
}

/// [`BackUp`] on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum BackUpArg {
    /// Those on the way down.
    Single,
    /// All from which the new position can be reached.
    All,
}

/// [`MoveCounts`] on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum CountsArg {
    /// Those of the position that a move leads to.
    Node,
    /// Those of the move.
    Edge,
}

impl VariantArgs {
    /// The ids of the options.
    pub const IDS: [&str; 5] = ["expansion", "merge", "backup", "counts", "solver"];

    /// The order of first tries.
    #[must_use]
    pub fn expansion(&self) -> Expansion {
        match self.expansion {
            ExpansionArg::Order => Expansion::Order,
            ExpansionArg::Random => Expansion::Random,
        }
    }

    /// The variant.
    ///
    /// # Errors
    ///
    /// When the options do not fit together.
    pub fn variant(&self) -> Result<UctVariant, Error> {
        let variant = UctVariant {
            merge: match self.merge {
                MergeArg::None => Merge::None,
                MergeArg::Equal => Merge::Equal,
                MergeArg::Symmetric => Merge::Symmetric,
            },
            back_up: match self.backup {
                BackUpArg::Single => BackUp::Single,
                BackUpArg::All => BackUp::All,
            },
            counts: match self.counts {
                CountsArg::Node => MoveCounts::Node,
                CountsArg::Edge => MoveCounts::Edge,
            },
            solver: self.solver,
            ..UctVariant::default()
        };
        variant.check().map_err(|problem| Error::new(ErrorKind::Usage, problem))?;
        Ok(variant)
    }
}

/// The choices that the definition of the tree features leaves open.
#[derive(Debug, Args)]
#[command(next_help_heading = "Choices in the tree features")]
pub struct ShapeArgs {
    /// How a third of the moves is rounded in `spread_third`
    #[arg(long, value_name = "HOW", value_enum, default_value = "up")]
    spread_third: SpreadThirdArg,

    /// What variances are divided by: the number of values, or one less
    #[arg(long, value_name = "KIND", value_enum, default_value = "population")]
    variance: VarianceArg,

    /// Nodes whose moves were all tried, which `uct_fraction` counts: `strict`, those with more visits than
    /// legal moves; `non-leaf`, those with as many or more
    #[arg(long, value_name = "WHICH", value_enum, default_value = "strict")]
    uct_nodes: UctNodesArg,

    /// Treat an untried move as 0 in `score_drift`, or leave it out
    #[arg(long, value_name = "HOW", value_enum, default_value = "zero")]
    unvisited: UnvisitedArg,
}

mirrored! {
    /// [`SpreadThird`] on the command line.
    SpreadThirdArg of SpreadThird { Up, Down, Nearest }
    /// [`Variance`] on the command line.
    VarianceArg of Variance { Population, Sample }
    /// [`UctNodes`] on the command line.
    UctNodesArg of UctNodes { Strict, NonLeaf }
    /// [`Unvisited`] on the command line.
    UnvisitedArg of Unvisited { Zero, Skip }
}

impl ShapeArgs {
    /// The choices.
    #[must_use]
    pub fn options(&self) -> ShapeOptions {
        ShapeOptions {
            spread_third: self.spread_third.into(),
            variance: self.variance.into(),
            uct_nodes: self.uct_nodes.into(),
            unvisited: self.unvisited.into(),
        }
    }
}
