//! Small matrices, stored by rows.

pub(super) fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

pub(super) fn apply(matrix: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| dot(row, x)).collect()
}

/// Inverts a symmetric positive definite matrix by Gauss-Jordan elimination, for which the diagonal
/// elements suffice as pivots.
pub(super) fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = matrix.len();
    for k in 0..n {
        let pivot = matrix[k][k];
        let mut row = std::mem::take(&mut matrix[k]);
        row[k] = 1.0;
        row.iter_mut().for_each(|cell| *cell /= pivot);
        for other in matrix.iter_mut().filter(|other| !other.is_empty()) {
            let factor = std::mem::replace(&mut other[k], 0.0);
            other.iter_mut().zip(&row).for_each(|(cell, x)| *cell -= factor * x);
        }
        matrix[k] = row;
    }
    matrix
}

pub(super) fn product(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let columns = transposed(b);
    a.iter().map(|row| apply(&columns, row)).collect()
}

pub(super) fn transposed(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    (0..matrix.len()).map(|column| matrix.iter().map(|row| row[column]).collect()).collect()
}
