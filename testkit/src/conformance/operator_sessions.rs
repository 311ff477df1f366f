//! Facts of the sessions of operators in the console.

use std::sync::Arc;

use futures_util::future::join_all;
use pointbook_access::audit_log::{AuditLogFilter, audit_entries};
use pointbook_access::operators::manage::{AddOperator, RemoveOperator};
use pointbook_access::sessions::clean::clean_operator_sessions;
use pointbook_access::sessions::{
    EndOperatorSession, EndSessionsOfOperator, OperatorSignIn, SignInLink, find_operator_session,
    list_operator_sessions, open_operator_session, operator_actor,
};
use pointbook_domain::{Operator, OperatorId, OperatorSession, Role, TenantId, Timestamp};
use pointbook_store::ports::{Database, TenantData};
use pointbook_store::schema::OPERATOR_SESSIONS;
use pointbook_store::{Context, ServedTenant};

use super::add_tenant;
use super::campaign_helpers::service;
use crate::build;
use crate::build::{email, noon, operator};
use crate::filled::rows;

/// A tenant with the owners `zoe` and `ada`.
struct Console {
    served: Arc<ServedTenant>,
}

impl Console {
    async fn new(database: &Arc<dyn Database>, slug: &str) -> Self {
        let data = add_tenant(database, slug).await;
        for name in ["zoe", "ada"] {
            data.write(AddOperator(operator(name, Role::Owner))).await.unwrap().unwrap();
        }
        Self::of(database, &build::tenant(slug).id).await
    }

    async fn of(database: &Arc<dyn Database>, id: &TenantId) -> Self {
        let directory = service(database).await.directory();
        let served = directory.tenants().iter().find(|served| served.tenant.id == *id).unwrap().clone();
        Self { served }
    }

    fn data(&self) -> &dyn TenantData {
        &*self.served.data
    }

    fn context<T>(&self, now: Timestamp) -> Context<T> {
        build::context(&self.served, operator_actor(&operator("ada", Role::Owner)), now)
    }

    /// Uses a new link. The number determines the link and the token.
    async fn sign_in(&self, number: u8, name: &str, now: Timestamp) -> OperatorSignIn {
        let link = link(number, name);
        open_operator_session(&self.context(now), &link, &session_token(number), now).await.unwrap()
    }

    async fn find(&self, number: u8, now: Timestamp) -> Option<(Operator, OperatorSession)> {
        find_operator_session(self.data(), &session_token(number), now).await.unwrap()
    }

    /// The numbers of the tokens, up to 19, whose sessions are found.
    async fn found(&self, now: Timestamp) -> Vec<u8> {
        let mut found = Vec::new();
        for number in 0..20 {
            if self.find(number, now).await.is_some() {
                found.push(number);
            }
        }
        found
    }

    /// The operations of the audit log about `ada`, with what was there after each.
    async fn entries(&self) -> Vec<(String, String)> {
        let filter = AuditLogFilter::default();
        let entries = audit_entries(self.data(), &filter, 0, 100).await.unwrap().into_iter();
        let of_ada = entries.filter(|entry| entry.new.object == "operator:id-of-ada");
        of_ada.map(|entry| (entry.new.operation, entry.new.after.unwrap())).collect()
    }

    /// How many rows are stored.
    async fn stored(&self) -> usize {
        self.data().rows_after(&OPERATOR_SESSIONS, None, 1_000).await.unwrap().len()
    }
}

fn link(number: u8, name: &str) -> SignInLink<OperatorId> {
    SignInLink::new(operator(name, Role::Owner).id, noon(), [number; 32])
}

/// The token of [`build::operator_session`].
fn session_token(number: u8) -> String {
    format!("session-{number}")
}

/// What an entry of the audit log says of the session with this token.
fn after(number: u8) -> String {
    let id = build::operator_session(number, "ada", noon()).id;
    format!(r#"{{"session":"{id}"}}"#)
}

fn seconds(after_noon: u32) -> Timestamp {
    noon().plus_seconds(after_noon)
}

/// Through any number of instances.
pub async fn a_link_opens_one_session(database: Arc<dyn Database>) {
    let console = Console::new(&database, "acme").await;
    let callers = (1..=8).map(|number| {
        let database = database.clone();
        tokio::spawn(async move {
            let console = Console::of(&database, &build::tenant("acme").id).await;
            let (context, token) = (console.context(noon()), session_token(number));
            open_operator_session(&context, &link(1, "ada"), &token, context.now).await.unwrap()
        })
    });
    let ended: Vec<_> = join_all(callers).await.into_iter().map(Result::unwrap).collect();
    let count = |outcome| ended.iter().filter(|ended| **ended == outcome).count();
    assert_eq!((count(OperatorSignIn::Begun), count(OperatorSignIn::Used)), (1, 7), "{ended:?}");
    assert_eq!(console.found(noon()).await.len(), 1);
    assert_eq!(console.stored().await, 1);
    assert_eq!(console.sign_in(1, "ada", seconds(1)).await, OperatorSignIn::Used);
    assert_eq!(console.sign_in(9, "ada", seconds(1)).await, OperatorSignIn::Begun);
}

/// This holds also when an operator with the same address is added again.
pub async fn a_removed_operator_has_no_session_and_no_link(database: Arc<dyn Database>) {
    let console = Console::new(&database, "acme").await;
    console.sign_in(1, "ada", noon()).await;
    console.sign_in(2, "zoe", noon()).await;
    let context: Context = console.context(noon());
    context.write(RemoveOperator(email("ada"))).await.unwrap().unwrap();
    assert_eq!(console.found(noon()).await, [2]);
    assert_eq!(console.stored().await, 1);
    assert_eq!(console.sign_in(3, "ada", noon()).await, OperatorSignIn::Unknown);
    let again = Operator { id: OperatorId::new("another").unwrap(), ..operator("ada", Role::Owner) };
    context.write(AddOperator(again)).await.unwrap().unwrap();
    assert_eq!(console.sign_in(4, "ada", noon()).await, OperatorSignIn::Unknown);
    // A row that an older program left behind is no session either.
    let old = build::operator_session(1, "ada", seconds(60));
    console.data().write_rows(&OPERATOR_SESSIONS, &rows(&[old])).await.unwrap();
    assert_eq!(console.found(noon()).await, [2]);
}

/// Even operators with the same id share none.
pub async fn tenants_share_no_operator_sessions(database: Arc<dyn Database>) {
    let acme = Console::new(&database, "acme").await;
    let other = Console::new(&database, "other").await;
    acme.sign_in(1, "ada", noon()).await;
    assert_eq!((acme.found(noon()).await, other.found(noon()).await), (vec![1], vec![]));
    let context: Context = other.context(noon());
    let session = build::operator_session(1, "ada", noon());
    assert!(!context.write(EndOperatorSession(session.id)).await.unwrap());
    assert_eq!(context.write(EndSessionsOfOperator(session.operator_id)).await.unwrap(), 0);
    assert_eq!(list_operator_sessions(other.data(), noon()).await.unwrap(), []);
    // A nonce belongs to the link of one tenant.
    assert_eq!(other.sign_in(1, "ada", noon()).await, OperatorSignIn::Begun);
    assert_eq!(acme.found(noon()).await, [1]);
}

/// The id is only the beginning of the hash. The rest counts, too.
pub async fn a_token_that_differs_in_the_last_byte_is_no_session(database: Arc<dyn Database>) {
    let console = Console::new(&database, "acme").await;
    console.sign_in(1, "ada", noon()).await;
    let mut token = session_token(1);
    assert!(find_operator_session(console.data(), &token, noon()).await.unwrap().is_some());
    token.pop();
    for end in ["0", "2", "", "11"] {
        let other = format!("{token}{end}");
        assert_eq!(find_operator_session(console.data(), &other, noon()).await.unwrap(), None, "{other}");
    }
    let mut session = build::operator_session(1, "ada", seconds(60));
    session.hash.0[31] ^= 1;
    console.data().write_rows(&OPERATOR_SESSIONS, &rows(&[session])).await.unwrap();
    assert_eq!(console.find(1, noon()).await, None);
}

pub async fn ended_sessions_are_removed_by_the_next_one_and_by_cleaning(database: Arc<dyn Database>) {
    let console = Console::new(&database, "acme").await;
    for number in 1..=3 {
        console.sign_in(number, "ada", noon()).await;
    }
    assert_eq!(clean_operator_sessions(&console.context(noon())).await.unwrap(), 0);
    let later = seconds(OperatorSession::IDLE_SECONDS);
    console.sign_in(4, "zoe", later).await;
    assert_eq!((console.stored().await, console.found(later).await), (1, vec![4]));
    console.sign_in(5, "zoe", later.plus_seconds(1)).await;
    let end = later.plus_seconds(OperatorSession::IDLE_SECONDS);
    assert_eq!(clean_operator_sessions(&console.context(end)).await.unwrap(), 1);
    assert_eq!((console.stored().await, console.found(end).await), (1, vec![5]));
}

/// The entries name the session, and never its token or its hash.
pub async fn sessions_are_in_the_audit_log(database: Arc<dyn Database>) {
    let console = Console::new(&database, "acme").await;
    for number in 1..=3 {
        console.sign_in(number, "ada", seconds(number.into())).await;
    }
    assert_eq!(console.sign_in(1, "ada", noon()).await, OperatorSignIn::Used);
    let id = |number| build::operator_session(number, "ada", noon()).id;
    let context: Context = console.context(noon());
    context.write(EndOperatorSession(id(2))).await.unwrap();
    context.write(EndSessionsOfOperator(operator("ada", Role::Owner).id)).await.unwrap();
    let entries = audit_entries(console.data(), &AuditLogFilter::default(), 0, 100).await.unwrap();
    let signed_in = "operator:id-of-ada";
    assert!(entries.iter().all(|entry| entry.new.actor == signed_in && entry.new.before.is_none()));
    let mut shown = console.entries().await;
    // All sessions of an operator end in any order.
    shown[4..].sort_by_key(|(_, session)| *session == after(3));
    let begin = |number| after(number).replace('{', r#"{"by":"link","#);
    let starts = [1, 2, 3].map(|number| ("session.begin".to_owned(), begin(number)));
    let ends = [2, 1, 3].map(|number| ("session.end".to_owned(), after(number)));
    let expected: Vec<_> = starts.into_iter().chain(ends).collect();
    assert_eq!(shown, expected);
}
