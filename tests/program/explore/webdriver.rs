//! A browser that a test drives, by the WebDriver protocol (w3.org/TR/webdriver2): commands are JSON over HTTP.
//!
//! Crates that know the whole protocol bring along an asynchronous runtime with features of its own, for which polars would
//! be built once more.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::{PATIENCE, lacks};

pub const ENTER: &str = "\u{e007}";
pub const ESCAPE: &str = "\u{e00c}";
pub const UP: &str = "\u{e013}";

/// A window of some size that shows a page.
pub struct Browser {
    driver: Child,
    session: String,
    /// The browser's own files, and its log: whatever a page says on the console is in it.
    folder: TempDir,
}

impl Browser {
    /// Starts a browser; none where there is no driver.
    pub fn start([width, height]: [u32; 2]) -> Option<Self> {
        if lacks("chromedriver", "chromium chromium-driver") {
            return None;
        }
        let (driver, port) = start_driver();
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        let options = json!({
            "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging",
                format!("--log-file={}", path("chromium.log")), format!("--user-data-dir={}", path("profile")),
            ],
            "mobileEmulation": {
                "deviceMetrics": { "width": width, "height": height, "pixelRatio": 1, "touch": width < 600 },
            },
        });
        // On a busy machine axe takes longer than a driver waits of itself.
        let wanted = json!({
            "goog:chromeOptions": options, "timeouts": { "script": PATIENCE.as_millis() as u64 },
        });
        let capabilities = json!({ "capabilities": { "alwaysMatch": wanted } });
        let created = request(&format!("http://127.0.0.1:{port}/session"), Some(&capabilities));
        let id = created["sessionId"].as_str().unwrap();
        Some(Self { driver, session: format!("http://127.0.0.1:{port}/session/{id}"), folder })
    }

    fn post(&self, command: &str, body: &Value) -> Value {
        request(&format!("{}/{command}", self.session), Some(body))
    }

    /// Loads a page anew, at an address after `#`.
    pub fn load(&self, page: &Path, hash: &str) {
        self.post("url", &json!({ "url": "about:blank" }));
        self.post("url", &json!({ "url": format!("file://{}#{hash}", page.display()) }));
    }

    /// Goes to an address.
    pub fn go(&self, address: &str) {
        self.post("url", &json!({ "url": address }));
    }

    /// Loads a page anew, and waits until it is ready.
    pub fn open(&self, page: &Path, hash: &str) {
        self.load(page, hash);
        self.until("document.body.classList.contains('ready')");
    }

    pub fn back(&self) {
        self.post("back", &json!({}));
    }

    /// What a script returns that gets some arguments.
    pub fn js(&self, script: &str, arguments: &[Value]) -> Value {
        self.post("execute/sync", &json!({ "script": script, "args": arguments }))
    }

    /// Waits until an expression is true.
    pub fn until(&self, expression: &str) {
        let end = Instant::now() + PATIENCE;
        while self.js(&format!("return {expression}"), &[]) != true {
            assert!(Instant::now() < end, "never: {expression}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The address of the first element that a selector finds.
    fn element(&self, css: &str) -> Value {
        self.post("element", &json!({ "using": "css selector", "value": css }))
    }

    fn element_command(&self, css: &str, command: &str, body: &Value) {
        let element = self.element(css);
        let id =
            element.as_object().and_then(|element| element.values().next()).and_then(Value::as_str).unwrap();
        self.post(&format!("element/{id}/{command}"), body);
    }

    /// Clicks on an element as a person would, who scrolls to it before, and waits for a piece that is still on its way.
    pub fn click(&self, css: &str) {
        self.show(css);
        self.until("document.getAnimations().every(({ playState }) => playState !== 'running')");
        self.element_command(css, "click", &json!({}));
    }

    /// Types keys into an element.
    pub fn keys(&self, css: &str, keys: &str) {
        self.element_command(css, "value", &json!({ "text": keys }));
    }

    /// Replaces what an input holds.
    pub fn enter(&self, css: &str, text: &str) {
        self.element_command(css, "clear", &json!({}));
        self.keys(css, text);
    }

    /// Chooses an option of a list by its value.
    pub fn choose(&self, css: &str, value: &str) {
        self.click(&format!("{css} option[value='{value}']"));
    }

    /// Moves the mouse from one place to another, with the button down, or clicks where both are the same. Places are in pixels
    /// of the window.
    pub fn drag(&self, from: [f64; 2], to: [f64; 2]) {
        self.drag_with("mouse", from, to);
    }

    /// The same with another pointer: `touch` is a finger.
    pub fn drag_with(&self, pointer: &str, from: [f64; 2], to: [f64; 2]) {
        let between = [0, 1].map(|axis| (from[axis] + to[axis]) / 2.0);
        let go = |[x, y]: [f64; 2]| json!({ "type": "pointerMove", "duration": 50, "x": x.round(), "y": y.round() });
        let actions = [
            go(from),
            json!({ "type": "pointerDown", "button": 0 }),
            go(between),
            go(to),
            json!({ "type": "pointerUp", "button": 0 }),
        ];
        let parameters = json!({ "pointerType": pointer });
        let source =
            json!({ "type": "pointer", "id": pointer, "parameters": parameters, "actions": actions });
        self.post("actions", &json!({ "actions": [source] }));
    }

    /// Moves the mouse to a place, in pixels of the window.
    pub fn point(&self, [x, y]: [f64; 2]) {
        let go = json!({ "type": "pointerMove", "duration": 50, "x": x.round(), "y": y.round() });
        self.post("actions", &json!({ "actions": [{ "type": "pointer", "id": "mouse", "actions": [go] }] }));
    }

    /// Scrolls until an element is in the middle of the window.
    pub fn show(&self, css: &str) {
        self.js("arguments[0].scrollIntoView({ block: 'center' })", &[self.element(css)]);
    }

    /// The middle of an element in the window.
    pub fn middle(&self, css: &str) -> [f64; 2] {
        let script = "const box = arguments[0].getBoundingClientRect();\
            return [(box.left + box.right) / 2, (box.top + box.bottom) / 2]";
        serde_json::from_value(self.js(script, &[self.element(css)])).unwrap()
    }

    /// The text of the first element that a selector finds.
    pub fn text(&self, css: &str) -> String {
        self.all(css).into_iter().next().unwrap_or_else(|| panic!("there is no {css}"))
    }

    /// The texts of all elements that a selector finds.
    pub fn all(&self, css: &str) -> Vec<String> {
        let script =
            "return [...document.querySelectorAll(arguments[0])].map((element) => element.textContent)";
        serde_json::from_value(self.js(script, &[css.into()])).unwrap()
    }

    /// A command of the browser's own protocol.
    fn own(&self, command: &str, parameters: &Value) -> Value {
        self.post("goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    /// Shows the page as paper would have it.
    pub fn as_printed(&self) {
        self.js("dispatchEvent(new Event('beforeprint'))", &[]);
        self.own("Emulation.setEmulatedMedia", &json!({ "media": "print" }));
    }

    /// Shows the page in light or in dark colours.
    pub fn in_colours(&self, scheme: &str) {
        let feature = json!({ "name": "prefers-color-scheme", "value": scheme });
        self.own("Emulation.setEmulatedMedia", &json!({ "features": [feature] }));
    }

    /// As for somebody who wants nothing to move.
    pub fn without_motion(&self) {
        let feature = json!({ "name": "prefers-reduced-motion", "value": "reduce" });
        self.own("Emulation.setEmulatedMedia", &json!({ "features": [feature] }));
    }

    /// Checks by axe that everybody can reach and read what the page shows now; not where axe cannot be had.
    pub fn check_access(&self, shown: &str) {
        let Some(axe) = axe() else { return };
        self.js(axe, &[]);
        let run = "return axe.run(document).then((found) => found.violations.map(({ id, nodes }) =>\
            `${id}: ${nodes.map((node) => node.html.slice(0, 200)).join(' ')}`))";
        let faults: Vec<String> = serde_json::from_value(self.js(run, &[])).unwrap();
        assert_eq!(faults, [""; 0], "{shown}");
    }

    /// Closes the window and checks that the page has been silent and has loaded nothing.
    pub fn close(self) {
        let loaded =
            self.js("return performance.getEntriesByType('resource').map((entry) => entry.name)", &[]);
        assert_eq!(loaded, json!([]), "the page loads nothing");
        request(&self.session, None);
        let log = std::fs::read_to_string(self.log()).unwrap();
        let said: Vec<&str> = log.lines().filter(|line| line.contains("CONSOLE")).collect();
        assert_eq!(said, [""; 0], "the console says nothing");
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("chromium.log")
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The driver ends its browser.
        let _ = ureq::delete(&self.session).call();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The program of axe, which finds what people cannot reach or read on a page: fetched by npm once for all tests, and no part of this
/// repository. None where there is no npm, or no network.
fn axe() -> Option<&'static str> {
    static AXE: OnceLock<Result<String, String>> = OnceLock::new();
    if lacks("npm", "npm") {
        return None;
    }
    let found = AXE.get_or_init(|| {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-save", "--no-audit", "--no-fund", "axe-core@4.10.3"]).current_dir(&folder);
        let output = npm.output().map_err(|error| error.to_string())?;
        let text = std::fs::read_to_string(folder.path().join("node_modules/axe-core/axe.min.js"));
        text.map_err(|_| String::from_utf8_lossy(&output.stderr).into_owned())
    });
    match found {
        Ok(text) => Some(text),
        Err(problem) => {
            // A registry that cannot be reached says nothing about the page.
            eprintln!("npm cannot fetch axe-core: {problem}");
            None
        }
    }
}

/// Debian's driver of its browser, and the port on which it listens.
fn start_driver() -> (Child, u16) {
    let mut command = Command::new("chromedriver");
    let mut driver = command.arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let lines = BufReader::new(driver.stdout.take().unwrap()).lines();
    // "Starting ChromeDriver … on port 0", then "ChromeDriver was started successfully on port 12345."
    let port = |line: String| {
        line.rsplit("on port ").next()?.trim_end_matches('.').parse().ok().filter(|&port| port != 0)
    };
    let port =
        lines.map_while(Result::ok).find_map(port).expect("chromedriver says on which port it listens");
    (driver, port)
}

/// The value that a command returns; without a body the command deletes.
fn request(address: &str, body: Option<&Value>) -> Value {
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let answer = match body {
        Some(body) => agent.post(address).send_json(body),
        None => agent.delete(address).call(),
    };
    let mut answer: Value = answer.unwrap().body_mut().read_json().unwrap();
    let value = answer["value"].take();
    assert!(value.get("error").is_none(), "{address} {body:?}: {}", value["message"]);
    value
}
