//! How the page lies in windows of all sizes and on paper, and whether everybody can reach and read it.

use serde_json::json;

use super::browser::{DESKTOP, PHONE, browse, check_open};
use super::webdriver::Browser;
use super::{page, page_with_scores};

/// Whether most of the board is in the window.
fn board_is_seen(browser: &Browser) -> bool {
    let seen = "const { top, bottom, height } = document.getElementById('board').getBoundingClientRect();\
        return Math.min(bottom, innerHeight) - Math.max(top, 0) > 0.75 * height";
    browser.js(seen, &[]) == true
}

#[test]
fn no_window_is_too_narrow_and_no_default_column_is_cut_off() {
    for width in [320, 390, 768, 1024, 1440, 1920] {
        browse(&[[width, 900]], |browser| {
            browser.open(page(), "RNBMKQBNR&beside=RNBQKMBNR");
            for tab in ["setup", "games", "find"] {
                browser.click(&format!("#{tab}-tab"));
                let fits = "return document.documentElement.scrollWidth <= screen.width";
                assert_eq!(browser.js(fits, &[]), true, "{width}: {tab}");
            }
            if width >= 1024 {
                let cut = "const view = document.getElementById('table-view'); return view.scrollWidth > view.clientWidth + 1";
                assert_eq!(browser.js(cut, &[]), false, "{width}");
                assert!(board_is_seen(browser), "{width}");
            }
        });
    }
}

#[test]
fn what_happens_is_seen() {
    browse(&[PHONE], |browser| {
        browser.open(page(), "BNBMRQKNR");
        for (tab, button) in
            [("games", "#games .game"), ("setup", "#adjustments .white-side"), ("setup", "#castling button")]
        {
            browser.click(&format!("#{tab}-tab"));
            browser.click(button);
            browser.until("document.querySelectorAll('#moves .move, #board .arrow').length > 0");
            assert!(board_is_seen(browser), "{button}");
        }
        // What a tab shows comes into the window with it.
        browser.js("scrollTo(0, 0); document.getElementById('find-tab').click()", &[]);
        let top = browser
            .js("return document.getElementById('presets').getBoundingClientRect().top / innerHeight", &[]);
        assert!(top.as_f64().unwrap() < 0.5, "{top}");
    });
    browse(&[DESKTOP], |browser| {
        // The table shows the open setup, and the moves of a game are in the window with the board.
        browser.open(page(), "RNBMKQBNR");
        assert!(browser.all("#table-body tr.current a") == ["RNBMKQBNR"]);
        browser.click("#reflect");
        check_open(browser, "RNBQKMBNR");
        let in_view = "const [row, view] = ['#table-body tr.current', '#table-view'].map((css) => document.querySelector(css).getBoundingClientRect());\
            return row.top >= view.top && row.bottom <= view.bottom";
        assert_eq!(browser.js(in_view, &[]), true);
        browser.click("#games-tab");
        browser.click("#games .game");
        browser.until("document.querySelectorAll('#moves .move').length > 20");
        let last = "const { bottom } = document.getElementById('moves').getBoundingClientRect(); return bottom <= innerHeight";
        assert!(browser.js(last, &[]) == true && board_is_seen(browser));
        // A point of the plot that is pointed at shows the pieces.
        browser.show("#scatter");
        let size = browser.js("const box = document.getElementById('scatter').getBoundingClientRect(); return [box.left, box.top, box.width, box.height]", &[]);
        let [left, top, width, height]: [f64; 4] = serde_json::from_value(size).unwrap();
        for share in 1..20 {
            browser.point([left + width * 0.3, top + height * 0.04 * f64::from(share)]);
            if browser.js("return document.getElementById('scatter-tip').hidden", &[]) == false {
                break;
            }
        }
        assert_eq!(browser.all("#scatter-tip .miniature > rect").len(), 9);
        // Circles on the board are explained.
        let circles = "return [document.querySelectorAll('#board .unprotected').length > 0, document.getElementById('circles-note').checkVisibility()]";
        browser.open(page(), "BNBMRQKNR");
        assert_eq!(browser.js(circles, &[]), json!([true, true]));
        browser.open(page(), "RNBMKQBNR");
        assert_eq!(browser.js(circles, &[]), json!([false, false]));
    });
}

#[test]
fn pieces_are_seen_to_move_unless_somebody_wants_no_motion() {
    browse(&[DESKTOP], |browser| {
        browser.open(page(), "RNBMKQBNR");
        browser.enter("#play-text", "e4 e6");
        browser.click("#play-form button");
        browser.until("document.getAnimations().length === 0");
        let moving = "document.getElementById('back').click(); return document.querySelector('#board').getAnimations({ subtree: true }).length";
        assert_eq!(browser.js(moving, &[]), 1);
        browser.without_motion();
        browser.until("document.getAnimations().length === 0");
        assert_eq!(browser.js(moving, &[]), 0);
    });
}

#[test]
fn paper_has_what_can_be_read_on_it() {
    browse(&[DESKTOP], |browser| {
        browser.open(page(), "BNBMRQKNR");
        browser.in_colours("dark");
        browser.as_printed();
        let seen = "return ['search-form', 'theme', 'toast', 'save-table', 'board', 'scatter', 'histogram', 'setup-name']\
            .map((id) => document.getElementById(id).checkVisibility())";
        assert_eq!(browser.js(seen, &[]), json!([false, false, false, false, true, true, true, true]));
        let signs = "return ['.white-side', '.black-side'].map((css) => getComputedStyle(document.querySelector(css), '::before').content)";
        assert_eq!(browser.js(signs, &[]), json!(["\"○ \"", "\"● \""]));
        let whole = "return [...document.querySelectorAll('#charts .card, .board-side')].map((card) => getComputedStyle(card).breakInside)";
        assert_eq!(browser.js(whole, &[]), json!(["avoid", "avoid", "avoid"]));
        let ground = "return getComputedStyle(document.body).backgroundColor";
        assert_eq!(browser.js(ground, &[]), "rgb(255, 255, 255)");
        assert_eq!(browser.all("#table-body tr[data-setup]").len(), 40);
    });
}

#[test]
fn everybody_can_reach_and_read_it() {
    for (colours, size) in [("light", DESKTOP), ("dark", PHONE)] {
        browse(&[size], |browser| {
            browser.open(page_with_scores(), "RNBMKQBNR&beside=RNBQKMBNR");
            browser.in_colours(colours);
            browser.click("#games-tab");
            browser.click("#games .game");
            browser.until("!document.getElementById('evaluation-side').hidden");
            for tab in ["games", "setup", "find"] {
                browser.click(&format!("#{tab}-tab"));
                browser.until("document.getAnimations().length === 0");
                browser.check_access(&format!("{colours}, {tab}"));
            }
        });
    }
}
