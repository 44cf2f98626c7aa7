//! Latencies in log-linear buckets: 64 to each power of two, so a quantile is within 1.6 % of the truth.
//!
//! Recording costs a few nanoseconds and memory does not grow with the number of requests.

use std::time::Duration;

const SUB_BITS: u32 = 6;
const SUB: u64 = 1 << SUB_BITS;
/// Enough for 2^40 ns, which is 18 minutes; anything above is counted in the last bucket.
const BUCKETS: usize = ((40 - SUB_BITS as usize) + 1) * SUB as usize;

/// How often each latency occurred.
pub struct Histogram {
    counts: Vec<u64>,
    total: u64,
}

impl Histogram {
    /// One without entries.
    pub fn new() -> Self {
        Self { counts: vec![0; BUCKETS], total: 0 }
    }

    /// Adds one latency.
    pub fn record(&mut self, latency: Duration) {
        let nanos = u64::try_from(latency.as_nanos()).unwrap_or(u64::MAX);
        self.counts[bucket(nanos).min(BUCKETS - 1)] += 1;
        self.total += 1;
    }

    /// How many latencies were added.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The latency that this share of the entries (0 to 1) does not exceed; zero if there are none.
    pub fn quantile(&self, share: f64) -> Duration {
        let rank = ((self.total as f64) * share).ceil().max(1.0) as u64;
        let mut seen = 0;
        for (index, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= rank {
                return Duration::from_nanos(middle(index));
            }
        }
        Duration::ZERO
    }
}

/// Values below 64 have a bucket each; above, the top seven bits decide.
fn bucket(nanos: u64) -> usize {
    if nanos < SUB {
        return nanos as usize;
    }
    let shift = 63 - nanos.leading_zeros() - SUB_BITS;
    ((u64::from(shift) + 1) * SUB + (nanos >> shift) - SUB) as usize
}

/// The middle of a bucket's range.
fn middle(index: usize) -> u64 {
    let index = index as u64;
    if index < SUB {
        return index;
    }
    let shift = index / SUB - 1;
    ((index % SUB + SUB) << shift) + ((1 << shift) >> 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_within_two_per_cent() {
        let mut histogram = Histogram::new();
        for micros in 1..=10_000 {
            histogram.record(Duration::from_micros(micros));
        }
        for (share, truth) in [(0.5, 5_000.0), (0.99, 9_900.0), (0.0, 1.0)] {
            let found = histogram.quantile(share).as_secs_f64() * 1e6;
            assert!((found / truth - 1.0).abs() < 0.02, "{share}: {found} for {truth}");
        }
    }

    #[test]
    fn every_value_falls_into_the_bucket_whose_middle_is_near() {
        for power in 0..40 {
            for nanos in [1_u64 << power, (1 << power) + 1, (2 << power) - 1] {
                let near = middle(bucket(nanos));
                assert!(near.abs_diff(nanos) * 64 <= nanos, "{nanos}: {near}");
            }
        }
    }

    #[test]
    fn an_empty_one_answers_zero() {
        assert_eq!(Histogram::new().quantile(0.5), Duration::ZERO);
    }
}
