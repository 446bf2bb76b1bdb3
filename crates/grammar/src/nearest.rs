//! What was probably meant.

/// The most similar of some names, by edits that include exchanged neighbours; letter case is
/// ignored. The first of equals; `None` without names.
pub fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let name = name.to_lowercase();
    names
        .into_iter()
        .map(|known| {
            let known_low = known.to_lowercase();
            (strsim::normalized_damerau_levenshtein(&name, &known_low), known)
        })
        // The first of equals: `max_by` takes the last, so later ones must be strictly better.
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, known)| known)
}
