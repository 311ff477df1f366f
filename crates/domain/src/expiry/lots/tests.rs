use proptest::prelude::*;

use super::*;

fn day(days: i32) -> Day {
    Day::from_days(days).unwrap()
}

fn lots(lots: &[(i32, i64)]) -> Lots {
    lots.iter().map(|(last_day, points)| (day(*last_day), *points)).collect()
}

fn moves(moves: &[(i32, i64)]) -> Vec<Move> {
    moves.iter().map(|(last_day, points)| Move { last_day: day(*last_day), points: *points }).collect()
}

fn debt(points: i64) -> Lots {
    Lots::from_iter([(owed(), -points)])
}

#[test]
fn what_ends_first_is_spent_first_and_what_never_ends_last() {
    let mut mine = lots(&[(30, 100), (10, 50), (20, 70)]);
    mine.give(40, never());
    assert_eq!(mine.take(130, &[]), moves(&[(10, -50), (20, -70), (30, -10)]));
    assert_eq!(mine.next_last_day(), Some(day(30)));
    assert_eq!(mine.take(100, &[]), [moves(&[(30, -90)])[0], Move { last_day: never(), points: -10 }]);
    assert_eq!((mine.next_last_day(), mine.balance()), (None, 30));
}

#[test]
fn new_points_pay_a_debt_first() {
    let mut mine = lots(&[(10, 50)]);
    let overdrawn = mine.take(80, &[]);
    assert_eq!(overdrawn, [Move { last_day: owed(), points: -30 }, moves(&[(10, -50)])[0]]);
    assert_eq!((&mine, mine.next_last_day()), (&debt(30), None));
    assert_eq!(mine.give(20, day(40)), [Move { last_day: owed(), points: 20 }]);
    assert_eq!(mine.give(25, day(40)), [Move { last_day: owed(), points: 10 }, moves(&[(40, 15)])[0]]);
    assert_eq!(mine, lots(&[(40, 15)]));
    // Points that paid a debt ended some day, so they do not come back as points that never end.
    assert_eq!(mine.undo(&overdrawn, day(5), day(60)), moves(&[(10, 50), (60, 30)]));
}

#[test]
fn a_lot_ends_after_its_last_day() {
    let mut mine = lots(&[(10, 50), (20, 70)]);
    assert_eq!(mine.end(day(10)), []);
    assert_eq!(mine.end(day(11)), moves(&[(10, -50)]));
    assert_eq!(mine.end(day(11)), []);
    assert_eq!(mine.end(never()), moves(&[(20, -70)]));
    // A debt does not end.
    let mut owes = debt(30);
    assert_eq!((owes.end(never()), owes), (vec![], debt(30)));
}

#[test]
fn a_refund_goes_back_to_its_lots_or_gets_days_of_grace() {
    let mut mine = lots(&[(10, 50), (20, 70)]);
    let spent = mine.take(60, &[]);
    assert_eq!(mine.clone().undo(&spent, day(10), day(40)), moves(&[(10, 50), (20, 10)]));
    assert_eq!(mine.undo(&spent, day(11), day(40)), moves(&[(20, 10), (40, 50)]));
    assert_eq!(mine, lots(&[(20, 70), (40, 50)]));
}

#[test]
fn a_reversal_takes_from_the_lot_of_its_award_first() {
    let mut mine = lots(&[(10, 50)]);
    let award = mine.give(30, day(20));
    assert_eq!(mine.clone().undo(&award, day(1), day(40)), moves(&[(20, -30)]));
    // 20 of the 30 were spent meanwhile, for example before the other points came.
    mine.take(20, &[day(20)]);
    assert_eq!(mine.undo(&award, day(1), day(40)), moves(&[(10, -20), (20, -10)]));
}

/// What a member or the time does.
#[derive(Debug, Clone)]
enum Step {
    /// Without days, the points never end.
    Earn {
        points: i64,
        days: Option<i32>,
    },
    Spend {
        points: i64,
    },
    /// The reversal of one of the rows so far.
    Undo {
        row: usize,
    },
    Wait {
        days: i32,
    },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (1..200i64, prop::option::weighted(0.8, 0..60i32)).prop_map(|(points, days)| Step::Earn { points, days }),
        4 => (1..300i64).prop_map(|points| Step::Spend { points }),
        1 => (0..64usize).prop_map(|row| Step::Undo { row }),
        2 => (1..20i32).prop_map(|days| Step::Wait { days }),
    ]
}

/// Single points in a bag, each with its last day, and a debt.
#[derive(Default)]
struct Bag {
    points: Vec<Day>,
    debt: i64,
}

impl Bag {
    fn earn(&mut self, points: i64, last_day: Day) {
        for _ in 0..points {
            if self.debt > 0 {
                self.debt -= 1;
            } else {
                self.points.push(last_day);
            }
        }
    }

    /// Takes the point that ends first: of those that end on these days, if there is one, or else of all.
    fn spend(&mut self, own: &[Day]) {
        let first = |is_own: bool| {
            let places = 0..self.points.len();
            places
                .filter(|place| !is_own || own.contains(&self.points[*place]))
                .min_by_key(|place| self.points[*place])
        };
        match first(true).or_else(|| first(false)) {
            Some(place) => drop(self.points.swap_remove(place)),
            None => self.debt += 1,
        }
    }

    fn counted(&self) -> Lots {
        let debt = (owed(), -self.debt);
        self.points.iter().map(|last_day| (*last_day, 1)).chain([debt]).collect()
    }
}

const GRACE: i32 = 30;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn lots_are_what_single_points_would_be(steps in prop::collection::vec(step(), 1..40)) {
        let (mut lots, mut bag, mut today) = (Lots::default(), Bag::default(), 1_000);
        let mut rows: Vec<Vec<Move>> = Vec::new();
        for step in steps {
            let before = lots.balance();
            let (moves, expected) = match step {
                Step::Wait { days } => {
                    today += days;
                    let gone = bag.points.extract_if(.., |last_day| *last_day < day(today)).count();
                    (lots.end(day(today)), -i64::try_from(gone).unwrap())
                }
                Step::Earn { points, days } => {
                    let last_day = days.map_or_else(never, |days| day(today + days));
                    bag.earn(points, last_day);
                    let moves = lots.give(points, last_day);
                    rows.push(moves.clone());
                    (moves, points)
                }
                Step::Spend { points } => {
                    (0..points).for_each(|_| bag.spend(&[]));
                    let moves = lots.take(points, &[]);
                    rows.push(moves.clone());
                    (moves, -points)
                }
                Step::Undo { row } if row < rows.len() => {
                    // A row is reversed once.
                    let row = rows.swap_remove(row);
                    let gave = row.iter().filter(|moved| moved.points > 0);
                    let own: Vec<Day> = gave.clone().map(|moved| moved.last_day).collect();
                    (0..gave.map(|moved| moved.points).sum()).for_each(|_| bag.spend(&own));
                    for moved in row.iter().filter(|moved| moved.points < 0) {
                        let ended = moved.last_day < day(today);
                        bag.earn(-moved.points, if ended { day(today + GRACE) } else { moved.last_day });
                    }
                    let sum: i64 = row.iter().map(|moved| moved.points).sum();
                    (lots.undo(&row, day(today), day(today + GRACE)), -sum)
                }
                Step::Undo { .. } => (Vec::new(), 0),
            };
            prop_assert_eq!(&lots, &bag.counted());
            prop_assert_eq!(lots.balance() - before, expected);
            prop_assert_eq!(moves.iter().map(|moved| moved.points).sum::<i64>(), expected);
            prop_assert!(moves.is_sorted_by_key(|moved| moved.last_day));
            let (debt, own): (Vec<_>, Vec<_>) = lots.iter().partition(|(last_day, _)| *last_day == owed());
            prop_assert!(own.iter().all(|(last_day, points)| *points > 0 && *last_day >= day(today)));
            prop_assert!(debt.is_empty() || own.is_empty());
        }
    }
}
