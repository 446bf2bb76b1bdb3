//! Games, typed and not, and files of solved games.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;
use treegauge_catalog::{FAMILIES, GameSpec};
use treegauge_core::{Graded, Keyed, Notation, OfState, Played, Plies};
use treegauge_engine::{Engine, Line, StartingPoint};
use treegauge_games::achi::{Achi, Adjacency};
use treegauge_games::connect_four::{self, ConnectFour};
use treegauge_games::isolation::{Isolation, Piece, Setup, Starts};
use treegauge_games::kalah::{Captures, Kalah};
use treegauge_games::nine_mens_morris::NineMensMorris;
use treegauge_games::one_to_ten::OneToTen;
use treegauge_games::othello::Othello;
use treegauge_games::tic_tac_toe;
use treegauge_search::{Generator, random_opening};
use treegauge_solve::{AnySolved, Options};

pub(crate) fn open(game: &str) -> Arc<dyn Engine> {
    treegauge_engine::open(&GameSpec::parse(game).unwrap()).unwrap()
}

/// Engines of every family, some with other rules too, and of every text of the test data; and
/// whether each is of a family.
pub(crate) fn all_engines() -> Vec<(Arc<dyn Engine>, bool)> {
    let families = FAMILIES.iter();
    let mut engines: Vec<_> = families.map(|family| (open(family.name), true)).collect();
    let others = [
        "isolation(piece=king_remove)",
        "isolation(piece=queen,starts=fixed)",
        "othello(adjacent=true)",
        "finger_game(self_tap=true)",
        "one_to_ten(target=100)",
        "dots_and_boxes(rows=10,cols=2)",
        "checkers(kings=true)",
        "dipole(inverted=true)",
    ];
    engines.extend(others.map(|name| (open(name), true)));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/rules");
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    names.sort();
    assert!(engines.len() >= 29 && names.len() >= 38, "{names:?}");
    for path in names {
        let name = format!("rules(file={})", path.file_name().unwrap().to_str().unwrap());
        let spec = GameSpec::parse_with(&name, &mut |_| Ok(fs::read_to_string(&path).unwrap()));
        engines.push((treegauge_engine::open(&spec.unwrap()).unwrap(), false));
    }
    engines
}

/// Something that an engine does as the typed game does.
pub(crate) trait Check {
    fn check<G: Notation + Keyed>(&self, game: &Typed<G>);
}

/// A game by its type, and its engine.
pub(crate) struct Typed<G: Notation + Keyed> {
    pub(crate) name: &'static str,
    pub(crate) game: G,
    pub(crate) margin: Option<OfState<G, i32>>,
    pub(crate) engine: Arc<dyn Engine>,
}

impl<G: Notation + Keyed> Typed<G> {
    fn new(name: &'static str, game: G) -> Self {
        Typed { name, game, margin: None, engine: open(name) }
    }

    fn graded(self) -> Self
    where
        G: Graded,
    {
        Typed { margin: Some(G::margin), ..self }
    }

    /// The game after some random plies, fewer where it ends before, both ways.
    pub(crate) fn after(&self, plies: u32, rng: &mut Generator) -> (Played<G>, Line) {
        let mut played = Played::start(&self.game);
        let mut moves = Vec::new();
        let mut state = self.game.start();
        for m in random_opening(&self.game, &mut played, plies, rng) {
            moves.push(self.game.move_text(&state, m));
            self.game.play(&mut state, m);
        }
        let line = self.engine.begin(&StartingPoint { position: None, moves }).unwrap();
        (played, line)
    }
}

/// Games of different kinds: short and long ones, with positions that come back, turns that do not
/// alternate, passes, scores, evaluators of their own, limits on plies, and codes of two lengths.
pub(crate) fn every_game(check: &impl Check) {
    let cap = Plies(1_000);
    let standard = tic_tac_toe::Standard::new(Default::default(), cap);
    check.check(&Typed::new("tic_tac_toe", standard));
    let small = connect_four::Sized::<u64>::new(4, 4, 4);
    check.check(&Typed::new("connect_four(cols=4,rows=4)", ConnectFour::new(small, cap)));
    check.check(&Typed::new("achi", Achi::new(3, 3, Adjacency::Lines, cap)));
    check.check(&Typed::new("achi(ply_cap=9)", Achi::new(3, 3, Adjacency::Lines, Plies(9))));
    let kalah = Kalah::<true>::new(6, 4, Captures::Seeds, cap);
    check.check(&Typed::new("kalah", kalah).graded());
    let setup = Setup { cols: 5, rows: 5, piece: Piece::Knight, starts: Starts::Free };
    check.check(&Typed::new("isolation(cols=5,rows=5)", Isolation::<u64>::new(setup, cap)));
    check.check(&Typed::new("othello(size=4)", Othello::<4>::new(false, cap)).graded());
    let morris = NineMensMorris::new(Plies(8), cap);
    check.check(&Typed::new("nine_mens_morris(draw_plies=8)", morris));
    let short = OneToTen::new(3, 2, false, Plies(10));
    check.check(&Typed::new("one_to_ten(target=3,ply_cap=10)", short));
}

/// Files of solved games in a folder of their own.
pub(crate) struct Files(TempDir);

impl Files {
    pub(crate) fn new() -> Files {
        Files(TempDir::new().unwrap())
    }

    /// Where a file of this name is.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Solves a game from a position and writes the file of this name.
    pub(crate) fn solved(&self, name: &str, engine: &dyn Engine, from: Option<&str>) -> PathBuf {
        let path = self.path(name);
        let position = from.map(str::to_owned);
        let start = engine.begin(&StartingPoint { position, moves: Vec::new() }).unwrap();
        let solved = engine.rules().solve(&engine.code(&start), Options::default(), &()).unwrap();
        let AnySolved::Done(solution) = solved else { panic!("nothing stops it") };
        solution.write(&path, &engine.info().canonical_name, None, &()).unwrap();
        path
    }
}
