//! Places of the sites of a drawn board in pictures. Rules do not depend on them.

use super::Site;

/// Place in units of the least distance of two sites, x to the right and y up.
pub(crate) type Spot = [f64; 2];

/// Coordinates that a text gives to a site; `None` if it gives none.
pub(crate) type Given = Option<[i32; 2]>;

/// Places of a drawn board in pictures.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Drawing {
    /// Place of each site; of a site that is a line between dots, the point at which it is touched.
    pub(crate) spots: Vec<Spot>,
    /// Place of each dot.
    pub(crate) dots: Vec<Spot>,
}

/// Places the sites of a drawn board.
///
/// Sites with coordinates of the text stand there, and the sites between two of them on a line
/// divide it evenly. The others stand where drawn distances agree best with the numbers of links
/// between sites: the stress of the picture, the sum of `(drawn - links)^2 / links^2` over all
/// pairs, is reduced by moving one site after the other to its best place (Gansner, Koren and North
/// 2004, "Graph Drawing by Stress Majorization"). Sites of one line count as far apart along it as
/// it is long, so lines become straight. Only basic arithmetic and square roots are used, so all
/// machines draw the same picture.
pub(crate) fn spots(lines: &[Vec<Site>], given: &[Given]) -> Vec<Spot> {
    let mut fixed: Vec<Option<Spot>> =
        given.iter().map(|at| at.map(|at| at.map(f64::from))).collect();
    divide_lines(lines, &mut fixed);
    let mut spots: Vec<Spot>;
    if let Some(known) = fixed.iter().copied().collect::<Option<Vec<Spot>>>() {
        spots = known;
    } else {
        let far = distances(lines, given.len());
        let unit = unit(lines, &fixed);
        spots = first_guess(&far, &fixed, unit);
        reduce_stress(&far, &fixed, unit, &mut spots);
        if fixed.iter().all(Option::is_none) {
            turn(lines, &mut spots);
        }
    }
    scale(&mut spots);
    spots
}

/// Places sites between two placed sites of a line evenly, as long as there are such sites.
fn divide_lines(lines: &[Vec<Site>], fixed: &mut [Option<Spot>]) {
    loop {
        let before = fixed.iter().flatten().count();
        for line in lines {
            let placed: Vec<usize> =
                (0..line.len()).filter(|&n| fixed[usize::from(line[n])].is_some()).collect();
            for pair in placed.windows(2) {
                let ends = [pair[0], pair[1]].map(|n| fixed[usize::from(line[n])]);
                let [Some(from), Some(to)] = ends else { continue };
                let steps = (pair[1] - pair[0]) as f64;
                for n in pair[0] + 1..pair[1] {
                    let part = (n - pair[0]) as f64 / steps;
                    let between = [0, 1].map(|axis| from[axis] + part * (to[axis] - from[axis]));
                    fixed[usize::from(line[n])] = Some(between);
                }
            }
        }
        if fixed.iter().flatten().count() == before {
            return;
        }
    }
}

/// Distance of every pair of sites in links. Between sites of one line it is that along the line,
/// and between sites that no line joins twice the greatest of the others.
fn distances(lines: &[Vec<Site>], count: usize) -> Vec<Vec<f64>> {
    let mut far = vec![vec![f64::INFINITY; count]; count];
    let mut next = vec![Vec::new(); count];
    for pair in lines.iter().flat_map(|line| line.windows(2)) {
        next[usize::from(pair[0])].push(usize::from(pair[1]));
        next[usize::from(pair[1])].push(usize::from(pair[0]));
    }
    let mut most: f64 = 1.0;
    for (from, row) in far.iter_mut().enumerate() {
        row[from] = 0.0;
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(site) = queue.pop_front() {
            for &to in &next[site] {
                if row[to].is_infinite() {
                    row[to] = row[site] + 1.0;
                    most = most.max(row[to]);
                    queue.push_back(to);
                }
            }
        }
    }
    for line in lines {
        for (n, &from) in line.iter().enumerate() {
            for (m, &to) in line.iter().enumerate().skip(n + 1) {
                let (from, to, along) = (usize::from(from), usize::from(to), (m - n) as f64);
                if far[from][to] < along {
                    (far[from][to], far[to][from]) = (along, along);
                }
            }
        }
    }
    far.iter_mut().flatten().filter(|far| far.is_infinite()).for_each(|far| *far = 2.0 * most);
    far
}

/// Mean length of the links between placed sites; 1 if there are none.
fn unit(lines: &[Vec<Site>], fixed: &[Option<Spot>]) -> f64 {
    let pairs = lines.iter().flat_map(|line| line.windows(2));
    let lengths: Vec<f64> = pairs
        .filter_map(|pair| {
            Some(distance(fixed[usize::from(pair[0])]?, fixed[usize::from(pair[1])]?))
        })
        .collect();
    if lengths.is_empty() { 1.0 } else { lengths.iter().sum::<f64>() / lengths.len() as f64 }
}

/// Places from which the stress is reduced: for free boards, the two main axes of classical scaling
/// (Torgerson 1952); else free sites begin at the mean of the placed ones. Small distinct offsets
/// separate sites that have equal neighbours.
fn first_guess(far: &[Vec<f64>], fixed: &[Option<Spot>], unit: f64) -> Vec<Spot> {
    let count = far.len();
    let placed: Vec<Spot> = fixed.iter().flatten().copied().collect();
    // Fractions of multiples of the golden ratio are spread evenly.
    let spread = |n: usize, axis: usize| {
        let x = (n as f64 + 1.0) * [0.618_033_988_75, 0.414_213_562_37][axis];
        0.01 * (x - x.floor() - 0.5)
    };
    if !placed.is_empty() {
        let mean = [0, 1]
            .map(|axis| placed.iter().map(|spot| spot[axis]).sum::<f64>() / placed.len() as f64);
        let guess = |n: usize| [0, 1].map(|axis| mean[axis] + unit * 100.0 * spread(n, axis));
        return (0..count).map(|n| fixed[n].unwrap_or_else(|| guess(n))).collect();
    }
    let mean_of = |row: &[f64]| row.iter().map(|far| far * far).sum::<f64>() / count as f64;
    let means: Vec<f64> = far.iter().map(|row| mean_of(row)).collect();
    let mean = means.iter().sum::<f64>() / count as f64;
    let product = |a: usize, b: usize| -0.5 * (far[a][b] * far[a][b] - means[a] - means[b] + mean);
    let mut axes: Vec<Vec<f64>> = Vec::new();
    for axis in 0..2 {
        let mut vector: Vec<f64> = (0..count).map(|n| spread(n, axis)).collect();
        let mut length = 0.0;
        for _ in 0..60 {
            for other in &axes {
                let along: f64 = vector.iter().zip(other).map(|(a, b)| a * b).sum();
                let square: f64 = other.iter().map(|b| b * b).sum();
                if square > 0.0 {
                    vector.iter_mut().zip(other).for_each(|(a, b)| *a -= along / square * b);
                }
            }
            let image: Vec<f64> = (0..count)
                .map(|a| (0..count).map(|b| product(a, b) * vector[b]).sum::<f64>())
                .collect();
            length = image.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length < 1e-9 {
                break;
            }
            vector = image.into_iter().map(|x| x / length).collect();
        }
        // The eigenvalue is the square of the spread along the axis.
        vector.iter_mut().for_each(|x| *x *= length.sqrt());
        axes.push(vector);
    }
    (0..count).map(|n| [axes[0][n] + spread(n, 0), axes[1][n] + spread(n, 1)]).collect()
}

/// Greatest number of pairs of sites that one drawing compares.
const PAIRS: usize = 4_000_000;

/// Moves free sites, one after the other, to the places that reduce the stress most.
fn reduce_stress(far: &[Vec<f64>], fixed: &[Option<Spot>], unit: f64, spots: &mut [Spot]) {
    let count = spots.len();
    let rounds = (PAIRS / (count * count)).clamp(10, 2_000);
    for _ in 0..rounds {
        let mut most: f64 = 0.0;
        for n in (0..count).filter(|&n| fixed[n].is_none()) {
            let mut sum = [0.0; 2];
            let mut weights = 0.0;
            for m in (0..count).filter(|&m| m != n) {
                let wanted = far[n][m] * unit;
                let weight = 1.0 / (wanted * wanted);
                let drawn = distance(spots[n], spots[m]).max(1e-9);
                for axis in 0..2 {
                    let towards = spots[n][axis] - spots[m][axis];
                    sum[axis] += weight * (spots[m][axis] + wanted * towards / drawn);
                }
                weights += weight;
            }
            if weights > 0.0 {
                let to = sum.map(|sum| sum / weights);
                most = most.max(distance(spots[n], to));
                spots[n] = to;
            }
        }
        if most < 1e-6 * unit {
            break;
        }
    }
}

/// Turns the picture so that the first of the longest lines is horizontal, its first site on the
/// left, and most other sites below it.
fn turn(lines: &[Vec<Site>], spots: &mut [Spot]) {
    let mut longest = &lines[0];
    for line in lines {
        if line.len() > longest.len() {
            longest = line;
        }
    }
    let [first, last] =
        [longest[0], longest[longest.len() - 1]].map(|site| spots[usize::from(site)]);
    let length = distance(first, last);
    if length < 1e-9 {
        return;
    }
    let [x, y] = [0, 1].map(|axis| (last[axis] - first[axis]) / length);
    for spot in spots.iter_mut() {
        let [a, b] = [spot[0] - first[0], spot[1] - first[1]];
        *spot = [a * x + b * y, b * x - a * y];
    }
    if spots.iter().map(|spot| spot[1]).sum::<f64>() > 0.0 {
        spots.iter_mut().for_each(|spot| spot[1] = -spot[1]);
    }
}

/// Enlarges the picture until the two nearest sites are 1 apart. Sites in nearly one place do not
/// count.
fn scale(spots: &mut [Spot]) {
    let mut least = f64::INFINITY;
    for (n, &spot) in spots.iter().enumerate() {
        let others = spots[..n].iter().map(|&other| distance(spot, other));
        least = others.filter(|&far| far > 0.2).fold(least, f64::min);
    }
    if least.is_finite() {
        // Rounded, so that pictures do not show the last digits of the arithmetic.
        let rounded = |x: f64| (x / least * 1000.0).round() / 1000.0;
        spots.iter_mut().for_each(|spot| *spot = spot.map(rounded));
    }
}

/// Parts of a line between dots at which it may be touched, the middle first.
const PARTS: [f64; 15] =
    [0.5, 0.45, 0.55, 0.4, 0.6, 0.37, 0.63, 0.33, 0.67, 0.29, 0.71, 0.25, 0.75, 0.2, 0.8];

/// Least distances in cells, where the size of the board allows them: from the point at which a line
/// is touched to other lines, between two such points, and between two dots.
const CLEAR: f64 = 0.34;
const APART: f64 = 0.75;
const DOTS_APART: f64 = 2.0;

/// Greatest width and height of a board of dots in cells.
const DOTS_EXTENT: f64 = 9.0;

/// Places lines between dots, each given by the numbers of its dots. A line is touched at the point
/// that is farthest from other lines and from the points of the lines before it, since lines cross.
pub(crate) fn between_dots(mut dots: Vec<Spot>, ends: &[[usize; 2]]) -> Drawing {
    let line = |n: usize| ends[n].map(|dot| dots[dot]);
    let mut spots: Vec<Spot> = Vec::new();
    let (mut clear, mut apart) = (f64::INFINITY, f64::INFINITY);
    for n in 0..ends.len() {
        let [from, to] = line(n);
        let mut best: Option<(f64, Spot, f64, f64)> = None;
        for part in PARTS {
            let spot = [0, 1].map(|axis| from[axis] + part * (to[axis] - from[axis]));
            let others = (0..ends.len()).filter(|&other| other != n);
            let off = others.map(|other| distance_to_line(spot, line(other)));
            let off = off.fold(f64::INFINITY, f64::min);
            let near = spots.iter().map(|&other| distance(spot, other));
            let near = near.fold(f64::INFINITY, f64::min);
            let room = (off / CLEAR).min(near / APART);
            // A point nearer to the middle wins over one with hardly more room.
            if best.is_none_or(|(most, ..)| room > 1.01 * most) {
                best = Some((room, spot, off, near));
            }
        }
        let (_, spot, off, near) = best.expect("there are parts");
        (clear, apart) = (clear.min(off), apart.min(near));
        spots.push(spot);
    }
    let pairs = (0..dots.len()).flat_map(|n| (0..n).map(move |m| (n, m)));
    let dots_apart = pairs.map(|(n, m)| distance(dots[n], dots[m])).fold(f64::INFINITY, f64::min);
    let wanted = [(CLEAR, clear), (APART, apart), (DOTS_APART, dots_apart)];
    let wanted = wanted.into_iter().filter(|(_, far)| far.is_finite() && *far > 0.0);
    let factor = wanted.map(|(least, far)| least / far).fold(0.0, f64::max);
    let extent = [0, 1].map(|axis| {
        let along = dots.iter().map(|dot| dot[axis]);
        along.clone().fold(f64::NEG_INFINITY, f64::max) - along.fold(f64::INFINITY, f64::min)
    });
    let factor = factor.min(DOTS_EXTENT / extent[0].max(extent[1]));
    // Rounded, so that pictures do not show the last digits of the arithmetic.
    let rounded = |x: f64| (x * factor * 1000.0).round() / 1000.0;
    for spot in dots.iter_mut().chain(&mut spots) {
        *spot = spot.map(rounded);
    }
    Drawing { spots, dots }
}

/// Distance of a point from a line between two points.
fn distance_to_line(at: Spot, [from, to]: [Spot; 2]) -> f64 {
    let [x, y] = [to[0] - from[0], to[1] - from[1]];
    let along = ((at[0] - from[0]) * x + (at[1] - from[1]) * y) / (x * x + y * y);
    let along = along.clamp(0.0, 1.0);
    distance(at, [from[0] + along * x, from[1] + along * y])
}

fn distance(a: Spot, b: Spot) -> f64 {
    let [x, y] = [a[0] - b[0], a[1] - b[1]];
    (x * x + y * y).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn free(lines: &[Vec<Site>]) -> Vec<Spot> {
        let count = lines.iter().flatten().max().map_or(0, |&most| usize::from(most) + 1);
        spots(lines, &vec![None; count])
    }

    #[test]
    fn rows_and_columns_make_a_grid() {
        let row = |n: Site| (0..4).map(|m| 4 * n + m).collect::<Vec<_>>();
        let column = |n: Site| (0..4).map(|m| 4 * m + n).collect::<Vec<_>>();
        let lines: Vec<_> = (0..4).map(row).chain((0..4).map(column)).collect();
        for (n, [x, y]) in free(&lines).into_iter().enumerate() {
            let wanted = [(n % 4) as f64, -((n / 4) as f64)];
            assert!(distance([x, y], wanted) < 0.25, "site {n} is at {x}, {y}");
        }
    }

    #[test]
    fn a_ring_is_round() {
        let lines: Vec<Vec<Site>> = (0..8).map(|n| vec![n, (n + 1) % 8]).collect();
        let spots = free(&lines);
        let centre = [0, 1].map(|axis| spots.iter().map(|spot| spot[axis]).sum::<f64>() / 8.0);
        let radii: Vec<f64> = spots.iter().map(|&spot| distance(spot, centre)).collect();
        assert!(radii.iter().all(|radius| (radius - radii[0]).abs() < 0.02), "{radii:?}");
    }

    #[test]
    fn given_coordinates_are_kept_and_divide_lines() {
        let lines = [vec![0, 1, 2], vec![1, 3]];
        let given = [Some([0, 0]), None, Some([4, 0]), None];
        let [a, b, c, d] = spots(&lines, &given)[..] else { panic!("there are four sites") };
        let [ab, bc] = [distance(a, b), distance(b, c)];
        assert!((ab - bc).abs() < 0.01 && a[1] == c[1] && b[1] == a[1], "{a:?} {b:?} {c:?}");
        assert!(distance(b, d) > 0.5, "{b:?} {d:?}");
    }

    #[test]
    fn lines_between_dots_are_touched_where_no_other_line_is() {
        // All lines between the corners of a hexagon; three of them cross in its middle.
        let dots = [
            [-50.0, 87.0],
            [50.0, 87.0],
            [100.0, 0.0],
            [50.0, -87.0],
            [-50.0, -87.0],
            [-100.0, 0.0],
        ];
        let ends: Vec<[usize; 2]> = (0..6).flat_map(|n| (n + 1..6).map(move |m| [n, m])).collect();
        let Drawing { spots, dots } = between_dots(dots.to_vec(), &ends);
        assert_eq!(spots.len(), 15);
        for (n, &spot) in spots.iter().enumerate() {
            for (m, &other) in spots.iter().enumerate().filter(|&(m, _)| m != n) {
                assert!(distance(spot, other) > 0.7, "{n} and {m}: {spot:?} {other:?}");
                let off = distance_to_line(spot, ends[m].map(|dot| dots[dot]));
                assert!(off > 0.3, "{n} is {off} from {m}");
            }
            let own = distance_to_line(spot, ends[n].map(|dot| dots[dot]));
            assert!(own < 0.01, "{n} is on its line");
        }
        // The sides of the hexagon are touched in the middle.
        let middle = [0, 1].map(|axis| f64::midpoint(dots[0][axis], dots[1][axis]));
        assert!(distance(spots[0], middle) < 0.01);
    }

    #[test]
    fn no_two_sites_are_nearer_than_one_cell() {
        // Two sites with equal neighbours, and a part that no line joins to the rest.
        let lines = [vec![0, 1, 2], vec![0, 3, 2], vec![4, 5]];
        let spots = free(&lines);
        for (n, &a) in spots.iter().enumerate() {
            assert!(spots[..n].iter().all(|&b| distance(a, b) > 0.9), "{spots:?}");
        }
    }
}
