//! Drawn boards as text: sites at their places, and lines between them.

use crate::board::{Board, Site, Spot};

/// Greatest width of a board as text, in characters.
const WIDTH_MAX: usize = 100;

/// Scales of a drawing that are tried, as multiples of the least one.
const SCALES: [f64; 5] = [1.0, 1.5, 2.0, 2.5, 3.0];

/// Column of the centre and row of a label.
type Place = (usize, usize);

/// Owner of each character of a drawing, by rows: the site whose label is there.
type Owners = Vec<Vec<Option<Site>>>;

/// Drawing of a board with the label of each site and lines made of `-`, `|`, `/`, `\` and `+`, at the
/// least scale that has room for the most lines. Lines without room are named below. `None` if the drawing
/// would be too wide, or labels would touch.
pub(crate) fn line_art(board: &Board, label: impl Fn(Site) -> String) -> Option<String> {
    let labels: Vec<String> = board.sites().map(label).collect();
    let longest = labels.iter().map(|label| label.chars().count()).max()?;
    let links: Vec<[Site; 2]> = board
        .sites()
        .flat_map(|site| board.neighbours(site).into_iter().map(move |other| [site, other]))
        .filter(|[site, other]| other > site)
        .collect();
    let mut best: Option<(Drawing, Vec<[Site; 2]>)> = None;
    for scale in SCALES {
        let Some(mut drawing) = Drawing::of_labels(board, &labels, longest, scale) else {
            continue;
        };
        let without = links.iter().copied().filter(|&link| !drawing.draw(link)).collect::<Vec<_>>();
        if best.as_ref().is_none_or(|(_, least)| without.len() < least.len()) {
            best = Some((drawing, without));
        }
        if best.as_ref().is_some_and(|(_, least)| least.is_empty()) {
            break;
        }
    }
    let (drawing, without) = best?;
    let mut text = drawing.text();
    if !without.is_empty() {
        let name = |site: Site| board.names[usize::from(site)].as_str();
        let links = without.into_iter().map(|link| link.map(name).join("-"));
        text.push_str(&format!("lines without room: {}\n", links.collect::<Vec<_>>().join(" ")));
    }
    Some(text)
}

/// Characters of a board.
struct Drawing {
    places: Vec<Place>,
    canvas: Vec<Vec<char>>,
    owners: Owners,
}

impl Drawing {
    /// Drawing with the labels alone; `None` if it would be too wide, or labels would touch.
    fn of_labels(board: &Board, labels: &[String], longest: usize, scale: f64) -> Option<Drawing> {
        let spots = &board.drawing().spots;
        let least = |axis: usize| spots.iter().map(|spot| spot[axis]).fold(f64::INFINITY, f64::min);
        let most = |axis: usize| spots.iter().map(|spot| spot[axis]).fold(-f64::INFINITY, f64::max);
        let (left, top) = (least(0), most(1));
        let column = (longest as f64 + 1.0) * scale;
        let place = |&[x, y]: &Spot| {
            let (x, y) = ((x - left) * column, (top - y) * 2.0 * scale);
            (x.round() as usize + longest / 2, y.round() as usize)
        };
        let places: Vec<Place> = spots.iter().map(place).collect();
        let width = places.iter().map(|(column, _)| column + longest).max()?;
        let apart = |n: usize, m: usize| {
            let ((x, y), (u, v)) = (places[n], places[m]);
            y != v || x.abs_diff(u) > longest
        };
        let fits = width <= WIDTH_MAX && (0..places.len()).all(|n| (0..n).all(|m| apart(n, m)));
        if !fits {
            return None;
        }
        let height = places.iter().map(|(_, row)| row + 1).max()?;
        let mut canvas = vec![vec![' '; width + 1]; height];
        let mut owners: Owners = vec![vec![None; width + 1]; height];
        for (site, &(column, row)) in board.sites().zip(&places) {
            let first = column - longest / 2;
            for (at, char) in (first..).zip(labels[usize::from(site)].chars()) {
                canvas[row][at] = char;
                owners[row][at] = Some(site);
            }
        }
        Some(Drawing { places, canvas, owners })
    }

    /// Draws a line between the centres of two labels. Returns `false` and draws nothing if there is no room
    /// between them, or the label of another site is on the way.
    fn draw(&mut self, link: [Site; 2]) -> bool {
        let ends = link.map(|site| self.places[usize::from(site)]);
        let [from, to] = ends.map(|(column, row)| (column as f64, row as f64));
        let (across, down) = (to.0 - from.0, to.1 - from.1);
        let slope = across / down;
        let char = match slope {
            _ if down == 0.0 => '-',
            _ if slope.abs() < 0.5 => '|',
            _ if slope > 0.0 => '\\',
            _ => '/',
        };
        let between = |a: usize, b: usize| a.min(b) + 1..a.max(b);
        let way: Vec<Place> = match down == 0.0 {
            true => between(ends[0].0, ends[1].0).map(|column| (column, ends[0].1)).collect(),
            false => between(ends[0].1, ends[1].1)
                .map(|row| ((from.0 + slope * (row as f64 - from.1)).round() as usize, row))
                .collect(),
        };
        let owner = |&(column, row): &Place| self.owners[row][column];
        if way.iter().filter_map(owner).any(|site| !link.contains(&site)) {
            return false;
        }
        let free: Vec<Place> = way.iter().copied().filter(|at| owner(at).is_none()).collect();
        for &(column, row) in &free {
            let known = self.canvas[row][column];
            let crosses = known != ' ' && known != char;
            self.canvas[row][column] = if crosses { '+' } else { char };
        }
        !free.is_empty()
    }

    fn text(&self) -> String {
        let lines = self.canvas.iter().map(|row| row.iter().collect::<String>());
        lines.map(|line| line.trim_end().to_owned() + "\n").collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::program;

    /// Drawing of a board of single letters, with the lines that it names as without room.
    fn drawn(graph: &str) -> (String, Option<String>) {
        let program = program(&format!(
            "(game \"L\" (board (graph {graph})) (pieces (man each)) (play (place))
             (end (if (none empty) draw)))"
        ));
        let board = &program.board;
        let text = line_art(board, |site| board.names[usize::from(site)].clone()).unwrap();
        let (drawing, without) = match text.split_once("lines without room: ") {
            Some((drawing, without)) => (drawing, Some(without.trim_end().to_owned())),
            None => (&text[..], None),
        };
        (drawing.to_owned(), without)
    }

    #[test]
    fn a_line_that_would_cross_the_name_of_another_site_is_named_below() {
        let (drawing, without) = drawn("(line a b) (line b c) (line a c) (at a 0 0 b 1 0 c 2 0)");
        assert_eq!(without.as_deref(), Some("a-c"), "{drawing}");
        assert!(drawing.contains('a') && drawing.contains("b") && drawing.contains('c'));
        // The same lines have room if the middle site stands aside.
        let (drawing, without) = drawn("(line a b) (line b c) (line a c) (at a 0 0 b 1 1 c 2 0)");
        assert_eq!(without, None, "{drawing}");
        assert!(["/", "\\", "--"].iter().all(|line| drawing.contains(line)), "{drawing}");
    }

    #[test]
    fn a_pentagon_with_its_diagonals_has_room_for_all_lines_but_two() {
        let (drawing, without) = drawn(
            "(line a b) (line a c) (line a d) (line a e) (line b c) (line b d) (line b e) (line c d)
             (line c e) (line d e) (at a 2 4 b 4 2 c 3 0 d 1 0 e 0 2)",
        );
        let named = without.map_or(0, |names| names.split(' ').count());
        assert!(named < 3, "{named} lines have no room:\n{drawing}");
        assert!(drawing.contains('/') && drawing.contains('\\') && drawing.contains('-'));
    }
}
