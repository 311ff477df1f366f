//! Generates catalogues. The same size gives the same catalogue on every machine.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Result;
use xtask::operate::numbers::Numbers;

use super::words::Words;
use super::{DayEnd, timestamp};

/// Roots, children of each, grandchildren of each: 1,000 leaves. A root holds 5 % of the products.
const TREE: [u32; 3] = [20, 10, 5];

/// One product in so many matches all flags: new, low in stock, on sale and popular.
const ALL_FLAGS_ONE_IN: u32 = 100;
const DAY_SECONDS: i64 = 86_400;

const ADJECTIVES: [&str; 16] = [
    "Amber", "Bold", "Calm", "Dusky", "Early", "Fine", "Gentle", "Hazel", "Ivory", "Jolly", "Keen", "Light",
    "Misty", "Noble", "Olive", "Plain",
];
const NOUNS: [&str; 16] = [
    "anchor", "basket", "candle", "drum", "easel", "flask", "globe", "hammock", "inkwell", "jar", "kite",
    "lantern", "mug", "notebook", "oven", "pillow",
];

/// Writes the category tree.
pub(super) fn write_categories(file: &Path) -> Result<()> {
    let level =
        |count: u32, make: &dyn Fn(u32) -> serde_json::Value| (0..count).map(make).collect::<Vec<_>>();
    let tree = level(TREE[0], &|root| {
        let children = level(TREE[1], &|middle| {
            let children = level(
                TREE[2],
                &|leaf| serde_json::json!({"id": leaf_id(root, middle, leaf), "label": format!("Leaf {leaf}"), "children": []}),
            );
            serde_json::json!({"id": format!("m{root}-{middle}"), "label": format!("Shelf {middle}"), "children": children})
        });
        serde_json::json!({"id": format!("r{root}"), "label": format!("Aisle {root}"), "children": children})
    });
    Ok(serde_json::to_writer(File::create(file)?, &tree)?)
}

fn leaf_id(root: u32, middle: u32, leaf: u32) -> String {
    format!("l{root}-{middle}-{leaf}")
}

/// A random category that holds 5 %, 0.5 % or 0.1 % of the products.
pub(crate) fn draw_category(numbers: &mut Numbers) -> String {
    let (root, middle, leaf) = (numbers.next(TREE[0]), numbers.next(TREE[1]), numbers.next(TREE[2]));
    match numbers.next(3) {
        0 => draw_root(numbers),
        1 => format!("m{root}-{middle}"),
        _ => leaf_id(root, middle, leaf),
    }
}

/// A random category that holds 5 % of the products.
pub(crate) fn draw_root(numbers: &mut Numbers) -> String {
    format!("r{}", numbers.next(TREE[0]))
}

/// Writes this many products.
pub(super) fn write_products(file: &Path, count: u32, newest: DayEnd) -> Result<()> {
    let mut out = BufWriter::new(File::create(file)?);
    let (mut numbers, words) = (Numbers::new(0x706f_696e_7462_6f6f), Words::new());
    for number in 0..count {
        let title = title(&mut numbers, &words);
        serde_json::to_writer(&mut out, &product(number, &title, &mut numbers, newest))?;
        out.write_all(b"\n")?;
    }
    Ok(out.flush()?)
}

fn product(number: u32, title: &str, numbers: &mut Numbers, newest: DayEnd) -> serde_json::Value {
    let is_all = numbers.one_in(ALL_FLAGS_ONE_IN);
    let regular_price = 100 + i64::from(numbers.next(200_000));
    let sale_price = (numbers.one_in(5) || is_all).then(|| regular_price * 4 / 5);
    let age_days = i64::from(numbers.next(if is_all { 20 } else { 3 * 365 }));
    let age_seconds = age_days * DAY_SECONDS + i64::from(numbers.next(86_400));
    let leaf = leaf_id(numbers.next(TREE[0]), numbers.next(TREE[1]), numbers.next(TREE[2]));
    let stock = (numbers.one_in(3) || is_all).then(|| numbers.next(if is_all { 5 } else { 50 }));
    serde_json::json!({
        "id": format!("P{number:07}"),
        "sku": format!("SKU-{number:07}"),
        "title": title,
        "description": description(title),
        "regular_price": regular_price,
        "sale_price": sale_price,
        "thumbnail": format!("https://images.example/p/{number:07}/small.jpg"),
        "gallery": [format!("https://images.example/p/{number:07}/1.jpg"), format!("https://images.example/p/{number:07}/2.jpg")],
        "categories": [leaf],
        "stock": stock,
        "popular": numbers.one_in(20) || is_all,
        "published_at": timestamp(newest.0 - age_seconds),
    })
}

/// Two words that are each in one of 16 titles, on average three and a half searchable words, and a number.
fn title(numbers: &mut Numbers, words: &Words) -> String {
    let mut title = format!("{} {}", numbers.pick(&ADJECTIVES), numbers.pick(&NOUNS));
    for (frequency, words) in words.by_frequency() {
        let of_ten_thousand = frequency.of_ten_thousand();
        for word in words.iter().filter(|_| numbers.next(10_000) < of_ten_thousand) {
            title.push(' ');
            title.push_str(word);
        }
    }
    // Writing to a string cannot fail.
    let _ = write!(title, " {}", numbers.next(1_000));
    title
}

fn description(title: &str) -> String {
    format!(
        "<p>The <strong>{title}</strong> is made to be used every day, and to last for years.</p>\
         <ul><li>Ships within two working days</li><li>Two years of warranty</li>\
         <li>Gift wrapping on request</li></ul><p>Points cannot be paid out.</p>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::words::Frequency;

    #[test]
    fn words_are_in_titles_at_their_frequency() {
        let (mut numbers, words) = (Numbers::new(1), Words::new());
        let titles: Vec<String> = (0..10_000).map(|_| title(&mut numbers, &words)).collect();
        let found = |word: &str| titles.iter().filter(|title| title.contains(word)).count();
        let (common, uncommon) = (words.searches(Frequency::Common), words.searches(Frequency::Uncommon));
        assert!((2_100..2_500).contains(&found(&common[0])), "{}", found(&common[0]));
        assert!((110..210).contains(&found(&uncommon[0])), "{}", found(&uncommon[0]));
    }

    #[test]
    fn same_seed_gives_the_same_products() {
        let make = || product(7, "A mug", &mut Numbers::new(3), DayEnd(1_700_000_000));
        assert_eq!(make(), make());
    }
}
