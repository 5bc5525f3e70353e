//! The moves of a piece as SVG.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::MoveDiagram;
use super::marks::{Manner, Mark, SquareMarks};
use crate::betza::{Passage, Ray};
use crate::board::{Colour, File};
use crate::diagram::{Drawing, escaped};
use crate::square::{Side, Square};

const SQUARE: f64 = Drawing::SIZE as f64;
const MARGIN: f64 = 22.0;

// Blue and vermilion, which people who are colour-blind can tell apart, on squares that are light enough for both. In grey the shapes
// and fillings say the same.
const BLUE: &str = "#1d5a96";
const PALE: &str = "#c9dcee";
const RED: &str = "#bf4010";
const LIGHT: &str = "#faf6ec";
const DARK: &str = "#e6dac3";
const OWN: &str = "#f2d98a";

/// A place in the picture.
type Point = (f64, f64);

/// A ride: the squares that it comes to, and whether it goes on without end.
struct Line {
    points: Vec<Point>,
    goes_on: bool,
    ray: Ray,
}

impl MoveDiagram {
    /// The diagram as SVG: the board with coordinates, and what its marks mean. Colours only repeat what shapes say: circles are
    /// steps and leaps, squares rides, diamonds lame moves and triangles hops; full marks move and capture, hollow ones only move,
    /// crossed ones only capture, and dashed ones are for the first move.
    pub fn to_svg(&self) -> String {
        let (files, ranks) = (self.board.files() as f64, self.board.ranks() as f64);
        let width = (files * SQUARE + 2.0 * MARGIN).max(360.0);
        let left = (width - files * SQUARE) / 2.0;
        let top = if self.title.is_some() { 52.0 } else { 34.0 };
        let legend = self.legend(left.min(MARGIN), top + ranks * SQUARE + 30.0, width);
        let height = legend.1 + 4.0;
        let mut svg = format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="sans-serif" role="img">
<title>{}</title>
<rect width="{width}" height="{height}" fill="#fff"/>
"##,
            self.heading()
        );
        let betza = self.betza.to_string();
        let mut heading = |y: usize, attributes: &str, text: &str| {
            let middle = width / 2.0;
            let _ = writeln!(
                svg,
                r#"<text x="{middle}" y="{y}" text-anchor="middle" {attributes}>{}</text>"#,
                escaped(text)
            );
        };
        heading(
            22,
            r##"font-size="18" font-weight="bold" fill="#222""##,
            self.title.as_ref().unwrap_or(&betza),
        );
        if self.title.is_some() {
            heading(41, r##"font-size="14" fill="#555""##, &betza);
        }
        svg += &format!("<g transform=\"translate({left} {top})\">\n{}", self.board_shapes());
        let mut label = |x: f64, y: f64, text: String| {
            svg += &format!(
                r##"<text x="{x}" y="{y}" font-size="13" text-anchor="middle" fill="#555">{text}</text>"##
            );
            svg.push('\n');
        };
        for file in 0..self.board.files() {
            label((file as f64 + 0.5) * SQUARE, ranks * SQUARE + 16.0, File(file as u8).to_string());
        }
        for rank in 0..self.board.ranks() {
            label(-11.0, (ranks - rank as f64 - 0.5) * SQUARE + 4.5, (rank + 1).to_string());
        }
        svg + "</g>\n" + &legend.0 + "</svg>\n"
    }

    /// The board alone as SVG, to be shown small.
    pub fn to_board_svg(&self) -> String {
        let (width, height) = (self.board.files() as f64 * SQUARE, self.board.ranks() as f64 * SQUARE);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{}</title>\n{}</svg>\n",
            self.heading(),
            self.board_shapes()
        )
    }

    /// What a reader is told who does not see the picture.
    fn heading(&self) -> String {
        let name = self.title.as_ref().map_or(String::new(), |title| format!("{title}: "));
        escaped(&format!("{name}{}", self.betza.in_words()))
    }

    /// The middle of a square.
    fn middle(&self, square: Square) -> Point {
        let (file, rank) = (f64::from(self.board.file_of(square).0), self.board.rank_of(square) as f64);
        ((file + 0.5) * SQUARE, (self.board.ranks() as f64 - rank - 0.5) * SQUARE)
    }

    /// Squares, lines, marks and the piece.
    fn board_shapes(&self) -> String {
        let mut shapes = String::new();
        for square in self.board.all_squares() {
            let (x, y) = self.middle(square);
            let fill = match self.board.colour_of(square) {
                _ if square == self.from => OWN,
                Colour::Dark => DARK,
                Colour::Light => LIGHT,
            };
            let (x, y) = (x - SQUARE / 2.0, y - SQUARE / 2.0);
            let _ = writeln!(
                shapes,
                r#"<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="{fill}"/>"#
            );
        }
        let (width, height) = (self.board.files() as f64 * SQUARE, self.board.ranks() as f64 * SQUARE);
        let _ = writeln!(
            shapes,
            r##"<rect width="{width}" height="{height}" fill="none" stroke="#a3947a" stroke-width="1"/>"##
        );
        shapes += &self.lines().iter().map(Line::shapes).collect::<String>();
        for square in self.in_the_way {
            shapes += &block(self.middle(square));
        }
        for square in self.board.all_squares() {
            let marks = self.marks[square.index()];
            let at = self.middle(square);
            if marks.first != Mark::NONE {
                let radius = if marks.always == Mark::NONE { 1.0 } else { 1.7 };
                shapes += &mark(at, marks.first, true, radius);
            }
            if marks.always != Mark::NONE {
                shapes += &mark(at, marks.always, false, 1.0);
            }
        }
        let (x, y) = self.middle(self.from);
        let piece = match self.piece.as_str() {
            "" => r#"<circle cx="22.5" cy="22.5" r="12"/>"#,
            shapes => shapes,
        };
        let (x, y) = (x - SQUARE / 2.0, y - SQUARE / 2.0);
        let attributes = Drawing::attributes(Side::White);
        let _ = writeln!(shapes, r#"<g transform="translate({x} {y})" {attributes}>{piece}</g>"#);
        shapes
    }

    /// The rides, one in each direction: where a plain one and one over a piece go the same way, the plain one.
    fn lines(&self) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        let mut rays: Vec<Ray> = self.betza.rays().iter().copied().filter(|ray| !is_single(ray)).collect();
        rays.sort_by_key(|ray| {
            let over = matches!(ray.passage, Passage::Hop | Passage::Grasshopper);
            (over, ray.first_move_only, !(ray.moves && ray.captures), std::cmp::Reverse(ray.range))
        });
        let way_out = |ray: Ray| ray.way_out(self.board, self.from);
        for ray in rays.into_iter().filter(|&ray| !way_out(ray).is_empty()) {
            let plain = Ray { passage: Passage::Free, ..ray };
            let squares = match ray.passage {
                Passage::Bent { .. } => [Ray { range: 1, ..plain }, ray].map(way_out).concat(),
                _ => way_out(plain),
            };
            let squares = squares.iter().map(|&(square, _)| square);
            let points: Vec<Point> =
                std::iter::once(self.from).chain(squares).map(|square| self.middle(square)).collect();
            let is_drawn = |line: &Line| line.points.starts_with(&points);
            if !lines.iter().any(is_drawn) {
                lines.push(Line { points, goes_on: ray.range == Ray::ENDLESS, ray });
            }
        }
        lines
    }

    /// What the marks mean, below a height; and the height of the end.
    fn legend(&self, left: f64, top: f64, width: f64) -> (String, f64) {
        let mut shapes = String::new();
        let mut y = top + 12.0;
        // Letters are about half as wide as high.
        let letters = ((width - left - 50.0) / 6.6) as usize;
        let mut row = |sample: &dyn Fn(Point) -> String, text: &str| {
            shapes += &sample((left + 14.0, y));
            for line in wrapped(text, letters) {
                let _ = writeln!(
                    shapes,
                    r##"<text x="{}" y="{}" font-size="13" fill="#222">{}</text>"##,
                    left + 38.0,
                    y + 4.5,
                    escaped(&line)
                );
                y += 18.0;
            }
            y += 6.0;
        };
        let rides = |mark: Mark| mark.moves == Some(Manner::Ride) || mark.captures == Some(Manner::Ride);
        let sample = |at: Point, mark: Mark, is_first: bool| {
            let line = if rides(mark) { Line::sample(at, mark, is_first).shapes() } else { String::new() };
            line + &self::mark(at, mark, is_first, 1.0)
        };
        let all = |of: fn(&SquareMarks) -> Mark| -> BTreeSet<Mark> {
            self.marks.iter().map(of).filter(|&mark| mark != Mark::NONE).collect()
        };
        for mark in all(|marks| marks.always) {
            row(&|at| sample(at, mark, false), &self.meaning(mark, false));
        }
        for mark in all(|marks| marks.first) {
            row(&|at| sample(at, mark, true), &self.meaning(mark, true));
        }
        if !self.in_the_way.is_empty() {
            row(&block, "in the way: nothing may stand here");
        }
        (shapes, y)
    }
}

/// Whether a ray ends after its first step.
fn is_single(ray: &Ray) -> bool {
    ray.range == 1 && !matches!(ray.passage, Passage::Bent { .. })
}

impl Line {
    /// A short one through a mark of the legend.
    fn sample((x, y): Point, mark: Mark, first_move_only: bool) -> Self {
        let (moves, captures) = (mark.moves.is_some(), mark.captures == Some(Manner::Ride));
        let ray = Ray {
            dx: 1,
            dy: 0,
            range: Ray::ENDLESS,
            moves,
            captures,
            first_move_only,
            passage: Passage::Free,
        };
        Self { points: vec![(x - 31.0, y), (x - 2.0, y)], goes_on: true, ray }
    }

    fn shapes(&self) -> String {
        let colour = if self.ray.moves { BLUE } else { RED };
        let over = matches!(self.ray.passage, Passage::Hop | Passage::Grasshopper);
        let dashes = match (over, self.ray.first_move_only) {
            (true, _) => r#" stroke-dasharray="0.1 6""#,
            (_, true) => r#" stroke-dasharray="4 5""#,
            _ => "",
        };
        let unit = |(ax, ay): Point, (bx, by): Point| {
            let length = (bx - ax).hypot(by - ay);
            ((bx - ax) / length, (by - ay) / length)
        };
        let mut points = self.points.clone();
        // It begins beside the piece.
        let (ux, uy) = unit(points[0], points[1]);
        points[0] = (points[0].0 + 19.0 * ux, points[0].1 + 19.0 * uy);
        let last = points.len() - 1;
        let (ux, uy) = unit(self.points[last - 1], self.points[last]);
        let mut head = String::new();
        if self.goes_on {
            let (x, y) = (points[last].0 + 19.0 * ux, points[last].1 + 19.0 * uy);
            points[last] = (x - 6.0 * ux, y - 6.0 * uy);
            let corner = |side: f64| {
                format!("{:.1} {:.1}", x - 8.0 * ux + side * 4.5 * uy, y - 8.0 * uy - side * 4.5 * ux)
            };
            head =
                format!("<path d=\"M{x:.1} {y:.1}L{}L{}z\" fill=\"{colour}\"/>\n", corner(1.0), corner(-1.0));
        }
        let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        format!(
            "<g opacity=\"0.62\"><path d=\"M{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.6\" stroke-linecap=\"round\" stroke-linejoin=\"round\"{dashes}/>\n{head}</g>\n",
            path.join("L")
        )
    }
}

/// The mark of a square.
fn mark(at: Point, mark: Mark, first: bool, scale: f64) -> String {
    let dashes = if first { r#" stroke-dasharray="3 2.2""# } else { "" };
    let any = if first { PALE } else { BLUE };
    let hollow = |manner, scale| {
        shape(at, manner, scale, &format!(r##"fill="#fff" stroke="{BLUE}" stroke-width="2.2"{dashes}"##))
    };
    match (mark.moves, mark.captures) {
        (Some(moves), Some(captures)) if moves == captures => {
            shape(at, moves, scale, &format!(r#"fill="{any}" stroke="{BLUE}" stroke-width="2.2"{dashes}"#))
        }
        (Some(moves), Some(captures)) => {
            hollow(moves, 1.3 * scale)
                + &shape(at, captures, 0.65 * scale, &format!(r#"fill="{RED}" stroke="none""#))
        }
        (Some(moves), None) => hollow(moves, scale),
        (None, Some(captures)) => {
            let (x, y) = at;
            let arm = 2.6 * scale;
            let outline = format!(r##"fill="#fff" stroke="{RED}" stroke-width="2.2"{dashes}"##);
            let low = if captures == Manner::Over { 1.6 * scale } else { 0.0 };
            let (top, bottom) = (y - arm + low, y + arm + low);
            shape(at, captures, scale, &outline)
                + &format!(
                    "<path d=\"M{} {top}L{} {bottom}M{} {top}L{} {bottom}\" stroke=\"{RED}\" stroke-width=\"2\" stroke-linecap=\"round\"/>\n",
                    x - arm,
                    x + arm,
                    x + arm,
                    x - arm
                )
        }
        (None, None) => String::new(),
    }
}

/// The shape of a manner.
fn shape((x, y): Point, manner: Manner, scale: f64, attributes: &str) -> String {
    let at = |dx: f64, dy: f64| format!("{:.1} {:.1}", x + scale * dx, y + scale * dy);
    let path = |points: &[(f64, f64)]| {
        let points: Vec<String> = points.iter().map(|&(dx, dy)| at(dx, dy)).collect();
        format!("<path d=\"M{}z\" stroke-linejoin=\"round\" {attributes}/>\n", points.join("L"))
    };
    match manner {
        Manner::Leap => format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" {attributes}/>\n", 7.5 * scale),
        Manner::Ride => path(&[(-5.5, -5.5), (5.5, -5.5), (5.5, 5.5), (-5.5, 5.5)]),
        Manner::Lame => path(&[(0.0, -9.5), (9.5, 0.0), (0.0, 9.5), (-9.5, 0.0)]),
        Manner::Over => path(&[(0.0, -9.5), (9.0, 6.5), (-9.0, 6.5)]),
    }
}

/// The mark of a square that must be empty.
fn block((x, y): Point) -> String {
    let at = |dx: f64| format!("M{} {}L{} {}", x - 5.0, y - 5.0 * dx, x + 5.0, y + 5.0 * dx);
    format!(
        "<path d=\"{}{}\" stroke=\"#7a6f5c\" stroke-width=\"1.8\" stroke-linecap=\"round\"/>\n",
        at(1.0),
        at(-1.0)
    )
}

/// A text in lines of at most so many letters.
fn wrapped(text: &str, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= letters => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}
