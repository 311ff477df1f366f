//! The stylesheet: its contrasts, computed as WCAG 2.2 defines them.

use std::collections::BTreeMap;

use pointbook_http::charts::{HEAT_STEPS, STYLE};

type Colours = BTreeMap<&'static str, [f64; 3]>;

/// The least contrast of texts, and of marks such as lines and bars.
const TEXT: f64 = 4.5;
const MARK: f64 = 3.0;

/// The colours of each custom property: on light and on dark pages.
fn themes() -> [(&'static str, Colours); 2] {
    let mut themes = [("light", Colours::new()), ("dark", Colours::new())];
    for line in STYLE.lines() {
        let property = line.trim().strip_prefix("--chart-").and_then(|rest| rest.split_once(": light-dark("));
        let Some((name, value)) = property else { continue };
        for (colour, (_, colours)) in value.trim_end_matches(");").split(", ").zip(&mut themes) {
            // A colour with transparency is no mark.
            if let Some(colour) = rgb(colour) {
                colours.insert(name, colour);
            }
        }
    }
    themes
}

/// The parts of a colour without transparency, such as `#1d2733`.
fn rgb(hex: &str) -> Option<[f64; 3]> {
    let number = u32::from_str_radix(hex.strip_prefix('#').filter(|digits| digits.len() == 6)?, 16).ok()?;
    let [_, parts @ ..] = number.to_be_bytes();
    Some(parts.map(|part| f64::from(part) / 255.0))
}

fn linear(colour: [f64; 3]) -> [f64; 3] {
    colour.map(|part| if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) })
}

fn luminance(colour: [f64; 3]) -> f64 {
    let [red, green, blue] = linear(colour);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

#[track_caller]
fn assert_contrast(front: &str, back: &str, least: f64) {
    for (theme, colours) in themes() {
        let [front_light, back_light] = [front, back].map(|name| luminance(colours[name]));
        let (bright, dim) = (front_light.max(back_light), front_light.min(back_light));
        let contrast = (bright + 0.05) / (dim + 0.05);
        assert!(contrast >= least, "{front} on {back}, {theme}: {contrast:.2} is less than {least}");
    }
}

#[test]
fn texts_have_enough_contrast() {
    for text in ["text", "quiet"] {
        assert_contrast(text, "paper", TEXT);
    }
    for step in 0..HEAT_STEPS {
        let text = if step < 4 { "on-weak" } else { "on-strong" };
        assert_contrast(text, &format!("heat-{step}"), TEXT);
        assert!(STYLE.contains(&format!(
            ".heat-{step} {{\n  background: var(--chart-heat-{step});\n  color: var(--chart-{text});"
        )));
    }
}

#[test]
fn marks_have_enough_contrast() {
    assert_contrast("axis", "paper", MARK);
    for series in 1..=6 {
        assert_contrast(&format!("series-{series}"), "paper", MARK);
    }
}

#[test]
fn heat_grows_away_from_the_page() {
    for (theme, colours) in themes() {
        let paper = luminance(colours["paper"]);
        let distance = |step: u8| (luminance(colours[format!("heat-{step}").as_str()]) - paper).abs();
        assert!((1..HEAT_STEPS).all(|step| distance(step) > distance(step - 1)), "{theme}");
    }
}

/// How people with a colour deficiency see a colour, by the matrices of Machado, Oliveira and Fernandes (2009) for a complete one:
/// protanopia, deuteranopia, tritanopia.
const DEFICIENCIES: [[[f64; 3]; 3]; 3] = [
    [
        [0.152_286, 1.052_583, -0.204_868],
        [0.114_503, 0.786_281, 0.099_216],
        [-0.003_882, -0.048_116, 1.051_998],
    ],
    [
        [0.367_322, 0.860_646, -0.227_968],
        [0.280_085, 0.672_501, 0.047_413],
        [-0.011_820, 0.042_940, 0.968_881],
    ],
    [
        [1.255_528, -0.076_749, -0.178_779],
        [-0.078_411, 0.930_809, 0.147_602],
        [0.004_733, 0.691_367, 0.303_900],
    ],
];

/// A colour in Oklab, in which distances are about as large as people see them.
fn oklab([red, green, blue]: [f64; 3]) -> [f64; 3] {
    let long = (0.412_221_5 * red + 0.536_332_5 * green + 0.051_446 * blue).max(0.0).cbrt();
    let medium = (0.211_903_5 * red + 0.680_699_5 * green + 0.107_397 * blue).max(0.0).cbrt();
    let short = (0.088_302_5 * red + 0.281_718_8 * green + 0.629_978_7 * blue).max(0.0).cbrt();
    [
        0.210_454_3 * long + 0.793_617_8 * medium - 0.004_072 * short,
        1.977_998_5 * long - 2.428_592_2 * medium + 0.450_593_7 * short,
        0.025_904_0 * long + 0.782_771_8 * medium - 0.808_675_8 * short,
    ]
}

fn times(matrix: [[f64; 3]; 3], colour: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row.iter().zip(colour).map(|(factor, part)| factor * part).sum())
}

/// The distance in Oklab that is easy to see between two lines.
const DISTANCE: f64 = 0.09;

#[test]
fn series_differ_for_people_with_colour_deficiencies() {
    for (theme, colours) in themes() {
        for deficiency in DEFICIENCIES {
            let seen = [1, 2, 3, 4, 5, 6]
                .map(|series| oklab(times(deficiency, linear(colours[format!("series-{series}").as_str()]))));
            for (at, one) in seen.iter().enumerate() {
                for (other_at, other) in seen.iter().enumerate().skip(at + 1) {
                    let square: f64 = one.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum();
                    let distance = square.sqrt();
                    let pair = (theme, deficiency[0][0], at + 1, other_at + 1);
                    assert!(distance >= DISTANCE, "{pair:?}: {distance:.3}");
                }
            }
        }
    }
}
