//! The rectangle of a plot, its grid and its texts.

use super::markup::{Length, Markup};
use super::number::{Number, NumberFormat};
use super::scale::Scale;
use super::text_width::{fit, text_width};

/// The rectangle in which values are drawn, in units of the picture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

/// Between a tick label and the frame.
const LABEL_GAP: f64 = 8.0;

/// A value axis at the left: ticks with their labels.
pub(crate) struct ValueAxis {
    ticks: Vec<Number>,
    labels: Vec<String>,
}

impl ValueAxis {
    /// Labels that are wider than `width` are shortened.
    pub(crate) fn new(ticks: Vec<Number>, number: NumberFormat<'_>, width: f64) -> Self {
        let labels = ticks.iter().map(|tick| fit(&number(*tick), width).into_owned()).collect();
        Self { ticks, labels }
    }

    /// The space that the labels need, left of the frame.
    pub(crate) fn width(&self) -> f64 {
        self.labels.iter().map(|label| text_width(label)).fold(0.0, f64::max) + LABEL_GAP
    }

    pub(crate) fn scale(&self, frame: Frame) -> Scale {
        Scale::new(&self.ticks, frame.bottom, frame.top)
    }

    /// Draws a line and a label for each tick; the line at zero is the axis.
    pub(crate) fn draw(&self, svg: &mut Markup, frame: Frame) {
        let scale = self.scale(frame);
        for (tick, label) in self.ticks.iter().zip(&self.labels) {
            let y = scale.at(*tick);
            let class = if tick.drawn() == 0.0 { "axis" } else { "grid" };
            line(svg, class, (frame.left, y), (frame.right, y));
            text(svg, "label label-end", (frame.left - LABEL_GAP, y), label);
        }
    }
}

pub(crate) fn line(svg: &mut Markup, class: &str, from: (f64, f64), to: (f64, f64)) {
    svg.empty(
        "line",
        &[
            ("class", &class),
            ("x1", &Length(from.0)),
            ("y1", &Length(from.1)),
            ("x2", &Length(to.0)),
            ("y2", &Length(to.1)),
        ],
    );
}

/// Writes a text whose middle line is at `at.1`. The class says at which of its ends `at.0` is.
pub(crate) fn text(svg: &mut Markup, class: &str, at: (f64, f64), text: &str) {
    svg.leaf(
        "text",
        &[("class", &class), ("x", &Length(at.0)), ("y", &Length(at.1)), ("dy", &"0.35em")],
        text,
    );
}

/// Writes what the caller says of a chart without values, in the middle of the frame.
pub(crate) fn empty_text(svg: &mut Markup, frame: Frame, words: &str) {
    let middle = (f64::midpoint(frame.left, frame.right), f64::midpoint(frame.top, frame.bottom));
    text(svg, "label label-middle", middle, words);
}

pub(crate) fn dot(svg: &mut Markup, class: &str, at: (f64, f64), radius: f64) {
    svg.empty(
        "circle",
        &[("class", &class), ("cx", &Length(at.0)), ("cy", &Length(at.1)), ("r", &Length(radius))],
    );
}
