//! Trains the weights by which sentences are told from remarks: a linear model of the features of the segments in `corpus/`.
//!
//! It is the dual coordinate descent of Hsieh et al. (2008) for a support vector machine with squared loss: it has no rate to choose and
//! uses nothing but arithmetic that is the same on every machine. Invariant: the same corpus gives the same bytes.

use std::collections::BTreeMap;
use std::path::Path;

use pagesmith_template_agent::internals::features;

/// How much a segment on the wrong side costs against large weights.
const COST: f64 = 1.0;
/// How often all segments are looked at.
const ROUNDS: usize = 40;
/// How many parts the corpus is divided into to judge the model by what it has not seen.
pub const PARTS: usize = 5;

/// A segment of the corpus.
pub struct Segment {
    /// The number of its brief.
    pub brief: usize,
    /// The language.
    pub language: String,
    /// Whether it is for visitors.
    pub is_fact: bool,
    /// Whether it is half of another one.
    pub is_part: bool,
    /// The numbers of its features with how much there is of each, and the sum of the squares.
    features: Vec<(usize, f64)>,
    square: f64,
}

/// The segments of all files of the corpus, in the order of their names.
pub fn corpus() -> Vec<Segment> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    let (mut segments, mut brief) = (Vec::new(), 0);
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut language = "";
        for line in text.lines() {
            let (mark, plain) = line.split_once(' ').unwrap_or((line, ""));
            match mark {
                "#" => {
                    language = plain.get(..2).unwrap();
                    brief += 1;
                }
                "" | "--" => {}
                "F" | "N" | "I" | "F+" | "N+" | "I+" => {
                    segments.push(Segment::of(plain, language, mark, brief));
                    if let Some((one, other)) = halves(plain) {
                        segments.push(Segment { is_part: true, ..Segment::of(one, language, mark, brief) });
                        segments.push(Segment {
                            is_part: true,
                            ..Segment::of(other, language, &format!("{}+", &mark[..1]), brief)
                        });
                    }
                }
                _ => panic!("{}: {line}", path.display()),
            }
        }
    }
    segments
}

/// The halves of a segment that has a mark near its middle: what is behind a comma is seldom a remark, but a segment of the corpus
/// that goes on within a sentence nearly always is.
fn halves(plain: &str) -> Option<(&str, &str)> {
    const LEAST: usize = 2;
    let words = |text: &str| text.split_whitespace().count();
    let middle = |at: &usize| at.abs_diff(plain.len() / 2);
    let cuts = features::cuts(plain).into_iter();
    let at = cuts
        .filter(|at| words(&plain[..*at]) >= LEAST && words(&plain[*at..]) >= LEAST)
        .min_by_key(middle)?;
    Some(plain.split_at(at))
}

impl Segment {
    fn of(plain: &str, language: &str, mark: &str, brief: usize) -> Segment {
        let all = features::numbers(plain, language, mark.ends_with('+'));
        let share = 1.0 / (all.len() as f64).sqrt();
        let mut counts: BTreeMap<usize, f64> = BTreeMap::new();
        all.iter().for_each(|number| *counts.entry(*number as usize).or_default() += share);
        let square = counts.values().map(|count| count * count).sum();
        let features = counts.into_iter().collect();
        Segment {
            brief,
            language: language.to_owned(),
            is_fact: mark.starts_with('F'),
            is_part: false,
            features,
            square,
        }
    }

    /// How much these weights speak for telling it.
    pub fn score(&self, weights: &[f64]) -> f64 {
        self.features.iter().map(|(number, count)| weights[*number] * count).sum()
    }
}

/// The weights that tell these segments apart.
pub fn trained(segments: &[&Segment]) -> Vec<f64> {
    let mut weights = vec![0.0; features::WEIGHTS];
    let mut shares = vec![0.0_f64; segments.len()];
    let mut order: Vec<usize> = (0..segments.len()).collect();
    let mut random = 1_u64;
    for _ in 0..ROUNDS {
        for at in (1..order.len()).rev() {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            order.swap(at, (random >> 33) as usize % (at + 1));
        }
        for at in &order {
            let segment = segments[*at];
            let side = if segment.is_fact { 1.0 } else { -1.0 };
            let slope = side * segment.score(&weights) - 1.0 + shares[*at] / (2.0 * COST);
            let share = (shares[*at] - slope / (segment.square + 1.0 / (2.0 * COST))).max(0.0);
            let step = (share - shares[*at]) * side;
            shares[*at] = share;
            segment.features.iter().for_each(|(number, count)| weights[*number] += step * count);
        }
    }
    weights
}

/// The file of weights: a factor and the weights as parts of the largest.
pub fn file(weights: &[f64]) -> Vec<u8> {
    let largest = weights.iter().fold(0.0_f64, |largest, weight| largest.max(weight.abs()));
    let factor = (largest / 127.0) as f32;
    let parts = weights.iter().map(|weight| ((weight / f64::from(factor)).round() as i8).cast_unsigned());
    factor.to_le_bytes().into_iter().chain(parts).collect()
}

#[test]
fn the_weights_are_those_of_the_corpus() {
    let corpus = corpus();
    let weights = trained(&corpus.iter().collect::<Vec<_>>());
    let known = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/sentence_model/weights.bin");
    assert!(file(&weights) == std::fs::read(known).unwrap(), "run `cargo run --example weights`");
}

/// Four fifths of the briefs teach enough to judge the last fifth, in each language alike.
#[test]
fn segments_that_were_not_seen_are_told_apart() {
    let corpus = corpus();
    let (tried, known): (Vec<&Segment>, Vec<&Segment>) =
        corpus.iter().partition(|segment| segment.brief % PARTS == 0);
    let weights = trained(&known);
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for segment in tried.into_iter().filter(|segment| !segment.is_part) {
        let [all, right] = counts.entry(&segment.language).or_default();
        *all += 1;
        *right += usize::from((segment.score(&weights) > 0.0) == segment.is_fact);
    }
    assert_eq!(counts.len(), 28, "{counts:?}");
    assert!(counts.values().all(|[all, right]| right * 100 >= all * 65), "{counts:?}");
    let [all, right] = counts.values().fold([0, 0], |sum, count| [sum[0] + count[0], sum[1] + count[1]]);
    assert!(right * 100 >= all * 82, "{counts:?}");
}
