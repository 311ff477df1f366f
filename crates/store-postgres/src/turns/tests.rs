use futures_util::FutureExt;

use super::places::locked;
use pointbook_app::commands::Lane;
use pointbook_domain::UserId;

use super::*;

/// With twelve connections: ten writers, eight of one tenant.
fn tenants() -> [Arc<TenantTurns>; 3] {
    let all = Arc::new(Turns::new(12));
    [(); 3].map(|()| Arc::new(TenantTurns::new(all.clone())))
}

fn user(number: usize) -> Lane {
    Lane::User(UserId::new(number.to_string()).unwrap())
}

/// How many of many users of a tenant are let through at once.
fn let_through(tenant: &Arc<TenantTurns>) -> Vec<(Place, Turn)> {
    let places = (0..100).map(|number| tenant.enter(user(number)).unwrap());
    places.filter_map(|place| place.turn().now_or_never().map(|turn| (place, turn))).collect()
}

#[test]
fn a_user_is_let_through_when_the_one_before_is_done() {
    let [tenant, ..] = tenants();
    let [first, second, other] = [1, 1, 2].map(|number| tenant.enter(user(number)).unwrap());
    let turn = first.turn().now_or_never().unwrap();
    assert!(second.turn().now_or_never().is_none());
    assert!(other.turn().now_or_never().is_some());
    drop(turn);
    assert!(second.turn().now_or_never().is_some());
}

#[test]
fn a_tenant_has_two_thirds_of_the_connections_and_writers_five_sixths() {
    let [first, second, third] = tenants();
    let of_first = let_through(&first);
    let of_second = let_through(&second);
    assert_eq!((of_first.len(), of_second.len(), let_through(&third).len()), (8, 2, 0));
    drop(of_first);
    assert_eq!(let_through(&third).len(), 8);
}

#[test]
fn those_that_are_recorded_alone_leave_connections_to_their_tenant() {
    let [tenant, ..] = tenants();
    let places: Vec<Place> = (0..10).map(|number| tenant.enter(user(number)).unwrap()).collect();
    let turns: Vec<Turn> = places.iter().filter_map(|place| place.turn_alone().now_or_never()).collect();
    assert_eq!(turns.len(), ALONE);
    assert!(tenant.of_group().now_or_never().is_some());
}

#[test]
fn a_back_office_leaves_connections_to_its_customers() {
    let [tenant, ..] = tenants();
    let places: Vec<Place> = (0..10).map(|_| tenant.enter(Lane::BackOffice).unwrap()).collect();
    let turns: Vec<Turn> = places.iter().filter_map(|place| place.turn().now_or_never()).collect();
    assert_eq!(turns.len(), BACK_OFFICE);
    assert!(tenant.enter(user(1)).unwrap().turn().now_or_never().is_some());
}

#[test]
fn a_single_connection_is_shared() {
    let tenant = Arc::new(TenantTurns::new(Arc::new(Turns::new(1))));
    assert!(tenant.of_group().now_or_never().is_some());
}

#[test]
fn a_full_line_refuses_and_another_takes() {
    let [tenant, ..] = tenants();
    let mut places: Vec<Place> = (0..MAX_PLACES_IN_LINE).map(|_| tenant.enter(user(1)).unwrap()).collect();
    assert!(tenant.enter(user(1)).is_err());
    assert!(tenant.enter(user(2)).is_ok());
    places.pop();
    assert!(tenant.enter(user(1)).is_ok());
}

#[test]
fn a_tenant_is_bounded_and_so_are_all_together() {
    let [first, second, third] = tenants();
    let fill = |tenant: &Arc<TenantTurns>| -> Vec<Place> {
        (0..MAX_PLACES_OF_TENANT).map(|number| tenant.enter(user(number)).unwrap()).collect()
    };
    let mut places = fill(&first);
    assert!(first.enter(user(0)).is_err());
    places.extend(fill(&second));
    assert!(third.enter(user(0)).is_err(), "two tenants take all places there are");
    places.clear();
    assert!(third.enter(user(0)).is_ok());
    let is_empty = [&first, &second, &third].iter().all(|tenant| locked(&tenant.lines).is_empty());
    assert!(is_empty, "nothing is kept of lines that are done");
}
