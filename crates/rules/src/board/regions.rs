//! Named parts of boards, and families of small sets such as lines.

use std::collections::BTreeSet;

use super::{Board, Shape, Site};

/// Part of a board that is the same in every position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Region {
    /// All sites but the stores.
    Everywhere,
    /// Sites listed by name.
    Sites(Vec<String>),
    /// Rows from the first to the last, both included, counted from 1 in the south.
    Rows(i32, i32),
    /// Columns from the first to the last, both included, counted from 1 in the west.
    Columns(i32, i32),
    /// This many rows from the player's own edge.
    Home(i32),
    /// This many rows from the opponent's edge.
    Far(i32),
    Side(String),
    Edges,
    Corners,
    Center,
    Dark,
    Light,
}

impl Region {
    /// Region of a word with its numbers or site names; `None` if the word does not name a region.
    pub(crate) fn of_word(word: &str, numbers: &[i32], mut names: Vec<String>) -> Option<Region> {
        Some(match (word, numbers) {
            ("everywhere", _) => Region::Everywhere,
            ("sites", _) => Region::Sites(names),
            ("row", &[n]) => Region::Rows(n, n),
            ("rows", &[low, high]) => Region::Rows(low, high),
            ("column", &[n]) => Region::Columns(n, n),
            ("columns", &[low, high]) => Region::Columns(low, high),
            ("home", &[n]) => Region::Home(n),
            ("far", &[n]) => Region::Far(n),
            ("side", _) => Region::Side(names.pop()?),
            ("edges", _) => Region::Edges,
            ("corners", _) => Region::Corners,
            ("center", _) => Region::Center,
            ("dark", _) => Region::Dark,
            ("light", _) => Region::Light,
            _ => return None,
        })
    }
}

impl Board {
    /// Numbers of columns and rows; `None` if the board has no columns and rows.
    pub(crate) fn extent(&self) -> Option<(i32, i32)> {
        Some(match self.shape {
            Shape::Grid { cols, rows, .. } | Shape::Rhombus { cols, rows } => (cols, rows),
            Shape::Hexagon { side } => (2 * side - 1, 2 * side - 1),
            Shape::Rings { rings } => (2 * rings + 1, 2 * rings + 1),
            Shape::Lattice { .. } | Shape::Pits { .. } | Shape::Graph => return None,
        })
    }

    /// Names of the sides that the board has, as pictures show them.
    pub(crate) fn sides(&self) -> &'static [&'static str] {
        match self.shape {
            Shape::Grid { .. } | Shape::Rhombus { .. } | Shape::Rings { .. } => {
                &["n", "e", "s", "w"]
            }
            Shape::Hexagon { .. } => &["n", "ne", "se", "s", "sw", "nw"],
            _ => &[],
        }
    }

    /// Sites of a region for each player; `None` if the board has no such region.
    pub(crate) fn region(&self, region: &Region) -> Option<[Vec<Site>; 2]> {
        let both = |sites: Vec<Site>| [sites.clone(), sites];
        let (count, is_home) = match region {
            Region::Home(n) => (*n, true),
            Region::Far(n) => (*n, false),
            Region::Everywhere => return Some(both(self.playing())),
            Region::Sites(names) => {
                let sites: Option<BTreeSet<Site>> =
                    names.iter().map(|name| self.site(name)).collect();
                return sites.map(|sites| both(sites.into_iter().collect()));
            }
            region => return self.cells(region).map(both),
        };
        let [low, high] = if self.is_pits() {
            let pits = self.pits() as Site;
            [(0..pits).collect(), (pits..2 * pits).collect()]
        } else {
            let (_, rows) = self.extent()?;
            [
                self.cells(&Region::Rows(1, count))?,
                self.cells(&Region::Rows(rows - count + 1, rows))?,
            ]
        };
        Some(if is_home { [low, high] } else { [high, low] })
    }

    /// Sites that are played on: all but the stores.
    pub(crate) fn playing(&self) -> Vec<Site> {
        let mut sites: Vec<Site> = self.sites().collect();
        if self.is_pits() {
            sites.truncate(2 * self.pits());
        }
        sites
    }

    /// Sites of a region that is the same for both players.
    fn cells(&self, region: &Region) -> Option<Vec<Site>> {
        let (cols, rows) = self.extent()?;
        let choose = |wanted: &dyn Fn([i32; 3]) -> bool| -> Vec<Site> {
            self.sites().filter(|&site| wanted(self.at[site as usize])).collect()
        };
        let middle = |x: i32, n: i32| x == (n - 1) / 2 || x == n / 2;
        let levels = match self.shape {
            Shape::Grid { levels, .. } => levels,
            _ => 1,
        };
        Some(match region {
            Region::Rows(low, high) => choose(&|[_, y, _]| (low..=high).contains(&&(y + 1))),
            Region::Columns(low, high) => choose(&|[x, _, _]| (low..=high).contains(&&(x + 1))),
            Region::Side(side) => {
                let side = side.as_str();
                if !self.sides().contains(&side) {
                    return None;
                }
                if let Shape::Hexagon { side: n } = self.shape {
                    let m = n - 1;
                    return Some(choose(&|[x, y, _]| match side {
                        "n" => y == 2 * m,
                        "s" => y == 0,
                        "se" => x == 2 * m,
                        "nw" => x == 0,
                        "ne" => x + y == 3 * m,
                        _ => x + y == m,
                    }));
                }
                choose(&|[x, y, _]| match side {
                    "n" => y == rows - 1,
                    "s" => y == 0,
                    "e" => x == cols - 1,
                    _ => x == 0,
                })
            }
            Region::Edges | Region::Corners => {
                let least = if *region == Region::Edges { 1 } else { 2 };
                if let Shape::Hexagon { .. } = self.shape {
                    let side = |side: &&str| self.cells(&Region::Side((*side).to_owned()));
                    let sides: Vec<Vec<Site>> = self.sides().iter().filter_map(side).collect();
                    let of = |site: &Site| sides.iter().filter(|s| s.contains(site)).count();
                    return Some(self.sites().filter(|site| of(site) >= least).collect());
                }
                let axes = usize::from(levels > 1) + 2;
                let least = if *region == Region::Edges { 1 } else { axes };
                choose(&|[x, y, z]| {
                    let ends = [(x, cols), (y, rows), (z, levels)];
                    let at_end = ends[..axes].iter().filter(|(x, n)| *x == 0 || *x == n - 1);
                    at_end.count() >= least
                })
            }
            Region::Center if matches!(self.shape, Shape::Rings { .. }) => return None,
            Region::Center => {
                choose(&|[x, y, z]| middle(x, cols) && middle(y, rows) && middle(z, levels))
            }
            Region::Dark | Region::Light if self.shape.is_hex() => return None,
            Region::Dark => choose(&|[x, y, z]| (x + y + z) % 2 == 0),
            Region::Light => choose(&|[x, y, z]| (x + y + z) % 2 == 1),
            _ => return None,
        })
    }

    /// Number of sites of the longest straight line in the given directions.
    pub(crate) fn longest_line(&self, directions: &[u8]) -> usize {
        let mut longest = 1;
        for &d in directions {
            for site in self.sites() {
                let mut line = vec![site];
                let mut last = site;
                while let Some(next) = self.directions[d as usize].line[last as usize] {
                    if line.contains(&next) {
                        break;
                    }
                    line.push(next);
                    last = next;
                }
                longest = longest.max(line.len());
            }
        }
        longest
    }

    /// Straight runs of `length` sites, each once. Each comes with the sites directly before and
    /// after it.
    pub(crate) fn lines(&self, length: usize, directions: &[u8]) -> Vec<(Vec<Site>, Vec<Site>)> {
        let mut found: Vec<(Vec<Site>, Vec<Site>)> = Vec::new();
        let mut known = std::collections::HashSet::new();
        for (number, direction) in self.directions.iter().enumerate() {
            let wanted = |d: usize| directions.contains(&(d as u8));
            // Visit each axis once, not once per direction.
            let first_of_axis = number < direction.back || !wanted(direction.back);
            if !wanted(number) || !first_of_axis {
                continue;
            }
            for site in self.sites() {
                let mut run = vec![site];
                while run.len() < length {
                    let last = run[run.len() - 1];
                    match direction.line[last as usize] {
                        Some(next) if !run.contains(&next) => run.push(next),
                        _ => break,
                    }
                }
                if run.len() < length {
                    continue;
                }
                let before = self.directions[direction.back].line[site as usize];
                let behind = direction.line[run[run.len() - 1] as usize];
                let ends: Vec<Site> = [before, behind].into_iter().flatten().collect();
                let ends: Vec<Site> = ends.into_iter().filter(|s| !run.contains(s)).collect();
                let mut sorted = run.clone();
                sorted.sort_unstable();
                if known.insert(sorted.clone()) {
                    found.push((sorted, ends));
                }
            }
        }
        found
    }

    /// All placements of a pattern of cells on the board, in every translation, rotation and
    /// reflection.
    pub(crate) fn shapes(&self, cells: &[(i32, i32)]) -> Vec<Vec<Site>> {
        let mut known = std::collections::BTreeSet::new();
        let Some((cols, rows)) = self.extent() else { return Vec::new() };
        for turned in turned(cells) {
            for origin in self.sites() {
                let [x, y, z] = self.at[origin as usize];
                let place = |&(dx, dy): &(i32, i32)| {
                    let fold = |x: i32, n: i32, on: bool| if on { x.rem_euclid(n) } else { x };
                    let x = fold(x + dx, cols, self.wrap.columns);
                    let y = fold(y + dy, rows, self.wrap.rows);
                    self.site_at([x, y, z])
                };
                let Some(mut sites) = turned.iter().map(place).collect::<Option<Vec<_>>>() else {
                    continue;
                };
                sites.sort_unstable();
                let before = sites.len();
                sites.dedup();
                if sites.len() == before {
                    known.insert(sites);
                }
            }
        }
        known.into_iter().collect()
    }

    /// Sites of the four sides of each box of a lattice.
    pub(crate) fn boxes(&self) -> Vec<Vec<Site>> {
        let Shape::Lattice { cols, rows } = self.shape else { return Vec::new() };
        let mut boxes = Vec::new();
        for y in 0..rows {
            for x in 0..cols {
                let (x, y) = (2 * x + 1, 2 * y + 1);
                let sides = [[x, y - 1, 0], [x - 1, y, 0], [x + 1, y, 0], [x, y + 1, 0]];
                let sides = sides.map(|at| self.site_at(at).expect("a box has four sides"));
                boxes.push(sides.to_vec());
            }
        }
        boxes
    }

    /// Targets of leaps by some offsets, for each site. Every rotation and reflection of an offset
    /// counts, each target once.
    pub(crate) fn leaps(&self, offsets: &[(i32, i32)]) -> Vec<Vec<Site>> {
        let mut steps: Vec<(i32, i32)> =
            offsets.iter().flat_map(|&offset| turned(&[offset])).map(|v| v[0]).collect();
        steps.sort_unstable_by_key(|&(x, y)| (y, x));
        steps.dedup();
        let Some((cols, rows)) = self.extent() else { return vec![Vec::new(); self.len()] };
        (0..self.len() as Site)
            .map(|site| {
                let mut to = Vec::new();
                if !self.on[site as usize] {
                    return to;
                }
                let [x, y, z] = self.at[site as usize];
                for &(dx, dy) in &steps {
                    let fold = |x: i32, n: i32, on: bool| if on { x.rem_euclid(n) } else { x };
                    let x = fold(x + dx, cols, self.wrap.columns);
                    let y = fold(y + dy, rows, self.wrap.rows);
                    let found = self.site_at([x, y, z]);
                    to.extend(found.filter(|&t| t != site && !to.contains(&t)));
                }
                to
            })
            .collect()
    }
}

/// Pattern in all eight rotations and reflections.
fn turned(cells: &[(i32, i32)]) -> Vec<Vec<(i32, i32)>> {
    (0..8)
        .map(|form| {
            let turn = |&(x, y): &(i32, i32)| {
                let (x, y) = if form & 4 == 0 { (x, y) } else { (y, x) };
                (if form & 1 == 0 { x } else { -x }, if form & 2 == 0 { y } else { -y })
            };
            cells.iter().map(turn).collect()
        })
        .collect()
}
