//! Awards of campaigns and counts of earning activities.

use pointbook_domain::BonusOrigin;

use super::facts::{Facts, content, faulty, sample};

/// The first scan has a bonus of 2 points. Its campaign gave it.
fn awarded() -> Facts {
    let mut facts = sample();
    content(&mut facts.rows[0]).transaction.bonus_origin = BonusOrigin::Campaigns { awards: 1 };
    Facts { awards: vec![(1, 2)], ..facts }
}

#[test]
fn awards_that_are_the_end_of_the_breakdown_are_right() {
    assert!(awarded().differences().is_empty());
}

#[test]
fn an_award_without_its_bonus_is_found() {
    let wrong = Facts { awards: vec![(1, 2), (2, 5)], ..awarded() };
    let fault = "has 1 awards of 5 points but its breakdown has 0 of 0 points";
    assert_eq!(wrong.differences(), [faulty(2, "s2", &[fault])]);
}

#[test]
fn a_bonus_without_its_award_is_found() {
    let fault = "has 0 awards of 0 points but its breakdown has 1 of 2 points";
    assert_eq!(Facts { awards: vec![], ..awarded() }.differences(), [faulty(1, "s1", &[fault])]);
    let fault = "has 1 awards of 3 points but its breakdown has 1 of 2 points";
    assert_eq!(Facts { awards: vec![(1, 3)], ..awarded() }.differences(), [faulty(1, "s1", &[fault])]);
}

#[test]
fn an_award_of_no_transaction_is_found() {
    let wrong = Facts { awards: vec![(1, 2), (9, 5)], ..awarded() };
    assert_eq!(wrong.differences(), ["1 awards of 5 points belong to transaction 9, which does not exist"]);
}

#[test]
fn a_wrong_count_of_earning_activities_is_found() {
    let mut wrong = sample();
    wrong.user.as_mut().unwrap().earned = "code:3".to_owned();
    let fault = r#"earning activities are counted as "code:3" but the transactions come to "code:2""#;
    assert_eq!(wrong.differences(), [fault]);
}
