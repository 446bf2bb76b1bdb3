//! The choices in the definition of interestingness, as arguments.

use clap::Args;
use treegauge::solve::{Children, Draws, Form, InterestOptions, LoseChildren};

use treegauge::mirrored;

/// The choices that the definition leaves open.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Choices in the definition")]
pub(crate) struct ChoicesArgs {
    /// Whether the immediate term of a win is at least 1%, as in the published program, or
    /// literally as the paper has it
    #[arg(long, value_name = "FORM", value_enum, default_value = "clamped")]
    form: FormArg,

    /// The winning moves over which a win averages
    #[arg(long, value_name = "WHICH", value_enum, default_value = "all")]
    lose_children: LoseChildrenArg,

    /// Count moves, or distinct successor positions (transposing moves count once)
    #[arg(long, value_name = "WHAT", value_enum, default_value = "moves")]
    children: ChildrenArg,

    /// How to count a move from a won position into endless play: as a tie, or not at all
    #[arg(long, value_name = "HOW", value_enum, default_value = "tie")]
    draws: DrawsArg,
}

mirrored! {
    /// [`Form`] on the command line.
    FormArg of Form { Clamped, Literal }
    /// [`LoseChildren`] on the command line.
    LoseChildrenArg of LoseChildren { All, Fastest }
    /// [`Children`] on the command line.
    ChildrenArg of Children { Moves, Positions }
    /// [`Draws`] on the command line.
    DrawsArg of Draws { Tie, Skip }
}

impl ChoicesArgs {
    pub(crate) fn options(&self) -> InterestOptions {
        InterestOptions {
            form: self.form.into(),
            lose_children: self.lose_children.into(),
            children: self.children.into(),
            draws: self.draws.into(),
        }
    }
}
