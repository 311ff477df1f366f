//! The page of a ledger row: what it is, what each campaign says of it, and its reversal.

use std::collections::BTreeSet;

use maud::{Markup, html};
use pointbook_access::audit_log::brief::changes_of;
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::{activity_type, bonus_kind, facts};
use pointbook_access::console_kit::draft::Draft;
use pointbook_access::console_kit::sheet::Sheet;
use pointbook_domain::{Activity, BonusOrigin, OrderId, Scope};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, moment, number, points, signed, visible};
use pointbook_store::ports::LedgerEntry;

use super::paths::{SECTION, ids, may, member_path, row_path};
use super::reverse::{reverse_form, too_many};
use super::verdicts::verdicts;
use crate::earning::explain::explain;
use crate::earning::reverse_transaction::reversals_of;

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    page(visit, &Draft::default()).await
}

/// The page, with a form for a reversal that was refused.
pub(super) async fn page(visit: &Visit<'_>, draft: &Draft<'_>) -> Result<Response, PageError> {
    let (user, row) = ids(visit)?;
    let explanation = explain(&visit.context()?, &user, &row).await?.ok_or(PageError::NotFound)?;
    let entry = &explanation.entry;
    let order = order_of(visit, &entry.transaction.activity).await?;
    let content = html! {
        p { a href=(member_path(visit, &user, "")) { (visit.words.say("member-back")) } }
        (of_row(visit, entry))
        (who(visit, entry, order.as_ref()).await?)
        (bonuses(visit, entry))
        // The paragraph before says that campaigns were not asked.
        @if entry.transaction.bonus_origin != BonusOrigin::Undecided { (verdicts(visit, &explanation).await?) }
        (reversal(visit, entry, order.is_some(), draft).await?)
    };
    let title = visit.words.with_all(
        "ledger-title",
        [("number", entry.seq.to_string()), ("name", visible(user.as_str()).into_owned())],
    );
    let sheet = Sheet::new(visit, SECTION, title);
    Ok(if draft.is_refused() { sheet.respond_mistaken(&content) } else { sheet.respond(&content) })
}

/// The order that moved the points. `None` for other activities, and for those of orders in other systems: they have the type of orders
/// too, but pointbook has no such order, so the row can be reversed.
pub(super) async fn order_of(visit: &Visit<'_>, activity: &Activity) -> Result<Option<OrderId>, PageError> {
    if !activity.kind.is_order() {
        return Ok(None);
    }
    for name in BTreeSet::from(OrderId::candidates(activity.source_id.as_str())) {
        // A longer text is the id of no order.
        let Ok(id) = OrderId::new(name) else { continue };
        if visit.served.data.order(&id).await?.is_some() {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

fn of_row(visit: &Visit<'_>, entry: &LedgerEntry) -> Markup {
    let LedgerEntry { user_id: _, seq: _, transaction, balance_after, recorded_at, hash: _, moves: _ } =
        entry;
    let (words, activity) = (visit.words, &transaction.activity);
    let what = html! {
        (activity.title) " " span .badge title=(activity.kind) { (activity_type(activity.kind.as_str(), words)) }
        @if !activity.subtitle.is_empty() { br; span .quiet { (activity.subtitle) } }
    };
    let attributes = html! {
        @for (name, value) in activity.attributes.iter() { code { (name) " = " (value) } " " }
    };
    let mut known = vec![
        ("ledger-what", what),
        ("ledger-points", html! { strong { (signed(activity.points.get(), words)) } }),
        ("ledger-bonuses", html! { (signed(activity.bonuses.total().get(), words)) }),
        ("ledger-balance", html! { (number(balance_after.get(), words)) }),
        ("ledger-happened", moment(activity.created_at, &visit.served, words)),
        ("ledger-recorded", moment(*recorded_at, &visit.served, words)),
        ("ledger-source", html! { code { (activity.source_id) } }),
        ("ledger-id", html! { code { (transaction.id) } }),
    ];
    if activity.attributes.iter().next().is_some() {
        known.push(("ledger-attributes", attributes));
    }
    facts(visit, known)
}

/// Who recorded the row, as far as the service knows.
async fn who(visit: &Visit<'_>, entry: &LedgerEntry, order: Option<&OrderId>) -> Result<Markup, PageError> {
    let (id, activity) = (&entry.transaction.id, &entry.transaction.activity);
    let original = activity.source_id.reversed_transaction();
    let objects: Vec<_> = [
        Some((format!("transaction:{id}"), Some("transaction.record"))),
        original.map(|original| (format!("transaction:{original}"), Some("transaction.reverse"))),
        order.map(|order| (format!("order:{order}"), None)),
    ]
    .into_iter()
    .flatten()
    .collect();
    let text = match entry.transaction.bonus_origin {
        _ if order.is_some() => "ledger-by-order",
        BonusOrigin::BackFill => "ledger-by-back-fill",
        BonusOrigin::Undecided if activity.is_expiry() => "ledger-by-expiry",
        _ => "ledger-by-program",
    };
    // Without the right to read the audit log, the page cannot tell an operator from a program.
    let Some(changes) = changes_of(visit, "audit-brief", &objects).await? else { return Ok(html! {}) };
    let is_known = !changes.0.is_empty();
    Ok(
        html! { (changes) @if !is_known { h2 { (visit.words.say("audit-brief")) } p { (visit.words.say(text)) } } },
    )
}

/// The id of the sentence that says who decided about the bonuses.
pub(super) fn origin(origin: BonusOrigin) -> &'static str {
    match origin {
        BonusOrigin::Undecided => "ledger-origin-undecided",
        BonusOrigin::BackOffice => "ledger-origin-back-office",
        BonusOrigin::Import => "ledger-origin-import",
        BonusOrigin::Campaigns { .. } => "ledger-origin-campaigns",
        BonusOrigin::BackFill => "ledger-origin-back-fill",
    }
}

fn bonuses(visit: &Visit<'_>, entry: &LedgerEntry) -> Markup {
    let words = visit.words;
    let transaction = &entry.transaction;
    html! {
        h2 { (words.say("ledger-bonuses")) }
        p { (words.say(origin(transaction.bonus_origin))) }
        ul {
            @for bonus in transaction.activity.bonuses.breakdown() {
                li { strong { (points(bonus.points.get(), words)) } " " (bonus.title) " " span .badge title=(bonus.kind) { (bonus_kind(&bonus.kind, words)) } }
            }
        }
    }
}

/// The reversals of the row, and the form for another one.
async fn reversal(
    visit: &Visit<'_>,
    entry: &LedgerEntry,
    is_of_order: bool,
    draft: &Draft<'_>,
) -> Result<Markup, PageError> {
    let (user, id) = (&entry.user_id, &entry.transaction.id);
    let reversals = reversals_of(&*visit.served.data, entry).await?;
    let may_reverse = may(visit, Scope::PointsReverse)? && !reversals.is_whole;
    let too_many = if may_reverse { too_many(visit, entry).await? } else { None };
    Ok(html! {
        @if !reversals.rows.is_empty() {
            h2 #reverse { (visit.words.say("ledger-reverse")) }
            @if !may_reverse { (draft.said("form")) }
            @for reversal in &reversals.rows {
                p {
                    a href=(row_path(visit, user, reversal.transaction.id.as_str(), "")) {
                        (visit.words.with_all("ledger-reversed-by", [("number", reversal.seq.to_string()), ("points", points(reversal.transaction.activity.points.get().abs(), visit.words))]))
                    }
                }
            }
        }
        @if is_of_order {
            p .quiet { (visit.words.say("member-fault-of-order")) }
        } @else if may_reverse {
            @if reversals.rows.is_empty() { h2 #reverse { (visit.words.say("ledger-reverse")) } }
            @if let Some(why) = too_many {
                p .quiet { (why) }
            } @else {
                (reverse_form(visit, user, id, draft)?)
            }
        }
    })
}
