//! Lists: the line above with search, filters and what holds, and the table.

use maud::{Markup, html};
use pointbook_domain::{PageWindow, Timestamp};
use pointbook_http::pages::{date, number};

use crate::console_kit::components::empty_with;
use crate::console_kit::icons::{Icon, icon};
use crate::console_kit::visit::Visit;

/// A column of a table.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// The id of its heading. Empty for a column of boxes.
    heading: &'static str,
    is_number: bool,
    is_cut: bool,
    /// 1 is always there, 2 leaves a narrow window, 3 a middle one, too.
    rank: u8,
    /// The order that its heading leads to first, as the address has it: `price`, or `-price` for the greatest first.
    sort: Option<&'static str>,
}

/// The order of a list, and the address of the list in another one.
#[derive(Clone, Copy)]
pub struct Sort<'s> {
    pub by: &'s str,
    pub address: &'s dyn Fn(&str) -> String,
}

impl Sort<'_> {
    /// The heading of a column that sorts by this. A second press turns the order round.
    fn heading(self, first: &str, text: &str) -> (Option<&'static str>, Markup) {
        let (name, is_descending) = (self.by.trim_start_matches('-'), self.by.starts_with('-'));
        let is_here = name == first.trim_start_matches('-');
        let other = if is_descending { name.to_owned() } else { format!("-{name}") };
        let falls = if is_here { is_descending } else { first.starts_with('-') };
        let arrow = icon(if falls { Icon::Down } else { Icon::Up });
        let state = if is_descending { "descending" } else { "ascending" };
        let link = html! { a href=((self.address)(if is_here { &other } else { first })) { (text) (arrow) } };
        (is_here.then_some(state), link)
    }
}

impl Column {
    pub const fn text(heading: &'static str) -> Self {
        Self { heading, is_number: false, is_cut: false, rank: 1, sort: None }
    }

    /// Aligned at its end, in digits of one width.
    pub const fn number(heading: &'static str) -> Self {
        Self { is_number: true, ..Self::text(heading) }
    }

    /// The boxes of the rows. The script shows the box above them, which ticks all rows.
    pub const BOXES: Self = Self::text("");

    #[must_use]
    pub const fn rank(self, rank: u8) -> Self {
        Self { rank, ..self }
    }

    /// Cut after one line. Its cells have the whole text as their title.
    #[must_use]
    pub const fn cut(self) -> Self {
        Self { is_cut: true, ..self }
    }

    /// With a heading that sorts the list, first in this order.
    #[must_use]
    pub const fn sorted(self, first: &'static str) -> Self {
        Self { sort: Some(first), ..self }
    }

    fn class(self) -> Option<String> {
        let kind = match self {
            Self { is_number: true, .. } => "number",
            Self { is_cut: true, .. } => "cut",
            Self { heading: "", .. } => "tick",
            _ => "",
        };
        let rank = if self.rank > 1 { format!("rank-{}", self.rank) } else { String::new() };
        let class = [kind, &rank].join(" ");
        Some(class.trim().to_owned()).filter(|class| !class.is_empty())
    }
}

/// Rows, each with its cells in the order of the columns. One with a single cell has details of the row above it.
pub type Rows = Vec<Vec<Markup>>;

/// A table with these columns. The first cell that is neither a box nor a number names its row. `caption` is what the table is, in words.
pub fn list_table(visit: &Visit<'_>, caption: &str, columns: &[Column], rows: &[Vec<Markup>]) -> Markup {
    table_of(visit, caption, columns, &[(Vec::new(), rows)], None)
}

/// As [`list_table`], with headings that sort.
pub fn sorted_table(
    visit: &Visit<'_>,
    caption: &str,
    columns: &[Column],
    rows: &[Vec<Markup>],
    sort: Sort<'_>,
) -> Markup {
    table_of(visit, caption, columns, &[(Vec::new(), rows)], Some(sort))
}

/// As [`list_table`], with rows in groups below headings, such as days.
pub fn grouped_table(
    visit: &Visit<'_>,
    caption: &str,
    columns: &[Column],
    groups: &[(String, Rows)],
) -> Markup {
    let groups: Vec<_> = groups.iter().map(|(name, rows)| (vec![html! { (name) }], &rows[..])).collect();
    table_of(visit, caption, columns, &groups, None)
}

/// As [`grouped_table`], where the heading of a group has a cell for each column, such as a sum.
pub fn summed_table(
    visit: &Visit<'_>,
    caption: &str,
    columns: &[Column],
    groups: &[(Vec<Markup>, Rows)],
) -> Markup {
    let groups: Vec<_> = groups.iter().map(|(heading, rows)| (heading.clone(), &rows[..])).collect();
    table_of(visit, caption, columns, &groups, None)
}

/// As [`list_table`], with rows below headings of their local days. The rows come in the order of their times.
pub fn table_by_day(
    visit: &Visit<'_>,
    caption: &str,
    columns: &[Column],
    rows: impl IntoIterator<Item = (Timestamp, Vec<Markup>)>,
) -> Markup {
    let mut days: Vec<(String, Rows)> = Vec::new();
    for (at, row) in rows {
        let day = date(visit.served.local_time(at).day, visit.words);
        match days.last_mut() {
            Some((last, rows)) if *last == day => rows.push(row),
            _ => days.push((day, vec![row])),
        }
    }
    grouped_table(visit, caption, columns, &days)
}

/// Below a list whose newest rows come first: the ways to these and to older ones, each an address with the id of its text.
pub fn newest_and_older(
    visit: &Visit<'_>,
    newest: Option<(String, &str)>,
    older: Option<(String, &str)>,
) -> Markup {
    let words = visit.words;
    html! {
        @if newest.is_some() || older.is_some() {
            nav .pager aria-label=(words.say("pages")) {
                @if let Some((address, text)) = newest { a href=(address) { (words.say(text)) } }
                @if let Some((address, text)) = older { a rel="next" href=(address) { (words.say(text)) } }
            }
        }
    }
}

fn table_of(
    visit: &Visit<'_>,
    caption: &str,
    columns: &[Column],
    groups: &[(Vec<Markup>, &[Vec<Markup>])],
    sort: Option<Sort<'_>>,
) -> Markup {
    let words = visit.words;
    let classes: Vec<_> = columns.iter().map(|column| column.class()).collect();
    let naming = columns.iter().position(|column| !column.heading.is_empty() && !column.is_number);
    html! {
        table .table {
            caption .unseen { (caption) }
            thead { tr { @for (column, class) in columns.iter().zip(&classes) {
                @let text = words.say(column.heading);
                @if column.heading.is_empty() {
                    td class=[class] { input type="checkbox" data-all hidden aria-label=(words.say("select-all")); }
                }
                @else if let Some((sort, first)) = sort.zip(column.sort) {
                    @let (state, link) = sort.heading(first, &text);
                    th scope="col" class=[class] aria-sort=[state] { (link) }
                } @else { th scope="col" class=[class] { (text) } }
            } } }
            @for (heading, rows) in groups { tbody {
                @if let Some((name, rest)) = heading.split_first() { tr .group {
                    th scope="rowgroup" colspan=[rest.is_empty().then_some(columns.len())] { (name) }
                    @for (cell, class) in rest.iter().zip(classes.iter().skip(1)) { td class=[class] { (cell) } }
                } }
                @for row in *rows { @if let [detail] = &row[..] { tr .detail { td colspan=(columns.len()) { (detail) } } } @else {
                tr { @for (at, (cell, class)) in row.iter().zip(&classes).enumerate() {
                @if Some(at) == naming { th scope="row" class=[class] { (cell) } } @else { td class=[class] { (cell) } }
            } } } }
            } }
        }
    }
}

/// The bar above a table with boxes of this name: how many rows are ticked, and the buttons of what can be done with them. The usual one is the
/// first. With the script it stands on the head of the table, and only while rows are ticked. On a phone it scrolls sideways.
pub fn bulk(visit: &Visit<'_>, name: &str, actions: &Markup) -> Markup {
    let words = visit.words;
    html! {
        div .bulk {
            span data-ticked=(name) data-some=(words.with("bulk-some", "count", "%1")) { (words.say("bulk-ticked")) }
            (actions)
            button type="reset" { (words.say("bulk-select-none")) }
        }
    }
}

/// What names a row: a picture or its place, a link, badges, and the key that a narrow window shows below.
pub fn thing(picture: Option<&str>, address: &str, name: &str, badges: &Markup, key: &str) -> Markup {
    html! {
        span .thing {
            @match picture {
                Some(picture) => img src=(picture) alt="" width="28" height="28" loading="lazy";,
                None => span .no-picture {},
            }
            span { a href=(address) { (name) } (badges) span .sub { (key) } }
        }
    }
}

/// As [`thing`], without a picture.
pub fn named(address: &str, name: &str, key: &str) -> Markup {
    html! { span .thing { span { a href=(address) { (name) } span .sub { (key) } } } }
}

/// What restricts a list: what it is, in words, and the address of the list without it.
pub struct Chip {
    pub text: String,
    pub without: String,
}

/// The line above a list: the search, what restricts it, the filters behind a button, and how many rows it has. It is a form that the
/// script sends while a person types. `hidden` are fields that it keeps.
pub struct Bar<'b> {
    /// The path of the list.
    pub action: String,
    /// The id of what can be searched for, the name of the field, and what is in it. `None` for a list without search.
    pub search: Option<(&'b str, &'b str, &'b str)>,
    pub chips: Vec<Chip>,
    /// The fields of the menu.
    pub filters: Markup,
    pub hidden: Markup,
    /// How many rows it has, in words.
    pub found: Markup,
}

impl Bar<'_> {
    pub fn markup(&self, visit: &Visit<'_>) -> Markup {
        let words = visit.words;
        html! {
            form .bar method="get" action=(self.action) role="search" aria-label=(words.say("filter-list")) data-live="#results, #chips, #found" {
                (self.hidden)
                @if let Some((label, name, value)) = self.search {
                    span .find {
                        (icon(Icon::Search))
                        input type="search" name=(name) value=(value) maxlength="255" aria-label=(words.say(label)) placeholder=(words.say(label));
                    }
                }
                span .chips #chips {
                    @for chip in &self.chips {
                        a .chip href=(chip.without) { (chip.text) (icon(Icon::Close)) span .unseen { (words.say("filter-remove")) } }
                    }
                }
                @if !self.filters.0.is_empty() { details .menu .left {
                    summary .chip .add { (icon(Icon::Add)) (words.say("filter")) }
                    div { div .fields { (self.filters) button .primary { (words.say("filter-apply")) } } }
                } }
                span .count #found role="status" { (self.found) }
            }
        }
    }
}

/// "1 to 50 of 78", or nothing for an empty list.
pub fn found(visit: &Visit<'_>, window: &PageWindow) -> Markup {
    let words = visit.words;
    let shown = |value: u64| number(i64::try_from(value).unwrap_or(i64::MAX), words);
    html! {
        @if window.total > 0 {
            (words.with_all("rows-of", [("first", shown(window.from)), ("last", shown(window.to)), ("count", shown(window.total))]))
        }
    }
}

/// What a list without rows says. One that something restricts has the way to all. Otherwise it says the text `none`, with the button of
/// [`empty_with`].
pub fn no_rows(
    visit: &Visit<'_>,
    window: &PageWindow,
    is_restricted: bool,
    (none, first): (&str, Option<(&str, &str)>),
    all: &str,
) -> Markup {
    html! {
        @if window.total > 0 {
            // The pager says that the list has no such page.
        } @else if is_restricted {
            div .empty { p { (visit.words.say("nothing-fits")) } a .button href=(all) { (visit.words.say("filter-none")) } }
        } @else {
            (empty_with(visit, none, first))
        }
    }
}
