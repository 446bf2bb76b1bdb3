//! Suggestions for misspelt names.

/// Most similar of `names` by Damerau-Levenshtein distance, letter case ignored; the first of
/// equally similar names. `None` if `names` is empty.
pub fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    most_similar(name, names).map(|(_, known)| known)
}

/// Most similar of `names`, as [`nearest`]; `None` if even that name has a similarity below 0.4, so
/// that it was hardly meant.
pub fn meant<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    const SIMILARITY_MIN: f64 = 0.4;
    let (similarity, known) = most_similar(name, names)?;
    (similarity >= SIMILARITY_MIN).then_some(known)
}

/// Most similar name and its similarity, from 0 (nothing in common) to 1 (equal).
fn most_similar<'n>(
    name: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Option<(f64, &'n str)> {
    let name = name.to_lowercase();
    names
        .into_iter()
        .map(|known| {
            let known_low = known.to_lowercase();
            (strsim::normalized_damerau_levenshtein(&name, &known_low), known)
        })
        // Only a strictly better name replaces an earlier one, which `max_by` would not do.
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
}
