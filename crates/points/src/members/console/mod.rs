//! Members: their list, the page of each with balance and ledger, and what operators do for them.

mod add;
mod asked_rows;
mod award;
mod award_form;
mod balance;
mod change;
mod comparison;
mod export;
mod forms;
mod ledger;
mod list;
mod notes;
mod paths;
mod profile;
mod read;
mod reverse;
mod show;
mod sign_in;
mod tokens;
mod transaction;
mod verdicts;

use pointbook_access::console_kit::navigation::rows;
use pointbook_access::console_kit::{Access, PageSpec, page};
use pointbook_domain::Scope;
use pointbook_store::schema;

const READ: Access = Access::Scope(Scope::UsersRead);
const WRITE: Access = Access::Scope(Scope::UsersWrite);
const NOTE: Access = Access::Scope(Scope::NotesWrite);
const AWARD: Access = Access::Scope(Scope::ActivitiesWrite);
const EXPLAIN: Access = Access::Scope(Scope::CampaignsRead);
const REVERSE: Access = Access::Scope(Scope::PointsReverse);
const ISSUE: Access = Access::Scope(Scope::TokensIssue);

pub(crate) static PAGES: [PageSpec; 16] = [
    page!("console.members", GET "/members", READ, ["manage.users.list"], list::show)
        .counting(|served, _| rows(served, &schema::USERS)),
    page!("console.members.add", POST "/members", WRITE, ["manage.users.put"], add::add),
    page!("console.members.show", GET "/members/{id}", READ, ["manage.users.show", "manage.users.list_transactions", "manage.users.list_notes"], show::show),
    page!("console.members.change", POST "/members/{id}", WRITE, ["manage.users.put"], change::change),
    page!("console.members.disable", POST "/members/{id}/disable", WRITE, ["manage.users.put"], change::disable),
    page!("console.members.enable", POST "/members/{id}/enable", WRITE, ["manage.users.put"], change::enable),
    page!("console.members.award", POST "/members/{id}/activities", AWARD, ["manage.users.record_activity"], award::award),
    page!("console.members.notes", GET "/members/{id}/notes", READ, ["manage.users.list_notes"], notes::list),
    page!("console.members.orders", GET "/members/{id}/orders", READ, ["manage.users.show", "manage.users.list_orders"], show::orders),
    page!("console.members.sessions", GET "/members/{id}/sessions", READ, ["manage.users.show"], show::sessions),
    page!("console.members.note", POST "/members/{id}/notes", NOTE, ["manage.users.add_note"], notes::add),
    page!("console.members.sign_out", POST "/members/{id}/sign-out", ISSUE, ["manage.users.revoke_tokens"], sign_in::sign_out),
    page!("console.members.link", POST "/members/{id}/link", ISSUE, ["auth.links.create"], sign_in::link)
        .asking_again(),
    page!("console.members.export", GET "/members/{id}/ledger.csv", READ, ["manage.users.list_transactions"], export::export),
    page!("console.members.explain", GET "/members/{id}/transactions/{row}", EXPLAIN, ["manage.users.explain_transaction"], transaction::show),
    page!("console.members.reverse", POST "/members/{id}/transactions/{row}/reverse", REVERSE, ["manage.users.reverse_transaction"], reverse::reverse),
];
