//! The segments of members: the grid of ten names, and the members of each.

use maud::{Markup, html};
use pointbook_access::console_kit::components::{empty_list, empty_with, quiet_number};
use pointbook_access::console_kit::icons::{Icon, icon};
use pointbook_access::console_kit::lists::{Column, found, list_table};
use pointbook_access::console_kit::path_part::segment as part;
use pointbook_access::console_kit::sheet::{Sheet, primary};
use pointbook_access::console_kit::{Visit, assets};
use pointbook_campaigns::sizes::MAX_MEMBERS;
use pointbook_domain::{Scope, UserId};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, date, number, pager, percent, signed, visible};
use pointbook_store::ports::{read_all, read_page};
use pointbook_store::schema::rows::MemberActivity;

use super::cells::hyphens;
use crate::for_role::{known, run, whole};
use crate::reports::{SEGMENT_NAMES, SEGMENTS_BY_NAME, Segment, Value, members_of, open_points};

const PATH: &str = "/segments";
/// The members of a page.
const ROWS: u32 = 50;
/// The parameter with what shades the grid.
const SHADE: &str = "by";
const SHADES: [&str; 3] = ["members", "points", "change"];
/// Fifths of fewer members say little: each field stands for one member or two.
const FEW: i64 = 25;
/// The strongest of the colours `heat-0` to `heat-5`.
const STRONGEST: i64 = 5;
/// More members in these are good news.
const WELCOME: [&str; 5] = ["champions", "loyal", "promising", "new", "first_steps"];

const COLUMNS: [Column; 7] = [
    Column::text("column-segment"),
    Column::number("column-members"),
    Column::number("segment-share").rank(2),
    Column::number("segment-change").rank(2),
    Column::number("segment-open").rank(2),
    Column::text("segment-helps").rank(3),
    Column::text("segment-campaign"),
];

/// A segment with its figures. `None` stands for one that the operator may not see, or that is not known.
struct Shown<'t> {
    segment: &'static Segment,
    /// The number of members as the report has it, which may say that it is small.
    size: &'t Value,
    members: Option<i64>,
    change: Option<i64>,
    open: Option<i64>,
    /// The class of its colour.
    tint: String,
}

impl<'t> Shown<'t> {
    fn of((segment, row): (&'static Segment, &'t Vec<Value>)) -> Option<Self> {
        let [_, size, before, open] = &row[..] else { return None };
        let (members, open) = (known(size), known(open));
        let change = members.zip(known(before)).map(|(now, before)| now - before);
        Some(Self { segment, size, members, change, open, tint: String::new() })
    }

    fn shaded_by(&self, shade: &str) -> Option<i64> {
        match shade {
            "points" => self.open,
            "change" => self.change,
            _ => self.members,
        }
    }
}

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let words = visit.words;
    let table = whole(run(visit, &SEGMENTS_BY_NAME, None, None).await?)?;
    let mut rows: Vec<_> = SEGMENT_NAMES.iter().zip(&table.rows).filter_map(Shown::of).collect();
    let all: Option<i64> = rows.iter().map(|row| row.members).sum();
    let asked = visit.query(SHADE);
    let shade = SHADES.into_iter().find(|shade| *shade == asked).unwrap_or("members");
    tint(&mut rows, shade);
    let actions = html! {
        nav .segments aria-label=(words.say("segment-shade")) {
            @for name in SHADES {
                a href={ (visit.path(PATH)) "?" (SHADE) "=" (name) } aria-current=[(name == shade).then_some("true")] { (words.say(&format!("segment-by-{name}"))) }
            }
        }
        a .button href=(visit.path("/reports/segments/csv")) download { (icon(Icon::Download)) "CSV" }
    };
    let imports = may(visit, Scope::ProductsWrite)?.then_some(("/imports", "imports"));
    let content = html! {
        @if !table.is_complete { p .notice role="status" { (words.say("report-counting")) } }
        @if all == Some(0) { (empty_with(visit, "segments-none", imports)) } @else {
            @if all.is_some_and(|all| all < FEW) { p .quiet { (words.with("segments-few", "count", FEW)) } }
            (grid(visit, &rows, shade)?)
            (list_table(visit, &words.say("segments"), &COLUMNS, &cells_of(visit, &rows)?))
        }
        details .panel { summary { (words.say("segments-how")) } p { (words.say("segments-how-about")) } p { a href=(visit.path("/reports/segments")) { (words.say("to-report")) } } }
    };
    let sheet = Sheet::new(visit, PATH, words.say("segments"))
        .styled(&[assets::CHARTS, assets::SEGMENTS])
        .actions(actions);
    let count = |all: i64| {
        let id = if all == 1 { "segments-count-one" } else { "segments-count" };
        html! { span .count { (words.with(id, "count", number(all, words))) } }
    };
    let sheet = all.map(count).into_iter().fold(sheet, Sheet::beside);
    Ok(sheet.line(html! { (words.say("segments-hint")) }).respond(&content))
}

fn may(visit: &Visit<'_>, scope: Scope) -> Result<bool, PageError> {
    Ok(visit.signed_in()?.operator.role.has(scope))
}

fn name(visit: &Visit<'_>, segment: &Segment, of: &str) -> String {
    visit.words.say(&format!("segment-{}{of}", hyphens(segment.name))).into_owned()
}

/// Gives each segment the colour of its number.
fn tint(rows: &mut [Shown<'_>], shade: &str) {
    let strength = |row: &Shown<'_>| row.shaded_by(shade).map_or(0, i64::saturating_abs);
    let most = rows.iter().map(strength).max().unwrap_or_default().max(1);
    for row in rows {
        row.tint = match row.change.filter(|change| shade == "change" && *change != 0) {
            Some(change) => if is_good(row.segment, change) { "gains" } else { "loses" }.to_owned(),
            None if shade == "change" => "heat-0".to_owned(),
            None => format!("heat-{}", strength(row).saturating_mul(STRONGEST) / most),
        };
    }
}

/// The ten fields, each with the colour of its number.
fn grid(visit: &Visit<'_>, rows: &[Shown<'_>], shade: &str) -> Result<Markup, PageError> {
    let (words, may_list) = (visit.words, may(visit, Scope::UsersRead)?);
    let axis = |ids: [&str; 3]| html! { @for id in ids { span { (words.say(id)) } } };
    let field = |row: &Shown<'_>| {
        html! {
            span .strong { (name(visit, row.segment, "")) }
            @if let Some(change) = row.change.filter(|_| shade != "change") { span .corner { (signed(change, words)) span .unseen { " " (words.say("segment-change")) } } }
            b { @match (shade, row.shaded_by(shade)) {
                ("change", Some(change)) => (signed(change, words)),
                (_, Some(value)) => (number(value, words)),
                ("members", None) => (size(row, visit)),
                _ => "–",
            } }
            span { (name(visit, row.segment, "-about")) }
        }
    };
    Ok(html! {
        div .axes {
            div .of-y aria-hidden="true" { (axis(["segments-rarely", "segments-how-often", "segments-often"])) }
            nav .segment-grid aria-label=(words.say("segments")) {
                @for row in rows {
                    @let class = format!("at-{} {}", hyphens(row.segment.name), row.tint);
                    @if may_list { a class=(class) href=(path(visit, row.segment)) { (field(row)) } } @else { div class=(class) { (field(row)) } }
                }
            }
            div .of-x aria-hidden="true" { (axis(["segments-long-ago", "segments-last-activity", "segments-lately"])) }
        }
    })
}

/// Whether the programme wants this change.
fn is_good(segment: &Segment, change: i64) -> bool {
    (change > 0) == WELCOME.contains(&segment.name)
}

fn path(visit: &Visit<'_>, segment: &Segment) -> String {
    visit.path(&format!("{PATH}/{}", segment.name))
}

/// Small numbers stay hidden from those who may not see them.
fn size(row: &Shown<'_>, visit: &Visit<'_>) -> String {
    match row.size {
        Value::Number(members) => number(*members, visit.words),
        Value::Few => row.size.to_string(),
        _ => "–".to_owned(),
    }
}

/// The rows of the table. Without a hidden number, each has its share.
fn cells_of(visit: &Visit<'_>, rows: &[Shown<'_>]) -> Result<Vec<Vec<Markup>>, PageError> {
    let members: Option<Vec<i64>> = rows.iter().map(|row| row.members).collect();
    let shares: Vec<Option<i64>> = members
        .map_or_else(|| vec![None; rows.len()], |members| shares(&members).into_iter().map(Some).collect());
    rows.iter().zip(shares).map(|(row, share)| cells(visit, row, share)).collect()
}

/// Whole percentages that add up to 100: the largest remainders are rounded up.
fn shares(members: &[i64]) -> Vec<i64> {
    let all = members.iter().sum::<i64>().max(1);
    let mut shares: Vec<i64> = members.iter().map(|members| members * 100 / all).collect();
    let missing = usize::try_from(100 - shares.iter().sum::<i64>()).unwrap_or_default();
    let mut places: Vec<(usize, i64)> =
        members.iter().map(|members| members * 100 % all).enumerate().filter(|(_, rest)| *rest > 0).collect();
    places.sort_by_key(|(_, rest)| -rest);
    for (place, _) in places.into_iter().take(missing) {
        shares.iter_mut().skip(place).take(1).for_each(|share| *share += 1);
    }
    shares
}

fn cells(visit: &Visit<'_>, row: &Shown<'_>, share: Option<i64>) -> Result<Vec<Markup>, PageError> {
    let (words, label) = (visit.words, name(visit, row.segment, ""));
    let share = share.map(|share| percent(share * 10, words));
    Ok(vec![
        html! { span .swatch .(row.tint) {} @if may(visit, Scope::UsersRead)? { a href=(path(visit, row.segment)) { (label) } } @else { (label) } },
        html! { (size(row, visit)) },
        html! { (share.unwrap_or_else(|| "–".to_owned())) },
        html! { @match row.change {
            None => "–",
            Some(0) => (quiet_number(0, words)),
            Some(change) => span .good[is_good(row.segment, change)] .bad[!is_good(row.segment, change)] { (signed(change, words)) },
        } },
        html! { @match row.open { Some(open) => (quiet_number(open, words)), None => "–" } },
        html! { span .quiet { (name(visit, row.segment, "-helps")) } },
        html! { @if let Some(href) = campaign(visit, row.segment, row.members)? { a href=(href) { (words.say("campaign-new")) span .unseen { " " (label) } } } },
    ])
}

/// The address of a new campaign for these members, where one can name all of them.
fn campaign(visit: &Visit<'_>, segment: &Segment, members: Option<i64>) -> Result<Option<String>, PageError> {
    let fits = members.and_then(|members| usize::try_from(members).ok());
    let fits = fits.is_some_and(|members| (1..=MAX_MEMBERS).contains(&members));
    let may = may(visit, Scope::CampaignsWrite)? && may(visit, Scope::UsersRead)?;
    Ok((fits && may).then(|| visit.path(&format!("/new-campaign?segment={}", segment.name))))
}

fn find(name: &str) -> Result<&'static Segment, PageError> {
    SEGMENT_NAMES.iter().find(|segment| segment.name == name).ok_or(PageError::NotFound)
}

const MEMBERS: [Column; 5] = [
    Column::text("column-user-id"),
    Column::text("segment-last-day"),
    Column::number("column-active-days"),
    Column::number("segment-earned").rank(2),
    Column::number("segment-open"),
];

/// `GET /segments/{name}`: the members of a segment.
pub(super) async fn members(visit: &Visit<'_>) -> Result<Response, PageError> {
    let segment = find(&visit.param("name")?)?;
    let (words, page, data) = (visit.words, visit.page(ROWS), &*visit.served.data);
    let members = read_page::<MemberActivity>(data, members_of(data, segment).await?, page).await?;
    let window = page.window(members.total);
    let row = |member: &MemberActivity| {
        let MemberActivity { user_id, earned_points, day_count, last_day, .. } = member;
        let href = visit.path(&format!("/members/{}", part(user_id.as_str())));
        vec![
            html! { a href=(href) { (visible(user_id.as_str())) } },
            html! { @if let Some(day) = last_day { (date(*day, words)) } },
            html! { (number(*day_count, words)) },
            html! { (number(*earned_points, words)) },
            html! { (number(open_points(member), words)) },
        ]
    };
    let rows: Vec<_> = members.items.iter().map(row).collect();
    let title = name(visit, segment, "");
    let content = html! {
        p .count { (found(visit, &window)) }
        @if rows.is_empty() { (empty_list(visit, &window, "segment-empty")) } @else { (list_table(visit, &title, &MEMBERS, &rows)) }
        (pager(words, &window, &visit.address_of_pages(&format!("{PATH}/{}", segment.name), &[])))
    };
    let campaign = campaign(visit, segment, i64::try_from(members.total).ok())?;
    let actions = html! { @if let Some(href) = campaign { (primary(visit, &href, "segment-campaign")) } };
    let about = name(visit, segment, "-about");
    let sheet = Sheet::new(visit, PATH, title).count(members.total).line(html! { (about) });
    Ok(sheet.actions(actions).respond(&content))
}

/// The ids of the members of a segment, for a campaign that names them.
pub(super) async fn ids_of(visit: &Visit<'_>, name: &str) -> Result<Vec<UserId>, PageError> {
    if !may(visit, Scope::UsersRead)? {
        return Err(PageError::Forbidden);
    }
    let data = &*visit.served.data;
    let most = u32::try_from(MAX_MEMBERS + 1).unwrap_or(u32::MAX);
    let members: Vec<MemberActivity> =
        read_all(data, members_of(data, find(name)?).await?.limit(most)).await?;
    // No link leads to a campaign for nobody, or for more than a campaign can name.
    if members.is_empty() || members.len() > MAX_MEMBERS {
        return Err(PageError::NotFound);
    }
    Ok(members.into_iter().map(|member| member.user_id).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_to_100() {
        assert_eq!(shares(&[1, 0, 2]), [33, 0, 67]);
        assert_eq!(shares(&[1, 1, 1]), [34, 33, 33]);
        assert_eq!(shares(&[5]), [100]);
        assert_eq!(shares(&[0, 0]), [0, 0]);
        let sizes: Vec<i64> = (1..=10).map(|size| size * size).collect();
        assert_eq!(shares(&sizes).iter().sum::<i64>(), 100);
    }
}
