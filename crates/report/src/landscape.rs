//! Report of the positions of a solution file.

use treegauge_doc::{Block, Cell, Column, Doc, Figure, Layout, Table};
use treegauge_solve::report::LandscapeReport;

use crate::about_game::{heading, rules, title_of};
use crate::boards::{Boards, Document};
use crate::chart::Charts;
use crate::solve::remoteness_blocks;
use crate::words::{command, count_cell, counted_grouped};

impl Document for LandscapeReport {
    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }

    fn doc(&self, boards: &dyn Boards) -> Doc {
        let mut doc = Doc::new(format!("the positions of {}", self.game));
        doc.push(heading(&title_of(&self.game, boards), &self.game));
        let positions = counted_grouped(self.positions, "position");
        let words = match self.incomplete {
            true => {
                let counted = counted_grouped(self.counted(), "position");
                format!("INCOMPLETE: {counted} of {positions} are counted.")
            }
            false => format!("{}: {positions} can be reached.", self.game),
        };
        doc.push(Block::text(words));
        let titles = [Column::left("for the player to move"), Column::right("positions")];
        let mut values = Table::new("values", titles);
        let rows = [
            ("win", self.win),
            ("of these, by endless play", self.endless_win),
            ("lose", self.lose),
            ("of these, by endless play", self.endless_lose),
            ("tie", self.tie),
            ("endless play: a draw, or decided by repetition", self.draw),
        ];
        for (n, (name, count)) in rows.into_iter().enumerate() {
            let is_shown = count > 0 || [0, 2, 4].contains(&n);
            if is_shown {
                values.push([Cell::from(name), count_cell(count)]);
            }
        }
        doc.push(values);
        if let Some(picture) = Charts::default().values_by_remoteness(&self.table) {
            let caption = "Positions by the plies to the end with best play and by the value for the player to move, on a logarithmic scale.".into();
            let figure = Figure {
                name: "landscape",
                picture,
                caption,
                is_on_paper: true,
                ..Figure::default()
            };
            doc.push(Block::PagesOnly(vec![Block::Group(Layout::Charts, vec![figure.into()])]));
        }
        doc.extend(remoteness_blocks(&self.table)).extend(rules(boards));
        doc.next(format!("{} shows the value of every move.", command("probe", &["FILE"])));
        doc
    }
}
