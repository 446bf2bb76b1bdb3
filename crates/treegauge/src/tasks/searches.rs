//! Options of searches.

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
    /// Exploration constant C_p, for rewards from 0 to 1
    #[arg(long, value_name = "X", default_value_t = DEFAULT_CP, value_parser = number(0.0, 1_000.0))]
    pub cp: f64,
}

/// Variants of the UCT searches of Williams 2010.
#[derive(Debug, Args)]
#[command(next_help_heading = "Variants of UCT")]
pub struct VariantArgs {
    /// Order of the first visits to the moves of a position: `order` follows the move list of the game, `random` lets
    /// small searches see all parts of a wide board
    #[arg(long, value_name = "ORDER", value_enum, default_value = "order")]
    expansion: ExpansionArg,

    /// Positions that share a node; `equal` and `symmetric` turn the tree into a web
    #[arg(long, value_name = "WHICH", value_enum, default_value = "none")]
    merge: MergeArg,

    /// Nodes of a web that receive the result of a playout
    #[arg(long, value_name = "WHICH", value_enum, default_value = "single")]
    backup: BackUpArg,

    /// Visits and results in a web that decide the choice among moves
    #[arg(long, value_name = "WHOSE", value_enum, default_value = "node")]
    counts: CountsArg,

    /// Prove values: skip moves that cannot be better than another, and end a search once its root is proved
    #[arg(long)]
    solver: bool,
}

/// The reuse of trees in self-play.
#[derive(Debug, Args)]
#[command(next_help_heading = "Variants of UCT")]
pub struct ReuseArg {
    /// Keep the tree below the moves played from one move of a game to the next: each search adds all its iterations to
    /// the kept visits, and the features are those of the whole tree
    #[arg(long)]
    reuse: bool,
}

impl ReuseArg {
    /// The variant, with reuse if it was chosen.
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
    /// None: the search grows a tree
    None,
    /// Equal positions
    Equal,
    /// Positions that are equal up to a symmetry of the board
    Symmetric,
}

/// [`BackUp`] on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum BackUpArg {
    /// The nodes on the path of the descent
    Single,
    /// All nodes from which the new position can be reached
    All,
}

/// [`MoveCounts`] on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum CountsArg {
    /// Those of the position after the move
    Node,
    /// Those of the move itself
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
    /// When the options conflict.
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

/// Choices that the definition of the tree features leaves open.
#[derive(Debug, Args)]
#[command(next_help_heading = "Definition of the tree features")]
pub struct ShapeArgs {
    /// Rounding of a third of the moves in `spread_third`
    #[arg(long, value_name = "HOW", value_enum, default_value = "up")]
    spread_third: SpreadThirdArg,

    /// Divisor of variances: the number of values (`population`), or one less (`sample`)
    #[arg(long, value_name = "KIND", value_enum, default_value = "population")]
    variance: VarianceArg,

    /// Nodes that `uct_fraction` counts as fully expanded: those with more visits than legal moves (`strict`), or with as
    /// many or more (`non-leaf`)
    #[arg(long, value_name = "WHICH", value_enum, default_value = "strict")]
    uct_nodes: UctNodesArg,

    /// Unvisited moves in `score_drift`: count them as 0 (`zero`), or leave them out (`skip`)
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
