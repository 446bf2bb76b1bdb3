//! Checks of every request, before its route is looked at.

use hyper::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, HOST, HeaderMap, HeaderName, ORIGIN};
use hyper::http::request::Parts;

use crate::answer::Refusal;
use crate::route::Route;
use crate::secret::is_same;
use crate::sessions::Sessions;

/// Header with the value that a page sends with each change.
const TOKEN: &str = "x-treegauge";

/// Type of a form that is sent without scripts.
const FORM: &str = "application/x-www-form-urlencoded";

/// Names under which the server may be asked.
#[derive(Clone, Debug)]
pub(crate) struct Hosts(Vec<String>);

impl Hosts {
    /// The names of this machine, and one more that the user allows.
    pub(crate) fn new(port: u16, allowed: Option<&str>) -> Hosts {
        let mut hosts: Vec<String> = ["127.0.0.1", "localhost", "[::1]"]
            .iter()
            .map(|name| format!("{name}:{port}"))
            .collect();
        if let Some(name) = allowed {
            hosts.push(name.to_ascii_lowercase());
            hosts.push(format!("{}:{port}", name.to_ascii_lowercase()));
        }
        Hosts(hosts)
    }

    /// The name that a request asks for, if the server may be asked under it.
    fn of(&self, head: &Parts) -> Option<String> {
        let mut hosts = head.headers.get_all(HOST).iter();
        let (host, None) = (hosts.next()?.to_str().ok()?, hosts.next()) else { return None };
        let host = host.to_ascii_lowercase();
        let is_same =
            head.uri.authority().is_none_or(|name| name.as_str().eq_ignore_ascii_case(&host));
        (is_same && self.0.contains(&host)).then_some(host)
    }
}

/// Who sent a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Visitor {
    /// Nobody that is known.
    Stranger,
    /// A program with the key.
    Program,
    /// A browser with a session: its cookie and the value that its pages send.
    Browser { cookie: String, token: String },
}

/// Checks that a request was sent to this server.
pub(crate) fn check_host(hosts: &Hosts, head: &Parts) -> Result<String, Refusal> {
    let refused = "This address is not one of the workbench. Open the address that `treegauge serve` printed.";
    hosts.of(head).ok_or_else(|| Refusal::new(421, refused))
}

/// The sender of a request.
pub(crate) fn visitor(sessions: &Sessions, head: &Parts, port: u16, now_s: u64) -> Visitor {
    if let Some(given) = one(&head.headers, AUTHORIZATION) {
        let key = given.strip_prefix("Bearer ").filter(|key| sessions.is_key(key));
        return key.map_or(Visitor::Stranger, |_| Visitor::Program);
    }
    let name = cookie_name(port);
    let cookies = head.headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let values = cookies.flat_map(|value| value.split(';')).filter_map(|pair| {
        let (key, value) = pair.trim().split_once('=')?;
        (key == name).then_some(value)
    });
    let session = values.filter_map(|value| sessions.session(value, now_s)).next();
    session.map_or(Visitor::Stranger, |session| Visitor::Browser {
        cookie: session.cookie.clone(),
        token: session.token.clone(),
    })
}

/// Name of the cookie of a session.
pub(crate) fn cookie_name(port: u16) -> String {
    format!("treegauge-{port}")
}

/// Checks that a request comes from someone who may send it.
pub(crate) fn check_sender(
    route: &Route,
    visitor: &Visitor,
    head: &Parts,
    host: &str,
) -> Result<(), Refusal> {
    if !route.is_public() && *visitor == Visitor::Stranger {
        return Err(Refusal::no_session());
    }
    let site = header(&head.headers, "sec-fetch-site");
    let Visitor::Browser { token, .. } = visitor else {
        // Another site can send neither a key nor anything that changes without one.
        return if route.changes() && *visitor == Visitor::Stranger {
            Err(Refusal::no_session())
        } else {
            check_type(route, head)
        };
    };
    if !route.changes() {
        let is_own = matches!(site, None | Some("same-origin" | "none"));
        let navigates = header(&head.headers, "sec-fetch-mode") == Some("navigate")
            && matches!(header(&head.headers, "sec-fetch-dest"), None | Some("document"));
        return if is_own || navigates { Ok(()) } else { Err(foreign()) };
    }
    if *route == Route::Code {
        return Err(foreign());
    }
    // A proxy under the allowed name may add encryption.
    let origin = one(&head.headers, ORIGIN).unwrap_or_default();
    let is_form = is_form(route, head);
    // A browser hides the origin of a form that is sent without scripts: pages have no referrer.
    let is_own =
        ["http://", "https://"].iter().any(|scheme| origin.strip_prefix(scheme) == Some(host))
            || (is_form && origin == "null" && site == Some("same-origin"));
    let is_same_site = matches!(site, None | Some("same-origin"));
    // A form has the value in a field, which `check_form` looks at.
    let is_of_page =
        is_form || header(&head.headers, TOKEN).is_some_and(|sent| is_same(sent, token));
    if !(is_own && is_same_site && is_of_page) {
        return Err(foreign());
    }
    check_type(route, head)
}

/// Whether a request is a form that is sent without scripts.
pub(crate) fn is_form(route: &Route, head: &Parts) -> bool {
    route.takes_forms() && type_of(head).is_some_and(|given| given.eq_ignore_ascii_case(FORM))
}

/// Checks the value that a form of a page has in a field.
pub(crate) fn check_form(visitor: &Visitor, sent: &str) -> Result<(), Refusal> {
    match visitor {
        Visitor::Browser { token, .. } if is_same(sent, token) => Ok(()),
        Visitor::Program => Ok(()),
        _ => Err(foreign()),
    }
}

fn foreign() -> Refusal {
    Refusal::new(403, "The request did not come from a page of the workbench. Load the page again.")
}

/// Checks the type of a body.
fn check_type(route: &Route, head: &Parts) -> Result<(), Refusal> {
    if !route.changes() || is_form(route, head) {
        return Ok(());
    }
    let expected =
        if *route == Route::Upload { "application/octet-stream" } else { "application/json" };
    match type_of(head) {
        Some(given) if given.eq_ignore_ascii_case(expected) => Ok(()),
        _ => Err(Refusal::new(415, format!("The body must have the type {expected}."))),
    }
}

/// The type of a body, without its parameters.
fn type_of(head: &Parts) -> Option<&str> {
    one(&head.headers, CONTENT_TYPE)?.split(';').next().map(str::trim)
}

/// The value of a header that is there once.
fn one(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let (value, None) = (values.next()?, values.next()) else { return None };
    value.to_str().ok()
}

fn header<'a>(headers: &'a HeaderMap, name: &'static str) -> Option<&'a str> {
    one(headers, HeaderName::from_static(name))
}
