//! Facts of the operators of a tenant.

use std::sync::Arc;

use futures_util::future::join_all;
use pointbook_access::operators::manage::{
    AddOperator, MAX_OPERATORS, OperatorRefusal, RemoveOperator, SetOperatorRole, list_operators,
};
use pointbook_domain::Role;
use pointbook_store::ports::{Database, TenantData};

use super::add_tenant;
use crate::build;
use crate::build::{email, operator};

async fn add(data: &Arc<dyn TenantData>, name: &str, role: Role) -> Result<(), OperatorRefusal> {
    data.write(AddOperator(operator(name, role))).await.unwrap()
}

async fn set(data: &Arc<dyn TenantData>, name: &str, role: Role) -> Result<(), OperatorRefusal> {
    data.write(SetOperatorRole { email: email(name), role }).await.unwrap()
}

/// Also through a fresh handle.
pub async fn operators_are_added_changed_and_removed(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    assert_eq!(list_operators(&*data).await.unwrap(), []);
    for (name, role) in [("zoe", Role::Owner), ("ada", Role::Analyst), ("ben", Role::Auditor)] {
        assert_eq!(add(&data, name, role).await, Ok(()));
    }
    assert_eq!(set(&data, "ada", Role::Support).await, Ok(()));
    assert_eq!(data.write(RemoveOperator(email("ben"))).await.unwrap(), Ok(()));
    let again = database.tenant(&build::tenant("acme").id);
    let expected = [operator("ada", Role::Support), operator("zoe", Role::Owner)];
    assert_eq!(list_operators(&*again).await.unwrap(), expected);
}

/// The same person may be an operator of several tenants, with different roles.
pub async fn tenants_share_no_operators(database: Arc<dyn Database>) {
    let (acme, other) = (add_tenant(&database, "acme").await, add_tenant(&database, "other").await);
    for data in [&acme, &other] {
        assert_eq!(add(data, "ada", Role::Owner).await, Ok(()));
        assert_eq!(add(data, "ben", Role::Owner).await, Ok(()));
    }
    assert_eq!(set(&other, "ada", Role::Analyst).await, Ok(()));
    assert_eq!(other.write(RemoveOperator(email("ada"))).await.unwrap(), Ok(()));
    assert_eq!(set(&other, "ada", Role::Owner).await, Err(OperatorRefusal::Unknown));
    let expected = [operator("ada", Role::Owner), operator("ben", Role::Owner)];
    assert_eq!(list_operators(&*acme).await.unwrap(), expected);
}

/// Several administrators may give up the role at once.
pub async fn one_of_many_owners_stays(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let names = ["a", "b", "c", "d", "e", "f"];
    for name in names {
        assert_eq!(add(&data, name, Role::Owner).await, Ok(()));
    }
    let callers = names.map(|name| {
        let data = data.clone();
        tokio::spawn(async move { set(&data, name, Role::Manager).await })
    });
    let ended: Vec<_> = join_all(callers).await.into_iter().map(Result::unwrap).collect();
    let refused = ended.iter().filter(|outcome| **outcome == Err(OperatorRefusal::LastOwner)).count();
    assert_eq!((refused, ended.iter().filter(|outcome| outcome.is_ok()).count()), (1, 5), "{ended:?}");
    let owners = list_operators(&*data).await.unwrap().into_iter().filter(|one| one.role == Role::Owner);
    assert_eq!(owners.count(), 1);
}

/// A removal and an addition at once touch different rows.
pub async fn the_last_owner_leaves_no_operator_behind(database: Arc<dyn Database>) {
    for slug in ["a", "b", "c"] {
        let data = add_tenant(&database, slug).await;
        assert_eq!(add(&data, "ada", Role::Owner).await, Ok(()));
        let removal = tokio::spawn({
            let data = data.clone();
            async move { data.write(RemoveOperator(email("ada"))).await.unwrap() }
        });
        let added = add(&data, "ben", Role::Support).await;
        let outcome = (removal.await.unwrap(), added);
        let [removed_first, added_first] =
            [(Ok(()), Err(OperatorRefusal::FirstIsNoOwner)), (Err(OperatorRefusal::LastOwner), Ok(()))];
        assert!(outcome == removed_first || outcome == added_first, "{outcome:?}");
    }
}

/// The limit and the address also hold for commands that run at once.
pub async fn the_limit_of_operators_holds_for_many_at_once(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    for number in 2..MAX_OPERATORS {
        assert_eq!(add(&data, &format!("o{number}"), Role::Owner).await, Ok(()));
    }
    let callers = (0..12).map(|number| {
        let data = data.clone();
        tokio::spawn(async move { add(&data, &format!("n{}", number / 2), Role::Analyst).await })
    });
    let ended: Vec<_> = join_all(callers).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(ended.iter().filter(|outcome| outcome.is_ok()).count(), 2, "{ended:?}");
    assert_eq!(list_operators(&*data).await.unwrap().len(), MAX_OPERATORS);
    assert_eq!(add(&data, "late", Role::Owner).await, Err(OperatorRefusal::TooMany));
}
