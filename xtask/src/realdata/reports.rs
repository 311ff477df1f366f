//! Compares the reports with figures that are computed from the file here, in another way.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use xtask::operate::pointbook::Pointbook;

use super::read_gzip;

const TENANT: &str = "store-ja";

/// The years of the file. A report has at most 400 days.
const YEARS: std::ops::RangeInclusive<u32> = 1997..=2011;

type Table = Vec<Vec<String>>;

struct Row {
    user: String,
    kind: String,
    /// Days since 1970-01-01.
    day: i64,
    date: String,
    points: i64,
    bonus: i64,
}

/// Counts the empty ledger, so that what comes later is counted from events.
pub(super) fn begin(pointbook: &Pointbook) -> Result<()> {
    report(pointbook, "points", &[]).map(drop)
}

/// Counts the events and the ledger, and compares every report of points and members.
pub(super) fn compare(pointbook: &Pointbook, folder: &Path) -> Result<()> {
    let rows = read_rows(&folder.join("activity/activities.csv.gz"))?;
    let of_events = timed(pointbook, "events", rows.len(), &[])?;
    let vintages = timed(pointbook, "the ledger", rows.len(), &["--rebuild"])?;
    same("vintages of events and of the ledger", &of_events, &vintages)?;
    same("vintages", &without(&vintages, 5), &expected_vintages(&rows))?;
    let (days, members) = (expected_days(&rows), expected_members(&rows));
    for year in YEARS {
        let (from, until) = (format!("{year}-01-01"), format!("{year}-12-31"));
        let span = ["--from", &from, "--until", &until];
        let of_year = |table: &Table| -> Table {
            table.iter().filter(|row| row[0] >= from && row[0] <= until).cloned().collect()
        };
        same("points", &with_something(&report(pointbook, "points", &span)?, 1, 2), &of_year(&days))?;
        same("members", &with_something(&report(pointbook, "members", &span)?, 1, 7), &of_year(&members))?;
        let types = report(pointbook, "activity-types", &span)?;
        let of_rows = rows.iter().filter(|row| row.date >= from && row.date <= until);
        same("activity-types", &types, &expected_types(of_rows))?;
    }
    let mut cohorts = without(&report(pointbook, "cohorts", &[])?, 3);
    cohorts.retain(|row| row[2] != "0");
    same("cohorts", &cohorts, &expected_cohorts(&rows))?;
    same("segments", &report(pointbook, "segments", &[])?, &expected_segments(&rows))?;
    println!("reports: points, activity-types, members, cohorts, segments and vintages as expected");
    let audit = pointbook.run(&["audit", "--tenant", TENANT])?;
    println!("audit: {}", audit.stdout.trim());
    Ok(())
}

/// The report `vintages`, which counts first.
fn timed(pointbook: &Pointbook, what: &str, rows: usize, options: &[&str]) -> Result<Table> {
    let started = Instant::now();
    let vintages = report(pointbook, "vintages", options)?;
    let seconds = started.elapsed().as_secs_f64();
    let rate = f64::from(u32::try_from(rows)?) / seconds;
    println!("reports: {rows} transactions of {what} counted in {seconds:.1} s, {rate:.0} a second");
    Ok(vintages)
}

fn report(pointbook: &Pointbook, name: &str, span: &[&str]) -> Result<Table> {
    let text = pointbook.quiet(&[&["report", name, "--tenant", TENANT, "--csv"], span].concat())?;
    Ok(text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect())
}

fn same(name: &str, found: &Table, expected: &Table) -> Result<()> {
    for (found, expected) in found.iter().zip(expected) {
        ensure!(found == expected, "{name}: expected {expected:?}, found {found:?}");
    }
    ensure!(found.len() == expected.len(), "{name}: {} rows instead of {}", found.len(), expected.len());
    Ok(())
}

/// The rows without the column of a rate.
fn without(table: &Table, column: usize) -> Table {
    let keep = |row: &Vec<String>| {
        let cells = row.iter().enumerate().filter(|(at, _)| *at != column);
        cells.map(|(_, cell)| cell.clone()).collect()
    };
    table.iter().map(keep).collect()
}

/// The days on which one of these columns is not 0, without a rate at the end of a row of points.
fn with_something(table: &Table, first: usize, end: usize) -> Table {
    let kept = table.iter().filter(|row| row[first..end].iter().any(|cell| cell != "0"));
    kept.map(|row| if row.len() == 9 { row[..8].to_vec() } else { row.clone() }).collect()
}

fn read_rows(file: &Path) -> Result<Vec<Row>> {
    let text = read_gzip(file)?;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers()?.clone();
    let column = |name: &str| header.iter().position(|cell| cell == name).context(name.to_owned());
    let at = [column("user_id")?, column("type")?, column("created_at")?, column("points")?];
    let bonus = column("bonus_breakdown")?;
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record?;
        let date = record[at[2]][..10].to_owned();
        rows.push(Row {
            user: record[at[0]].to_owned(),
            kind: record[at[1]].to_owned(),
            day: days_of(&date)?,
            date,
            points: record[at[3]].parse()?,
            bonus: bonus_of(&record[bonus])?,
        });
    }
    Ok(rows)
}

fn bonus_of(json: &str) -> Result<i64> {
    if json.is_empty() {
        return Ok(0);
    }
    let bonuses: Vec<serde_json::Value> = serde_json::from_str(json)?;
    Ok(bonuses.iter().filter_map(|bonus| bonus["points"].as_i64()).sum())
}

/// By the rule for Julian day numbers.
fn days_of(date: &str) -> Result<i64> {
    let part = |range: std::ops::Range<usize>| date[range].parse::<i64>();
    let (year, month, day) = (part(0..4)?, part(5..7)?, part(8..10)?);
    let early = (14 - month) / 12;
    let (years, months) = (year + 4800 - early, month + 12 * early - 3);
    let julian = day + (153 * months + 2) / 5 + 365 * years + years / 4 - years / 100 + years / 400 - 32_045;
    Ok(julian - 2_440_588)
}

/// Transactions, earned, bonus, spent, refunded, reversed.
fn numbers(row: &Row) -> [i64; 6] {
    let is_refund = row.kind == "order" && row.points > 0;
    match row.points {
        points if is_refund => [1, 0, 0, 0, points, 0],
        points if points + row.bonus < 0 => [1, 0, 0, -points, 0, 0],
        points => [1, points, row.bonus, 0, 0, 0],
    }
}

fn add<const N: usize>(sums: &mut [i64; N], more: [i64; N]) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

fn line(first: &[&str], numbers: &[i64]) -> Vec<String> {
    let numbers = numbers.iter().map(ToString::to_string);
    first.iter().map(|text| (*text).to_owned()).chain(numbers).collect()
}

fn expected_days(rows: &[Row]) -> Table {
    let mut days: BTreeMap<&str, [i64; 6]> = BTreeMap::new();
    for row in rows {
        add(days.entry(&row.date).or_default(), numbers(row));
    }
    let mut open = 0;
    let day = |(date, numbers): (&str, [i64; 6])| {
        let [_, earned, bonus, spent, refunded, _] = numbers;
        open += earned + bonus - spent + refunded;
        line(&[date], &[&numbers[..], &[open]].concat())
    };
    days.into_iter().map(day).collect()
}

fn expected_types<'r>(rows: impl Iterator<Item = &'r Row>) -> Table {
    let mut types: BTreeMap<&str, [i64; 6]> = BTreeMap::new();
    rows.for_each(|row| add(types.entry(&row.kind).or_default(), numbers(row)));
    types.into_iter().map(|(kind, numbers)| line(&[kind], &numbers)).collect()
}

/// The active days of each user, with their dates.
fn active(rows: &[Row]) -> BTreeMap<&str, BTreeMap<i64, &str>> {
    let mut active: BTreeMap<&str, BTreeMap<i64, &str>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.kind != "order" || row.points <= 0) {
        active.entry(&row.user).or_default().insert(row.day, &row.date);
    }
    active
}

/// Only the days on which something changes for a member: the others are as many as the day before says.
fn expected_members(rows: &[Row]) -> Table {
    let mut by_day: BTreeMap<i64, [i64; 6]> = BTreeMap::new();
    for days in active(rows).values() {
        let days: BTreeSet<i64> = days.keys().copied().collect();
        let week: BTreeSet<i64> = days.iter().flat_map(|day| *day..day + 7).collect();
        let month: BTreeSet<i64> = days.iter().flat_map(|day| *day..day + 28).collect();
        let mut at = |day: i64, column: usize| by_day.entry(day).or_default()[column] += 1;
        days.first().into_iter().for_each(|day| at(*day, 0));
        for (column, counted) in [(1, &days), (2, &week), (3, &month)] {
            counted.iter().copied().for_each(|day| at(day, column));
        }
        let is_back = |day: &&i64| Some(*day) != days.first() && !month.contains(&(**day - 1));
        days.iter().filter(is_back).for_each(|day| at(*day, 4));
        let left = month.iter().map(|day| day + 1).filter(|day| !month.contains(day));
        left.filter(|day| !days.contains(day)).for_each(|day| at(day, 5));
    }
    by_day.into_iter().map(|(day, numbers)| line(&[&date_of(day)], &numbers)).collect()
}

fn date_of(day: i64) -> String {
    let (mut year, mut rest) = (1970, day);
    let is_leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    loop {
        let length = 365 + i64::from(is_leap(year));
        if rest < length {
            break;
        }
        (rest, year) = (rest - length, year + 1);
    }
    let february = 28 + i64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if rest < length {
            break;
        }
        (rest, month) = (rest - length, month + 1);
    }
    format!("{year:04}-{month:02}-{:02}", rest + 1)
}

fn expected_cohorts(rows: &[Row]) -> Table {
    let mut cells: BTreeMap<(&str, &str), i64> = BTreeMap::new();
    for days in active(rows).values() {
        let months: BTreeSet<&str> = days.values().map(|date| &date[..7]).collect();
        let Some(joined) = months.first() else { continue };
        for month in &months {
            *cells.entry((joined, month)).or_default() += 1;
        }
    }
    cells.into_iter().map(|((joined, month), members)| line(&[joined, month], &[members])).collect()
}

/// The members are sorted by each measure, and those before a member say the fifth.
fn expected_segments(rows: &[Row]) -> Table {
    let mut sums: BTreeMap<&str, [i64; 2]> = BTreeMap::new();
    for row in rows {
        let [_, earned, bonus, spent, refunded, _] = numbers(row);
        add(sums.entry(&row.user).or_default(), [earned + bonus, spent - refunded]);
    }
    let active = active(rows);
    let of = |user: &str| {
        let days = &active[user];
        let last = days.keys().next_back().copied().unwrap_or_default();
        [last, i64::try_from(days.len()).unwrap_or_default(), sums[user][0]]
    };
    let mut fifths: BTreeMap<&str, [i64; 3]> = BTreeMap::new();
    for measure in 0..3 {
        let mut users: Vec<(i64, &str)> = active.keys().map(|user| (of(user)[measure], *user)).collect();
        users.sort_unstable();
        let mut fifth = 1;
        for (place, (value, user)) in users.iter().enumerate() {
            if place == 0 || users[place - 1].0 != *value {
                fifth = i64::try_from(place * 5 / users.len()).unwrap_or_default() + 1;
            }
            fifths.entry(user).or_default()[measure] = fifth;
        }
    }
    let mut groups: BTreeMap<[i64; 3], [i64; 3]> = BTreeMap::new();
    for (user, fifths) in fifths {
        add(groups.entry(fifths).or_default(), [1, sums[user][0], sums[user][1]]);
    }
    groups.into_iter().map(|(fifths, sums)| line(&[], &[fifths, sums].concat())).collect()
}

/// Each user has a list of lots. What is spent comes out of the oldest, and what is owed is a lot below 0.
fn expected_vintages(rows: &[Row]) -> Table {
    let mut months: BTreeMap<String, [i64; 2]> = BTreeMap::new();
    let mut lots: BTreeMap<&str, BTreeMap<&str, i64>> = BTreeMap::new();
    let mut spent: BTreeMap<&str, BTreeMap<&str, i64>> = BTreeMap::new();
    for row in rows {
        let (month, [_, earned, bonus, taken, refunded, _]) = (&row.date[..7], numbers(row));
        let (lots, spent) = (lots.entry(&row.user).or_default(), spent.entry(&row.user).or_default());
        months.entry(month.to_owned()).or_default()[0] += earned + bonus;
        *lots.entry(month).or_default() += earned + bonus;
        let mut left = taken;
        for (of, lot) in lots.iter_mut() {
            let part = left.min((*lot).max(0));
            (*lot, left) = (*lot - part, left - part);
            *spent.entry(of).or_default() += part;
        }
        *lots.entry(month).or_default() -= left;
        *spent.entry(month).or_default() += left;
        let mut back = refunded;
        for (of, gone) in spent.iter_mut().rev() {
            let part = back.min((*gone).max(0));
            (*gone, back) = (*gone - part, back - part);
            *lots.entry(of).or_default() += part;
        }
        *spent.entry(month).or_default() -= back;
        *lots.entry(month).or_default() += back;
        settle(lots, spent);
    }
    for (month, gone) in spent.values().flatten() {
        months.entry((*month).to_owned()).or_default()[1] += gone;
    }
    months.retain(|_, sums| *sums != [0, 0]);
    let row =
        |(month, [issued, spent]): (String, [i64; 2])| line(&[&month], &[issued, spent, 0, issued - spent]);
    months.into_iter().map(row).collect()
}

/// Open points pay what is owed.
fn settle<'m>(lots: &mut BTreeMap<&'m str, i64>, spent: &mut BTreeMap<&'m str, i64>) {
    loop {
        let owing = lots.iter().find(|(_, lot)| **lot < 0).map(|(month, lot)| (*month, -*lot));
        let paying = lots.iter().find(|(_, lot)| **lot > 0).map(|(month, lot)| (*month, *lot));
        let (Some((owing, owed)), Some((paying, open))) = (owing, paying) else { return };
        let part = owed.min(open);
        for (month, change) in [(owing, part), (paying, -part)] {
            *lots.entry(month).or_default() += change;
            *spent.entry(month).or_default() -= change;
        }
    }
}
