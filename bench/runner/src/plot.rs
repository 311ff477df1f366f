//! Draws the plot of cost against the size of the catalogue as SVG, with logarithmic axes.

use std::fmt::Write as _;

use super::record::Point;

/// The size of the drawing, and its area for the curves.
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 540.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 390.0;
/// The colours of the curves. They differ in brightness, so that colour-blind readers can distinguish them.
const COLOURS: [&str; 6] = ["#0b3c5d", "#d1495b", "#66a182", "#edae49", "#7768ae", "#2e2e2e"];

/// Curves by series, in the order in which they appear.
pub(super) fn svg(points: &[Point]) -> String {
    let axes = Axes::around(points);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"14\">Processor time of a request against the size of the catalogue</text>\n"
    );
    text.push_str(&axes.grid());
    for (place, name) in series(points).into_iter().enumerate() {
        let of_series: Vec<&Point> = points.iter().filter(|point| point.series == name).collect();
        text.push_str(&axes.curve(&of_series, COLOURS[place % COLOURS.len()]));
        #[expect(clippy::cast_precision_loss, reason = "a handful of curves")]
        let y = TOP + 20.0 * (place as f64 + 0.5);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "<text x=\"{:.0}\" y=\"{y:.0}\" fill=\"{}\">{name}</text>",
            RIGHT + 12.0,
            COLOURS[place % COLOURS.len()]
        );
    }
    text.push_str("</svg>\n");
    text
}

fn series(points: &[Point]) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for point in points {
        if !names.contains(&point.series) {
            names.push(point.series);
        }
    }
    names
}

/// Powers of ten around all points.
struct Axes {
    products: (i32, i32),
    us: (i32, i32),
}

impl Axes {
    fn around(points: &[Point]) -> Self {
        let products = points.iter().map(|point| f64::from(point.products));
        Self { products: decades(products), us: decades(points.iter().map(|point| point.cpu_us)) }
    }

    fn x(&self, products: f64) -> f64 {
        place(products, self.products, LEFT, RIGHT)
    }

    fn y(&self, us: f64) -> f64 {
        place(us, self.us, BOTTOM, TOP)
    }

    /// A labelled line at each power of ten.
    fn grid(&self) -> String {
        let mut text = String::new();
        for exponent in self.products.0..=self.products.1 {
            let (x, label) = (self.x(10_f64.powi(exponent)), amount(exponent));
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "<line x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{BOTTOM}\" stroke=\"#ddd\"/>\
                 <text x=\"{x:.1}\" y=\"{:.0}\" text-anchor=\"middle\">{label}</text>",
                BOTTOM + 18.0
            );
        }
        for exponent in self.us.0..=self.us.1 {
            let (y, label) = (self.y(10_f64.powi(exponent)), time(exponent));
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{RIGHT}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\
                 <text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
                LEFT - 8.0,
                y + 4.0
            );
        }
        let (middle, below) = (f64::midpoint(LEFT, RIGHT), BOTTOM + 38.0);
        // Writing to a string cannot fail.
        let _ =
            writeln!(text, "<text x=\"{middle:.0}\" y=\"{below:.0}\" text-anchor=\"middle\">products</text>");
        text
    }

    fn curve(&self, points: &[&Point], colour: &str) -> String {
        let places: Vec<(f64, f64)> =
            points.iter().map(|point| (self.x(f64::from(point.products)), self.y(point.cpu_us))).collect();
        let line: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let mut text = format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n",
            line.join(" ")
        );
        for (x, y) in places {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
        }
        text
    }
}

/// The exponents of the powers of ten around all values. They always differ.
#[expect(clippy::cast_possible_truncation, reason = "a logarithm is a small number")]
fn decades(values: impl Iterator<Item = f64>) -> (i32, i32) {
    let values: Vec<f64> = values.filter(|value| value.is_finite() && *value > 0.0).map(f64::log10).collect();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min).floor();
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max).ceil();
    if values.is_empty() { (0, 1) } else { (least as i32, (greatest as i32).max(least as i32 + 1)) }
}

/// The coordinate of a value between two powers of ten.
fn place(value: f64, (least, greatest): (i32, i32), from: f64, to: f64) -> f64 {
    from + (value.log10() - f64::from(least)) / f64::from(greatest - least) * (to - from)
}

fn amount(exponent: i32) -> String {
    match exponent {
        6.. => format!("{} M", 10_i32.pow(exponent.cast_unsigned() - 6)),
        3..6 => format!("{} k", 10_i32.pow(exponent.cast_unsigned() - 3)),
        _ => format!("{}", 10_f64.powi(exponent)),
    }
}

fn time(exponent: i32) -> String {
    match exponent {
        6.. => format!("{} s", 10_i32.pow(exponent.cast_unsigned() - 6)),
        3..6 => format!("{} ms", 10_i32.pow(exponent.cast_unsigned() - 3)),
        _ => format!("{} us", 10_f64.powi(exponent)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_contain_every_point_between_powers_of_ten() {
        assert_eq!(decades([1_000.0, 1_000_000.0].into_iter()), (3, 6));
        assert_eq!(decades([14.0, 3_400.0, f64::NAN].into_iter()), (1, 4));
        assert_eq!(decades([100.0].into_iter()), (2, 3));
        assert!((place(100.0, (1, 3), 0.0, 10.0) - 5.0).abs() < 1e-9);
    }

    #[test]
    fn series_is_one_curve_with_its_name() {
        let point = |series, products, cpu_us| Point { series, products, cpu_us };
        let svg =
            svg(&[point("list", 1_000, 14.0), point("search", 1_000, 20.0), point("list", 1_000_000, 15.0)]);
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(svg.contains(">list</text>") && svg.contains(">1 M</text>") && svg.contains(">10 us</text>"));
        assert!(svg.ends_with("</svg>\n"));
    }
}
