//! Networks of people's moves.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use treegauge_human::policy::POLICY_RATINGS;
use treegauge_human::{MovePredictor, Network, RATING_MAX, RATING_MIN, Rated};
use treegauge_store::read;

use super::super::Context;
use crate::{Error, ErrorKind};

/// People whose moves are predicted.
pub(super) struct People<'a> {
    /// Files of networks, whose names have the ratings of their people.
    pub(super) networks: &'a [PathBuf],
    /// Rating of the people whose moves are reported; `None` for the usual one.
    pub(super) rating: Option<f64>,
}

/// Networks that were read.
pub(super) struct Networks {
    /// The networks as one predictor; `None` if there are none.
    pub(super) predictor: Option<Arc<dyn MovePredictor>>,
    /// Ratings of their people, ascending.
    pub(super) ratings: Vec<f64>,
    /// Rating of the people whose moves are reported.
    pub(super) reported: f64,
}

/// The usual rating of the people whose moves are reported.
const RATING: f64 = 1500.0;

/// The maximum size of the file of a network, in bytes.
const NETWORK_BYTES_MAX: u64 = 64 << 20;

impl People<'_> {
    /// Reads the networks.
    pub(super) fn read(&self, context: &Context<'_>) -> Result<Networks, Error> {
        let asked = self.rating.unwrap_or(RATING);
        if self.networks.is_empty() {
            let [least, greatest] = POLICY_RATINGS;
            let reported = asked.clamp(least, greatest);
            return Ok(Networks { predictor: None, ratings: Vec::new(), reported });
        }
        let one = |name: &PathBuf| {
            let bad = |reason: String| {
                Error::new(ErrorKind::Data, format!("{}: {reason}", name.display()))
            };
            let rating = rating_of(name).ok_or_else(|| {
                bad("the name does not say the rating of the people, as maia-1500.pb.gz does"
                    .to_owned())
            })?;
            if !(RATING_MIN..=RATING_MAX).contains(&rating) {
                let why = format!(
                    "its name says a rating of {rating}, which is not from {RATING_MIN} to {RATING_MAX}"
                );
                return Err(bad(why));
            }
            let path = context.path(name)?;
            let bytes = read(&path, NETWORK_BYTES_MAX).map_err(|error| bad(error.to_string()))?;
            let network = Network::read(&bytes).map_err(|error| bad(error.to_string()))?;
            Ok((rating, network))
        };
        let networks = self.networks.iter().map(one).collect::<Result<Vec<_>, Error>>()?;
        let mut ratings: Vec<f64> = networks.iter().map(|(rating, _)| *rating).collect();
        ratings.sort_by(f64::total_cmp);
        let reported = asked.clamp(ratings[0], ratings[ratings.len() - 1]);
        let rated = Rated::new(networks).ok_or_else(|| {
            let message = "two networks of people's moves have the same rating in their names";
            Error::new(ErrorKind::Usage, message)
        })?;
        Ok(Networks { predictor: Some(Arc::new(rated)), ratings, reported })
    }
}

/// Rating in the name of a file: its first number of three or four digits.
fn rating_of(path: &Path) -> Option<f64> {
    let name = path.file_name()?.to_str()?;
    let numbers = name.split(|letter: char| !letter.is_ascii_digit());
    numbers.filter(|digits| (3..=4).contains(&digits.len())).find_map(|digits| digits.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_network_says_its_rating() {
        for (name, rating) in [
            ("nets/maia-1500.pb.gz", Some(1500.0)),
            ("900.pb", Some(900.0)),
            ("2024/lc0_v32_1900", Some(1900.0)),
            ("maia-15.pb.gz", None),
            ("20240101.pb.gz", None),
            ("maia.pb.gz", None),
        ] {
            assert_eq!(rating_of(Path::new(name)), rating, "{name}");
        }
    }
}
