//! How many requests to the issuer may begin in a minute.

use std::collections::HashMap;

use crate::openid::OpenIdError;

/// For all people together, so that this server is no load for the issuer.
const MAX_PER_MINUTE: u32 = 60;

/// For one address, so that one person cannot use up the requests of all.
const MAX_PER_MINUTE_AND_ADDRESS: u32 = 10;

/// An address always may have this many while fewer than [`MAX_PER_MINUTE`] began.
const FIRST_OF_ADDRESS: u32 = 2;

/// How many requests of a minute the further requests of addresses share. The others are kept for addresses that have had few.
const MAX_FURTHER_PER_MINUTE: u32 = 20;

/// The requests of one kind in a minute, by the address of the person for whom they are. It has at most [`MAX_PER_MINUTE`] addresses.
#[derive(Debug, Default)]
pub(crate) struct Rate {
    minute: i64,
    total: u32,
    further: u32,
    by_address: HashMap<String, u32>,
}

impl Rate {
    /// Counts a request.
    ///
    /// # Errors
    /// [`OpenIdError::Busy`] beyond the limits.
    pub(crate) fn admit(&mut self, address: &str, now_seconds: i64) -> Result<(), OpenIdError> {
        let minute = now_seconds.div_euclid(60);
        if minute != self.minute {
            *self = Self { minute, ..Self::default() };
        }
        let of_address = self.by_address.get(address).copied().unwrap_or_default();
        let is_further = of_address >= FIRST_OF_ADDRESS;
        if self.total >= MAX_PER_MINUTE
            || of_address >= MAX_PER_MINUTE_AND_ADDRESS
            || is_further && self.further >= MAX_FURTHER_PER_MINUTE
        {
            return Err(OpenIdError::Busy);
        }
        self.total += 1;
        self.further += u32::from(is_further);
        self.by_address.insert(address.to_owned(), of_address + 1);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_limit_for_each_minute() {
        let mut rate = Rate::default();
        for _ in 0..MAX_PER_MINUTE_AND_ADDRESS {
            assert_eq!(rate.admit("a", 0), Ok(()));
        }
        assert_eq!(rate.admit("a", 59), Err(OpenIdError::Busy));
        assert_eq!(rate.admit("a", 60), Ok(()));
    }

    #[test]
    fn addresses_that_ask_all_the_time_leave_requests_for_others() {
        let mut rate = Rate::default();
        for _ in 0..MAX_PER_MINUTE {
            for address in 0..19 {
                let _ = rate.admit(&format!("greedy {address}"), 0);
            }
        }
        assert_eq!(rate.total, 19 * FIRST_OF_ADDRESS + MAX_FURTHER_PER_MINUTE);
        assert_eq!(rate.admit("another", 59), Ok(()));
    }

    #[test]
    fn all_addresses_together_have_a_limit() {
        let mut rate = Rate::default();
        for address in 0..MAX_PER_MINUTE {
            assert_eq!(rate.admit(&address.to_string(), 0), Ok(()));
        }
        assert_eq!(rate.admit("another", 59), Err(OpenIdError::Busy));
        assert_eq!(rate.by_address.len(), 60);
        assert_eq!(rate.admit("another", 60), Ok(()));
    }
}
