//! What holds for every chart.

use std::collections::BTreeSet;

use pointbook_http::charts::{Bar, Caption, Chart, HeatRow, Number, STYLE, Shape, Sparkline, TimeSeries};

use super::elements::{elements, texts};
use super::samples::{bars, days, heat_table, pictures, series, sparkline, time_series};

const HOSTILE: &str = "\"/><script>alert('1')</script>&\u{0}";

fn values(numbers: &[i64]) -> Vec<Number> {
    numbers.iter().map(|number| Number::from(*number)).collect()
}

#[test]
fn each_picture_has_a_role_a_title_and_a_description() {
    for numbers in [vec![], vec![1], vec![3, -4, 5]] {
        let [small, lines, bars] = pictures(&values(&numbers)).try_into().unwrap();
        for picture in [small, lines] {
            let elements = elements(&picture);
            let at = elements.iter().position(|element| element.attributes.contains_key("role")).unwrap();
            let [svg, title, description] = &elements[at..at + 3] else { panic!("{picture}") };
            assert_eq!((svg.tag.as_str(), svg.attributes["role"].as_str()), ("svg", "img"));
            assert_eq!((title.tag.as_str(), title.text.as_str()), ("title", "Points"));
            assert_eq!((description.tag.as_str(), description.text.as_str()), ("desc", "Points per day."));
            let ids = [title, description].map(|element| element.attributes["id"].as_str());
            assert_eq!(svg.attributes["aria-labelledby"], ids.join(" "));
            assert!(ids.iter().all(|id| id.starts_with("issued-")), "{ids:?}");
        }
        // Bars are a list of texts.
        assert_eq!(bars.contains("aria-label=\"Points\""), !numbers.is_empty(), "{bars}");
    }
}

#[test]
fn bars_of_days_begin_at_zero() {
    let (days, series) = (days(3), [series("Points", &[30, 0, -10])]);
    let chart = TimeSeries { shape: Shape::Bars, ..time_series(&days, &series) };
    let picture = chart.picture();
    let bars: Vec<_> = elements(&picture)
        .into_iter()
        .filter(|element| element.attributes.get("class").is_some_and(|class| class == "bar series-1"))
        .map(|element| [element.attributes["y"].clone(), element.attributes["height"].clone()])
        .collect();
    // The axis goes from -10 to 30.
    assert_eq!(bars, [["0%", "75%"], ["75%", "25%"]], "{picture}");
    assert!(!picture.contains("<path"), "{picture}");
}

/// Only what is in the part that stretches has coordinates; everything else has percentages.
#[test]
fn no_text_stretches() {
    for picture in pictures(&values(&[3, -4, 5])) {
        for stretched in picture.split("preserveAspectRatio=\"none\">").skip(1) {
            let (stretched, _) = stretched.split_once("</svg>").unwrap();
            assert!(stretched.contains("<path") && !stretched.contains("<text"), "{stretched}");
        }
        let texts: Vec<_> = elements(&picture).into_iter().filter(|element| element.tag == "text").collect();
        assert!(texts.iter().all(|text| text.attributes["x"].ends_with('%')), "{picture}");
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
    assert_eq!(ids.len(), 2);
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), 2);
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
    let mut bars = bars(&bar);
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
        let picture = time_series(days, &gaps).picture();
        let (_, plot) = picture.split_once("chart-plot").unwrap();
        assert!(!plot.contains("<path") && plot.contains("class=\"axis\""), "{picture}");
        assert!(texts(&picture, "text").contains(&"No points yet".to_owned()));
        assert!(!sparkline(&gaps[0]).svg().contains("<path"));
    }
    let picture = bars(&[]).picture();
    assert!(picture.contains("No orders yet") && !picture.contains("<rect"), "{picture}");
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
}

#[test]
fn bars_print_the_numbers_of_their_table() {
    let products = [("Mug", 12_i64), ("Bag", -3), ("Pen", 0)];
    let products = products.map(|(label, value)| Bar { label, value: value.into() });
    let chart = bars(&products);
    assert_eq!(texts(&chart.table(), "td"), ["12", "-3", "0"]);
    assert_eq!(texts(&chart.picture(), "b"), ["12", "-3", "0"]);
    assert_eq!(texts(&chart.picture(), "span"), ["Mug", "Bag", "Pen"]);
}

#[test]
fn longest_bars_are_as_long_as_their_values_say() {
    let lengths = |values: &[i64]| {
        let bars: Vec<_> = values.iter().map(|value| Bar { label: "a", value: (*value).into() }).collect();
        let picture = elements(&super::samples::bars(&bars).picture());
        let rects = picture.iter().filter(|element| element.tag == "rect");
        let part = |bar: &super::elements::Element, name: &str| bar.attributes[name].clone();
        rects.map(|bar| (part(bar, "x"), part(bar, "width"))).collect::<Vec<_>>()
    };
    let pairs = |pairs: &[(&str, &str)]| {
        pairs.iter().map(|(x, width)| ((*x).to_owned(), (*width).to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(lengths(&[50, 100, 0]), pairs(&[("0%", "50%"), ("0%", "100%")]));
    assert_eq!(lengths(&[-25, 75]), pairs(&[("0%", "25%"), ("25%", "75%")]));
    assert_eq!(lengths(&[1, 1_000_000]), pairs(&[("0%", "0.3%"), ("0%", "100%")]));
}

#[test]
fn legend_is_there_for_two_lines_and_area_for_one_series() {
    let (days, issued, spent) = (days(3), series("Issued", &[1_i64, 2, 3]), series("Spent", &[1_i64, 1, 1]));
    let one = time_series(&days, std::slice::from_ref(&issued));
    assert!(one.picture().contains("class=\"area series-1\"") && !one.picture().contains("chart-legend"));
    let mut with_before = one;
    with_before.before = std::slice::from_ref(&spent);
    let picture = with_before.picture();
    assert!(
        picture.contains("<path class=\"line before\"") && picture.contains("<span>Spent</span>"),
        "{picture}"
    );
    assert!(!with_before.table().contains("Spent"));
    let both = [issued, spent];
    let two = time_series(&days, &both).picture();
    assert!(!two.contains("class=\"area") && two.contains("<span>Issued</span>"), "{two}");
}

#[test]
fn days_have_hints_in_pictures_of_at_most_three_months() {
    let hints = |count: usize| {
        let (days, numbers) = (days(count), vec![7_i64; count]);
        let series = [series("Issued", &numbers), series("Spent", &numbers)];
        texts(&time_series(&days, &series).picture(), "title").split_off(1)
    };
    let hint = |day: &str| format!("{day}\nIssued\u{2002}7\nSpent\u{2002}7");
    assert_eq!(hints(2), ["2026-03-01", "2026-03-02"].map(hint));
    assert_eq!([hints(92).len(), hints(93).len()], [92, 0]);
}

#[test]
fn a_running_day_is_hatched_and_no_line_of_sums_reaches_it() {
    let (days, issued, spent) =
        (days(4), series("Issued", &[1_i64, 2, 4, 0]), series("Before", &[4_i64, 2, 1, 3]));
    let mut chart = time_series(&days, std::slice::from_ref(&issued));
    chart.before = std::slice::from_ref(&spent);
    let whole = chart.picture();
    assert!(
        whole.contains("<path class=\"line series-1\" d=\"M12.5 75L37.5 50L62.5 0L87.5 100\"/>"),
        "{whole}"
    );
    assert!(!whole.contains("hatch") && whole.contains("<b>2026-03-04</b>"), "{whole}");
    chart.is_running = true;
    let running = chart.picture();
    for part in [
        "<path class=\"line series-1\" d=\"M12.5 75L37.5 50L62.5 0\"/>",
        "<path class=\"line before\" d=\"M12.5 0L37.5 50L62.5 75L87.5 25\"/>",
        "<rect x=\"75%\" width=\"25%\" height=\"100%\" fill=\"url(#issued-hatch)\"/>",
        "<span>not over</span>",
        // The readout has the last whole day, and so has the line.
        "<b>2026-03-03</b><span><span>Issued </span><b>4</b><span> before 1</span></span>",
        "<line class=\"cross\" x1=\"62.5%\" x2=\"62.5%\" y2=\"100%\"/>",
    ] {
        assert!(running.contains(part), "{part}: {running}");
    }
    // A level is known at each moment.
    chart.shape = Shape::Steps;
    let level = chart.picture();
    assert!(level.contains("L75 100L100 100\"/>"), "{level}");
}

#[test]
fn a_level_has_steps_and_may_begin_above_zero_and_says_so() {
    let (days, balance) = (days(3), [series("Balance", &[1_000_i64, 1_040, 1_020])]);
    let mut chart = time_series(&days, &balance);
    assert!(!chart.picture().contains("from 1000"));
    chart.shape = Shape::Steps;
    let picture = chart.picture();
    assert!(picture.contains("<span>from 1000</span>"), "{picture}");
    let steps = "<path class=\"line series-1\" d=\"M0 100L33.33 100L33.33 0L66.67 0L66.67 50L100 50\"/>";
    assert!(picture.contains(steps), "{picture}");
}

#[test]
fn lines_differ_in_marks_and_only_those_before_are_dashed() {
    let (days, line) = (days(3), |name| series(name, &[1_i64, 2, 3]));
    let lines = ["a", "b", "c", "d", "e", "f"].map(line);
    let picture = time_series(&days, &lines).picture();
    let marked = |class: &str| picture.contains(&format!("<path class=\"dot spot {class}\""));
    let marks = (1..=6).map(|at| marked(&format!("series-{at}"))).collect::<Vec<_>>();
    assert_eq!(marks, [false, true, true, true, true, false], "{picture}");
    let dashed: Vec<_> = STYLE.split('}').filter(|rule| rule.contains("dasharray")).collect();
    assert!(
        dashed.iter().all(|rule| rule.contains(".before") || rule.contains("dasharray: none")),
        "{dashed:?}"
    );
}

/// Classes for pages that want to change more than the stylesheet does.
const UNSTYLED: [&str; 4] = ["table", "start", "heat-size", "heat-none"];

#[test]
fn stylesheet_has_all_other_classes() {
    let (days, lines) = (days(91), [series("Issued", &[7_i64; 91]), series("Spent", &[3_i64, 4])]);
    let products = [Bar { label: "Mug", value: 7_i64.into() }, Bar { label: "Bag", value: (-7_i64).into() }];
    let rows = [HeatRow { name: "March", size: "9", ratios: vec![Some(0.5)] }];
    let mut html = time_series(&days, &lines).figure("As a table");
    html.push_str(&time_series(&days[..2], &lines[1..]).figure("As a table"));
    html.push_str(&Sparkline { before: Some(&lines[1]), ..sparkline(&lines[0]) }.svg());
    html.push_str(&heat_table(&["1", "2"], &rows).html());
    html.push_str(&bars(&products).figure("As a table"));
    let elements = elements(&html);
    let classes = elements.iter().filter_map(|element| element.attributes.get("class"));
    for class in classes.flat_map(|classes| classes.split(' ')).filter(|class| !UNSTYLED.contains(class)) {
        let ends = [" ", ",", ":hover", ")"].map(|end| format!(".{class}{end}"));
        assert!(ends.iter().any(|rule| STYLE.contains(rule.as_str())), "{class}");
    }
}
