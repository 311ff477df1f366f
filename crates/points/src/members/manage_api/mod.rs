//! `/v1/manage/users`: users and their points.

mod dry_run;
mod explain;
mod import;
mod list;
mod list_transactions;
mod put;
mod record_activity;
mod reverse_transaction;
mod revoke_tokens;
mod show;

use http::Method;
use pointbook_domain::Scope;
use pointbook_http::kernel::BodyLimit;
use pointbook_http::rate_limit::count::Counted;
use pointbook_http::{Caller, RouteSpec};

/// The path, also of links.
const PATH: &str = "/v1/manage/users";
const IMPORT: &str = "/v1/manage/users/import";
const ONE: &str = "/v1/manage/users/{userId}";
const ACTIVITIES: &str = "/v1/manage/users/{userId}/activities";
const DRY_RUN: &str = "/v1/manage/users/{userId}/activities/dry-run";
const TRANSACTIONS: &str = "/v1/manage/users/{userId}/transactions";
const EXPLANATION: &str = "/v1/manage/users/{userId}/transactions/{transactionId}/explain";
const REVERSAL: &str = "/v1/manage/users/{userId}/transactions/{transactionId}/reverse";
const TOKENS: &str = "/v1/manage/users/{userId}/tokens";

/// What campaigns say of a user tells the user's birthday and history.
const TOLD_OF_USERS: Caller = Caller::KeyOfBoth([Scope::CampaignsRead, Scope::UsersRead]);

pub(crate) static ROUTES: [RouteSpec; 10] = [
    RouteSpec {
        name: "manage.users.list",
        method: Method::GET,
        path: PATH,
        caller: Caller::Key(Scope::UsersRead),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: list::documentation,
        handler: |_, request| Box::pin(list::list(request)),
    },
    RouteSpec {
        name: "manage.users.show",
        method: Method::GET,
        path: ONE,
        caller: Caller::Key(Scope::UsersRead),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: show::documentation,
        handler: |_, request| Box::pin(show::show(request)),
    },
    RouteSpec {
        name: "manage.users.put",
        method: Method::PUT,
        path: ONE,
        caller: Caller::Key(Scope::UsersWrite),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: put::documentation,
        handler: |_, request| Box::pin(put::put(request)),
    },
    RouteSpec {
        name: "manage.users.record_activity",
        method: Method::POST,
        path: ACTIVITIES,
        caller: Caller::Key(Scope::ActivitiesWrite),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: record_activity::documentation,
        handler: |_, request| Box::pin(record_activity::record(request)),
    },
    RouteSpec {
        name: "manage.users.try_activity",
        method: Method::POST,
        path: DRY_RUN,
        caller: TOLD_OF_USERS,
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: dry_run::documentation,
        handler: |_, request| Box::pin(dry_run::try_activity(request)),
    },
    RouteSpec {
        name: "manage.users.list_transactions",
        method: Method::GET,
        path: TRANSACTIONS,
        caller: Caller::Key(Scope::UsersRead),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: list_transactions::documentation,
        handler: |_, request| Box::pin(list_transactions::list_transactions(request)),
    },
    RouteSpec {
        name: "manage.users.explain_transaction",
        method: Method::GET,
        path: EXPLANATION,
        caller: TOLD_OF_USERS,
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: explain::documentation,
        handler: |_, request| Box::pin(explain::explain_transaction(request)),
    },
    RouteSpec {
        name: "manage.users.reverse_transaction",
        method: Method::POST,
        path: REVERSAL,
        caller: Caller::Key(Scope::PointsReverse),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: reverse_transaction::documentation,
        handler: |_, request| Box::pin(reverse_transaction::reverse(request)),
    },
    RouteSpec {
        name: "manage.users.revoke_tokens",
        method: Method::DELETE,
        path: TOKENS,
        caller: Caller::Key(Scope::TokensIssue),
        body: BodyLimit::Ordinary,
        counted: Counted::Never,
        documentation: revoke_tokens::documentation,
        handler: |_, request| Box::pin(revoke_tokens::revoke_tokens(request)),
    },
    RouteSpec {
        name: "manage.users.import",
        method: Method::POST,
        path: IMPORT,
        caller: Caller::Key(Scope::UsersWrite),
        body: BodyLimit::Import,
        counted: Counted::Never,
        documentation: import::documentation,
        handler: |state, request| Box::pin(import::import(state, request)),
    },
];
