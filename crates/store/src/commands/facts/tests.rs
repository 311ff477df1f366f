use pointbook_domain::{Day, Points, Timestamp, UserId, Webhook, WebhookAttempt, WebhookSecret};

use super::*;
use crate::schema::rows::AwardRow;
use crate::schema::{Cell, WEBHOOK_ATTEMPTS, cells};

fn webhook() -> Webhook {
    let at = Timestamp::from_micros(0).unwrap();
    Webhook {
        id: "wh_1".to_owned(),
        url: "https://hooks.example/secret-path".to_owned(),
        types: pointbook_domain::EventTypes::default(),
        mode: pointbook_domain::WebhookMode::Each,
        lanes: 1,
        secret: WebhookSecret::from_bytes([7; 32]),
        previous_secret: None,
        previous_secret_until: None,
        state: pointbook_domain::WebhookState::Active,
        disabled_because: None,
        state_since: at,
        epoch: 1,
        start_generation: 1,
        start_position: 0,
        created_at: at,
    }
}

#[test]
fn no_secret_of_a_row_is_printed() {
    let mut facts = Facts::default();
    facts.insert(webhook());
    let changes = facts.into_changes();
    let printed = format!("{:?} {:?}", changes.rows(), changes.tables);
    assert!(printed.contains("webhooks") && !printed.contains(webhook().secret.reveal()), "{printed}");
}

#[test]
fn a_row_that_was_overwritten_replaces_an_earlier_one() {
    let attempt = |slot, position| {
        let (webhook_id, at) = ("wh_1".to_owned(), Timestamp::from_micros(0).unwrap());
        WebhookAttempt { webhook_id, slot, at, duration_ms: 1, position, status: None, error: None }
    };
    let mut facts = Facts::default();
    for row in [attempt(1, 1), attempt(2, 2), attempt(2, 3)] {
        facts.overwrite(row);
    }
    let row = |row: &WebhookAttempt| cells(row).into_iter().map(Cell::from).collect();
    let expected =
        [attempt(1, 1), attempt(2, 3)].map(|attempt| RowChange::Write(&WEBHOOK_ATTEMPTS, row(&attempt)));
    assert_eq!(facts.into_changes().rows(), expected);
}

#[test]
fn a_row_that_is_put_back_does_not_change() {
    let mut facts = Facts::default();
    facts.load(webhook());
    facts.put(Webhook { epoch: 2, ..webhook() }).unwrap();
    facts.put(webhook()).unwrap();
    assert_eq!(facts.into_changes().rows(), []);
}

#[test]
fn a_loaded_range_knows_the_rows_that_it_lacks() {
    let mut facts = Facts::default();
    assert!(facts.get::<Webhook>("wh_1").is_err());
    facts.load_range::<Webhook>(&Range::default(), []);
    assert_eq!(facts.get::<Webhook>("wh_1").unwrap(), None);
    facts.put(webhook()).unwrap();
    assert!(facts.exists::<Webhook>("wh_1").unwrap());
    facts.remove(&webhook()).unwrap();
    assert!(!facts.exists::<Webhook>("wh_1").unwrap());
}

#[test]
fn an_award_belongs_to_the_ranges_of_its_user_and_campaign_with_its_day() {
    let day = |number| Day::from_days(number).unwrap();
    let ever = (Timestamp::MIN.day(), Timestamp::MAX.day());
    let range = |user: &str, campaign: &str, (first, last): (Day, Day)| {
        Range::default().equal("user_id", user).equal("campaign_id", campaign).between("day", [&first, &last])
    };
    let with = [ever, (day(1), day(5)), (day(5), day(5)), (day(5), day(9))];
    let without = [(day(1), day(4)), (day(6), day(6))];
    let neighbours = [("u0", "b"), ("u1", "a"), ("u1", "c"), ("u1", "b1"), ("u2", "b")];
    let mut facts = Facts::default();
    for days in with.into_iter().chain(without) {
        facts.load_range::<AwardRow>(&range("u1", "b", days), []);
        for (user, campaign) in neighbours {
            facts.load_range::<AwardRow>(&range(user, campaign, days), []);
        }
    }
    let (user_id, campaign_id) = (UserId::new("u1").unwrap(), "b".to_owned());
    let points = Points::new(7).unwrap();
    let award = AwardRow { user_id, campaign_id, day: day(5), seq: 1, version: 1, points, birthday: None };
    facts.insert(award.clone());
    let known = |user, campaign, days| facts.rows::<AwardRow>(&range(user, campaign, days)).unwrap();
    assert!(with.into_iter().all(|days| known("u1", "b", days) == [&award]));
    assert!(without.into_iter().all(|days| known("u1", "b", days).is_empty()));
    for (user, campaign) in neighbours {
        assert!(with.into_iter().all(|days| known(user, campaign, days).is_empty()), "{user} {campaign}");
    }
}
