//! Document of a run of the generator.

mod map;

use maud::html as markup;
use treegauge_doc::{
    Block, Board, Column, Doc, Figure, ParagraphStyle, Svg, Table, Tone, Words, Wrap,
};
use treegauge_generate::{Ancestor, BestGame, CANDIDATES_MAX, GenerateReport, Origin};

use super::{
    BESIDE, BEST, CONTROL_WORDS, CONTROLS, GATES, ancestor_words, beside_rows, best_cells,
    control_cells, gate_cells, how, lead, lead_words, outside_words, playable_words,
    rejected_words, sound, summary, tone, undecided_words,
};
use crate::boards::{Boards, Document};
use crate::pictures;
use crate::words::command;

impl Document for GenerateReport {
    fn doc(&self, boards: &dyn Boards) -> Doc {
        let mut doc = Doc::new("games that were made");
        doc.push(Block::PagesOnly(vec![Block::heading(1, "Games that were made")]));
        if self.incomplete {
            doc.push(Block::warning("INCOMPLETE: not all candidates are judged."));
        }
        doc.push(Block::TextOnly(vec![Block::text(lead(self))]));
        doc.push(Block::Verdict {
            tone: if sound(self) > 0 { Tone::Good } else { Tone::Undecided },
            headline: lead_words(self).into(),
            lead: undecided_words(self).unwrap_or_default().into(),
            points: Vec::new(),
        });
        let funnel = Figure {
            name: "funnel",
            picture: funnel(self),
            alt: "candidates that entered each gate and passed it".to_owned(),
            is_wide: true,
            ..Figure::default()
        };
        doc.push(Block::PagesOnly(vec![
            Block::heading(2, "Candidates at each gate"),
            funnel.into(),
        ]));
        doc.extend(map::block(self));
        let gates = table("gates", &GATES, 1..6, self.gates.iter().map(gate_cells));
        let mut reasons = vec![Block::note(summary(self))];
        if self.best.is_empty() {
            // The gates say why there is no game.
            doc.push(gates).extend(rejected(self));
        } else {
            doc.push(Block::PagesOnly(vec![Block::heading(2, "The best games")]));
            doc.push(table("best", &BEST, 0..0, self.best.iter().map(best_cells)));
            doc.extend(outside_words(self).map(Block::note));
            reasons.push(gates.into());
            reasons.extend(rejected(self));
        }
        for game in &self.best {
            doc.push(Block::PagesOnly(best(game, boards)));
        }
        if !self.controls.is_empty() {
            let rows = self.controls.iter().map(control_cells);
            reasons.push(Block::heading(3, "Candidates that no gate stopped"));
            reasons.push(Block::note(CONTROL_WORDS));
            reasons.push(table("control", &CONTROLS, 1..6, rows).into());
        }
        let beside = self.best.iter().flat_map(beside_rows);
        let beside = table("beside", &BESIDE, 0..0, beside);
        if !beside.rows.is_empty() {
            let lead = "The best games and their parents, in games of the weak search:";
            reasons.push(Block::TextOnly(vec![Block::text(lead), beside.into()]));
        }
        reasons.push(Block::note(how(self)));
        doc.push(Block::fold("Reasons and method", reasons));
        if self.best.is_empty() && !self.incomplete {
            let games = self.candidates.saturating_mul(10).min(CANDIDATES_MAX).to_string();
            let command = command("generate", &["--games", &games, "-o", "FOLDER"]);
            let words =
                format!("{command} makes more; most games that are made by chance have flaws.");
            doc.next(words);
        }
        doc
    }

    fn picture(&self, boards: &dyn Boards) -> Option<Figure> {
        pictures::generate::picture(self, boards)
    }
}

/// Reasons for which gates rejected candidates, gate by gate.
fn rejected(report: &GenerateReport) -> Option<Block> {
    let gates = report.gates.iter().filter_map(|gate| Some((gate, rejected_words(gate)?)));
    let items: Vec<Words> = gates
        .map(|(gate, words)| {
            Words::default().and_strong(gate.gate.words()).and(format!(": {words}"))
        })
        .collect();
    (!items.is_empty()).then(|| {
        Block::fold("Reasons for rejection", vec![Block::List(ParagraphStyle::Plain, items)])
    })
}

/// Table with these titles. The columns with an index in `right` are right-aligned.
fn table<const N: usize>(
    name: &'static str,
    titles: &[&str; N],
    right: std::ops::Range<usize>,
    rows: impl Iterator<Item = [String; N]>,
) -> Table {
    let column = |(n, title): (usize, &&str)| {
        if right.contains(&n) { Column::right(*title) } else { Column::left(*title) }
    };
    let columns = titles.iter().enumerate().map(column);
    let mut table = Table::new(name, columns).wrapped(Wrap::Cards);
    rows.for_each(|row| table.push(row));
    table
}

/// One game: its board, its rules, the verdict and its origin.
fn best(game: &BestGame, boards: &dyn Boards) -> Vec<Block> {
    let verdict = &game.gauged.verdict;
    let picture = boards.start_svg(&game.source);
    let mut said = vec![Block::Verdict {
        tone: tone(game),
        headline: Words::default(),
        lead: verdict.sentence.as_str().into(),
        points: vec![format!("Probability that it is playable: {}", playable_words(game)).into()],
    }];
    let words = boards.rules_of_text(&game.source);
    if !words.is_empty() {
        said.push(Block::Preformatted(words));
    }
    said.push(Block::Fold {
        summary: "Text of the game".into(),
        is_line: true,
        blocks: vec![Block::Preformatted(game.source.clone())],
    });
    let shown = match picture.is_empty() {
        true => Block::Columns(vec![said]),
        false => {
            let board = Board { picture, caption: "the start".into(), ..Board::default() };
            Block::Columns(vec![vec![board.into()], said])
        }
    };
    let mut blocks = vec![Block::heading(3, game.name.as_str()), shown];
    blocks.push(Block::heading(3, "Origin"));
    let picture = lineage_svg(&game.lineage);
    if !picture.is_empty() {
        let alt = "origin of the game".to_owned();
        blocks.push(Figure { picture, alt, is_wide: true, ..Figure::default() }.into());
        if game.lineage.iter().any(|one| one.parents.len() > 1) {
            blocks.push(Block::note("A dashed line leads from a game that contributed a part."));
        }
    }
    let ancestors = game.lineage.iter().map(|one| ancestor_words(one).into());
    blocks.push(Block::List(ParagraphStyle::Plain, ancestors.collect()));
    let beside = table("beside", &BESIDE, 0..0, beside_rows(game).into_iter());
    if !beside.rows.is_empty() {
        blocks.push(Block::Fold {
            summary: "Comparison with its parents, in games of the weak search".into(),
            is_line: true,
            blocks: vec![beside.into()],
        });
    }
    blocks
}

/// Length of the longest bar of the funnel, in pixels.
const BAR: f64 = 420.0;

/// Bar chart of the candidates that entered each gate, with the part that passed it.
fn funnel(report: &GenerateReport) -> Svg {
    let most = report.gates.iter().map(|gate| gate.entered).max().unwrap_or(0).max(1) as f64;
    let height = 42 * report.gates.len();
    let bars = report.gates.iter().enumerate().map(|(n, gate)| {
        let y = 42 * n;
        let width = |count: u64| (BAR * count as f64 / most * 10.0).round() / 10.0;
        markup! {
            rect x="0" y=(y + 20) width=(width(gate.entered)) height="15" fill="var(--rule)" {}
            rect x="0" y=(y + 20) width=(width(gate.passed.saturating_add(gate.open.unwrap_or(0)))) height="15" fill="var(--bar)" opacity="0.4" {}
            rect x="0" y=(y + 20) width=(width(gate.passed)) height="15" fill="var(--bar)" {}
            text x="0" y=(y + 14) font-size="13" fill="currentColor" {
                (gate.gate.words()) ": " (gate.passed) " of " (gate.entered)
                @if let Some(open @ 1..) = gate.open { ", cannot tell for " (open) }
            }
        }
    });
    let drawn = markup! {
        svg viewBox=(format!("0 0 440 {height}")) width="440" height=(height) xmlns="http://www.w3.org/2000/svg" {
            @for bar in bars { (bar) }
        }
    };
    Svg::new(drawn.into_string())
}

/// Greatest number of games of a lineage that are drawn. A longer lineage is only listed.
const DRAWN_MAX: usize = 16;

/// Picture of a lineage: the game on the right, each game to the right of its parents.
fn lineage_svg(lineage: &[Ancestor]) -> Svg {
    if lineage.len() < 2 || lineage.len() > DRAWN_MAX {
        return Svg::default();
    }
    let places = places(lineage);
    let columns = places.iter().map(|place| place[0]).max().unwrap_or(0) + 1;
    let rows = places.iter().map(|place| place[1]).max().unwrap_or(0) + 1;
    let (width, height) = (170 * columns, 40 * rows);
    let at = |game: Origin| lineage.iter().position(|one| one.game == game).map(|n| places[n]);
    let lines = lineage.iter().zip(&places).flat_map(|(one, &[x, y])| {
        let from = one.parents.iter().filter_map(|&parent| at(parent)).enumerate();
        from.map(move |(n, [px, py])| {
            let dash = if n == 0 { "none" } else { "4 3" };
            markup! {
                line x1=(170 * px + 130) y1=(40 * py + 18) x2=(170 * x) y2=(40 * y + 18) stroke="currentColor" stroke-dasharray=(dash) {}
            }
        })
    });
    let boxes = lineage.iter().zip(&places).map(|(one, &[x, y])| {
        markup! {
            rect x=(170 * x) y=(40 * y + 4) width="130" height="28" rx="4" fill="var(--box)" stroke="var(--rule)" {}
            text x=(170 * x + 65) y=(40 * y + 22) font-size="12" text-anchor="middle" fill="currentColor" {
                (shortened(if one.parents.is_empty() { &one.name } else { "" }, one.game))
            }
        }
    });
    let drawn = markup! {
        svg viewBox=(format!("0 0 {width} {height}")) width=(width) height=(height) xmlns="http://www.w3.org/2000/svg" {
            @for line in lines { (line) }
            @for one in boxes { (one) }
        }
    };
    Svg::new(drawn.into_string())
}

fn shortened(name: &str, game: Origin) -> String {
    if name.is_empty() {
        return game.to_string();
    }
    name.chars().take(18).collect()
}

/// Column and row of each game. A game lies one column to the right of its rightmost parent; the
/// games of a column keep the order of the lineage.
fn places(lineage: &[Ancestor]) -> Vec<[usize; 2]> {
    let mut columns = vec![0; lineage.len()];
    // A lineage lists a game before its parents.
    for n in (0..lineage.len()).rev() {
        let parents = &lineage[n].parents;
        let column_of = |(k, other): (usize, &Ancestor)| {
            parents.contains(&other.game).then_some(columns[k] + 1)
        };
        columns[n] = lineage.iter().enumerate().filter_map(column_of).max().unwrap_or(0);
    }
    let row = |n: usize| columns[..n].iter().filter(|&&column| column == columns[n]).count();
    (0..lineage.len()).map(|n| [columns[n], row(n)]).collect()
}

#[cfg(test)]
mod tests {
    use treegauge_generate::Gate;

    use super::*;

    fn one(game: Origin, parents: &[Origin]) -> Ancestor {
        Ancestor {
            game,
            name: "<Hex & co>".to_owned(),
            source: String::new(),
            parents: parents.to_vec(),
            operators: vec!["cross".to_owned()],
            open: vec![Gate::Quick],
        }
    }

    #[test]
    fn a_game_is_drawn_right_of_all_that_it_comes_from() {
        let (a, b) = (Origin::Start(0), Origin::Start(1));
        let (c, d) = (Origin::Made(3), Origin::Made(8));
        let lineage = [one(d, &[c, b]), one(c, &[a]), one(a, &[]), one(b, &[])];
        assert_eq!(places(&lineage), [[2, 0], [1, 0], [0, 0], [0, 1]]);
        let svg = lineage_svg(&lineage).as_str().to_owned();
        assert_eq!(svg.matches("<line").count(), 3);
        assert!(svg.contains("&lt;Hex &amp; co&gt;") && !svg.contains("<Hex"), "{svg}");
        let words = ancestor_words(&lineage[0]);
        assert!(
            words.ends_with("by cross; the quick gauge cannot tell whether it has flaws"),
            "{words}"
        );
        assert!(lineage_svg(&lineage[2..3]).is_empty(), "a text of the start comes from nothing");
    }
}
