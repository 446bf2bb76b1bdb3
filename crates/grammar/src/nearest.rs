//! What was probably meant.

/// The most similar of some names, by edits that include exchanged neighbours; letter case is
/// ignored. The first of equals; `None` without names.
pub fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    most_similar(name, names).map(|(_, known)| known)
}

/// The same, but `None` where even the most similar name has little in common with this one: then
/// nobody meant it.
pub fn meant<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    const SIMILARITY_MIN: f64 = 0.4;
    let (similarity, known) = most_similar(name, names)?;
    (similarity >= SIMILARITY_MIN).then_some(known)
}

/// The most similar name and its similarity, from 0 to 1.
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
        // The first of equals: `max_by` takes the last, so later ones must be strictly better.
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
}
