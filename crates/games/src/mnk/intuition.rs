//! Looks of the moves, as a person sees them at a glance.

use treegauge_core::{Game, Intuitive, Look, Player, Urgency};

use super::rules::{Mnk, State};
use super::setup::{STEPS, Setup};
use treegauge_bits::Word;

/// Factor of the worth of a line for each stone that is in it already.
const FOR_EACH_STONE: f64 = 3.0;

/// Weights of the appeal: own lines, lines of the other player, and the centre.
const PARTS: [f64; 3] = [0.5, 0.3, 0.2];

/// Worth of a player's open lines through each cell, and whether one stone there completes a line,
/// by bit.
struct Open {
    worth: Vec<f64>,
    completes: Vec<bool>,
}

impl<W: Word> Mnk<W> {
    /// Cells of the line that begins at a cell and goes along a step. Fewer than `length` if the
    /// board ends it or it returns to its beginning.
    fn cells_from(&self, cell: u32, step: usize, length: u32) -> impl Iterator<Item = u32> {
        let Setup { rows, cols, gravity, wrap, .. } = self.setup();
        let (rows, cols, wrap, falls) = (*rows as i32, *cols as i32, *wrap, *gravity);
        let stride = self.stride();
        let begin = ((cell / stride) as i32, (cell % stride) as i32);
        let (up, right) = STEPS[step];
        let next = move |&(row, col): &(i32, i32)| {
            let (mut row, mut col) = (row + up, col + right);
            if wrap {
                col = col.rem_euclid(cols);
                if !falls {
                    row = row.rem_euclid(rows);
                }
            }
            let inside = (0..rows).contains(&row) && (0..cols).contains(&col);
            (inside && (row, col) != begin).then_some((row, col))
        };
        std::iter::successors(Some(begin), next)
            .take(length as usize)
            .map(move |(row, col)| row as u32 * stride + col as u32)
    }

    /// Lines that a player can still complete: those that count and have no stone of the other
    /// player.
    fn open_lines(&self, state: &State<W>, player: Player) -> Open {
        let Setup { rows, cols, k, directions, .. } = *self.setup();
        let k = k[player.index()];
        let [own, theirs] = [player, player.other()].map(|player| state.stones[player.index()]);
        let bits = Self::bits(rows, cols) as usize;
        let mut open = Open { worth: vec![0.0; bits], completes: vec![false; bits] };
        let mut line = Vec::new();
        for begin in (0..rows).flat_map(|row| (0..cols).map(move |col| self.bit(row, col))) {
            for step in directions[player.index()].steps() {
                line.clear();
                line.extend(self.cells_from(begin, step, k).take_while(|&cell| !theirs.has(cell)));
                if line.len() < k as usize {
                    continue;
                }
                let stones = line.iter().filter(|&&cell| own.has(cell)).count() as u32;
                let worth = FOR_EACH_STONE.powi(stones as i32);
                for &cell in line.iter().filter(|&&cell| !own.has(cell)) {
                    open.worth[cell as usize] += worth;
                    open.completes[cell as usize] |= stones + 1 == k;
                }
            }
        }
        open
    }

    /// Nearness of a cell to the centre: 1 at the centre, 0 in the corners.
    fn nearness(&self, cell: u32) -> f64 {
        let Setup { rows, cols, .. } = *self.setup();
        let (row, col) = (cell / self.stride(), cell % self.stride());
        let off = |at: u32, size: u32| f64::from(2 * at) - f64::from(size - 1);
        let squared = |row, col| f64::powi(off(row, rows), 2) + f64::powi(off(col, cols), 2);
        let corner: f64 = squared(0, 0);
        if corner > 0.0 { 1.0 - (squared(row, col) / corner).sqrt() } else { 1.0 }
    }
}

impl<W: Word> Intuitive for Mnk<W> {
    /// Computes the looks of all moves.
    ///
    /// A move that completes a line wins at once, and one that takes the place of a line which the
    /// other player would complete blocks. The appeal is the sum of three parts: half of the worth
    /// of the own open lines through the cell, three tenths of the worth of the other player's,
    /// each as a fraction of the greatest worth among the moves, and a fifth of the nearness to the
    /// centre. A line is worth three times as much for each stone in it. If a line loses, a move
    /// that completes one loses at once, and the appeal is 1 minus the same sum.
    ///
    /// After van Opheusden and others 2023 ("Expertise increases planning depth in human
    /// gameplay"), whose players look at own and opposing lines and at the centre; the weights are
    /// ours.
    fn looks_into(&self, state: &State<W>, looks: &mut Vec<Look>) {
        looks.clear();
        let mut moves = Vec::new();
        self.moves_into(state, &mut moves);
        let player = self.turn(state);
        let misere = self.setup().misere;
        let [own, theirs] = [player, player.other()].map(|player| self.open_lines(state, player));
        let greatest = |open: &Open| {
            let worths = moves.iter().map(|&m| open.worth[usize::from(m)]);
            // Without an open line all moves are worth nothing.
            worths.fold(f64::MIN_POSITIVE, f64::max)
        };
        let [own_greatest, their_greatest] = [greatest(&own), greatest(&theirs)];
        looks.extend(moves.iter().map(|&m| {
            let cell = usize::from(m);
            let urgency = match (own.completes[cell], theirs.completes[cell]) {
                (true, _) if misere => Urgency::Loses,
                (true, _) => Urgency::Wins,
                (false, true) if !misere => Urgency::Blocks,
                _ => Urgency::Quiet,
            };
            let [lines, others, centre] = PARTS;
            let appeal = lines * own.worth[cell] / own_greatest
                + others * theirs.worth[cell] / their_greatest
                + centre * self.nearness(u32::from(m));
            Look { urgency, appeal: if misere { 1.0 - appeal } else { appeal } }
        }));
    }
}
