//! The report as a browser shows it.

use std::path::{Path, PathBuf};
use std::process::Command;

use assert_cmd::assert::OutputAssertExt;

use serde_json::json;

use crate::common::{backrank, has, lacks};
use crate::explore::webdriver::Browser;

/// A study of made-up games, some of them at odds, and their report.
fn report(folder: &Path) -> PathBuf {
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    let [games, pawn, minister, page, picture] =
        ["games", "pawn", "minister", "report.html", "values.svg"].map(path);
    let values = "P=1,N=3,B=3.3,R=5,M=8,Q=9";
    let simulate = ["simulate", "pmrc", "--values", values, "--seed", "2"];
    let games_of = |more: &[&str]| backrank(&[&simulate[..], more].concat()).assert().success();
    games_of(&["--games", "6000", "--setups", "40", "--setup-elo", "100", "-o", &games]);
    games_of(&["--games", "400", "--odds", "P:-", "-o", &pawn]);
    games_of(&["--games", "400", "--odds", "M:Q", "-o", &minister]);
    let studies = [games.as_str(), &pawn, &minister];
    let arguments =
        [&["report"], &studies[..], &["--bootstrap", "100", "-o", &page, "--picture", &picture]].concat();
    backrank(&arguments).assert().success().stdout(format!("{page}\n{picture}\n"));
    PathBuf::from(page)
}

/// The page alone, without what it would need from elsewhere.
fn check_text(html: &str) {
    for forbidden in ["http:", "https:", "<script src", "<link rel=\"stylesheet", "@import", "url(", "fetch("]
    {
        // The name of SVG's namespace is no address that anything is loaded from.
        let html = html.replace("http://www.w3.org/2000/svg", "");
        assert!(!html.contains(forbidden), "{forbidden}");
    }
    for file in ["games.csv", "study.toml", "values.csv", "setups.csv"] {
        assert!(html.contains(&format!("<details><summary><code>{file}</code>")), "no dictionary of {file}");
    }
    assert!(!html.contains("NaN") && !html.contains(">inf<"), "a number that is none");
}

#[test]
fn a_browser_shows_plots_and_tables_and_its_console_is_silent() {
    let folder = tempfile::tempdir().unwrap();
    let page = report(folder.path());
    let html = std::fs::read_to_string(&page).unwrap();
    check_text(&html);
    let picture = std::fs::read_to_string(page.with_file_name("values.svg")).unwrap();
    let (head, body) = picture.split_once("</style>").unwrap();
    assert!(head.starts_with("<svg ") && head.contains(".plot text {"), "{head}");
    assert!(html.contains(body.split_once("/>").unwrap().1.trim_end()), "the picture is not the page's");
    // Debian's name for it, and others'.
    let names = ["chromium-browser", "google-chrome", "chromium"];
    let Some(chromium) = names.into_iter().find(|name| has(name)) else {
        lacks("chromium", "chromium");
        return;
    };
    // What the page looks like to a program: counted in the browser, after it has laid it out, and told to the
    // page around it: a window is never narrower than 500 pixels, a frame is.
    let probe = "<script>addEventListener('load', () => {\
        const all = (query) => [...document.querySelectorAll(query)];\
        const seen = (element) => element.getBoundingClientRect().width > 50 && element.getBoundingClientRect().height > 20;\
        const out = { plots: all('.plot svg').filter(seen).length, boards: all('.board svg').filter(seen).length,\
          tables: all('table').filter(seen).length, sections: all('section h2').map((h) => h.id || h.parentElement.id),\
          marks: all('.plot circle, .plot rect').length, errors: window.errors,\
          board: all('.board svg')[0].getBoundingClientRect().width,\
          wide: document.documentElement.scrollWidth > innerWidth };\
        parent.postMessage(JSON.stringify(out), '*'); });</script>";
    let listen = "<script>window.errors = []; addEventListener('error', (e) => window.errors.push(String(e.message)), true);</script>";
    let probed = folder.path().join("probed.html");
    let with_probe =
        html.replace("<head>", &format!("<head>{listen}")).replace("</body>", &format!("{probe}</body>"));
    std::fs::write(&probed, with_probe).unwrap();
    for width in [390, 1200] {
        let framed = folder.path().join("framed.html");
        let frame = format!(
            "<pre id=probe></pre><script>onmessage = (e) => document.getElementById('probe').textContent = e.data;</script>\
             <iframe src=probed.html style='width: {width}px; height: 2000px'></iframe>"
        );
        std::fs::write(&framed, frame).unwrap();
        let output = Command::new(chromium)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--log-level=0"])
            .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
            .arg("--window-size=1300,2100")
            .args(["--virtual-time-budget=5000", "--dump-dom"])
            .arg(format!("file://{}", framed.display()))
            .output()
            .unwrap();
        let (dom, log) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(!log.contains("CONSOLE"), "the console says: {log}");
        let start = dom.find("<pre id=\"probe\">").unwrap_or_else(|| panic!("no probe: {dom}\n{log}")) + 16;
        let seen: serde_json::Value =
            serde_json::from_str(&dom[start..start + dom[start..].find("</pre>").unwrap()]).unwrap();
        let count = |what: &str| seen[what].as_u64().unwrap();
        assert_eq!(seen["errors"], serde_json::json!([]), "{width}");
        assert_eq!(seen["wide"], serde_json::json!(false), "at {width} the page is wider than the window");
        // Values, setups, features, two of the adjustment and two of endings.
        assert_eq!(count("plots"), 7, "{width}");
        // Of so many setups the games say that they differ from the mean.
        assert_eq!(count("boards"), 10, "{width}");
        assert!(
            width > 480 || seen["board"].as_f64() > Some(250.0),
            "letters on a phone are too small: {seen}"
        );
        assert!(count("tables") >= 8 && count("marks") > 60, "{width}: {seen}");
        let sections: Vec<&str> =
            seen["sections"].as_array().unwrap().iter().filter_map(|id| id.as_str()).collect();
        let all = [
            "values",
            "imbalances",
            "regression",
            "methods",
            "setups",
            "boards",
            "features",
            "adjustment",
            "endings",
            "studies",
            "dictionary",
            "reproduce",
        ];
        assert_eq!(sections, all, "{width}");
    }
}

/// Tables are sorted where scripts run, no column is cut off, and paper has whole figures.
#[test]
fn tables_are_sorted_and_the_page_is_read_on_screens_and_on_paper() {
    let folder = tempfile::tempdir().unwrap();
    let page = report(folder.path());
    for width in [390, 1024, 1440] {
        let Some(browser) = Browser::start([width, 900]) else { return };
        browser.load(&page, "");
        let cut = "return [...document.querySelectorAll('.scroll')].filter((table) => table.checkVisibility() && table.scrollWidth > table.clientWidth + 1)\
            .map((table) => table.closest('section').id)";
        if width > 390 {
            assert_eq!(browser.js(cut, &[]), json!([]), "{width}");
        }
        let all = "return [...document.querySelectorAll('.scroll')].every((table) => table.tabIndex === 0)";
        assert_eq!(browser.js(all, &[]), true, "a table is not reached with the keyboard");
        // The values by several methods, by their estimates: the first number of a cell, without its interval.
        let table = "#methods .scroll table";
        let column = |at: usize| -> Vec<f64> {
            let texts = browser.all(&format!("{table} tbody tr td:nth-child({at})"));
            let number =
                |text: &String| text.split(' ').next()?.replace(',', "").replace('−', "-").parse().ok();
            texts.iter().filter_map(number).collect()
        };
        let before = column(2);
        browser.click(&format!("{table} th:nth-child(2) button"));
        let sorted = column(2);
        assert!(sorted.is_sorted_by(|one, other| one >= other) && sorted.len() == before.len(), "{sorted:?}");
        assert_ne!(before, sorted);
        browser.click(&format!("{table} th:nth-child(2) button"));
        assert!(column(2).is_sorted());
        assert_eq!(
            browser.js(&format!("return document.querySelector('{table} th:nth-child(2)').ariaSort"), &[]),
            "ascending"
        );
        browser.click(&format!("{table} th:first-child button"));
        assert!(browser.all(&format!("{table} tbody td:first-child")).is_sorted());
        let colours = match width {
            390 => &["light"][..],
            1024 => &[],
            _ => &["dark", "light"],
        };
        for colours in colours {
            browser.in_colours(colours);
            browser.js("document.querySelectorAll('details').forEach((one) => { one.open = true })", &[]);
            browser.check_access(&format!("{width}, {colours}"));
        }
        browser.as_printed();
        let torn = "return [...document.querySelectorAll('figure, .board, .figure')]\
            .filter((figure) => getComputedStyle(figure).breakInside !== 'avoid').map((figure) => figure.className)";
        assert_eq!(browser.js(torn, &[]), json!([]));
        browser.close();
    }
}

#[test]
fn damaged_games_are_refused_and_no_file_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let [games, page] = ["games", "report.html"].map(path);
    let values = "P=1,N=3,B=3.3,R=5,M=8,Q=9";
    backrank(&["simulate", "pmrc", "--values", values, "--games", "3", "-o", &games]).assert().success();
    let file = Path::new(&games).join("games.csv");
    let text = std::fs::read_to_string(&file).unwrap();
    // A move of the third game that is legal nowhere at its start.
    let third = text.find("\n2,").unwrap();
    let moves = third + text[third..].find("adjudication,").unwrap();
    let first_move = moves
        + text[moves..].rfind(",").map_or(0, |_| {
            let row = &text[moves..moves + text[moves..].find('\n').unwrap()];
            row.rfind(',').unwrap() + 1
        });
    let broken = format!("{}a9a1{}", &text[..first_move], &text[first_move + 4..]);
    std::fs::write(&file, broken).unwrap();
    let csv = path("values.csv");
    for arguments in [
        vec!["report", &games, "-o", &page],
        vec!["values", &games, "--csv", &page],
        vec!["setups", &games, "--csv", &csv],
    ] {
        let output = backrank(&arguments).assert().code(2).stdout("").get_output().stderr.clone();
        let says = String::from_utf8(output).unwrap();
        assert!(says.contains("games.csv, line 4: move 1: `a9a1`: the piece on a9 is Black's"), "{says}");
    }
    assert!(!Path::new(&page).exists() && !Path::new(&csv).exists());
}
