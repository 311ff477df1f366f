//! What holds for every chart.

use std::collections::BTreeSet;

use pointbook_http::charts::{Bar, Caption, Chart, Direction, HeatRow, Number, STYLE};

use super::elements::{elements, texts};
use super::samples::{
    BOTH_DIRECTIONS, BOTH_SIZES, bars, days, heat_table, pictures, series, sparkline, time_series,
};

const HOSTILE: &str = "\"/><script>alert('1')</script>&\u{0}";

fn values(numbers: &[i64]) -> Vec<Number> {
    numbers.iter().map(|number| Number::from(*number)).collect()
}

#[test]
fn each_picture_has_a_role_a_title_and_a_description() {
    for numbers in [vec![], vec![1], vec![3, -4, 5]] {
        for picture in pictures(&values(&numbers)) {
            let elements = elements(&picture);
            let [svg, title, description, ..] = elements.as_slice() else { panic!("{picture}") };
            assert_eq!((svg.tag.as_str(), svg.attributes["role"].as_str()), ("svg", "img"));
            assert_eq!((title.tag.as_str(), title.text.as_str()), ("title", "Points"));
            assert_eq!((description.tag.as_str(), description.text.as_str()), ("desc", "Points per day."));
            let ids = [title, description].map(|element| element.attributes["id"].as_str());
            assert_eq!(svg.attributes["aria-labelledby"], ids.join(" "));
            assert!(ids.iter().all(|id| id.starts_with("issued-")), "{ids:?}");
        }
    }
}

#[test]
fn no_element_has_a_style_or_a_colour() {
    let forbidden = ["style", "fill", "stroke", "color", "font-size", "onload"];
    for picture in pictures(&values(&[3, -4, 5])) {
        for element in elements(&picture) {
            assert!(element.tag != "style" && element.tag != "script");
            assert!(forbidden.iter().all(|name| !element.attributes.contains_key(*name)), "{element:?}");
        }
    }
}

#[test]
fn ids_of_a_figure_are_unique() {
    let (days, one) = (days(3), [series("Issued", &[1_i64, 2, 3])]);
    let mut chart = time_series(&days, &one);
    chart.caption = Caption { id: "a \"b\" c", ..chart.caption };
    let figure = elements(&chart.figure("As a table"));
    let ids: Vec<&String> = figure.iter().filter_map(|element| element.attributes.get("id")).collect();
    assert_eq!(ids.len(), 4);
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), 4);
    assert!(ids.iter().all(|id| id.starts_with("a--b--c-") && !id.contains(' ')), "{ids:?}");
}

#[test]
fn hostile_texts_stay_texts() {
    let hostile = Caption { id: HOSTILE, title: HOSTILE, description: HOSTILE };
    let mut days = days(2);
    for day in &mut days {
        (day.name, day.tick) = (HOSTILE.to_owned(), HOSTILE.to_owned());
    }
    let series = [series(HOSTILE, &[1_i64, 2]), series(HOSTILE, &[2_i64])];
    let (bar, number) = ([Bar { label: HOSTILE, value: 7_i64.into() }], |_| HOSTILE.to_owned());
    let mut chart = time_series(&days, &series);
    (chart.caption, chart.number) = (hostile, &number);
    let mut bars = bars(&bar, Direction::Vertical);
    (bars.caption, bars.number) = (hostile, &number);
    let rows = [HeatRow { name: HOSTILE, size: HOSTILE, ratios: vec![Some(0.5)] }];
    let mut heat = heat_table(&[HOSTILE], &rows);
    heat.caption = hostile;
    for html in [chart.figure(HOSTILE), bars.figure(HOSTILE), heat.html()] {
        // The reader panics when a text is not escaped.
        assert!(elements(&html).iter().all(|element| element.tag != "script"));
        assert!(!html.contains('\0'));
    }
}

#[test]
fn chart_without_values_has_axes_and_no_line() {
    let (days, gaps) = (days(3), [series::<f64>("Issued", &[f64::NAN]), series::<i64>("Spent", &[])]);
    for days in [&days[..], &[]] {
        for size in BOTH_SIZES {
            let picture = time_series(days, &gaps).svg(size);
            assert!(!picture.contains("<path") && picture.contains("class=\"axis\""), "{picture}");
            assert!(texts(&picture, "text").contains(&"No points yet".to_owned()));
        }
        assert!(!sparkline(days, &gaps[0]).svg().contains("<path"));
    }
    for direction in BOTH_DIRECTIONS {
        let picture = bars(&[], direction).svg(BOTH_SIZES[0]);
        assert!(texts(&picture, "text").contains(&"No orders yet".to_owned()) && !picture.contains("<rect"));
    }
}

#[test]
fn table_of_series_has_each_number_and_each_gap() {
    let days = days(3);
    let mut series = [series("Issued", &[1_i64, -2, i64::MAX]), series("Spent", &[0.5, f64::NAN])];
    series[0].values[1] = None;
    let table = time_series(&days, &series).table();
    let cells = ["1", "0.5", "missing", "missing", "9223372036854775807", "missing"];
    assert_eq!(texts(&table, "td"), cells);
    assert_eq!(texts(&table, "th"), ["Day", "Issued", "Spent", "2026-03-01", "2026-03-02", "2026-03-03"]);
    assert_eq!(texts(&table, "caption"), ["Points"]);
    assert!(elements(&table).iter().all(|cell| cell.tag != "th" || cell.attributes.contains_key("scope")));
    assert_eq!(texts(&sparkline(&days, &series[0]).table(), "td"), ["1", "missing", "9223372036854775807"]);
}

#[test]
fn bars_print_the_numbers_of_their_table() {
    let products = [("Mug", 12_i64), ("Bag", -3), ("Pen", 0)];
    let products = products.map(|(label, value)| Bar { label, value: value.into() });
    for direction in BOTH_DIRECTIONS {
        let chart = bars(&products, direction);
        assert_eq!(texts(&chart.table(), "td"), ["12", "-3", "0"]);
        for size in BOTH_SIZES {
            let printed = texts(&chart.svg(size), "text");
            assert!(["12", "-3", "0", "Mug"].iter().all(|text| printed.contains(&(*text).to_owned())));
        }
    }
}

#[test]
fn columns_whose_texts_do_not_fit_become_rows() {
    let products = ["A", "A product with a name that is far too long"];
    let products = products.map(|label| Bar { label, value: 1_i64.into() });
    let [rows, columns] = BOTH_DIRECTIONS.map(|direction| bars(&products, direction).svg(BOTH_SIZES[1]));
    assert_eq!(rows, columns);
}

#[test]
fn longest_bars_are_as_long_as_their_values_say() {
    let products = [Bar { label: "a", value: 50_i64.into() }, Bar { label: "b", value: 100_i64.into() }];
    let lengths = |direction, name: &str| {
        let picture = elements(&bars(&products, direction).svg(BOTH_SIZES[0]));
        let rects = picture.iter().filter(|element| element.tag == "rect");
        rects.map(|bar| bar.attributes[name].parse::<f64>().unwrap()).collect::<Vec<_>>()
    };
    for lengths in [lengths(Direction::Horizontal, "width"), lengths(Direction::Vertical, "height")] {
        assert!((lengths[1] - 2.0 * lengths[0]).abs() < 0.2, "{lengths:?}");
    }
}

#[test]
fn legend_is_there_for_two_series_and_area_for_one() {
    let (days, issued, spent) = (days(3), series("Issued", &[1_i64, 2, 3]), series("Spent", &[1_i64, 1, 1]));
    let one = time_series(&days, std::slice::from_ref(&issued)).svg(BOTH_SIZES[0]);
    assert!(one.contains("class=\"area series-1\"") && !one.contains("class=\"legend\""));
    let two = time_series(&days, &[issued, spent]).svg(BOTH_SIZES[0]);
    assert!(!two.contains("class=\"area") && two.matches("class=\"legend\"").count() == 2);
}

#[test]
fn days_have_hints_in_wide_pictures_of_at_most_two_months() {
    let hints = |count: usize, size| {
        let (days, numbers) = (days(count), vec![7_i64; count]);
        let series = [series("Issued", &numbers), series("Spent", &numbers)];
        texts(&time_series(&days, &series).svg(size), "title").split_off(1)
    };
    let [wide, narrow] = BOTH_SIZES;
    let hint = |day: &str| format!("{day}\nIssued\u{2002}7\nSpent\u{2002}7");
    assert_eq!(hints(2, wide), ["2026-03-01", "2026-03-02"].map(hint));
    assert_eq!([hints(62, wide).len(), hints(63, wide).len(), hints(2, narrow).len()], [62, 0, 0]);
}

/// Classes for pages that want to change more than the stylesheet does.
const UNSTYLED: [&str; 3] = ["chart-series", "heat-size", "heat-none"];

#[test]
fn stylesheet_has_all_other_classes() {
    let (days, lines) = (days(91), [series("Issued", &[7_i64; 91]), series("Spent", &[3_i64, 4])]);
    let products = [Bar { label: "Mug", value: 7_i64.into() }, Bar { label: "Bag", value: (-7_i64).into() }];
    let rows = [HeatRow { name: "March", size: "9", ratios: vec![Some(0.5)] }];
    let mut html = time_series(&days, &lines).figure("As a table");
    html.push_str(&time_series(&days[..2], &lines[1..]).figure("As a table"));
    html.push_str(&sparkline(&days, &lines[0]).svg());
    html.push_str(&heat_table(&["1", "2"], &rows).html());
    html.extend(BOTH_DIRECTIONS.map(|direction| bars(&products, direction).figure("As a table")));
    let elements = elements(&html);
    let classes = elements.iter().filter_map(|element| element.attributes.get("class"));
    for class in classes.flat_map(|classes| classes.split(' ')).filter(|class| !UNSTYLED.contains(class)) {
        let ends = [" ", ",", ":hover"].map(|end| format!(".{class}{end}"));
        assert!(ends.iter().any(|rule| STYLE.contains(rule.as_str())), "{class}");
    }
}
