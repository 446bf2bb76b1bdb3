//! Positions as tensors of numbers.

use crate::{Game, Keyed, Player};

/// Game whose positions can be written as tensors, as programs that learn need them.
///
/// A tensor is a number of planes of one shape. First come planes by owner and kind of piece, with
/// 1 for a piece or with a number of pieces. Then come a plane that is 0 if the first player is to
/// move and 1 if the second is, and planes for the further parts of the key. Numbers are not
/// scaled. Row 0 is row 1 of the notation and column 0 is column `a`.
///
/// Two positions of a game have equal tensors exactly if they have equal keys.
///
/// ```
/// use treegauge_core::{PlaneShape, Planes, Tensor};
/// # use treegauge_core::{Game, Keyed, Outcome, Player};
/// # #[derive(Clone)]
/// # struct Heap;
/// # impl Game for Heap {
/// #     type State = (u8, Player);
/// #     type Move = u8;
/// #     fn start(&self) -> Self::State { (5, Player::First) }
/// #     fn turn(&self, state: &Self::State) -> Player { state.1 }
/// #     fn outcome(&self, state: &Self::State) -> Option<Outcome> {
/// #         (state.0 == 0).then(|| Outcome::win_of(state.1.other()))
/// #     }
/// #     fn moves_into(&self, state: &Self::State, moves: &mut Vec<u8>) {
/// #         moves.clear();
/// #         moves.extend(1..=state.0.min(2));
/// #     }
/// #     fn play(&self, state: &mut Self::State, taken: u8) {
/// #         *state = (state.0 - taken, state.1.other());
/// #     }
/// # }
/// # impl Keyed for Heap {
/// #     type Key = (u8, Player);
/// #     fn key(&self, state: &Self::State) -> Self::Key { *state }
/// #     fn unkey(&self, key: Self::Key) -> Self::State { key }
/// #     fn try_unkey(&self, key: Self::Key) -> Option<Self::State> { Some(key) }
/// # }
///
/// impl Tensor for Heap {
///     fn plane_shape(&self) -> PlaneShape {
///         PlaneShape::Cells(1)
///     }
///     fn write_planes(&self, (left, turn): &Self::State, planes: &mut Planes<'_>) {
///         planes.uniform(f32::from(*left));
///         planes.turn(*turn);
///     }
/// }
///
/// assert_eq!(Heap.tensor_shape(), [2, 1]);
/// let mut tensor = [0.0; 2];
/// Heap.write_tensor(&(3, Player::Second), &mut tensor);
/// assert_eq!(tensor, [3.0, 1.0]);
/// ```
pub trait Tensor: Keyed {
    /// Shape of each plane.
    fn plane_shape(&self) -> PlaneShape;

    /// Writes the planes of a state, always as many.
    fn write_planes(&self, state: &Self::State, planes: &mut Planes<'_>);

    /// Shape of the tensor of every state: the number of planes, then [`PlaneShape::sizes`].
    fn tensor_shape(&self) -> Vec<u32> {
        let shape = self.plane_shape();
        let mut planes = Planes { shape, out: &mut [], counted: Some(0), at: 0 };
        self.write_planes(&self.start(), &mut planes);
        let count = planes.counted.expect("it counts");
        std::iter::once(count).chain(shape.sizes()).collect()
    }

    /// Writes the tensor of a state in row-major order.
    ///
    /// # Panics
    ///
    /// When the length of `out` is not the product of [`Tensor::tensor_shape`].
    fn write_tensor(&self, state: &Self::State, out: &mut [f32]) {
        let mut planes = Planes { shape: self.plane_shape(), out, counted: None, at: 0 };
        self.write_planes(state, &mut planes);
        assert_eq!(planes.at, planes.out.len(), "the tensor has the length of its shape");
    }
}

/// Shape of a plane of a tensor: one number for each cell of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlaneShape {
    /// Number of cells of a board that is not a grid.
    Cells(u32),
    /// Rows and columns.
    Grid([u32; 2]),
    /// Levels, rows and columns.
    Levels([u32; 3]),
}

impl PlaneShape {
    /// Sizes of the plane's dimensions, the last one of adjacent numbers.
    #[must_use]
    pub fn sizes(self) -> Vec<u32> {
        match self {
            PlaneShape::Cells(cells) => vec![cells],
            PlaneShape::Grid(sizes) => sizes.to_vec(),
            PlaneShape::Levels(sizes) => sizes.to_vec(),
        }
    }

    /// Rows of all levels together, and columns. Cells without a grid are one row.
    fn rows_and_cols(self) -> [u32; 2] {
        match self {
            PlaneShape::Cells(cells) => [1, cells],
            PlaneShape::Grid(sizes) => sizes,
            PlaneShape::Levels([levels, rows, cols]) => [levels * rows, cols],
        }
    }
}

/// Writer of the planes of one tensor, one after the other.
///
/// Functions of cells take a row and a column, both from 0. The rows of a board of several levels
/// are counted level by level. Cells without a grid are columns of row 0.
#[derive(Debug)]
pub struct Planes<'a> {
    shape: PlaneShape,
    out: &'a mut [f32],
    /// Number of planes so far, if they are only counted.
    counted: Option<u32>,
    /// Place of the next number.
    at: usize,
}

impl Planes<'_> {
    /// The next plane, filled with `value`; `None` if planes are only counted.
    ///
    /// # Panics
    ///
    /// When the tensor has no more planes.
    fn next(&mut self, value: f32) -> Option<&mut [f32]> {
        if let Some(counted) = &mut self.counted {
            *counted += 1;
            return None;
        }
        let [rows, cols] = self.shape.rows_and_cols();
        let from = self.at;
        self.at += (rows * cols) as usize;
        let plane = &mut self.out[from..self.at];
        plane.fill(value);
        Some(plane)
    }

    /// Adds a plane with the same number everywhere.
    pub fn uniform(&mut self, value: f32) {
        let _ = self.next(value);
    }

    /// Adds the plane of the player to move: 0 for the first, 1 for the second.
    pub fn turn(&mut self, turn: Player) {
        self.uniform(turn.index() as f32);
    }

    /// Adds a plane with 1 at some cells, given by their place in the plane, and 0 at all others.
    pub fn marks(&mut self, cells: impl IntoIterator<Item = u32>) {
        if let Some(plane) = self.next(0.0) {
            cells.into_iter().for_each(|cell| plane[cell as usize] = 1.0);
        }
    }

    /// Adds a plane with the number of each cell.
    pub fn numbers(&mut self, number: impl Fn(u32, u32) -> f32) {
        let [_, cols] = self.shape.rows_and_cols();
        if let Some(plane) = self.next(0.0) {
            for (row, numbers) in (0..).zip(plane.chunks_exact_mut(cols as usize)) {
                (0..).zip(numbers).for_each(|(col, place)| *place = number(row, col));
            }
        }
    }

    /// Adds a plane for each player, with 1 at the cells that the player owns.
    pub fn owners(&mut self, owner: impl Fn(u32, u32) -> Option<Player>) {
        for player in Player::BOTH {
            self.numbers(|row, col| f32::from(u8::from(owner(row, col) == Some(player))));
        }
    }
}

/// Functions of [`Tensor`] for one type of game.
pub struct Tensors<G: Game> {
    /// [`Tensor::tensor_shape`].
    pub shape: fn(&G) -> Vec<u32>,
    /// [`Tensor::write_tensor`].
    pub write: fn(&G, &G::State, &mut [f32]),
}

impl<G: Tensor> Tensors<G> {
    /// Functions that the game's type implements.
    #[must_use]
    pub fn of_type() -> Self {
        Tensors { shape: G::tensor_shape, write: G::write_tensor }
    }
}

// A derive would require `G: Clone`.
impl<G: Game> Clone for Tensors<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Tensors<G> {}

impl<G: Game> std::fmt::Debug for Tensors<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tensors")
    }
}
