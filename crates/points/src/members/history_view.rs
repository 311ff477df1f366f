//! The body of `GET /v1/user/point-history`, written directly from the rows, for each request.

mod json;
mod moment;
pub mod schema;

use pointbook_domain::digits::push_number;
use pointbook_domain::texts::{KindTexts, LocaleTexts, Tally};
use pointbook_domain::{
    ActivityGroup, ActivityType, Bonus, GroupedHistory, HistoryDay, HistoryRow, PageWindow, Points,
};

use self::json::{is_plain, push_inner, push_integer, push_list, push_text};
use self::moment::Moments;
use crate::members::point_history::PointHistory;

/// Capacity for a transaction and its part of a group, in bytes. Most need less.
const TRANSACTION_BYTES: usize = 384;
/// Capacity for the beginning of all groups or transactions of a type.
const HEADING_BYTES: usize = 128;

/// The documented history with the display texts of one language.
pub fn point_history_body(history: &PointHistory, texts: &LocaleTexts) -> Vec<u8> {
    let PointHistory { grouped, window, user_points } = history;
    let mut body = Vec::with_capacity((grouped.row_count() + 1) * TRANSACTION_BYTES);
    let page = Page::new(grouped, texts);
    body.extend_from_slice(br#"{"data":{"#);
    push_list(grouped.days(), &mut body, |day, body| page.write_day(&day, body));
    body.push(b'}');
    write_meta(window, &mut body);
    body.extend_from_slice(br#","user_points":"#);
    push_integer(user_points.get(), &mut body);
    body.push(b'}');
    body
}

fn write_meta(window: &PageWindow, body: &mut Vec<u8>) {
    let PageWindow { current_page, per_page, total, last_page, from: _, to: _ } = *window;
    body.extend_from_slice(br#","meta":{"current_page":"#);
    push_number(current_page, body);
    body.extend_from_slice(br#","per_page":"#);
    push_number(per_page, body);
    body.extend_from_slice(br#","last_page":"#);
    push_number(last_page, body);
    body.extend_from_slice(br#","total":"#);
    push_number(total, body);
    body.push(b'}');
}

/// The values that are the same for all days of a page.
struct Page<'t> {
    /// By the index of the type.
    kinds: Vec<Kind<'t>>,
    /// Whether no title or subtitle needs an escape. One scan of all of them is faster than a few single scans.
    is_plain: bool,
}

/// The beginning of all groups of a type and of all their rows, and the texts of the type.
struct Kind<'t> {
    group: Vec<u8>,
    row: Vec<u8>,
    texts: &'t KindTexts,
}

impl<'t> Kind<'t> {
    /// A type has no character that JSON escapes.
    fn new(kind: &ActivityType, texts: &'t KindTexts) -> Self {
        let (mut group, mut row) = (Vec::with_capacity(HEADING_BYTES), Vec::with_capacity(HEADING_BYTES));
        for heading in [&mut group, &mut row] {
            heading.extend_from_slice(br#"{"type":""#);
            heading.extend_from_slice(kind.as_str().as_bytes());
        }
        group.extend_from_slice(br#"","groupTitle":""#);
        push_inner(texts.title(), &mut group);
        group.extend_from_slice(br#"","groupSubtitle":""#);
        row.extend_from_slice(br#"","points":"#);
        Self { group, row, texts }
    }
}

impl<'t> Page<'t> {
    fn new(history: &'t GroupedHistory, texts: &'t LocaleTexts) -> Self {
        let kinds = history.kinds().iter().map(|kind| Kind::new(kind, texts.of(kind))).collect();
        Self { kinds, is_plain: is_plain(history.texts()) }
    }

    fn write_day(&self, day: &HistoryDay<'_>, body: &mut Vec<u8>) {
        let date = day.day.to_ascii();
        let moments = Moments::on(date);
        body.push(b'"');
        body.extend_from_slice(&date);
        body.extend_from_slice(br#"":["#);
        push_list(day.groups(), body, |group, body| self.write_group(&group, &moments, body));
        body.push(b']');
    }

    fn write_group(&self, group: &ActivityGroup<'_>, moments: &Moments, body: &mut Vec<u8>) {
        // Every group's type is among those of the page.
        let Some(kind) = self.kinds.get(group.kind_place) else { return };
        body.extend_from_slice(&kind.group);
        self.write_subtitle(group, kind.texts, body);
        body.extend_from_slice(br#"","totalPoints":"#);
        push_integer(group.total_points(), body);
        body.extend_from_slice(br#","totalBonusPoints":"#);
        push_integer(group.total_bonus_points(), body);
        body.extend_from_slice(br#","data":["#);
        push_list(group.rows(), body, |row, body| self.write_transaction(row, &kind.row, moments, body));
        body.extend_from_slice(b"]}");
    }

    /// The subtitle of the only transaction of a group. Otherwise the number of transactions.
    fn write_subtitle(&self, group: &ActivityGroup<'_>, texts: &KindTexts, body: &mut Vec<u8>) {
        if group.rows().len() == 1
            && let Some(row) = group.rows().next()
            && let Some(name) = item_names(&row).into_iter().find(|name| !name.is_empty())
        {
            return self.push_text(name, body);
        }
        push_inner(&texts.count(tally(group)), body);
    }

    /// All groups of a type begin in the same way.
    fn write_transaction(
        &self,
        row: HistoryRow<'_>,
        beginning: &[u8],
        moments: &Moments,
        body: &mut Vec<u8>,
    ) {
        let HistoryRow {
            kind: _,
            points,
            bonuses,
            is_refund: _,
            is_own_order: _,
            title,
            subtitle,
            created_at,
        } = row;
        let bonus_points = bonuses.total();
        body.extend_from_slice(beginning);
        push_integer(points.get(), body);
        body.extend_from_slice(br#","bonus_points":"#);
        push_integer(bonus_points.get(), body);
        body.extend_from_slice(br#","title":""#);
        self.push_text(title, body);
        body.extend_from_slice(br#"","subtitle":""#);
        self.push_text(subtitle, body);
        body.extend_from_slice(&moments.at(created_at));
        if bonus_points > Points::ZERO {
            body.extend_from_slice(br#","bonus_breakdown":["#);
            push_list(bonuses.breakdown(), body, write_bonus);
            body.push(b']');
        }
        body.push(b'}');
    }

    /// A title or a subtitle of a row, without its quotes.
    fn push_text(&self, text: &str, body: &mut Vec<u8>) {
        if self.is_plain { body.extend_from_slice(text.as_bytes()) } else { push_inner(text, body) }
    }
}

/// Where the name of an item is, best first. An order of this store has the product's title as its title, and the order number
/// as its subtitle. Imported rows have the item in the subtitle.
fn item_names<'r>(row: &HistoryRow<'r>) -> [&'r str; 2] {
    let HistoryRow { title, subtitle, is_own_order, .. } = *row;
    if is_own_order { [title, subtitle] } else { [subtitle, title] }
}

/// A refund does not count as an order.
fn tally(group: &ActivityGroup<'_>) -> Tally {
    let refunds = group.refund_count();
    Tally { count: group.rows().len() - refunds, refunds }
}

fn write_bonus(bonus: &Bonus, body: &mut Vec<u8>) {
    let Bonus { kind, points, title } = bonus;
    body.extend_from_slice(br#"{"type":"#);
    push_text(kind, body);
    body.extend_from_slice(br#","points":"#);
    push_integer(points.get(), body);
    body.extend_from_slice(br#","title":"#);
    push_text(title, body);
    body.push(b'}');
}

#[cfg(test)]
mod tests;
