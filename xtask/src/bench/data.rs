//! Generated catalogues and ledgers: the same for the same size, on every machine.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Result;

use crate::numbers::Numbers;

/// Roots, children of each, grandchildren of each: 1,000 leaves; a root holds 5 % of the products.
const TREE: [u32; 3] = [20, 10, 5];

/// A user of many ordinary days, and their rows.
pub(super) const ORDINARY_USERS: u32 = 100;
const ORDINARY_ROWS: u32 = 500;
/// The heaviest user's rows.
const HEAVY_ROWS: u32 = 100_000;

/// Raised when anything here changes, so that no database of an older form is measured.
pub(super) const VERSION: u32 = 2;

/// The end of a day, in seconds since the epoch. Publications and transactions lie before it, so that
/// some products are new.
#[derive(Debug, Clone, Copy)]
pub(super) struct DayEnd(pub(super) i64);

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

/// Writes this many products.
pub(super) fn write_products(file: &Path, count: u32, newest: DayEnd) -> Result<()> {
    let mut out = BufWriter::new(File::create(file)?);
    let mut numbers = Numbers::new(0x706f_696e_7462_6f6f);
    for number in 0..count {
        serde_json::to_writer(&mut out, &product(number, &mut numbers, newest))?;
        out.write_all(b"\n")?;
    }
    Ok(out.flush()?)
}

fn product(number: u32, numbers: &mut Numbers, newest: DayEnd) -> serde_json::Value {
    let title = title(numbers);
    let regular_price = 100 + i64::from(numbers.next(200_000));
    let sale_price = numbers.one_in(5).then(|| regular_price * 4 / 5);
    let age_seconds = i64::from(numbers.next(3 * 365 * 86_400));
    let leaf = leaf_id(numbers.next(TREE[0]), numbers.next(TREE[1]), numbers.next(TREE[2]));
    let stock = numbers.one_in(3).then(|| numbers.next(50));
    serde_json::json!({
        "id": format!("P{number:07}"),
        "sku": format!("SKU-{number:07}"),
        "title": title,
        "description": description(&title),
        "regular_price": regular_price,
        "sale_price": sale_price,
        "thumbnail": format!("https://images.example/p/{number:07}/small.jpg"),
        "gallery": [format!("https://images.example/p/{number:07}/1.jpg"), format!("https://images.example/p/{number:07}/2.jpg")],
        "categories": [leaf],
        "stock": stock,
        "popular": numbers.one_in(20),
        "published_at": timestamp(newest.0 - age_seconds),
    })
}

/// Two words; `classic` in 23 % of the titles, `titanium` in 1.6 %, `zephyr` in 0.03 %.
fn title(numbers: &mut Numbers) -> String {
    let mut title = format!("{} {}", numbers.pick(&ADJECTIVES), numbers.pick(&NOUNS));
    let dice = numbers.next(10_000);
    if dice < 2_300 {
        title.push_str(" classic");
    } else if dice < 2_460 {
        title.push_str(" titanium");
    } else if dice < 2_463 {
        title.push_str(" zephyr");
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

fn timestamp(seconds: i64) -> String {
    pointbook_domain::Timestamp::from_micros(seconds * 1_000_000)
        .map_or_else(String::new, |at| at.to_string())
}

/// Writes the activities of [`ORDINARY_USERS`] and of one heavy user, in order of time.
pub(super) fn write_activities(file: &Path, newest: DayEnd) -> Result<()> {
    let mut out = BufWriter::new(File::create(file)?);
    writeln!(out, "user_id,type,source_id,points,bonus_breakdown,title,subtitle,created_at")?;
    for user in 0..ORDINARY_USERS {
        // Three or four transactions on one day of two.
        write_user(
            &mut out,
            &format!("user-{user}"),
            ORDINARY_ROWS,
            Times { newest, seconds_between: 25_000 },
        )?;
    }
    write_user(&mut out, "heavy", HEAVY_ROWS, Times { newest, seconds_between: 600 })?;
    Ok(out.flush()?)
}

/// When a user did something: at regular intervals until the newest.
#[derive(Clone, Copy)]
struct Times {
    newest: DayEnd,
    seconds_between: i64,
}

fn write_user(out: &mut impl Write, user: &str, rows: u32, times: Times) -> Result<()> {
    for row in 0..rows {
        let at = timestamp(times.newest.0 - i64::from(rows - row) * times.seconds_between);
        let (kind, title) = [("code", "QR code scan"), ("video", "Video watched"), ("quiz", "Quiz answered")]
            [(row % 3) as usize];
        let bonus = if row % 10 == 0 {
            r#""[{""type"":""campaign"",""points"":50,""title"":""Spring campaign""}]""#
        } else {
            ""
        };
        writeln!(out, "{user},{kind},{user}-{row},{},{bonus},{title},Item {row},{at}", 10 + row % 90)?;
    }
    Ok(())
}
