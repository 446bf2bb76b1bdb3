//! Positions in the terms of the language, and as text.

use std::fmt::{self, Write};

use treegauge_core::{Outcome, Player, PositionError, PositionReason};

use crate::board::Site;
use crate::tree::{Kind, KindOf, Owner, Program};

/// Piece: its owner, `None` for a neutral piece, and its kind.
pub(crate) type Piece = (Option<Player>, Kind);

/// Complete position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Position {
    pub(crate) pieces: Vec<Option<Piece>>,
    /// Seeds in the pits, then in the two stores; empty on boards without pits.
    pub(crate) seeds: Vec<u8>,
    /// Owners of the pits that were claimed; empty on boards without pits.
    pub(crate) claims: Vec<Option<Player>>,
    /// Pieces in hand, by player and kind.
    pub(crate) hands: [Vec<u8>; 2],
    pub(crate) score: [i16; 2],
    pub(crate) turn: Player,
    /// Index in the seats of `turns`.
    pub(crate) place: u8,
    pub(crate) last: [Option<Site>; 2],
    /// Number of plies played, counted only up to the limit that the words of the text need.
    pub(crate) plies: u16,
    pub(crate) result: Option<Outcome>,
}

/// Letter of a player.
pub(crate) const fn letter(player: Player) -> char {
    match player {
        Player::First => 'x',
        Player::Second => 'o',
    }
}

impl Program {
    /// Symbol of each kind in texts of positions; for kinds that players own, the first player's
    /// symbol.
    pub(crate) fn symbols(&self) -> Vec<char> {
        let is_neutral = |kind: &KindOf| kind.owner == Owner::Neutral;
        let neutral = self.kinds.iter().filter(|kind| is_neutral(kind)).count();
        let has_owned = neutral < self.kinds.len();
        // Crosses and noughts that neither player owns are X and O, unless these stand for players.
        let own_letter = |kind: &KindOf| match kind.name.as_str() {
            "x" | "cross" if !has_owned => Some('X'),
            "o" | "nought" if !has_owned => Some('O'),
            _ => None,
        };
        let letter = |kind: &KindOf| kind.letter.or_else(|| own_letter(kind));
        let mut symbols: Vec<Option<char>> = self.kinds.iter().map(letter).collect();
        // Kinds that players own come first, and then neutral ones.
        let mut owned = 0;
        for turn in [false, true] {
            for (number, kind) in self.kinds.iter().enumerate() {
                if is_neutral(kind) != turn {
                    continue;
                }
                owned += usize::from(!turn);
                if symbols[number].is_some() {
                    continue;
                }
                symbols[number] = Some(match owned {
                    _ if turn && neutral == 1 => '#',
                    1 if !turn => 'x',
                    2 if !turn && self.owns_marks() => 'x',
                    2 if !turn => 'X',
                    // Letters of the name that no other piece has.
                    _ => {
                        let is_free = |c: &char| {
                            let is_players = has_owned && matches!(c, 'X' | 'O');
                            !is_players && !symbols.contains(&Some(*c)) && c.is_ascii_alphabetic()
                        };
                        let own = kind.name.chars().map(|c| c.to_ascii_uppercase());
                        own.chain('A'..='Z').find(is_free).expect("there are few kinds")
                    }
                });
            }
        }
        symbols.into_iter().flatten().collect()
    }

    /// Symbol of a piece.
    pub(crate) fn symbol(&self, symbols: &[char], (owner, kind): Piece) -> char {
        let symbol = symbols[kind as usize];
        match (owner, symbol) {
            (Some(Player::Second), 'x') => 'o',
            (Some(Player::Second), 'X') => 'O',
            (Some(Player::Second), symbol) => symbol.to_ascii_lowercase(),
            _ => symbol,
        }
    }

    /// Tests whether the players own one kind each, called x and o.
    fn owns_marks(&self) -> bool {
        let owned = |kind: &&KindOf| kind.owner != Owner::Neutral;
        let marks = [(Player::First, "x"), (Player::Second, "o")];
        let named = |kind: &KindOf| {
            marks
                .iter()
                .any(|&(player, name)| kind.owner == Owner::Only(player) && kind.name == name)
        };
        self.kinds.iter().filter(owned).count() == 2 && self.kinds.iter().filter(owned).all(named)
    }

    /// Letter that pictures show in place of a piece; `None` if the piece is drawn as a piece. All
    /// pieces of such a game are crosses and noughts.
    pub(crate) fn mark(&self, symbols: &[char], piece: Piece) -> Option<char> {
        let is_mark = |(number, kind): (usize, &KindOf)| match kind.owner {
            Owner::Neutral => matches!(symbols[number], 'X' | 'O'),
            Owner::Each => kind.name == "mark" && kind.letter.is_none() && self.kinds.len() == 1,
            Owner::Only(_) => self.owns_marks() && symbols[number] == 'x',
        };
        let are_marks = self.kinds.iter().enumerate().all(is_mark);
        are_marks.then(|| self.symbol(symbols, piece).to_ascii_uppercase())
    }

    /// Tests whether a kind may belong to a player, or be neutral for `None`.
    pub(crate) fn may_own(&self, kind: Kind, owner: Option<Player>) -> bool {
        match (self.kinds[kind as usize].owner, owner) {
            (Owner::Neutral, None) | (Owner::Each, Some(_)) => true,
            (Owner::Only(player), Some(owner)) => player == owner,
            _ => false,
        }
    }

    /// Position before the first ply.
    pub(crate) fn start_position(&self) -> Position {
        let mut pieces = vec![None; self.board.len()];
        for put in &self.start {
            pieces[put.site as usize] = Some((put.player, put.kind));
        }
        let pits = self.board.pits();
        let mut seeds = vec![self.seeds; 2 * pits];
        seeds.resize(if pits == 0 { 0 } else { 2 * pits + 2 }, 0);
        let hand = |player| {
            let of = |(kind, of): (usize, &KindOf)| {
                of.hand.filter(|_| self.may_own(kind as Kind, Some(player))).unwrap_or(0)
            };
            self.kinds.iter().enumerate().map(of).collect()
        };
        Position {
            pieces,
            seeds,
            claims: vec![None; 2 * pits],
            hands: [hand(Player::First), hand(Player::Second)],
            score: [0; 2],
            turn: self.turns.as_ref().map_or(Player::First, |turns| turns.seats[0]),
            place: 0,
            last: [None; 2],
            plies: 0,
            result: None,
        }
    }

    /// Kinds that have a hand.
    fn hand_kinds(&self) -> Vec<usize> {
        (0..self.kinds.len()).filter(|&kind| self.kinds[kind].hand.is_some()).collect()
    }

    /// Writes a position: the board, the side to move, and the rest of its state.
    pub(crate) fn write_position(&self, position: &Position, out: &mut dyn Write) -> fmt::Result {
        let pits = self.board.pits();
        if pits > 0 {
            let rows = [
                position.seeds[pits..2 * pits].iter().rev().collect::<Vec<_>>(),
                position.seeds[..pits].iter().collect(),
            ];
            let rows =
                rows.map(|row| row.iter().map(|n| n.to_string()).collect::<Vec<_>>().join(","));
            write!(out, "{}", rows.join("/"))?;
        } else {
            let symbols = self.symbols();
            for (n, row) in self.board.rows.iter().enumerate() {
                if n > 0 {
                    out.write_char('/')?;
                }
                for &site in row {
                    let piece = position.pieces[site as usize];
                    out.write_char(piece.map_or('.', |piece| self.symbol(&symbols, piece)))?;
                }
            }
        }
        write!(out, " {}", letter(position.turn))?;
        if self.turns.is_some() {
            write!(out, " t{}", position.place)?;
        }
        let hands = self.hand_kinds();
        if !hands.is_empty() {
            let of = |player: usize| -> Vec<String> {
                hands.iter().map(|&kind| position.hands[player][kind].to_string()).collect()
            };
            write!(out, " h{}/{}", of(0).join(","), of(1).join(","))?;
        }
        if pits > 0 {
            write!(out, " s{},{}", position.seeds[2 * pits], position.seeds[2 * pits + 1])?;
        } else if self.memory.score {
            write!(out, " s{},{}", position.score[0], position.score[1])?;
        }
        if self.memory.claims {
            let of = |player: Player| {
                let is_own = |pit: &usize| position.claims[*pit] == Some(player);
                let own = (0..2 * pits).filter(is_own).map(|pit| self.board.names[pit].as_str());
                let own: Vec<&str> = own.collect();
                if own.is_empty() { "-".to_owned() } else { own.join("+") }
            };
            write!(out, " c{},{}", of(Player::First), of(Player::Second))?;
        }
        if self.memory.last {
            let of = |player: usize| {
                position.last[player].map_or("-", |site| self.board.names[site as usize].as_str())
            };
            write!(out, " l{},{}", of(0), of(1))?;
        }
        if self.memory.plies > 0 {
            write!(out, " p{}", position.plies)?;
        }
        match position.result {
            None => Ok(()),
            Some(Outcome::FirstWins) => out.write_str(" rx"),
            Some(Outcome::SecondWins) => out.write_str(" ro"),
            Some(Outcome::Draw) => out.write_str(" rd"),
        }
    }

    /// Parses a position.
    pub(crate) fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let mut reader = Parts { program: self, parts: Vec::new(), next: 0, reasons: Vec::new() };
        let mut at = 0;
        for part in text.split(' ') {
            if !part.trim().is_empty() {
                reader.parts.push((at + 1, part.trim()));
            }
            at += part.chars().count() + 1;
        }
        let position = reader.position();
        if let Some(&(at, part)) = reader.parts.get(reader.next) {
            reader.reasons.push(PositionReason::Trailing { found: part.to_owned(), at });
        }
        match position {
            Some(position) if reader.reasons.is_empty() => Ok(position),
            _ => {
                if reader.reasons.is_empty() {
                    reader.reasons.push(PositionReason::Missing { what: "a position".to_owned() });
                }
                Err(PositionError { text: text.to_owned(), reasons: reader.reasons })
            }
        }
    }
}

/// Parts of a text, read one after the other.
struct Parts<'a> {
    program: &'a Program,
    parts: Vec<(usize, &'a str)>,
    next: usize,
    reasons: Vec<PositionReason>,
}

impl<'a> Parts<'a> {
    fn part(&mut self, what: &str) -> Option<(usize, &'a str)> {
        let part = self.parts.get(self.next).copied();
        if part.is_none() {
            self.reasons.push(PositionReason::Missing { what: what.to_owned() });
        }
        self.next += 1;
        part
    }

    fn unknown<T>(&mut self, found: &str, at: usize, expected: impl Into<String>) -> Option<T> {
        let (found, expected) = (found.to_owned(), expected.into());
        self.reasons.push(PositionReason::Unknown { found, at, expected });
        None
    }

    /// Next part without the letter that it must begin with.
    fn lettered(&mut self, letter: char, what: &str) -> Option<(usize, &'a str)> {
        let (at, part) = self.part(what)?;
        match part.strip_prefix(letter) {
            Some(rest) => Some((at + 1, rest)),
            None => self.unknown(part, at, format!("{what}, `{letter}..`")),
        }
    }

    /// Exactly `wanted` numbers with commas between them.
    fn numbers<N: std::str::FromStr + PartialOrd + Copy>(
        &mut self,
        at: usize,
        text: &str,
        wanted: usize,
        what: &str,
        fits: impl Fn(usize, N) -> bool,
    ) -> Option<Vec<N>> {
        let numbers: Option<Vec<N>> = text.split(',').map(|part| part.parse().ok()).collect();
        let good = numbers.filter(|numbers| {
            numbers.len() == wanted && numbers.iter().enumerate().all(|(n, &x)| fits(n, x))
        });
        if good.is_none() {
            return self.unknown(text, at, what);
        }
        good
    }

    fn position(&mut self) -> Option<Position> {
        let program = self.program;
        let mut position = program.start_position();
        let board = self.board(&mut position);
        let (at, turn) = self.part("the player to move (x or o)")?;
        match turn {
            "x" => position.turn = Player::First,
            "o" => position.turn = Player::Second,
            _ => return self.unknown(turn, at, "the player to move (x or o)"),
        }
        if let Some(turns) = &program.turns {
            let (at, text) = self.lettered('t', "the place in the turns")?;
            let fits = |_, place: u8| turns.seats.get(place as usize) == Some(&position.turn);
            let place = self.numbers(at, text, 1, "a place in the turns of this player", fits)?;
            position.place = place[0];
        }
        let hands = program.hand_kinds();
        if !hands.is_empty() {
            let (at, text) = self.lettered('h', "the pieces in hand")?;
            let Some((first, second)) = text.split_once('/') else {
                return self.unknown(text, at, "the pieces in hand of both players");
            };
            for (player, text) in [(0, first), (1, second)] {
                let most = program.start_position().hands[player].clone();
                let fits = |n: usize, x: u8| x <= most[hands[n]];
                let found =
                    self.numbers(at, text, hands.len(), "as many pieces as there are", fits)?;
                for (&kind, n) in hands.iter().zip(found) {
                    position.hands[player][kind] = n;
                }
            }
        }
        let pits = program.board.pits();
        if pits > 0 {
            let (at, text) = self.lettered('s', "the seeds in the stores")?;
            let stores = self.numbers(at, text, 2, "seeds in two stores", |_, _: u8| true)?;
            position.seeds[2 * pits..].copy_from_slice(&stores);
            let all: usize = position.seeds.iter().map(|&n| usize::from(n)).sum();
            let wanted = 2 * pits * usize::from(program.seeds);
            if all != wanted {
                let what = format!("there are {all} seeds, where the game has {wanted}");
                self.reasons.push(PositionReason::Rules { what });
            }
        } else if program.memory.score {
            let (at, text) = self.lettered('s', "the scores")?;
            let scores = self.numbers(at, text, 2, "two scores", |_, _: i16| true)?;
            position.score.copy_from_slice(&scores);
        }
        if program.memory.claims {
            self.claims(&mut position)?;
        }
        if program.memory.last {
            let (at, text) = self.lettered('l', "where the players arrived last")?;
            let sites: Vec<&str> = text.split(',').collect();
            if sites.len() != 2 {
                return self.unknown(text, at, "two sites");
            }
            for (player, name) in sites.into_iter().enumerate() {
                position.last[player] = match (name, program.board.site(name)) {
                    ("-", _) => None,
                    (_, Some(site)) => Some(site),
                    _ => return self.unknown(name, at, "a site or -"),
                };
            }
        }
        if program.memory.plies > 0 {
            let (at, text) = self.lettered('p', "the plies played")?;
            let most = program.memory.plies;
            let fits = |_, n: u16| u32::from(n) <= most;
            position.plies = self.numbers(at, text, 1, "a number of plies", fits)?[0];
        }
        if let Some(&(at, text)) = self.parts.get(self.next) {
            let result = match text {
                "rx" => Some(Outcome::FirstWins),
                "ro" => Some(Outcome::SecondWins),
                "rd" => Some(Outcome::Draw),
                _ if text.starts_with('r') => {
                    self.next += 1;
                    return self.unknown(text, at, "a result: rx, ro or rd");
                }
                _ => None,
            };
            position.result = result;
            self.next += usize::from(result.is_some());
        }
        board.map(|()| position)
    }

    /// Pits that each player has claimed.
    fn claims(&mut self, position: &mut Position) -> Option<()> {
        let program = self.program;
        let (at, text) = self.lettered('c', "the pits that each player has claimed")?;
        let Some((first, second)) = text.split_once(',') else {
            return self.unknown(text, at, "the claimed pits of both players");
        };
        for (player, text) in [(Player::First, first), (Player::Second, second)] {
            for name in text.split('+').filter(|_| text != "-") {
                let pit = program.board.site(name).map(usize::from);
                let Some(pit) = pit.filter(|&pit| pit < position.claims.len()) else {
                    return self.unknown(name, at, "a pit or -");
                };
                let (seeds, owner) = (position.seeds[pit], position.claims[pit].replace(player));
                let what = match (seeds, owner) {
                    (0, None) => continue,
                    (0, _) => format!("{name} is claimed twice"),
                    _ => format!("{name} is claimed and has seeds"),
                };
                self.reasons.push(PositionReason::Rules { what });
            }
        }
        Some(())
    }

    fn board(&mut self, position: &mut Position) -> Option<()> {
        let program = self.program;
        let (begin, text) = self.part("the board")?;
        let rows: Vec<&str> = text.split('/').collect();
        let pits = program.board.pits();
        let expected = if pits > 0 { 2 } else { program.board.rows.len() };
        if rows.len() != expected {
            self.reasons.push(PositionReason::RowCount { expected, found: rows.len() });
            return None;
        }
        if pits > 0 {
            for (row, text) in rows.iter().enumerate() {
                let seeds: Vec<u8> =
                    self.numbers(begin, text, pits, "the seeds of a row", |_, _| true)?;
                for (n, seeds) in seeds.into_iter().enumerate() {
                    let pit = if row == 0 { 2 * pits - 1 - n } else { n };
                    position.seeds[pit] = seeds;
                }
            }
            return Some(());
        }
        position.pieces.fill(None);
        let symbols = program.symbols();
        let mut known: Vec<(char, Piece)> = Vec::new();
        for kind in 0..program.kinds.len() as Kind {
            for owner in [None, Some(Player::First), Some(Player::Second)] {
                if program.may_own(kind, owner) {
                    known.push((program.symbol(&symbols, (owner, kind)), (owner, kind)));
                }
            }
        }
        // Positions of earlier versions have these symbols for several neutral kinds.
        let neutral = (0..).zip(&program.kinds).filter(|(_, kind)| kind.owner == Owner::Neutral);
        let mut old: Vec<(char, Piece)> =
            "#123".chars().zip(neutral).map(|(c, (kind, _))| (c, (None, kind))).collect();
        if program.owns_marks() {
            let of_second = |kind: &KindOf| kind.owner == Owner::Only(Player::Second);
            let kind =
                program.kinds.iter().position(of_second).expect("the second player owns one");
            old.push(('O', (Some(Player::Second), kind as Kind)));
        }
        let mut at = begin;
        let mut good = true;
        for (n, (text, sites)) in rows.iter().zip(&program.board.rows).enumerate() {
            let found = text.chars().count();
            if found != sites.len() {
                let row = program.board.rows.len() - n;
                let expected = sites.len();
                self.reasons.push(PositionReason::RowLength { row, expected, found });
                good = false;
            }
            for (k, c) in text.chars().enumerate() {
                let piece = known.iter().chain(&old).find(|(symbol, _)| *symbol == c);
                let piece = piece.map(|(_, piece)| *piece);
                if c != '.' && piece.is_none() {
                    let listed: String =
                        known.iter().map(|(symbol, _)| format!(" {symbol}")).collect();
                    self.unknown::<()>(&c.to_string(), at, format!(".{listed}"));
                    good = false;
                }
                if let Some(&site) = sites.get(k) {
                    position.pieces[site as usize] = piece;
                }
                at += 1;
            }
            at += 1;
        }
        good.then_some(())
    }
}
