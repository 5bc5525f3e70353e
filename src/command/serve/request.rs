//! Answering requests.

use std::io::Read;

use backrank_analysis::explorer::BOARD_FILES;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use tiny_http::{Header, Method, Request, Response};

use super::game::{Place, SavedGame, ServedGames};
use super::recorded::{self, RecordedNumber, RecordedPlace};
use super::search::{Asked, Search};

/// The largest body of a request, in bytes.
const LARGEST: u64 = 1 << 16;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");
const PROGRAM: &str = include_str!("page/program.mjs");

/// What answers requests.
pub struct Handler {
    games: ServedGames,
    /// The hosts by which a browser may have come here: nobody else's page can send it.
    hosts: [String; 2],
    /// The path below which everything is.
    root: String,
    search: Search,
}

/// An answer: a status, the type of the content, and the content.
type Answer = (u16, &'static str, String);

impl Handler {
    pub fn new(games: ServedGames, port: u16, token: String, hash: usize) -> Self {
        let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        Self { games, hosts, root: format!("/{token}/"), search: Search::new(hash) }
    }

    /// Stops a search whose page is closed.
    pub fn look_after(&mut self) {
        self.search.look_after();
    }

    /// Answers a request. A reader that has gone away is nobody's fault.
    pub fn answer(&mut self, mut request: Request) {
        let (status, kind, text) = self
            .answer_to(&mut request)
            .unwrap_or_else(|problem| (400, "application/json", json!({ "problem": problem }).to_string()));
        let headers = [
            ("Content-Type", kind),
            ("Cache-Control", "no-store"),
            ("Referrer-Policy", "no-referrer"),
            ("X-Content-Type-Options", "nosniff"),
            (
                "Content-Security-Policy",
                "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; \
                 form-action 'none'; frame-ancestors 'none'",
            ),
        ];
        let mut response = Response::from_string(text).with_status_code(status);
        for (name, value) in headers {
            response.add_header(Header::from_bytes(name, value).expect("a header of ASCII"));
        }
        let _gone = request.respond(response);
    }

    fn answer_to(&mut self, request: &mut Request) -> Result<Answer, String> {
        let header = |name: &'static str| {
            request
                .headers()
                .iter()
                .find(|header| header.field.equiv(name))
                .map(|header| header.value.to_string())
        };
        let is_own_host = header("Host").is_some_and(|host| self.hosts.contains(&host));
        let is_own_page = header("Origin")
            .is_none_or(|origin| self.hosts.iter().any(|host| origin == format!("http://{host}")));
        let path = match request.url().strip_prefix(&self.root) {
            Some(path) if is_own_host && is_own_page => path.to_string(),
            _ => return Ok((404, "text/plain", "there is nothing here\n".to_string())),
        };
        match (request.method().clone(), path.as_str()) {
            (Method::Get, "") => Ok((200, "text/html; charset=utf-8", PAGE.to_string())),
            (Method::Get, "style.css") => Ok((200, "text/css", STYLE.to_string())),
            (Method::Get, "program.mjs") => Ok((200, "text/javascript", PROGRAM.to_string())),
            (Method::Get, file)
                if let Some((name, text)) = BOARD_FILES.iter().find(|(name, _)| *name == file) =>
            {
                let kind = if name.ends_with(".css") { "text/css" } else { "text/javascript" };
                Ok((200, kind, text.to_string()))
            }
            (Method::Get, "games") => json_answer(&self.games.names()),
            (Method::Post, "drawings") => {
                let game: usize = read(request)?;
                json_answer(&self.games.game(game)?.drawings())
            }
            (Method::Post, "position") => {
                let place: Place = read(request)?;
                let served = self.games.game(place.game)?;
                json_answer(&served.shown(&served.at(&place)?))
            }
            (Method::Post, "pgn") => {
                let saved: SavedGame = read(request)?;
                let served = self.games.game(saved.place.game)?;
                let game = served.at(&saved.place)?;
                Ok((200, "text/plain; charset=utf-8", served.pgn(&game, &saved)))
            }
            (Method::Post, "recorded") => {
                let asked: RecordedPlace = read(request)?;
                json_answer(&recorded::list(self.games.study(asked.game), &asked)?)
            }
            (Method::Post, "recorded-game") => {
                let asked: RecordedNumber = read(request)?;
                json_answer(&recorded::game(self.games.study(asked.game), asked.number)?)
            }
            (Method::Post, "search") => {
                let asked: Asked = read(request)?;
                let served = self.games.game(asked.place.game)?;
                let game = served.at(&asked.place)?;
                json_answer(&self.search.begin(served.rules.clone(), &game, &asked))
            }
            (Method::Get, "search") => json_answer(&self.search.found()),
            (Method::Post, "stop") => {
                self.search.stop();
                json_answer(&self.search.found())
            }
            _ => Ok((404, "text/plain", "there is nothing here\n".to_string())),
        }
    }
}

fn json_answer(value: &impl Serialize) -> Result<Answer, String> {
    let text = serde_json::to_string(value).map_err(|error| error.to_string())?;
    Ok((200, "application/json", text))
}

/// What a request says, as JSON.
fn read<T: DeserializeOwned>(request: &mut Request) -> Result<T, String> {
    let mut body = String::new();
    let read = request.as_reader().take(LARGEST + 1).read_to_string(&mut body);
    read.map_err(|error| format!("the request cannot be read: {error}"))?;
    if body.len() as u64 > LARGEST {
        return Err(format!("a request has {LARGEST} bytes at most"));
    }
    serde_json::from_str(&body).map_err(|error| format!("the request is not as expected: {error}"))
}
