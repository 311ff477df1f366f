//! Any sequence of events against a naive line: a list of those who wait, searched anew each time.

use std::collections::HashMap;

use super::*;

/// Somebody who waits, and says so when they are refused.
struct Someone {
    number: u64,
    is_wanted: bool,
}

impl Waiter for Someone {
    fn is_wanted(&self) -> bool {
        self.is_wanted
    }

    fn refuse(self) {
        assert!(self.is_wanted);
    }
}

#[derive(Debug, Clone, Copy)]
struct Asked {
    tenant: usize,
    number: u64,
    at: u64,
    is_wanted: bool,
}

/// What a line is, said at length.
#[derive(Default)]
struct Naive {
    waiting: Vec<Asked>,
    /// Until when each tenant's part of the line is a burst.
    burst_until: HashMap<usize, u64>,
    /// When somebody was refused, of each tenant.
    refused_at: HashMap<usize, u64>,
    /// The tenants in the order of their turns.
    order: Vec<usize>,
}

impl Naive {
    fn push(&mut self, asked: Asked) {
        if !self.order.contains(&asked.tenant) {
            self.order.push(asked.tenant);
            let is_calm = self.refused_at.get(&asked.tenant).is_none_or(|at| asked.at - at > 500);
            self.burst_until.insert(asked.tenant, if is_calm { asked.at + 500 } else { asked.at });
        }
        self.waiting.push(asked);
    }

    fn next(&mut self, now: u64) -> Option<u64> {
        while !self.order.is_empty() {
            let tenant = self.order.remove(0);
            let limit = match tenant {
                SERVICE => u64::MAX,
                _ if now > self.burst_until[&tenant] => 5,
                _ => 500,
            };
            let mut next = None;
            self.waiting.retain(|asked| {
                let is_passed = asked.tenant == tenant && next.is_none();
                if is_passed && asked.is_wanted {
                    if now - asked.at <= limit {
                        next = Some(asked.number);
                    } else {
                        self.refused_at.insert(tenant, now);
                    }
                }
                !is_passed
            });
            if self.waiting.iter().any(|asked| asked.tenant == tenant) {
                self.order.push(tenant);
            }
            if next.is_some() {
                return next;
            }
        }
        None
    }
}

const SERVICE: usize = 3;

/// Numbers that are the same on every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

#[tokio::test(start_paused = true)]
async fn any_sequence_is_served_as_the_naive_line_serves_it() {
    let tenants: [Option<Arc<str>>; 4] = [Some("a".into()), Some("b".into()), Some("c".into()), None];
    let start = Instant::now();
    for seed in 0..300 {
        let mut numbers = Numbers(seed);
        let (mut line, mut naive, mut now, mut served) =
            (FairQueue::new(PATIENCE), Naive::default(), 0_u64, 0);
        for number in 0..400 {
            now += [0, 0, 1, 3, 100][usize::try_from(numbers.below(5)).unwrap()];
            let at = start + Duration::from_millis(now);
            // Floods of a whole thousand, and times when little is asked for.
            if numbers.below(5) < 3 - (number / 100) % 2 {
                let tenant = usize::try_from(numbers.below(4)).unwrap();
                let is_wanted = numbers.below(4) > 0;
                naive.push(Asked { tenant, number, at: now, is_wanted });
                assert!(line.push(tenants[tenant].as_ref(), at, Someone { number, is_wanted }).is_ok());
            } else {
                let next = line.next(at).map(|someone| someone.number);
                assert_eq!(next, naive.next(now), "seed {seed}, event {number}");
                served += u64::from(next.is_some());
            }
            assert_eq!(line.is_empty(), naive.order.is_empty());
        }
        assert!(served > 20, "{served}");
    }
}
