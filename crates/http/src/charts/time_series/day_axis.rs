//! The axis of days below the frame.

use super::super::days::{Day, day_ticks};
use super::super::frame::{Frame, line, text};
use super::super::markup::{Length, Markup};

/// Where the days of a chart are.
pub(super) struct DayAxis<'d> {
    days: &'d [Day],
    frame: Frame,
}

/// The length of a tick below the frame.
const TICK: f64 = 5.0;

/// From the frame to the middle of the labels.
const LABEL_DISTANCE: f64 = 17.0;

/// The most days with a hint: hints of a year would weigh more than the rest of the page.
const HINTS_MAX: usize = 62;

impl<'d> DayAxis<'d> {
    pub(super) fn new(days: &'d [Day], frame: Frame) -> Self {
        Self { days, frame }
    }

    pub(super) fn len(&self) -> usize {
        self.days.len()
    }

    /// The first day is at the left end. One day alone is in the middle.
    #[expect(clippy::cast_precision_loss, reason = "an axis has thousands of days at most")]
    pub(super) fn x(&self, day: usize) -> f64 {
        let Frame { left, right, .. } = self.frame;
        match self.len() {
            0 | 1 => f64::midpoint(left, right),
            days => left + (right - left) * (day as f64 / (days - 1) as f64),
        }
    }

    pub(super) fn draw(&self, svg: &mut Markup) {
        let Frame { left, right, bottom, .. } = self.frame;
        for (day, label) in day_ticks(self.days, right - left) {
            let x = self.x(day);
            line(svg, "tick", (x, bottom), (x, bottom + TICK));
            text(svg, "label label-middle", (x, bottom + LABEL_DISTANCE), label);
        }
    }

    /// Draws a column over each day. It is invisible until the pointer is over it; then the browser shows its title.
    pub(super) fn draw_hints(&self, svg: &mut Markup, hint: impl Fn(usize) -> String) {
        if self.len() > HINTS_MAX {
            return;
        }
        let Frame { left, top, right, bottom } = self.frame;
        for day in 0..self.len() {
            let before = if day == 0 { left } else { f64::midpoint(self.x(day - 1), self.x(day)) };
            let after =
                if day + 1 == self.len() { right } else { f64::midpoint(self.x(day), self.x(day + 1)) };
            svg.open(
                "rect",
                &[
                    ("class", &"hint"),
                    ("x", &Length(before)),
                    ("y", &Length(top)),
                    ("width", &Length(after - before)),
                    ("height", &Length(bottom - top)),
                ],
            );
            svg.leaf("title", &[], &hint(day));
            svg.close("rect");
        }
    }
}
