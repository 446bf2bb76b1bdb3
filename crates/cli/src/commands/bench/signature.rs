//! The fingerprint of all searches, playouts and random games.

use serde::Serialize;
use treegauge::catalog::FAMILIES;
use treegauge::engine::{EvaluatorSpec, RandomGamesPlan};
use treegauge::search::{AlphaBetaLimits, AlphaBetaOptions, Budget, DEFAULT_CP, Seed};
use treegauge::{Error, Game};

use crate::common::game;
use crate::exit::Outcome;
use crate::output::{print, print_json};
use treegauge::tasks::DEFAULT_SEED;

/// Iterations of each search by UCT.
const ITERATIONS: u32 = 2_000;

/// Searches of each game by UCT, along the line that they choose, so that later positions count too.
const SEARCHES: usize = 3;

/// Nodes of each search by alpha-beta.
const NODES: u64 = 3_000;

/// The table of the searches by alpha-beta that have one, in bytes.
const TABLE_BYTES: usize = 1 << 20;

/// Playouts, and games between random players.
const GAMES: u32 = 100;

/// Random plies before searches by alpha-beta and playouts.
const OPENING_PLIES: u32 = 2;

#[derive(Serialize)]
struct SignatureReport {
    kind: &'static str,
    signature: u64,
    families: Vec<FamilySignature>,
}

#[derive(Serialize)]
struct FamilySignature {
    family: &'static str,
    /// The signature of searches by UCT.
    signature: u64,
    /// The signature of searches by alpha-beta with the evaluators of the games.
    alpha_beta: u64,
    /// The signature of playouts and of games between two random players.
    random_games: u64,
}

/// Prints the number of all searches by UCT, or as JSON also the numbers of all families.
pub(super) fn run(json: bool) -> Outcome {
    let mut all = Fnv::new();
    let mut families = Vec::new();
    for family in FAMILIES {
        let (mut uct, mut alpha_beta, mut random) = (Fnv::new(), Fnv::new(), Fnv::new());
        for name in std::iter::once(family.name).chain(family.presets.iter().map(|p| p.name)) {
            let game = game(name)?;
            for word in uct_words(&game) {
                all.add(word);
                uct.add(word);
            }
            alpha_beta_words(&game)?.into_iter().for_each(|word| alpha_beta.add(word));
            random_words(&game).into_iter().for_each(|word| random.add(word));
        }
        families.push(FamilySignature {
            family: family.name,
            signature: uct.0,
            alpha_beta: alpha_beta.0,
            random_games: random.0,
        });
    }
    if json {
        let kind = "signature";
        return print_json(&SignatureReport { kind, signature: all.0, families });
    }
    print(&format!("{}\n", all.0))
}

/// The nodes of some searches of a game by UCT, and the visits and scores of their moves.
fn uct_words(game: &Game) -> Vec<u64> {
    let mut rng = Seed(DEFAULT_SEED).generator();
    let mut uct = game.engine().uct(Budget::iterations(ITERATIONS), DEFAULT_CP);
    let mut line = game.start();
    let mut words = Vec::new();
    for _ in 0..SEARCHES {
        if line.ended().is_some() {
            break;
        }
        let found = uct.search(&line, &mut rng, &mut || false);
        words.push(u64::from(uct.node_count()));
        let moves = uct.moves().into_iter();
        words
            .extend(moves.map(|m| u64::from(m.visits) << 32 | u64::from(m.score_for_first as u32)));
        let Some(best) = found.best else { break };
        line.play(best);
    }
    words
}

/// The results of searches of a game by alpha-beta, with each of its evaluators, with and without a table.
fn alpha_beta_words(game: &Game) -> Result<Vec<u64>, Error> {
    let mut line = game.start();
    line.random_plies(OPENING_PLIES, &mut Seed(DEFAULT_SEED).generator());
    let info = game.info();
    let own = info.evaluators.iter().map(|own| own.name);
    let names = ["mobility"].into_iter().chain(info.has_margin.then_some("margin")).chain(own);
    let mut words = Vec::new();
    for name in names {
        let evaluator = EvaluatorSpec::parse(name)?;
        for table_bytes in [None, Some(TABLE_BYTES)] {
            let options = AlphaBetaOptions { table_bytes, ..AlphaBetaOptions::default() };
            let mut search = game.engine().alpha_beta(options, &evaluator)?;
            let found = search.search(&line, AlphaBetaLimits::nodes(NODES), &mut || false)?;
            let best = found.best.unwrap_or(u32::MAX);
            words.extend([u64::from(best), u64::from(found.value as u32)]);
            words.extend([u64::from(found.depth), found.nodes]);
        }
    }
    Ok(words)
}

/// The results of playouts of a game, and of games between two random players.
fn random_words(game: &Game) -> Vec<u64> {
    let start = game.start();
    let tally = game.engine().playouts(&start, GAMES, &mut Seed(DEFAULT_SEED).generator());
    let mut words = vec![tally.plies];
    words.extend(tally.outcomes);
    let [openings, games] = [1, 2].map(|child| Seed(DEFAULT_SEED).child(child));
    let plan = RandomGamesPlan { opening_plies: OPENING_PLIES, openings, games };
    let numbers: Vec<u32> = (0..GAMES).collect();
    let played = game.engine().random_games(&start, &plan, &numbers, &|| false);
    let played = played.expect("nothing stops them");
    words.extend(played.outcomes.iter().map(|outcome| i64::from(outcome.value()) as u64));
    words.extend([played.plies, played.moves[0], played.moves[1], played.capped]);
    words
}

/// FNV-1a over 64-bit words, which suffices to notice a change.
struct Fnv(u64);

impl Fnv {
    fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
