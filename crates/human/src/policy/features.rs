//! Features of moves, by the rules of chess alone.
//!
//! Each feature is a number of a group, and a move has it or not. All squares are seen by the side to
//! move. A number such as a value of an exchange is a feature for each of a few ranges.

use cozy_chess::{BitBoard, Board, Color, Move, Piece, Square, get_king_moves};

use crate::exchange::{attackers, attacks, captured, exchange, gain, worth};
use crate::history::ChessHistory;

/// Group of features that tell the same about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureGroup {
    /// Name, a word.
    pub name: &'static str,
    /// Number of features.
    pub size: usize,
    /// Description in words.
    pub meaning: &'static str,
}

macro_rules! groups {
    ($($index:ident $name:literal [$size:expr] $meaning:literal)*) => {
        /// Numbers of the groups.
        #[derive(Clone, Copy)]
        #[repr(usize)]
        enum G { $($index),* }

        /// All groups of features. Their features are numbered one group after another.
        pub const FEATURE_GROUPS: &[FeatureGroup] =
            &[$(FeatureGroup { name: $name, size: $size, meaning: $meaning }),*];
    };
}

/// Ranges of values in pawns: none, 1, 2, 3, 4 and 5, 6 to 8, 9 and more.
const VALUES: usize = 7;
/// Ranges of gains: losses of 9, 5, 3, 2 and 1, none, gains of 1, 2, 3, 5, 9.
const GAINS: usize = 11;
const PIECES: usize = 6;
const PHASES: usize = 3;
const SQUARES: usize = 64;

groups! {
    Route "route" [PIECES * SQUARES * SQUARES] "the piece, the square that it leaves and the one that it reaches"
    From "from" [PHASES * PIECES * SQUARES] "the piece and the square that it leaves, by phase of the game"
    To "to" [PHASES * PIECES * SQUARES] "the piece and the square that it reaches, by phase of the game"
    Answer "answer" [PIECES * SQUARES * 2 * PIECES] "the opponent's last piece and its square, and the piece that moves or captures there"
    Capture "capture" [PIECES * PIECES * 3] "the piece that captures, the captured one, and whether the exchange loses, is even or gains"
    Gain "gain" [PHASES * 2 * GAINS] "material that the exchange on the reached square gains, of captures and other moves, by phase"
    Kind "kind" [10] "castling to either side, promotion to each piece, capture en passant, double step"
    Recapture "recapture" [PIECES * 3] "a capture of the man that has just captured: the piece, and whether the exchange loses, is even or gains"
    Hunted "hunted" [PIECES * 3] "a capture of the man that moved last, but did not capture"
    Rescue "rescue" [VALUES * 3] "material that the opponent could win on the square that is left, and whether the move loses, is even or gains"
    Left "left" [2 * VALUES * 3] "material that the opponent can win elsewhere after the move, whether the player is in check, and whether there was less before"
    Threat "threat" [VALUES * 3] "material that the next move could win after this one, and whether the move loses, is even or gains"
    Attack "attack" [PIECES * PIECES * 2] "the piece that moves, the most valuable man that it newly attacks, and whether it may be lost"
    Fork "fork" [3 * 2] "men of greater value or without defence that it attacks: one, two, more; and whether it may be lost"
    Check "check" [2 * PIECES * 3] "check by the moved piece or another, the piece, and whether the move loses, is even or gains"
    Mate "mate" [2] "mate, or stalemate"
    Evasion "evasion" [PIECES * 3] "in check: the piece, and a move of the king, a capture or a block"
    Guard "guard" [PIECES * 9] "attackers and defenders of the reached square, up to two each"
    PawnGuard "pawn-guard" [PIECES * 4] "whether a pawn of the opponent attacks the reached square, and whether an own one protects it"
    Near "near" [PIECES * 8] "distance of the reached square from the opponent's king"
    Home "home" [PIECES * 8] "distance of the reached square from the own king"
    Last "last" [PIECES * 8] "distance of the reached square from the opponent's last one"
    Attacked "attacked" [PIECES * 3] "the moved man was attacked by the man that moved last, or by another only"
    Again "again" [PIECES * 2] "the man that the player moved last moves again, or goes back"
    Mobility "mobility" [PIECES * 9] "change of the number of squares that the moved piece attacks"
    Protect "protect" [3] "own attacked men that it newly protects: one, two, more"
    Pawn "pawn" [PHASES * 6 * 8] "a pawn: rank, passed, attacks a man, doubled or beside the own king"
    Development "development" [PIECES * 5] "knights and bishops at home, up to four, by the piece that moves"
    Castled "castled" [PIECES * 4] "the rights to castle that the move gives up, by the piece"
    Behind "behind" [PIECES * 5] "balance of material before the move, by the piece"
    Net "net" [PHASES * 2 * GAINS] "the gain less the material that the opponent can win elsewhere, of captures and other moves, by phase"
    Rank "rank" [2 * 4 * 3] "number of moves whose net gain is greater: none, 1, 2, more; by how much; of captures and other moves"
    Trade "trade" [5 * 2] "an even exchange, by the balance of material, of queens or others"
}

/// Number of all features.
pub const FEATURES: usize = {
    let (mut sum, mut group) = (0, 0);
    while group < FEATURE_GROUPS.len() {
        sum += FEATURE_GROUPS[group].size;
        group += 1;
    }
    sum
};

const OFFSETS: [usize; FEATURE_GROUPS.len()] = {
    let (mut offsets, mut sum, mut group) = ([0; FEATURE_GROUPS.len()], 0, 0);
    while group < FEATURE_GROUPS.len() {
        offsets[group] = sum;
        sum += FEATURE_GROUPS[group].size;
        group += 1;
    }
    offsets
};

/// Group of a feature.
pub(super) fn group_of(feature: usize) -> usize {
    OFFSETS.partition_point(|offset| *offset <= feature) - 1
}

/// Number of the first feature of a group.
pub(super) fn offset(group: usize) -> usize {
    OFFSETS[group]
}

/// Features of the legal moves of a position, in the order of [`ChessHistory::legal_moves`]: for
/// each move the numbers of its features, each below [`FEATURES`].
#[must_use]
pub fn move_features(history: &ChessHistory) -> Vec<Vec<u16>> {
    let at = At::new(history);
    let facts: Vec<MoveFacts> =
        history.legal_moves().into_iter().map(|played| at.facts(played)).collect();
    let nets: Vec<i32> = facts.iter().map(|one| one.net).collect();
    let most = nets.iter().copied().max().unwrap_or(0);
    let ranked = |MoveFacts { mut features, net, is_capture }: MoveFacts| {
        let better = nets.iter().filter(|other| **other > net).count().min(3);
        let gap = match most - net {
            ..=1 => 0,
            2..=3 => 1,
            _ => 2,
        };
        features.add(G::Rank, (usize::from(is_capture) * 4 + better) * 3 + gap);
        features.0
    };
    facts.into_iter().map(ranked).collect()
}

/// Features of a move, and what is compared among the moves.
struct MoveFacts {
    features: Features,
    /// Material that the move gains, less what the opponent can win elsewhere after it.
    net: i32,
    is_capture: bool,
}

/// Facts of a position that all of its moves share.
struct At<'a> {
    board: &'a Board,
    own: Color,
    phase: usize,
    balance: usize,
    at_home: usize,
    /// Square of the opponent's last move, its piece, and whether it captured.
    last: Option<(Square, Piece, bool)>,
    /// The player's last move.
    before: Option<Move>,
    /// Material that the opponent could win now on each own square.
    hanging: [u8; SQUARES],
    most_hanging: i32,
    hunted_by_last: BitBoard,
}

struct Features(Vec<u16>);

impl Features {
    fn add(&mut self, group: G, number: usize) {
        debug_assert!(number < FEATURE_GROUPS[group as usize].size);
        self.0.push((OFFSETS[group as usize] + number) as u16);
    }
}

impl<'a> At<'a> {
    fn new(history: &'a ChessHistory) -> At<'a> {
        let board = history.board();
        let own = board.side_to_move();
        let pieces: u32 = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen]
            .iter()
            .map(|&piece| worth(piece) * board.pieces(piece).len())
            .sum();
        let material = |side: Color| -> i32 {
            Piece::ALL
                .iter()
                .map(|&piece| (worth(piece) * board.colored_pieces(side, piece).len()) as i32)
                .sum()
        };
        let balance = match material(own) - material(!own) {
            ..-4 => 0,
            -4..-1 => 1,
            -1..=1 => 2,
            2..=4 => 3,
            5.. => 4,
        };
        let at_home = [(Piece::Knight, [1, 6]), (Piece::Bishop, [2, 5])]
            .iter()
            .flat_map(|(piece, files)| files.iter().map(move |file| (*piece, *file)))
            .filter(|(piece, file)| {
                let square = Square::index(*file).relative_to(own);
                board.colored_pieces(own, *piece).has(square)
            })
            .count();
        let last = history.last_move().zip(history.before(1)).and_then(|(played, before)| {
            let square = landed(before, played);
            Some((square, board.piece_on(square)?, captured(before, played) > 0))
        });
        let mut hanging = [0; SQUARES];
        for square in board.colors(own) & !board.pieces(Piece::King) {
            hanging[square as usize] = exchange(board, square, !own) as u8;
        }
        let most_hanging = i32::from(hanging.iter().copied().max().unwrap_or(0));
        let hunted_by_last = last.map_or(BitBoard::EMPTY, |(square, ..)| attacks(board, square));
        At {
            board,
            own,
            phase: if pieces >= 52 { 0 } else { usize::from(pieces < 26) + 1 },
            balance,
            at_home,
            last,
            before: history.move_before(1),
            hanging,
            most_hanging,
            hunted_by_last,
        }
    }

    fn seen(&self, square: Square) -> usize {
        square.relative_to(self.own) as usize
    }

    fn facts(&self, played: Move) -> MoveFacts {
        let At { board, own, phase, .. } = *self;
        let mut features = Features(Vec::with_capacity(40));
        let piece = board.piece_on(played.from).expect("a piece moves");
        let is_castling = board.color_on(played.to) == Some(own);
        let to = landed(board, played);
        let p = piece as usize;
        let mut after = board.clone();
        after.play_unchecked(played);

        let (from_seen, to_seen) = (self.seen(played.from), self.seen(to));
        features.add(G::Route, (p * SQUARES + from_seen) * SQUARES + to_seen);
        features.add(G::From, (phase * PIECES + p) * SQUARES + from_seen);
        features.add(G::To, (phase * PIECES + p) * SQUARES + to_seen);

        let gained = gain(board, played);
        let sign = (gained.signum() + 1) as usize;
        let may_be_lost = usize::from(gained < 0);
        let taken = captured(board, played);
        let is_capture = taken > 0;
        features.add(G::Gain, (phase * 2 + usize::from(is_capture)) * GAINS + gain_range(gained));
        if is_capture {
            let victim = board.piece_on(played.to).unwrap_or(Piece::Pawn);
            features.add(G::Capture, (p * PIECES + victim as usize) * 3 + sign);
            if gained == 0 {
                let is_queen = usize::from(piece == Piece::Queen);
                features.add(G::Trade, self.balance * 2 + is_queen);
            }
        }
        self.kind(played, piece, is_capture, &mut features);
        if let Some((last, last_piece, was_capture)) = self.last {
            let takes = usize::from(to == last);
            features.add(
                G::Answer,
                ((last_piece as usize * SQUARES + self.seen(last)) * 2 + takes) * PIECES + p,
            );
            features.add(G::Last, p * 8 + distance(to, last));
            if to == last {
                let group = if was_capture { G::Recapture } else { G::Hunted };
                features.add(group, p * 3 + sign);
            }
        }
        let hunters = attackers(board, played.from, !own);
        if !hunters.is_empty() {
            let by_last = self.hunted_by_last.has(played.from);
            let kind = if by_last { 0 } else { 1 + usize::from(gained < 0) };
            features.add(G::Attacked, p * 3 + kind);
        }
        if self.most_hanging > 0 {
            let value = value_range(i32::from(self.hanging[played.from as usize]));
            features.add(G::Rescue, value * 3 + sign);
        }
        let left = self.material_after(&after, to, sign, &mut features);
        let net = gained - left;
        features.add(G::Net, (phase * 2 + usize::from(is_capture)) * GAINS + gain_range(net));
        self.attack(&after, played, to, piece, may_be_lost, &mut features);
        self.check(&after, to, piece, sign, &mut features);
        if !board.checkers().is_empty() {
            let kind = if piece == Piece::King { 0 } else { 1 + usize::from(!is_capture) };
            features.add(G::Evasion, p * 3 + kind);
        }
        // Attackers and defenders after the move; the moved man itself stands there.
        let hostile = attackers(&after, to, !own).len().min(2) as usize;
        let friendly = attackers(&after, to, own).len().min(2) as usize;
        features.add(G::Guard, p * 9 + hostile * 3 + friendly);
        let pawns = |side: Color| {
            usize::from(!(attackers(&after, to, side) & after.pieces(Piece::Pawn)).is_empty())
        };
        features.add(G::PawnGuard, p * 4 + pawns(!own) * 2 + pawns(own));
        features.add(G::Near, p * 8 + distance(to, board.king(!own)));
        features.add(G::Home, p * 8 + distance(to, after.king(own)));
        if let Some(before) = self.before
            && !is_castling
            && before.to == played.from
        {
            features.add(G::Again, p * 2 + usize::from(before.from == to));
        }
        let reach = |board: &Board, square| attacks(board, square).len() as i32;
        let change = reach(&after, to) - reach(board, played.from);
        features.add(G::Mobility, p * 9 + ((change.clamp(-8, 8) + 9) / 2) as usize);
        if piece == Piece::Pawn {
            self.pawn(&after, played, to, &mut features);
        }
        features.add(G::Development, p * 5 + self.at_home);
        let rights = |board: &Board| {
            let rights = board.castle_rights(own);
            [rights.short, rights.long].iter().flatten().count()
        };
        let lost = rights(board) - rights(&after);
        if lost > 0 && !is_castling {
            features.add(G::Castled, p * 4 + lost);
        }
        features.add(G::Behind, p * 5 + self.balance);
        MoveFacts { features, net, is_capture }
    }

    fn kind(&self, played: Move, piece: Piece, is_capture: bool, features: &mut Features) {
        let board = self.board;
        if board.color_on(played.to) == Some(self.own) {
            features.add(G::Kind, usize::from(played.to.file() < played.from.file()));
        }
        if let Some(made) = played.promotion {
            features.add(G::Kind, 2 + made as usize);
        }
        if piece == Piece::Pawn {
            let ranks = (played.from.rank() as usize).abs_diff(played.to.rank() as usize);
            if is_capture && board.piece_on(played.to).is_none() {
                features.add(G::Kind, 8);
            } else if ranks == 2 {
                features.add(G::Kind, 9);
            }
        }
    }

    /// Adds features of the material that both sides could win after the move. Returns that of the
    /// opponent, except on the reached square.
    fn material_after(
        &self,
        after: &Board,
        to: Square,
        sign: usize,
        features: &mut Features,
    ) -> i32 {
        let mut most = 0;
        for square in after.colors(self.own) & !after.pieces(Piece::King) {
            if square != to && !attackers(after, square, !self.own).is_empty() {
                most = most.max(exchange(after, square, !self.own));
            }
        }
        let compared = (most - self.most_hanging).signum() + 1;
        let in_check = usize::from(!self.board.checkers().is_empty());
        features.add(G::Left, (in_check * VALUES + value_range(most)) * 3 + compared as usize);
        let mut threat = 0;
        for square in after.colors(!self.own) & !after.pieces(Piece::King) {
            if !attackers(after, square, self.own).is_empty() {
                threat = threat.max(exchange(after, square, self.own));
            }
        }
        features.add(G::Threat, value_range(threat) * 3 + sign);
        most
    }

    /// Men that the moved one newly attacks or protects.
    fn attack(
        &self,
        after: &Board,
        played: Move,
        to: Square,
        piece: Piece,
        may_be_lost: usize,
        features: &mut Features,
    ) {
        let new = attacks(after, to) & !attacks(self.board, played.from);
        let theirs = after.colors(!self.own);
        let most = (new & theirs)
            .iter()
            .filter_map(|square| after.piece_on(square))
            .filter(|piece| *piece != Piece::King)
            .max_by_key(|piece| (worth(*piece), *piece));
        if let Some(most) = most {
            features.add(G::Attack, (piece as usize * PIECES + most as usize) * 2 + may_be_lost);
        }
        let is_target = |square: &Square| {
            let of = after.piece_on(*square);
            of == Some(Piece::King)
                || of.is_some_and(|other| worth(other) > worth(piece))
                || attackers(after, *square, !self.own).is_empty()
        };
        let targets = (attacks(after, to) & theirs).iter().filter(is_target).count();
        if targets > 0 {
            features.add(G::Fork, (targets.min(3) - 1) * 2 + may_be_lost);
        }
        let protects = (new & after.colors(self.own) & !after.pieces(Piece::King))
            .iter()
            .filter(|square| !attackers(after, *square, !self.own).is_empty())
            .count();
        if protects > 0 {
            features.add(G::Protect, protects.min(3) - 1);
        }
    }

    fn check(&self, after: &Board, to: Square, piece: Piece, sign: usize, features: &mut Features) {
        let checkers = after.checkers();
        let mut has_moves = false;
        if checkers.is_empty() {
            // Stalemate is rare and dear to test: only few men can be without moves.
            if after.colors(!self.own).len() <= 4 {
                has_moves = after.generate_moves(|_| true);
                if !has_moves {
                    features.add(G::Mate, 1);
                }
            }
            return;
        }
        let by_another = usize::from(!checkers.has(to));
        features.add(G::Check, (by_another * PIECES + piece as usize) * 3 + sign);
        has_moves |= after.generate_moves(|_| true);
        if !has_moves {
            features.add(G::Mate, 0);
        }
    }

    fn pawn(&self, after: &Board, played: Move, to: Square, features: &mut Features) {
        let seen = self.seen(to);
        let (file, rank) = (seen % 8, seen / 8);
        let base = self.phase * 6 * 8;
        let own_pawns = after.colored_pieces(self.own, Piece::Pawn);
        let their_pawns = after.colored_pieces(!self.own, Piece::Pawn);
        features.add(G::Pawn, base + rank);
        let stops = their_pawns.iter().any(|square| {
            let other = self.seen(square);
            other % 8 + 1 >= file && other % 8 <= file + 1 && other / 8 > rank
        });
        if !stops {
            features.add(G::Pawn, base + 8 + rank);
        }
        let hits = attacks(after, to) & after.colors(!self.own) & !after.pieces(Piece::Pawn);
        if !hits.is_empty() {
            features.add(G::Pawn, base + 16 + rank);
        }
        if own_pawns.iter().any(|square| square != to && square.file() == to.file()) {
            features.add(G::Pawn, base + 24 + rank);
        }
        if get_king_moves(self.board.king(self.own)).has(played.from) {
            features.add(G::Pawn, base + 32 + rank);
        }
        if !(attacks(after, to) & own_pawns).is_empty() {
            features.add(G::Pawn, base + 40 + rank);
        }
    }
}

/// Square that the moved man reaches; that of the king after castling.
fn landed(before: &Board, played: Move) -> Square {
    if before.color_on(played.to) != before.color_on(played.from) {
        return played.to;
    }
    let file = if played.to.file() > played.from.file() {
        cozy_chess::File::G
    } else {
        cozy_chess::File::C
    };
    Square::new(file, played.from.rank())
}

fn distance(a: Square, b: Square) -> usize {
    let files = (a.file() as usize).abs_diff(b.file() as usize);
    files.max((a.rank() as usize).abs_diff(b.rank() as usize))
}

fn value_range(value: i32) -> usize {
    match value {
        ..=0 => 0,
        1..=3 => value as usize,
        4..=5 => 4,
        6..=8 => 5,
        9.. => 6,
    }
}

fn gain_range(value: i32) -> usize {
    match value {
        ..=-9 => 0,
        -8..=-5 => 1,
        -4..=-3 => 2,
        -2 => 3,
        -1 => 4,
        0 => 5,
        1 => 6,
        2 => 7,
        3..=4 => 8,
        5..=8 => 9,
        9.. => 10,
    }
}

#[cfg(test)]
mod tests {
    use cozy_chess::util::parse_uci_move;
    use proptest::prelude::*;

    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

    fn named(history: &ChessHistory, text: &str) -> Vec<(&'static str, usize)> {
        let played = parse_uci_move(history.board(), text).unwrap();
        let index = history.legal_moves().iter().position(|one| *one == played).unwrap();
        move_features(history)[index]
            .iter()
            .map(|feature| {
                let group = group_of(usize::from(*feature));
                (FEATURE_GROUPS[group].name, usize::from(*feature) - offset(group))
            })
            .collect()
    }

    fn position(fen: &str, moves: &str) -> ChessHistory {
        let mut history = ChessHistory::new(fen.parse().unwrap());
        for word in moves.split_whitespace() {
            let played = parse_uci_move(history.board(), word).unwrap();
            history.play(played);
        }
        history
    }

    #[test]
    fn features_are_facts_of_the_moves() {
        // A recapture by the queen that loses nothing.
        let history =
            position("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "e4d5");
        let queen = Piece::Queen as usize;
        let takes = named(&history, "d8d5");
        assert!(takes.contains(&("recapture", queen * 3 + 2)), "{takes:?}");
        assert!(takes.contains(&("capture", (queen * PIECES) * 3 + 2)), "{takes:?}");
        assert!(takes.contains(&("net", GAINS + gain_range(1))), "{takes:?}");
        assert!(takes.contains(&("rank", 4 * 3)), "no move gains more: {takes:?}");
        assert!(!named(&history, "g8f6").iter().any(|(name, _)| *name == "recapture"));
        // Mate, check and the guards of the square.
        let history = position("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "");
        let mate = named(&history, "d1d8");
        let rook = Piece::Rook as usize;
        assert!(mate.contains(&("mate", 0)) && mate.contains(&("check", rook * 3 + 1)), "{mate:?}");
        assert!(mate.contains(&("guard", rook * 9)), "{mate:?}");
        // A knight forks king and queen, and may be taken.
        let history = position("q3k3/2p5/8/1N6/8/8/8/4K3 w - - 0 1", "");
        let fork = named(&history, "b5c7");
        assert!(fork.contains(&("fork", 2)), "{fork:?}");
        assert!(fork.contains(&("attack", (PIECES + queen) * 2)), "{fork:?}");
        // Castling, double steps, promotions, and a move that goes back.
        let history = position("r3k2r/P7/8/8/8/8/4P3/R3K2R w KQkq - 0 1", "");
        assert!(named(&history, "e1g1").contains(&("kind", 0)));
        assert!(named(&history, "e1c1").contains(&("kind", 1)));
        assert!(named(&history, "e2e4").contains(&("kind", 9)));
        assert!(named(&history, "h1h8").contains(&("castled", rook * 4 + 1)));
        let history = position(&format!("{START} w KQkq - 0 1"), "g1f3 g8f6");
        let knight = Piece::Knight as usize;
        assert!(named(&history, "f3g1").contains(&("again", knight * 2 + 1)));
        assert!(named(&history, "f3e5").contains(&("again", knight * 2)));
    }

    fn mirrored(played: Move) -> Move {
        Move { from: played.from.flip_rank(), to: played.to.flip_rank(), ..played }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        /// White and Black have the same features, and every move has its features once.
        #[test]
        fn colours_are_alike(choices in prop::collection::vec(any::<prop::sample::Index>(), 1..120)) {
            let mut white = position(&format!("{START} w KQkq - 0 1"), "");
            let mut black = position(&format!("{START} b KQkq - 0 1"), "");
            for choice in choices {
                let (ours, theirs) = (move_features(&white), move_features(&black));
                let moves = white.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let others = black.legal_moves();
                prop_assert_eq!(moves.len(), ours.len());
                for (played, features) in moves.iter().zip(&ours) {
                    let place = others.iter().position(|one| *one == mirrored(*played)).unwrap();
                    prop_assert_eq!(features, &theirs[place], "{} in {:?}", played, &white);
                    let mut unique = features.clone();
                    unique.sort_unstable();
                    unique.dedup();
                    prop_assert_eq!(unique.len(), features.len());
                    prop_assert!(unique.iter().all(|feature| usize::from(*feature) < FEATURES));
                }
                let played = moves[choice.index(moves.len())];
                white.play(played);
                black.play(mirrored(played));
            }
        }
    }
}
