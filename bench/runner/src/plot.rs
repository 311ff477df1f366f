//! Draws the cost of requests against the size of the catalogue.

use std::collections::BTreeSet;

use pointbook_charts::{Caption, Day, Number, Series, SeriesTexts, TimeSeries, svg_file};

use super::record::Point;

const CAPTION: Caption<'_> = Caption {
    id: "cost",
    title: "Processor time of a request against the number of products",
    description: "A line for each kind of request, in microseconds, at each size of the catalogue that was measured.",
};

const TEXTS: SeriesTexts<'_> =
    SeriesTexts { day: "products", gap: "not measured", empty: "Nothing was measured." };

/// An SVG file with a line for each series. The sizes are equally far apart, because they grow by factors.
pub(super) fn svg(points: &[Point]) -> String {
    let sizes: BTreeSet<u32> = points.iter().map(|point| point.products).collect();
    let values = |name| sizes.iter().map(|size| value(points, name, *size)).collect();
    let series: Vec<Series<'_>> =
        names(points).into_iter().map(|name| Series { name, values: values(name) }).collect();
    let days: Vec<Day> = sizes.iter().copied().map(axis_label).collect();
    svg_file(&TimeSeries { caption: CAPTION, days: &days, series: &series, number: &time, texts: TEXTS })
}

fn names(points: &[Point]) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for point in points {
        if !names.contains(&point.series) {
            names.push(point.series);
        }
    }
    names
}

fn value(points: &[Point], series: &str, products: u32) -> Option<Number> {
    let is_wanted = |point: &&Point| point.series == series && point.products == products;
    points.iter().find(is_wanted).map(|point| point.cpu_us.into())
}

fn axis_label(products: u32) -> Day {
    let tick = match products {
        1_000_000.. => format!("{} M", f64::from(products) / 1e6),
        1_000.. => format!("{} k", f64::from(products) / 1e3),
        _ => products.to_string(),
    };
    Day { name: products.to_string(), tick, month: None }
}

fn time(us: Number) -> String {
    match us {
        Number::Whole(us) => format!("{us} us"),
        Number::Real(us) => format!("{us:.0} us"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_is_one_line_with_its_name_and_a_gap_where_nothing_was_measured() {
        let point = |series, products, cpu_us| Point { series, products, cpu_us };
        let svg = svg(&[
            point("list", 1_000, 14.0),
            point("list", 50_000, 15.0),
            point("list", 1_000_000, 15.0),
            point("search", 1_000, 20.0),
            point("search", 1_000_000, 30.0),
        ]);
        assert!(svg.contains(">list</text>") && svg.contains(">1 M</text>") && svg.contains(">20 us</text>"));
        assert!(svg.contains("search\u{2002}not measured"), "{svg}");
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"") && svg.ends_with("</svg>\n"));
    }
}
