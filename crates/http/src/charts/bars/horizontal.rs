//! Bars below each other, with their labels at the left.

use super::super::caption::Size;
use super::super::frame::{line, text};
use super::super::markup::Markup;
use super::super::scale::Scale;
use super::super::text_width::{fit, text_width};
use super::{Drawn, draw_bar, ends};

pub(super) struct Rows<'d> {
    bars: &'d [Drawn<'d>],
    scale: Scale,
    label_width: f64,
    printed_width: f64,
}

const ROW: f64 = 30.0;

const THICKNESS: f64 = 18.0;

/// The most of the width that labels take, and printed values on one and on both sides of the axis.
const LABEL_PART: f64 = 0.36;
const ONE_SIDE_PART: f64 = 0.5;
const BOTH_SIDES_PART: f64 = 0.25;

/// Between a label, a bar and a printed value.
const GAP: f64 = 7.0;

/// A bar of a value other than zero is at least this long.
const SHORTEST: f64 = 1.0;

impl<'d> Rows<'d> {
    pub(super) fn new(bars: &'d [Drawn<'d>], size: Size) -> Self {
        let width = size.width();
        let has_negative = bars.iter().any(Drawn::is_negative);
        let label_width = widest(bars.iter().map(|bar| bar.label)).min(width * LABEL_PART);
        let printed_width = width * if has_negative { BOTH_SIDES_PART } else { ONE_SIDE_PART };
        let room = |negative: bool| {
            let on_this_side = bars.iter().filter(|bar| bar.is_negative() == negative);
            widest(on_this_side.map(|bar| bar.printed.as_str())).min(printed_width) + GAP
        };
        let left = if has_negative { room(true) + GAP } else { 0.0 };
        let scale = Scale::new(&ends(bars), label_width + GAP + left, width - room(false));
        Self { bars, scale, label_width, printed_width }
    }

    #[expect(clippy::cast_precision_loss, reason = "a picture has thousands of bars at most")]
    pub(super) fn height(&self) -> f64 {
        self.bars.len().max(1) as f64 * ROW
    }

    pub(super) fn draw(&self, svg: &mut Markup) {
        let (zero, mut middle) = (self.scale.at(0.0.into()), ROW / 2.0);
        for bar in self.bars {
            bar.open_group(svg);
            text(svg, "label", (0.0, middle), &fit(bar.label, self.label_width));
            self.draw_value(svg, bar, zero, middle);
            svg.close("g");
            middle += ROW;
        }
        line(svg, "axis", (zero, 0.0), (zero, self.height()));
    }

    fn draw_value(&self, svg: &mut Markup, bar: &Drawn<'_>, zero: f64, middle: f64) {
        let end = bar.value.map_or(zero, |value| self.scale.at(value));
        if bar.value.is_some_and(|value| value.drawn() != 0.0) {
            let length = (end - zero).abs().max(SHORTEST);
            draw_bar(svg, (zero.min(end), middle - THICKNESS / 2.0), (length, THICKNESS));
        }
        let (class, at) =
            if bar.is_negative() { ("value label-end", end - GAP) } else { ("value", end + GAP) };
        text(svg, class, (at, middle), &fit(&bar.printed, self.printed_width));
    }
}

fn widest<'t>(texts: impl Iterator<Item = &'t str>) -> f64 {
    texts.map(text_width).fold(0.0, f64::max)
}
