//! `/v1/manage/users`: users and their points.

mod dry_run;
mod explain;
mod import;
mod list;
mod list_orders;
mod list_transactions;
mod put;
mod record_activity;
mod reverse_transaction;
mod revoke_tokens;
mod show;

use pointbook_domain::Scope;
use pointbook_http::kernel::BodyLimit;
use pointbook_http::{Caller, RouteSpec, route};

use super::notes;

/// The path, also of links.
const PATH: &str = "/v1/manage/users";
const ONE: &str = "/v1/manage/users/{userId}";

/// What campaigns say of a user tells the user's birthday and history.
const TOLD_OF_USERS: Caller = Caller::KeyOfBoth([Scope::CampaignsRead, Scope::UsersRead]);

pub(crate) static ROUTES: [RouteSpec; 13] = [
    route!("manage.users.list", GET PATH, Caller::Key(Scope::UsersRead), list::list, list::documentation),
    route!("manage.users.show", GET ONE, Caller::Key(Scope::UsersRead), show::show, show::documentation),
    route!("manage.users.put", PUT ONE, Caller::Key(Scope::UsersWrite), put::put, put::documentation),
    route!(
        "manage.users.record_activity", POST "/v1/manage/users/{userId}/activities",
        Caller::Key(Scope::ActivitiesWrite), record_activity::record, record_activity::documentation
    ),
    route!(
        "manage.users.try_activity", POST "/v1/manage/users/{userId}/activities/dry-run",
        TOLD_OF_USERS, dry_run::try_activity, dry_run::documentation
    ),
    route!(
        "manage.users.list_transactions", GET "/v1/manage/users/{userId}/transactions",
        Caller::Key(Scope::UsersRead), list_transactions::list_transactions, list_transactions::documentation
    ),
    route!(
        "manage.users.list_orders", GET "/v1/manage/users/{userId}/orders",
        Caller::Key(Scope::OrdersRead), list_orders::list_orders, list_orders::documentation
    ),
    route!(
        "manage.users.add_note", POST "/v1/manage/users/{userId}/notes",
        Caller::Key(Scope::NotesWrite), notes::add, notes::documentation_of_add
    ),
    route!(
        "manage.users.list_notes", GET "/v1/manage/users/{userId}/notes",
        Caller::Key(Scope::UsersRead), notes::list, notes::documentation_of_list
    ),
    route!(
        "manage.users.explain_transaction", GET "/v1/manage/users/{userId}/transactions/{transactionId}/explain",
        TOLD_OF_USERS, explain::explain_transaction, explain::documentation
    ),
    route!(
        "manage.users.reverse_transaction", POST "/v1/manage/users/{userId}/transactions/{transactionId}/reverse",
        Caller::Key(Scope::PointsReverse), reverse_transaction::reverse, reverse_transaction::documentation
    ),
    route!(
        "manage.users.revoke_tokens", DELETE "/v1/manage/users/{userId}/tokens",
        Caller::Key(Scope::TokensIssue), revoke_tokens::revoke_tokens, revoke_tokens::documentation
    ),
    route!(
        "manage.users.import", POST "/v1/manage/users/import",
        Caller::Key(Scope::UsersWrite), import::import, import::documentation, BodyLimit::Import
    ),
];
