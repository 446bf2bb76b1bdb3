//! The frame of a picture: title, verdict, board, notes and the version.

use maud::{Markup, html as markup};
use treegauge_doc::{Figure, Svg, Tone};

use super::font::Font;

/// Width of a picture in pixels.
pub(super) const WIDTH: f64 = 760.0;

/// Distance of the contents from the frame, in pixels.
pub(super) const MARGIN: f64 = 28.0;

/// Right edge of the contents, in pixels.
pub(super) const RIGHT: f64 = WIDTH - MARGIN;

/// Greatest width and height of a board beside the verdict, in pixels.
const BOARD: f64 = 200.0;

/// Upper edge of the board.
const BOARD_TOP: f64 = MARGIN - 8.0;

/// Colours of texts and lines. They are fixed: a picture stands in other pages and has a light
/// ground of its own.
pub(super) const INK: &str = "#1d2430";
pub(super) const SOFT: &str = "#5a6575";
pub(super) const RULE: &str = "#d5dbe3";

/// Colours of bars and curves.
pub(super) const BLUE: &str = "#0b6e99";
pub(super) const RED: &str = "#c04a00";
pub(super) const GREY: &str = "#a9b3bf";

const TITLE: Font = Font::bold(25.0);
const LONG_TITLE: Font = Font::bold(20.0);
const HEADLINE: Font = Font::bold(20.0);
const LEAD: Font = Font::plain(16.0);
const NOTE: Font = Font::plain(14.0);
const FOOT: Font = Font::plain(13.0);

/// Font family of all texts.
const FAMILY: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

/// A picture in progress, written from the top to the bottom.
pub(super) struct Card {
    title: String,
    elements: String,
    /// The contents in words, for readers who cannot see them.
    words: Vec<String>,
    /// Position below what has been written.
    y: f64,
    /// Right edge of texts.
    right: f64,
    /// Lower edge of the board; 0 without one.
    board_end: f64,
}

/// Coordinate rounded to a tenth of a pixel.
pub(super) fn c(x: f64) -> String {
    // Adding 0 after rounding turns a negative zero into 0.
    format!("{:.1}", (10.0 * x).round() / 10.0 + 0.0)
}

/// Colour of a judgement.
pub(super) const fn colour(tone: Tone) -> &'static str {
    match tone {
        Tone::Bad => RED,
        Tone::Undecided => "#8a6d1f",
        Tone::Good => BLUE,
    }
}

/// Text without control characters, which an SVG file must not have.
fn plain(text: &str) -> String {
    text.replace(|c: char| c.is_control(), "\u{fffd}")
}

/// Where a text stands relative to its coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// One line of text.
pub(super) fn label(
    (x, y): (f64, f64),
    anchor: Anchor,
    font: Font,
    fill: &str,
    text: &str,
) -> Markup {
    let anchor = match anchor {
        Anchor::Start => None,
        Anchor::Middle => Some("middle"),
        Anchor::End => Some("end"),
    };
    markup! {
        text x=(c(x)) y=(c(y)) font-size=(font.size) font-weight=[font.bold.then_some("600")] text-anchor=[anchor] fill=(fill) { (plain(text)) }
    }
}

/// A picture inside another one, as large as fits into a box.
pub(super) fn placed(picture: &Svg, [x, y, width, height]: [f64; 4]) -> String {
    let text = picture.as_str().trim();
    let Some((tag, rest)) = text.strip_prefix("<svg").and_then(|text| text.split_once('>')) else {
        return String::new();
    };
    let mut own = String::new();
    let mut left = tag;
    while let Some((name, after)) = left.split_once("=\"") {
        let Some((value, after)) = after.split_once('"') else { break };
        if !matches!(name.trim(), "x" | "y" | "width" | "height" | "xmlns" | "role" | "aria-label")
        {
            own += &format!(" {}=\"{value}\"", name.trim());
        }
        left = after;
    }
    format!(
        "<svg x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{own}>{rest}",
        c(x),
        c(y),
        c(width),
        c(height)
    )
}

/// Width and height of a picture by its view box; a square if it has none.
fn size_of(picture: &Svg) -> (f64, f64) {
    let of = || {
        let (_, after) = picture.as_str().split_once("viewBox=\"")?;
        let (numbers, _) = after.split_once('"')?;
        let numbers: Vec<f64> = numbers.split(' ').filter_map(|n| n.parse().ok()).collect();
        match numbers[..] {
            [_, _, width, height] if width > 0.0 && height > 0.0 => Some((width, height)),
            _ => None,
        }
    };
    of().unwrap_or((1.0, 1.0))
}

impl Card {
    /// A picture with a title, and a board beside the texts that follow if it is not empty.
    pub(super) fn new(title: &str, board: &Svg) -> Card {
        Card::with_board(title, board, BOARD)
    }

    /// A picture with a board of up to `size` pixels.
    pub(super) fn with_board(title: &str, board: &Svg, size: f64) -> Card {
        let mut card = Card {
            title: title.to_owned(),
            elements: String::new(),
            words: Vec::new(),
            y: MARGIN,
            right: RIGHT,
            board_end: 0.0,
        };
        if !board.is_empty() {
            let (width, height) = size_of(board);
            let scale = (size / width).min(size / height);
            let (width, height) = (scale * width, scale * height);
            let place = [RIGHT - width, BOARD_TOP, width, height];
            card.elements += &placed(board, place);
            card.right = RIGHT - width - 24.0;
            card.board_end = BOARD_TOP + height;
        }
        // A question takes two lines, in smaller letters; a name loses its middle.
        let width = card.right - MARGIN;
        let is_short = TITLE.width(title) <= width || !title.contains(' ');
        let font = if is_short { TITLE } else { LONG_TITLE };
        for line in font.lines(title, width, 2) {
            card.y += font.size * 1.2;
            card.draw(label((MARGIN, card.y - 8.0), Anchor::Start, font, INK, &line));
        }
        card.y += 6.0;
        card
    }

    /// Says below the board which position it shows.
    pub(super) fn caption(&mut self, text: &str) {
        if self.board_end > 0.0 {
            let middle = f64::midpoint(self.right + 24.0, RIGHT);
            let half = FOOT.width(text) / 2.0;
            let place = (middle.min(RIGHT - half), self.board_end + 14.0);
            self.draw(label(place, Anchor::Middle, FOOT, SOFT, text));
            self.board_end += 18.0;
            self.say(format!("The board shows {text}"));
        }
    }

    /// Adds elements.
    pub(super) fn draw(&mut self, elements: Markup) {
        self.elements += &elements.into_string();
    }

    /// Says what the elements show, in words.
    pub(super) fn say(&mut self, words: impl Into<String>) {
        self.words.push(words.into());
    }

    /// Adds the verdict in a few words and in a sentence or two, behind a bar in its colour.
    pub(super) fn verdict(&mut self, tone: Tone, headline: &str, lead: &str) {
        let (top, x) = (self.y + 4.0, MARGIN + 16.0);
        self.y = top;
        for (text, font, fill, most) in
            [(headline, HEADLINE, colour(tone), 2), (lead, LEAD, INK, 5)]
        {
            for line in font.lines(text, self.right - x, most) {
                self.y += font.size * 1.32;
                self.draw(label((x, self.y - 5.0), Anchor::Start, font, fill, &line));
            }
            self.words.extend((!text.is_empty()).then(|| text.to_owned()));
        }
        let height = self.y - top;
        self.draw(markup! {
            rect x=(c(MARGIN)) y=(c(top)) width="5" height=(c(height)) rx="2.5" fill=(colour(tone)) {}
        });
        self.y += 12.0;
    }

    /// Adds a paragraph in small letters.
    pub(super) fn note(&mut self, text: &str) {
        for line in NOTE.lines(text, self.right - MARGIN, 6) {
            self.y += NOTE.size * 1.38;
            self.draw(label((MARGIN, self.y - 4.0), Anchor::Start, NOTE, SOFT, &line));
        }
        self.y += 6.0;
        self.say(text);
    }

    /// Leaves room.
    pub(super) fn space(&mut self, height: f64) {
        self.y += height;
    }

    /// Adds the name of a thing with its verdict in a few words.
    pub(super) fn judged(&mut self, name: &str, tone: Tone, verdict: &str) {
        let (bold, plain) = (Font::bold(16.0), Font::plain(15.0));
        let y = self.room(30.0) + 18.0;
        let name_shown = bold.shortened(name, 0.55 * (RIGHT - MARGIN));
        let x = MARGIN + bold.width(&name_shown) + 14.0;
        let shown = plain.lines(verdict, RIGHT - x, 1).pop().unwrap_or_default();
        self.draw(label((MARGIN, y), Anchor::Start, bold, INK, &name_shown));
        self.draw(label((x, y), Anchor::Start, plain, colour(tone), &shown));
        self.say(format!("{name}: {verdict}"));
    }

    /// Adds a heading of a part.
    pub(super) fn heading(&mut self, text: &str) {
        let y = self.room(24.0) + 17.0;
        let font = Font::bold(15.0);
        let text = font.shortened(text, RIGHT - MARGIN);
        self.draw(label((MARGIN, y), Anchor::Start, font, INK, &text));
    }

    /// Takes a part of the full width, below the board, and returns its upper edge.
    pub(super) fn room(&mut self, height: f64) -> f64 {
        let top = if self.right < RIGHT { self.y.max(self.board_end + 14.0) } else { self.y };
        self.right = RIGHT;
        self.y = top + height;
        top
    }

    /// Adds pictures side by side, each as wide as the others.
    pub(super) fn side_by_side(&mut self, pictures: &[Svg], height: f64) {
        const GAP: f64 = 16.0;
        let n = pictures.len() as f64;
        let top = self.room(height);
        let width = (RIGHT - MARGIN - GAP * (n - 1.0)) / n;
        for (n, picture) in (0u32..).zip(pictures) {
            let x = MARGIN + f64::from(n) * (width + GAP);
            self.elements += &placed(picture, [x, top, width, height]);
        }
    }

    /// Adds the foot, with the origin of the numbers, and closes the frame.
    pub(super) fn finish(mut self, origin: &str) -> Option<Figure> {
        let y = self.room(40.0);
        let version = concat!("treegauge ", env!("CARGO_PKG_VERSION"));
        let width = RIGHT - MARGIN - FOOT.width(version) - 24.0;
        let origin_shown = FOOT.shortened(origin, width);
        self.draw(markup! {
            line x1=(c(MARGIN)) x2=(c(RIGHT)) y1=(c(y + 12.0)) y2=(c(y + 12.0)) stroke=(RULE) {}
            (label((MARGIN, y + 32.0), Anchor::Start, FOOT, SOFT, &origin_shown))
            (label((RIGHT, y + 32.0), Anchor::End, FOOT, SOFT, version))
        });
        let height = y + 50.0;
        let mut words = vec![self.title];
        words.append(&mut self.words);
        words.extend((!origin.is_empty()).then(|| origin.to_owned()));
        let words: Vec<String> = words.iter().map(|words| sentence(&plain(words))).collect();
        let alt = words.join(" ");
        let begin = markup! {
            title { (alt) }
            rect x="0.5" y="0.5" width=(c(WIDTH - 1.0)) height=(c(height - 1.0)) rx="10" fill="#ffffff" stroke=(RULE) {}
        };
        let begin = begin.into_string();
        let frame = markup! {
            svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label=(alt) width=(WIDTH) height=(c(height)) viewBox=(format!("0 0 {WIDTH} {}", c(height))) font-family=(FAMILY) {}
        };
        let frame = frame.into_string();
        let open = frame.strip_suffix("</svg>")?;
        let picture = Svg::new(format!("{open}{begin}{}</svg>\n", self.elements));
        let figure = Figure { name: "picture", picture, alt, ..Figure::default() };
        (!figure.picture.is_empty()).then_some(figure)
    }
}

/// Words that end in a full stop.
fn sentence(words: &str) -> String {
    if words.ends_with(['.', '?', '!']) { words.to_owned() } else { format!("{words}.") }
}
