//! What all charts have in common.

use kuva::backend::svg::SvgBackend;
use kuva::plot::{LinePlot, ScatterPlot};
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;

pub(crate) const INK: &str = "#2b4c7e";
pub(crate) const SECOND: &str = "#b4483a";
pub(crate) const PALE: &str = "#9aa4b2";

/// Points of one curve.
pub(crate) const POINTS_MAX: usize = 400;

/// Renders charts and keeps their ids apart: a page holds many of them.
#[derive(Default)]
pub(crate) struct Charts {
    rendered: usize,
}

impl Charts {
    /// A chart as an SVG document.
    pub(crate) fn render(&mut self, plots: Vec<Plot>, layout: Layout) -> String {
        self.rendered += 1;
        let own = format!("c{}-", self.rendered);
        let scene = render_multiple(plots, layout);
        // Without a view box a chart that is made narrower, as on a phone, is cut off.
        let begin = format!("<svg viewBox=\"0 0 {} {}\"", scene.width, scene.height);
        clips_numbered(&SvgBackend.render_scene(&scene))
            .replacen("<svg", &begin, 1)
            .replace("id=\"", &format!("id=\"{own}"))
            .replace("url(#", &format!("url(#{own}"))
            .replace("href=\"#", &format!("href=\"#{own}"))
    }
}

/// Numbers the clip paths of a chart from 0. kuva counts them over the whole process, so a page would
/// depend on what was rendered before it.
fn clips_numbered(svg: &str) -> String {
    const CLIP: &str = "kuva-clip-";
    let mut parts = svg.split(CLIP);
    let mut numbered = parts.next().unwrap_or_default().to_owned();
    let mut known: Vec<&str> = Vec::new();
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = part.split_at(digits);
        let n = known.iter().position(|&other| other == number).unwrap_or_else(|| {
            known.push(number);
            known.len() - 1
        });
        numbered += &format!("{CLIP}{n}{rest}");
    }
    numbered
}

/// A line with a dot at each point, which shows its numbers when it is pointed at.
pub(crate) fn dotted(name: &str, colour: &str, points: Vec<(f64, f64)>) -> [Plot; 2] {
    let tips =
        points.iter().map(|(x, y)| format!("{name}, {x} plies: {}", (y * 100.0).round() / 100.0));
    let dots = ScatterPlot::new()
        .with_tooltip_labels(tips.collect::<Vec<_>>())
        .with_tooltips()
        .with_data(points.clone())
        .with_color(colour)
        .with_size(3.5)
        .with_legend(name);
    let line = LinePlot::new().with_data(points).with_color(colour).with_stroke_width(1.5);
    [Plot::Line(line), Plot::Scatter(dots)]
}

/// The layout of a chart of this size in pixels.
pub(crate) fn sized(plots: &[Plot], width: f64, height: f64) -> Layout {
    Layout::auto_from_plots(plots).with_width(width).with_height(height)
}

#[cfg(test)]
mod tests {
    use super::clips_numbered;

    #[test]
    fn clip_paths_are_numbered_chart_by_chart() {
        let rendered =
            "<clipPath id=\"kuva-clip-17\"/><g clip-path=\"url(#kuva-clip-17)\"/>kuva-clip-18";
        let numbered =
            "<clipPath id=\"kuva-clip-0\"/><g clip-path=\"url(#kuva-clip-0)\"/>kuva-clip-1";
        assert_eq!(clips_numbered(rendered), numbered);
        assert_eq!(clips_numbered("<svg/>"), "<svg/>");
    }
}
