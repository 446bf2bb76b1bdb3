//! Formatter of texts. Arguments of one expression are aligned, and comments are kept.

use crate::error::Mistakes;
use crate::reader::{Comment, Is, Node, read_with};

/// Largest width of a line, in columns.
const WIDTH: usize = 100;

/// Formats a text.
///
/// # Errors
///
/// When its parentheses do not match.
pub fn format(source: &str) -> Result<String, Mistakes> {
    let mut comments = Vec::new();
    let game =
        read_with(source, &mut comments).map_err(|mistake| Mistakes::of(vec![mistake], source))?;
    let mut layout = Layout { text: String::new(), comments: comments.into() };
    layout.comments_before(&game, 0);
    layout.node(&game, 0, true);
    layout.text.push('\n');
    for comment in std::mem::take(&mut layout.comments) {
        layout.text.push_str(&comment.text);
        layout.text.push('\n');
    }
    Ok(layout.text)
}

struct Layout {
    text: String,
    /// Comments that are not yet written.
    comments: std::collections::VecDeque<Comment>,
}

impl Layout {
    /// Writes the comments before a node, one per line, and begins the line of the node.
    fn comments_before(&mut self, node: &Node, indent: usize) {
        while self.comments.front().is_some_and(|comment| comment.place < node.place) {
            let comment = self.comments.pop_front().expect("there is one");
            self.text.push_str(&comment.text);
            self.line(indent);
        }
    }

    fn line(&mut self, indent: usize) {
        self.text.push('\n');
        self.text.push_str(&" ".repeat(indent));
    }

    fn has_comment(&self, node: &Node) -> bool {
        self.comments.front().is_some_and(|comment| comment.place < node.end)
    }

    fn node(&mut self, node: &Node, indent: usize, whole: bool) {
        let line = node.text();
        let Is::List(items) = &node.is else {
            self.text.push_str(&line);
            return;
        };
        if items.is_empty() || !whole && indent + line.len() <= WIDTH && !self.has_comment(node) {
            self.text.push_str(&line);
            return;
        }
        self.text.push('(');
        let head = items[0].text();
        self.node(&items[0], indent + 1, false);
        let mut rest = &items[1..];
        // The name of the game, or the first argument, follows the head on its line.
        let commented = |layout: &Layout, next: &Node| {
            layout.comments.front().is_some_and(|c| c.place < next.place)
        };
        let beside = !matches!(items[0].is, Is::List(_))
            && rest.first().is_some_and(|next| !commented(self, next));
        let inner = if whole || !beside { indent + 2 } else { indent + head.len() + 2 };
        if beside {
            self.text.push(' ');
            self.node(&rest[0], indent + head.len() + 2, false);
            rest = &rest[1..];
        }
        // The kind and the direction of a mover, and other short arguments, stay on the line of the
        // head.
        while let Some(next) = rest.first() {
            let short = !whole && !matches!(next.is, Is::List(_)) && !commented(self, next);
            if !short {
                break;
            }
            self.text.push(' ');
            self.node(next, inner, false);
            rest = &rest[1..];
        }
        for next in rest {
            self.line(inner);
            self.comments_before(next, inner);
            self.node(next, inner, false);
        }
        // Comments after the last item of the list.
        while self.comments.front().is_some_and(|comment| comment.place < node.end) {
            let comment = self.comments.pop_front().expect("there is one");
            self.line(inner);
            self.text.push_str(&comment.text);
            if !self.has_comment(node) {
                self.line(inner.saturating_sub(1));
            }
        }
        self.text.push(')');
    }
}

/// Replaces the defaults of options in a text. Everything else stays as it is, comments included.
/// `None` if the text lacks one of the options, or a value is out of range.
///
/// ```
/// let text = "(game \"X\" (options (k 3 1 9)) ; lines\n (board (grid 3 3)) (play (place)) (end draw))";
/// let changed = treegauge_rules::with_defaults(text, &[("k".to_owned(), 4)]).unwrap();
/// assert!(changed.contains("(k 4 1 9)) ; lines"));
/// ```
#[must_use]
pub fn with_defaults(source: &str, values: &[(String, i32)]) -> Option<String> {
    let game = read_with(source, &mut Vec::new()).ok()?;
    let options = game.rest().iter().find(|node| node.head() == Some("options"));
    let mut lines: Vec<String> = source.split('\n').map(str::to_owned).collect();
    // Replaced from the end, so that earlier places stay valid.
    let options = options.map_or(&[][..], |options| options.rest());
    for option in options.iter().rev() {
        let Some((_, value)) = values.iter().find(|(name, _)| option.head() == Some(name)) else {
            continue;
        };
        let numbers: Vec<i64> = option
            .rest()
            .iter()
            .filter_map(|node| if let Is::Number(n) = node.is { Some(n) } else { None })
            .collect();
        let [_, lowest, highest] = numbers[..] else { return None };
        if !(lowest..=highest).contains(&i64::from(*value)) {
            return None;
        }
        let place = option.rest()[0].place;
        let line = lines.get_mut(place.line as usize - 1)?;
        let old = option.rest()[0].text();
        let before: String = line.chars().take(place.column as usize - 1).collect();
        let after: String =
            line.chars().skip(place.column as usize - 1 + old.chars().count()).collect();
        *line = format!("{before}{value}{after}");
    }
    let known = |name: &String| options.iter().any(|option| option.head() == Some(name));
    values.iter().all(|(name, _)| known(name)).then(|| lines.join("\n"))
}
