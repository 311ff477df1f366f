//! Values at the ends of their types.

use std::collections::BTreeSet;

use pointbook_http::charts::{Chart as _, Number};

use super::elements::elements;
use super::samples::{days, pictures, series, time_series};

const WHOLE: [i64; 9] = [i64::MIN, i64::MIN + 1, -1_000_003, -1, 0, 1, 999_999, i64::MAX - 1, i64::MAX];

const REAL: [f64; 12] = [
    f64::MIN,
    -1e300,
    -1.5,
    -f64::MIN_POSITIVE,
    -0.0,
    5e-324,
    1e-300,
    0.1,
    1.0 / 3.0,
    1e17,
    f64::MAX,
    f64::NAN,
];

fn all_values() -> Vec<Number> {
    let infinities = [f64::INFINITY, f64::NEG_INFINITY].map(Number::from);
    WHOLE.map(Number::from).into_iter().chain(REAL.map(Number::from)).chain(infinities).collect()
}

/// Attributes that contain coordinates and lengths.
const NUMERIC: [&str; 12] = ["x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "width", "height", "d"];

#[track_caller]
fn assert_inside(picture: &str, values: &[Number]) {
    for element in &elements(picture) {
        for (name, value) in element.attributes.iter().filter(|(name, _)| NUMERIC.contains(&name.as_str())) {
            for number in value.split(|found: char| found.is_ascii_alphabetic() || " %".contains(found)) {
                let inside = |number: f64| (0.0..=100.0).contains(&number);
                let decimals = number.split_once('.').map_or(0, |(_, decimals)| decimals.len());
                let good = number.is_empty() || number.parse().is_ok_and(inside) && decimals <= 2;
                assert!(good, "{name}={value} of {values:?} in\n{picture}");
            }
        }
    }
}

#[test]
fn all_pairs_of_extreme_values_are_drawn_inside_the_picture() {
    let values = all_values();
    for one in &values {
        for other in &values {
            let pair = [*one, *other];
            for picture in pictures(&pair) {
                assert_inside(&picture, &pair);
            }
        }
    }
}

#[test]
fn random_values_of_all_sizes_are_drawn_inside_the_picture() {
    // A linear congruential generator: the same values in each run.
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state
    };
    for round in 0..100 {
        let count = random() % 40;
        let mut value = || match round % 3 {
            0 => Number::from(random().cast_signed() >> (random() % 64)),
            1 => Number::from(f64::from_bits(random())),
            _ => all_values()[usize::try_from(random() >> 33).unwrap() % all_values().len()],
        };
        let values: Vec<Number> = (0..count).map(|_| value()).collect();
        for picture in pictures(&values) {
            assert_inside(&picture, &values);
        }
    }
}

#[test]
fn long_periods_are_drawn_inside_the_picture() {
    for count in [1, 2, 61, 62, 63, 90, 91, 400] {
        let values: Vec<Number> = (0..count).map(|value: i64| Number::from(value * value)).collect();
        let (days, one) = (days(values.len()), [series("Issued", &values)]);
        assert_inside(&time_series(&days, &one).picture(), &values);
    }
}

#[test]
fn many_series_with_long_names_repeat_six_classes() {
    let (days, values) = (days(10), [1_i64, 5, 2, 8, 3, 9, 4, 7, 6, 0]);
    let one = series("A very long name of a series, as only some products of a few tenants have", &values);
    let many = vec![one; 20];
    let picture = time_series(&days, &many).picture();
    let lines = elements(&picture).into_iter().filter(|element| element.tag == "path");
    let lines = lines.map(|line| line.attributes["class"].clone()).filter(|class| class.starts_with("line "));
    assert_eq!(lines.collect::<BTreeSet<String>>().len(), 6);
    assert_inside(&picture, &[]);
}
