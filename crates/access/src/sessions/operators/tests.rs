//! Tests of what the commands decide.

use pointbook_domain::{OperatorName, Role};
use pointbook_store::commands::{Range, RowChange};
use pointbook_store::schema::{Cell, OPERATOR_SESSIONS, Row, Table, Write, cells};

use super::*;

const SESSIONS: &Table = &OPERATOR_SESSIONS;

/// How long a session lasts here, and when the new one begins, in microseconds.
const NOW: i64 = 1_000;

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).unwrap()
}

fn operator(name: &str) -> Operator {
    Operator {
        email: Email::parse(&format!("{name}@example.com")).unwrap(),
        id: OperatorId::new(name).unwrap(),
        name: OperatorName::new(name).unwrap(),
        role: Role::Analyst,
        created_at: at(0),
        created_by: "command-line".to_owned(),
    }
}

fn session(name: &str, created_at: i64) -> OperatorSession {
    let hash = token_hash(format!("{created_at} {name}").as_bytes());
    OperatorSession {
        id: hash.id(),
        operator_id: OperatorId::new(name).unwrap(),
        hash,
        created_at: at(created_at),
        expires_at: at(created_at + NOW),
        address: None,
        last_used_at: None,
    }
}

fn row_of(value: &impl Write) -> Row {
    cells(value).into_iter().map(Cell::from).collect()
}

/// The operators `ada` and `ben`, with these sessions.
fn facts(sessions: &[OperatorSession]) -> Facts {
    let mut facts = Facts::default();
    facts.load_range(&Range::default(), ["ada", "ben"].map(operator));
    facts.load_range(&Range::default(), sessions.iter().cloned());
    for name in ["ada", "ben"] {
        facts.load_none::<LinkRequest>(&operator(name).id);
    }
    facts
}

fn removed(session: &OperatorSession) -> RowChange {
    RowChange::Remove(SESSIONS, row_of(&session.id))
}

fn written(session: &OperatorSession) -> RowChange {
    RowChange::Write(SESSIONS, row_of(session))
}

fn decide<C: Command>(command: &C, sessions: &[OperatorSession]) -> (C::Outcome, Vec<RowChange>) {
    let mut facts = facts(sessions);
    (command.decide(&mut facts).unwrap(), facts.into_changes().rows())
}

#[test]
fn a_session_of_an_unknown_operator_does_not_begin() {
    let begun = decide(&OpenOperatorSession(session("eve", NOW), SignInMeans::OpenId), &[session("ada", 1)]);
    assert_eq!(begun, (OperatorSignIn::Unknown, Vec::new()));
}

/// The sessions of other operators count for nothing.
#[test]
fn the_oldest_session_of_the_operator_makes_room() {
    let number = i64::try_from(MAX_SESSIONS).unwrap();
    let command = OpenOperatorSession(session("ada", NOW), SignInMeans::Link);
    let mut known: Vec<_> = (1..=number).map(|start| session("ben", start)).collect();
    known.extend((1..=number).rev().map(|start| session("ada", start)));
    let (outcome, changes) = decide(&command, &known);
    assert_eq!(outcome, OperatorSignIn::Begun);
    assert_eq!(changes, [removed(&session("ada", 1)), written(&command.0)]);
    known.pop();
    let (_, changes) = decide(&command, &known);
    assert_eq!(changes, [written(&command.0)]);
}

/// Sessions that ended do not count among the ten.
#[test]
fn a_new_session_removes_those_that_ended() {
    let new = session("ada", NOW);
    let ended = [session("ben", 0), session("eve", 500), session("ada", 0)];
    let mut known = vec![session("ben", 1)];
    known.extend(ended.clone());
    known.extend((1..=9).map(|start| session("ada", start)));
    let (_, changes) = decide(&OpenOperatorSession(new.clone(), SignInMeans::OpenId), &known);
    assert_eq!(changes.len(), ended.len() + 1);
    assert!(changes.contains(&written(&new)));
    assert!(ended.iter().all(|session| changes.contains(&removed(session))), "{changes:?}");
}

/// What was noted may be older than what another instance stored, and the session may have ended meanwhile.
#[test]
fn only_a_later_use_of_a_known_session_is_stored() {
    let [used, other] = [session("ada", 1), session("ben", 1)];
    let known = [used.clone(), other.clone()];
    let noted = |number| UseSessions([(used.id, at(number)), (session("eve", 1).id, at(9))].into());
    let later = OperatorSession { last_used_at: Some(at(9)), ..used.clone() };
    assert_eq!(decide(&noted(9), &known).1, [written(&later)]);
    assert_eq!(decide(&noted(1), &known).1, []);
    assert_eq!(decide(&noted(8), &[later, other]).1, []);
}

#[test]
fn one_session_ends_once() {
    let known = [session("ada", 1), session("ada", 2)];
    let mut facts = facts(&known);
    let command = EndOperatorSession(known[1].id);
    assert!(command.decide(&mut facts).unwrap());
    assert!(!command.decide(&mut facts).unwrap());
    assert_eq!(facts.into_changes().rows(), [removed(&known[1])]);
}

#[test]
fn all_sessions_of_one_operator_end() {
    let known = [session("ada", 1), session("ben", 1), session("ada", 2)];
    let ended = decide(&EndSessionsOfOperator(known[0].operator_id.clone()), &known);
    assert_eq!(ended, (2, vec![removed(&known[0]), removed(&known[2])]));
    let ended = decide(&EndSessionsOfOperator(OperatorId::new("eve").unwrap()), &known);
    assert_eq!(ended, (0, Vec::new()));
}
