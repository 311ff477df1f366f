//! Bars beside each other, with their labels below.

use super::super::caption::Size;
use super::super::frame::{line, text};
use super::super::markup::Markup;
use super::super::scale::Scale;
use super::super::text_width::text_width;
use super::{Drawn, draw_bar, ends};

pub(super) struct Columns<'d> {
    bars: &'d [Drawn<'d>],
    scale: Scale,
    width: f64,
    /// The width of one bar with the space around it.
    band: f64,
}

/// A few bars do not fill the whole width.
const BAND_MAX: f64 = 120.0;

/// The part of a band that its bar takes.
const BAR_PART: f64 = 0.6;

const BAR_MAX: f64 = 56.0;

/// Between the texts of two bars.
const GAP: f64 = 6.0;

/// The height of a line of text: the labels, and the values above or below the bars.
const LINE: f64 = 22.0;

const PLOT_HEIGHT: f64 = 180.0;

/// Of the whole picture.
pub(super) const HEIGHT: f64 = LINE + PLOT_HEIGHT + LINE;

/// A bar of a value other than zero is at least this long.
const SHORTEST: f64 = 1.0;

impl<'d> Columns<'d> {
    /// `None` when a text is wider than its place.
    #[expect(clippy::cast_precision_loss, reason = "a picture has thousands of bars at most")]
    pub(super) fn new(bars: &'d [Drawn<'d>], size: Size) -> Option<Self> {
        let band = (size.width() / bars.len().max(1) as f64).min(BAND_MAX);
        let fits = |bar: &Drawn<'_>| text_width(bar.label).max(text_width(&bar.printed)) + GAP <= band;
        let below = if bars.iter().any(Drawn::is_negative) { LINE } else { 0.0 };
        let scale = Scale::new(&ends(bars), LINE + PLOT_HEIGHT - below, LINE);
        let columns = Self { bars, scale, width: size.width(), band };
        bars.iter().all(fits).then_some(columns)
    }

    #[expect(clippy::cast_precision_loss, reason = "a picture has thousands of bars at most")]
    pub(super) fn draw(&self, svg: &mut Markup) {
        let zero = self.scale.at(0.0.into());
        let mut middle = (self.width - self.band * (self.bars.len() as f64 - 1.0)) / 2.0;
        for bar in self.bars {
            bar.open_group(svg);
            self.draw_value(svg, bar, zero, middle);
            text(svg, "label label-middle", (middle, LINE + PLOT_HEIGHT + LINE / 2.0), bar.label);
            svg.close("g");
            middle += self.band;
        }
        line(svg, "axis", (0.0, zero), (self.width, zero));
    }

    fn draw_value(&self, svg: &mut Markup, bar: &Drawn<'_>, zero: f64, middle: f64) {
        let end = bar.value.map_or(zero, |value| self.scale.at(value));
        if bar.value.is_some_and(|value| value.drawn() != 0.0) {
            let (width, length) = ((self.band * BAR_PART).min(BAR_MAX), (end - zero).abs().max(SHORTEST));
            draw_bar(svg, (middle - width / 2.0, zero.min(end)), (width, length));
        }
        let at = if bar.is_negative() { end + LINE / 2.0 } else { end - LINE / 2.0 };
        text(svg, "value label-middle", (middle, at), &bar.printed);
    }
}
