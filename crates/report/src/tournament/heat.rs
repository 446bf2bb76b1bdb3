//! The colours of a cross table.

/// The colours of a cell of a heat map, as a style: from red at a share of 0 by white at 1/2 to
/// blue at 1.
pub(super) fn heat(share: f64) -> String {
    // Light enough for dark ink at both ends.
    let end: [f64; 3] = if share < 0.5 { [232.0, 138.0, 122.0] } else { [122.0, 168.0, 226.0] };
    let depth = (2.0 * (share - 0.5)).abs().min(1.0);
    let [red, green, blue] = end.map(|end| (250.0 + depth * (end - 250.0)).round());
    let ink = "#1d2430";
    format!("background: rgb({red},{green},{blue}); color: {ink}")
}
