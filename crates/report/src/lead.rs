//! Beginning of a report: the verdict, and the fold with the reasons.

use treegauge_doc::{Block, Paragraph, Role, Tone, Words};

/// The verdict: lines of text on a terminal, a card on a page. `name` begins the text; a page has
/// it in its title.
pub(crate) fn verdict(tone: Tone, headline: &str, name: &str, lead: &str) -> [Block; 2] {
    let card =
        Block::Verdict { tone, headline: headline.into(), lead: lead.into(), points: Vec::new() };
    [Block::Terminal(vec![Block::text(format!("{name}: {lead}"))]), card]
}

/// Same as [`verdict`] for a title of several words, which has a line of its own on a terminal.
pub(crate) fn titled_verdict(tone: Tone, headline: &str, title: &str, lead: &str) -> [Block; 2] {
    let lines = [title, lead].map(|line| Paragraph::new(Role::Plain, line));
    let [_, card] = verdict(tone, headline, title, lead);
    [Block::Terminal(vec![Block::Lines(lines.into())]), card]
}

/// Same as [`verdict`] for a report whose text has no title: the sentence alone.
pub(crate) fn untitled_verdict(lead: &str) -> [Block; 2] {
    let headline = Words::default();
    let card = Block::Verdict { tone: Tone::Open, headline, lead: lead.into(), points: Vec::new() };
    [card, Block::Terminal(vec![Block::text(lead)])]
}

/// Fold of sentences and tables that are not needed to believe the verdict; `None` without any.
pub(crate) fn reasons(sentences: Vec<String>, more: Vec<Block>) -> Option<Block> {
    let list = sentences.into_iter().map(Words::from).collect::<Vec<_>>();
    let list = (!list.is_empty()).then_some(Block::List(Role::Plain, list));
    let blocks: Vec<Block> = list.into_iter().chain(more).collect();
    (!blocks.is_empty()).then(|| Block::fold("Reasons and method", blocks))
}

/// Notes below each other; `None` without any.
pub(crate) fn notes(notes: Vec<String>) -> Option<Block> {
    (!notes.is_empty()).then(|| Block::notes(notes))
}
