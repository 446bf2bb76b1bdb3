//! Drawn boards as text: sites at their places, and lines between them.

use crate::board::{Board, Site, Spot};

/// Greatest width of a board as text, in characters.
const WIDTH_MAX: usize = 100;

/// Drawing of a board with the label of each site and lines made of `-`, `|`, `/`, `\` and `+`; `None`
/// if it would be too wide, or labels would touch.
pub(crate) fn line_art(board: &Board, label: impl Fn(Site) -> String) -> Option<String> {
    let labels: Vec<String> = board.sites().map(label).collect();
    let spots = &board.drawing().spots;
    let longest = labels.iter().map(|label| label.chars().count()).max()?;
    let least = |axis: usize| spots.iter().map(|spot| spot[axis]).fold(f64::INFINITY, f64::min);
    let most = |axis: usize| spots.iter().map(|spot| spot[axis]).fold(-f64::INFINITY, f64::max);
    let (left, top) = (least(0), most(1));
    // Column of the centre and row of each label, at twice the least scale where that is needed.
    let scaled = |factor: f64| -> Vec<(usize, usize)> {
        let column = (longest as f64 + 1.0) * factor;
        let place = |&[x, y]: &Spot| {
            let (x, y) = ((x - left) * column, (top - y) * 2.0 * factor);
            (x.round() as usize + longest / 2, y.round() as usize)
        };
        spots.iter().map(place).collect()
    };
    let fits = |places: &Vec<(usize, usize)>| {
        let width = places.iter().map(|(column, _)| column + longest).max().unwrap_or(0);
        let apart = |n: usize, m: usize| {
            let ((x, y), (u, v)) = (places[n], places[m]);
            y != v || x.abs_diff(u) > longest
        };
        width <= WIDTH_MAX && (0..places.len()).all(|n| (0..n).all(|m| apart(n, m)))
    };
    let places = [1.0, 1.5, 2.0].into_iter().map(scaled).find(fits)?;
    let width = places.iter().map(|(column, _)| column + longest + 1).max()?;
    let height = places.iter().map(|(_, row)| row + 1).max()?;
    let mut canvas = vec![vec![' '; width]; height];
    for (n, &(column, row)) in places.iter().enumerate() {
        let first = column - longest / 2;
        for (at, char) in (first..).zip(labels[n].chars()) {
            canvas[row][at] = char;
        }
    }
    let taken: Vec<Vec<bool>> =
        canvas.iter().map(|row| row.iter().map(|&char| char != ' ').collect()).collect();
    for site in board.sites() {
        for other in board.neighbours(site).into_iter().filter(|&other| other > site) {
            draw(&mut canvas, &taken, [site, other].map(|site| places[usize::from(site)]));
        }
    }
    let lines = canvas.into_iter().map(|row| row.into_iter().collect::<String>());
    Some(lines.map(|line| line.trim_end().to_owned() + "\n").collect())
}

/// Draws a line between the centres of two labels, not over labels.
fn draw(canvas: &mut [Vec<char>], taken: &[Vec<bool>], ends: [(usize, usize); 2]) {
    let [from, to] = ends.map(|(column, row)| (column as f64, row as f64));
    let (across, down) = (to.0 - from.0, to.1 - from.1);
    if down == 0.0 {
        let row = ends[0].1;
        let columns = ends[0].0.min(ends[1].0)..ends[0].0.max(ends[1].0);
        for column in columns.filter(|&column| !taken[row][column]) {
            canvas[row][column] = '-';
        }
        return;
    }
    let slope = across / down;
    let char = match slope {
        _ if slope.abs() < 0.5 => '|',
        _ if slope > 0.0 => '\\',
        _ => '/',
    };
    let rows = ends[0].1.min(ends[1].1) + 1..ends[0].1.max(ends[1].1);
    for row in rows {
        let column = (from.0 + slope * (row as f64 - from.1)).round() as usize;
        if !taken[row][column] {
            let known = canvas[row][column];
            let crosses = known != ' ' && known != char;
            canvas[row][column] = if crosses { '+' } else { char };
        }
    }
}
