//! Sessions of browsers, the codes that open them, and the key for programs.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

use crate::secret::{is_same, secret};
use crate::state_file::{Session, State};

/// The time in which a code opens a session.
const CODE: Duration = Duration::from_secs(120);

/// The life of a session, in seconds.
pub(crate) const SESSION_S: u64 = 30 * 24 * 3600;

/// The greatest number of sessions and of codes that are kept; the oldest make room.
const SESSIONS_MAX: usize = 100;
const CODES_MAX: usize = 100;

/// The number of wrong codes in a minute that closes the door for a minute.
const WRONG_MAX: usize = 10;
const MINUTE: Duration = Duration::from_secs(60);

/// Who may come in.
#[derive(Debug)]
pub(crate) struct Sessions {
    pub(crate) state: State,
    codes: VecDeque<(String, Instant)>,
    wrong: VecDeque<Instant>,
    closed_until: Option<Instant>,
}

/// Outcome of trading a code.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Traded {
    /// The value of the cookie of a new session.
    Session(String),
    /// The code is unknown, was used, or is too old.
    Wrong,
    /// Too many wrong codes came.
    Closed,
}

impl Sessions {
    /// The sessions of a state that are not over.
    pub(crate) fn new(mut state: State, now_s: u64) -> Sessions {
        state.sessions.retain(|session| session.expires_s > now_s);
        Sessions { state, codes: VecDeque::new(), wrong: VecDeque::new(), closed_until: None }
    }

    /// Makes a code.
    pub(crate) fn code(&mut self) -> String {
        let code = secret();
        self.admit(code.clone());
        code
    }

    /// From now on, the code opens a session.
    pub(crate) fn admit(&mut self, code: String) {
        if self.codes.len() >= CODES_MAX {
            self.codes.pop_front();
        }
        self.codes.push_back((code, Instant::now() + CODE));
    }

    /// Trades a code for a session.
    pub(crate) fn trade(&mut self, code: &str, now_s: u64) -> Traded {
        let now = Instant::now();
        if self.closed_until.is_some_and(|until| now < until) {
            return Traded::Closed;
        }
        self.codes.retain(|(_, until)| now < *until);
        // All codes are compared, so that the time does not depend on which one is right.
        let found = self.codes.iter().enumerate().fold(None, |found, (n, (known, _))| {
            if is_same(known, code) { Some(n) } else { found }
        });
        let Some(found) = found else {
            self.wrong.retain(|at| now - *at < MINUTE);
            self.wrong.push_back(now);
            if self.wrong.len() >= WRONG_MAX {
                self.wrong.clear();
                self.closed_until = Some(now + MINUTE);
            }
            return Traded::Wrong;
        };
        self.codes.remove(found);
        let sessions = &mut self.state.sessions;
        if sessions.len() >= SESSIONS_MAX {
            sessions.remove(0);
        }
        let session = Session { cookie: secret(), token: secret(), expires_s: now_s + SESSION_S };
        sessions.push(session.clone());
        Traded::Session(session.cookie)
    }

    /// The session of a cookie.
    pub(crate) fn session(&self, cookie: &str, now_s: u64) -> Option<&Session> {
        let live = self.state.sessions.iter().filter(|session| session.expires_s > now_s);
        live.fold(
            None,
            |found, session| {
                if is_same(&session.cookie, cookie) { Some(session) } else { found }
            },
        )
    }

    /// Whether a key is that for programs.
    pub(crate) fn is_key(&self, key: &str) -> bool {
        is_same(&self.state.key, key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sessions() -> Sessions {
        Sessions::new(State { key: secret(), ..State::default() }, 0)
    }

    #[test]
    fn a_code_opens_one_session_which_ends() {
        let mut sessions = sessions();
        let code = sessions.code();
        let Traded::Session(cookie) = sessions.trade(&code, 10) else { panic!("a session") };
        assert_eq!(sessions.trade(&code, 10), Traded::Wrong);
        assert!(sessions.session(&cookie, 10).is_some());
        assert!(sessions.session(&cookie, 10 + SESSION_S).is_none());
        assert!(sessions.session("", 10).is_none() && !sessions.is_key(""));
    }

    #[test]
    fn ten_wrong_codes_close_the_door() {
        let mut sessions = sessions();
        let code = sessions.code();
        for _ in 0..WRONG_MAX {
            assert_eq!(sessions.trade("wrong", 0), Traded::Wrong);
        }
        assert_eq!(sessions.trade(&code, 0), Traded::Closed);
    }
}
