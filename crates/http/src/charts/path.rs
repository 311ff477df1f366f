//! The lines through the points of a series, in a picture that stretches: 100 units wide and 100 high, whatever its place is.

use std::fmt::Write as _;

use super::markup::{Length, Markup};

/// A position in a picture: from the left, and from the top, in percent.
pub(crate) type Point = (f64, f64);

/// The width and the height.
pub(crate) const FULL: f64 = 100.0;

/// Begins the part of a picture that stretches. The stylesheet keeps the width of its lines.
pub(crate) fn open_lines(svg: &mut Markup) {
    svg.open("svg", &[("viewBox", &"0 0 100 100"), ("preserveAspectRatio", &"none")]);
}

/// The middle of a day, when all days are equally wide.
#[expect(clippy::cast_precision_loss, reason = "an axis has thousands of days at most")]
pub(crate) fn place_of_day(day: usize, days: usize) -> f64 {
    (day as f64 + 0.5) * FULL / days.max(1) as f64
}

/// The points of a series, divided at its gaps. No run is empty.
pub(crate) struct Runs(Vec<Vec<Point>>);

impl Runs {
    /// `None` is a gap.
    pub(crate) fn new(points: impl Iterator<Item = Option<Point>>) -> Self {
        let points: Vec<Option<Point>> = points.collect();
        let runs = points.split(Option::is_none).filter(|run| !run.is_empty());
        Self(runs.map(|run| run.iter().copied().flatten().collect()).collect())
    }

    /// Each value holds for the whole of its day, which is `width` wide.
    pub(crate) fn steps(points: impl Iterator<Item = Option<Point>>, width: f64) -> Self {
        let Self(runs) = Self::new(points);
        let step = |run: Vec<Point>| {
            let levels = run.chunk_by(|from, to| from.1.to_bits() == to.1.to_bits());
            let ends = levels.filter_map(|level| {
                let ((start, y), (end, _)) = (level.first()?, level.last()?);
                Some([(start - width / 2.0, *y), (end + width / 2.0, *y)])
            });
            ends.flatten().collect()
        };
        Self(runs.into_iter().map(step).collect())
    }

    /// Draws a line through each run. A run of one point is a dot.
    pub(crate) fn draw_lines(&self, svg: &mut Markup, series: &str) {
        let path: String = self.with_lines().map(|run| polyline(run)).collect();
        draw_path(svg, "line", series, &path);
        let lone =
            self.0.iter().filter_map(|run| if let [lone] = &run[..] { Some(dot(*lone)) } else { None });
        draw_path(svg, "dot", series, &lone.collect::<String>());
    }

    /// Draws a dot at the last point.
    pub(crate) fn draw_end(&self, svg: &mut Markup, series: &str) {
        let last = self.0.last().and_then(|run| run.last()).copied();
        draw_path(svg, "dot", series, &last.map(dot).unwrap_or_default());
    }

    /// Draws the mark of a series at the highest of every n points, so that marks do not miss a rare value. The stylesheet says which shape a
    /// series has; the smaller one makes it hollow.
    pub(crate) fn draw_marks(&self, svg: &mut Markup, series: &str, every: usize) {
        if matches!(series, "series-2" | "series-3" | "series-4" | "series-5") {
            let highest = |points: &[Point]| points.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1));
            let path: String = self.0.concat().chunks(every).filter_map(highest).map(dot).collect();
            draw_path(svg, "dot spot", series, &path);
            if matches!(series, "series-4" | "series-5") {
                draw_path(svg, "dot hole", series, &path);
            }
        }
    }

    /// Draws the areas between the lines and the height `zero`.
    pub(crate) fn draw_areas(&self, svg: &mut Markup, series: &str, zero: f64) {
        let mut path = String::new();
        for run in self.with_lines() {
            let start = run.first().map_or(0.0, |first| first.0);
            // Writing to a string cannot fail.
            let _ = write!(path, "{}V{}H{}Z", polyline(run), Length(zero), Length(start));
        }
        draw_path(svg, "area", series, &path);
    }

    fn with_lines(&self) -> impl Iterator<Item = &Vec<Point>> {
        self.0.iter().filter(|run| run.len() > 1)
    }
}

/// A line without length has round ends, which make a dot that no stretching changes.
fn dot((x, y): Point) -> String {
    format!("M{} {}h0", Length(x), Length(y))
}

fn draw_path(svg: &mut Markup, kind: &str, series: &str, path: &str) {
    if !path.is_empty() {
        svg.empty("path", &[("class", &format!("{kind} {series}")), ("d", &path)]);
    }
}

fn polyline(points: &[Point]) -> String {
    let mut path = String::new();
    for (at, (x, y)) in points.iter().enumerate() {
        let command = if at == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{command}{} {}", Length(*x), Length(*y));
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(points: &[Option<Point>]) -> String {
        let (runs, mut svg) = (Runs::new(points.iter().copied()), Markup::default());
        runs.draw_areas(&mut svg, "a", 9.0);
        runs.draw_lines(&mut svg, "a");
        svg.finish()
    }

    #[test]
    fn gap_divides_a_line() {
        let points = [Some((0.0, 1.0)), Some((1.0, 2.0)), None, Some((3.0, 4.0)), Some((4.0, 5.0))];
        let expected = "<path class=\"area a\" d=\"M0 1L1 2V9H0ZM3 4L4 5V9H3Z\"/>\
            <path class=\"line a\" d=\"M0 1L1 2M3 4L4 5\"/>";
        assert_eq!(drawn(&points), expected);
    }

    #[test]
    fn point_between_gaps_is_a_dot() {
        let expected = "<path class=\"dot a\" d=\"M1 2h0\"/>";
        assert_eq!(drawn(&[None, Some((1.0, 2.0)), None]), expected);
    }

    #[test]
    fn marks_are_at_the_highest_of_their_points() {
        let points = [(0.0, 9.0), (1.0, 2.0), (2.0, 9.0), (3.0, 9.0), (4.0, 1.0)];
        let (runs, mut svg) = (Runs::new(points.map(Some).into_iter()), Markup::default());
        runs.draw_marks(&mut svg, "series-2", 3);
        assert_eq!(svg.finish(), "<path class=\"dot spot series-2\" d=\"M1 2h0M4 1h0\"/>");
    }

    #[test]
    fn level_holds_for_the_whole_of_its_days() {
        let points = [Some((5.0, 1.0)), Some((15.0, 1.0)), Some((25.0, 2.0)), None, Some((45.0, 3.0))];
        let expected =
            vec![vec![(0.0, 1.0), (20.0, 1.0), (20.0, 2.0), (30.0, 2.0)], vec![(40.0, 3.0), (50.0, 3.0)]];
        assert_eq!(Runs::steps(points.into_iter(), 10.0).0, expected);
    }

    #[test]
    fn nothing_is_drawn_without_points() {
        assert_eq!(drawn(&[]), "");
        assert_eq!(drawn(&[None, None]), "");
    }
}
