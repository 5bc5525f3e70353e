//! Any text as a piece's moves: an error within the text, or rays that stay near a board. What is proposed for a part that
//! others read otherwise has the same rays, and nothing is proposed for that again. One way of writing stands for the same moves, and
//! all of them can be drawn.
#![no_main]

use backrank_rules::{Betza, Board, MoveDiagram, Ray};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| match text.parse::<Betza>() {
    Err(error) => {
        assert!((1..=text.chars().count().max(1)).contains(&error.column), "{error:?}");
        assert!(!error.to_string().is_empty());
    }
    Ok(betza) => {
        assert_eq!(betza.to_string(), text);
        assert!(!betza.rays().is_empty());
        for ray in betza.rays() {
            assert!((ray.dx, ray.dy) != (0, 0) && ray.dx.abs() <= 3 && ray.dy.abs() <= 3, "{ray:?}");
            assert!(ray.range == Ray::ENDLESS || (1..=15).contains(&ray.range), "{ray:?}");
            assert!(ray.moves || ray.captures, "{ray:?}");
            assert_eq!(ray.reversed().reversed(), *ray);
        }
        let canonical: Betza = betza.canonical().parse().expect("moves");
        assert!(canonical.moves_like(&betza) && canonical.warnings().is_empty(), "{canonical}");
        assert_eq!(canonical.canonical(), canonical.to_string());
        assert_eq!(canonical.in_words(), betza.in_words());
        let board = Board::new(9, 9).expect("a board");
        let diagram = MoveDiagram::new(board, MoveDiagram::centre(board), &betza);
        assert!(!diagram.to_string().is_empty() && diagram.to_svg().ends_with("</svg>\n"));
        for warning in betza.warnings() {
            let [part, alike] =
                [&warning.part, &warning.alike].map(|text| text.parse::<Betza>().expect("moves"));
            assert_eq!(rays(&part), rays(&alike), "{warning}");
            assert!(alike.warnings().is_empty(), "{warning}");
        }
    }
});

fn rays(betza: &Betza) -> Vec<Ray> {
    let mut rays = betza.rays().to_vec();
    rays.sort_unstable();
    rays
}
