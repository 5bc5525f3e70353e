//! Makes the weights of the evaluation, `selfplay/weights.toml`, from games and another engine's opinion of them.
//!
//!     cargo run --release --example weights -- label fairy-stockfish STUDY… > positions.csv
//!     cargo run --release --example weights -- fit START.toml positions.csv > weights.toml
//!
//! `label` takes positions from the games of studies, half of them changed by moves at random, and writes each with
//! Fairy-Stockfish's static evaluation of it.
//!
//! `fit` changes the weights until the evaluation expects what these scores do: it makes the sum of the squares of
//! `expected(evaluation) - expected(score)` small, where `expected` is the logistic function of the score over 250
//! centipawns, by the method of Levenberg and Marquardt, on nine positions of ten. How well it does on the tenth it says on
//! stderr. The values of pieces are those of the variants' files.

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use backrank_rules::{Position, Rules, Side, Variant, fairy};
use backrank_selfplay::{Evaluator, StudyDirectory, Weights};
use nalgebra::{DMatrix, DVector};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use tempfile::NamedTempFile;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [command, engine, studies @ ..] if command == "label" && !studies.is_empty() => {
            let texts: Result<Vec<String>> =
                studies.par_iter().map(|study| label(engine, Path::new(study))).collect();
            for text in texts? {
                std::io::stdout().write_all(text.as_bytes())?;
            }
            Ok(())
        }
        [command, start, labels] if command == "fit" => fit(&PathBuf::from(start), &PathBuf::from(labels)),
        _ => Err("either `label ENGINE STUDY…` or `fit START.toml POSITIONS.csv`".into()),
    }
}

/// Positions taken from a game.
const POSITIONS_OF_A_GAME: usize = 40;

/// Positions of a study's games with what Fairy-Stockfish says of them: lines of variant, FEN and centipawns for White.
fn label(engine: &str, directory: &Path) -> Result<String> {
    let study = StudyDirectory::read(directory)?;
    let variant = study.variant()?;
    let rules = Rules::new(&variant);
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut evaluation = FairyEvaluation::start(engine, &variant)?;
    let mut text = String::new();
    for record in StudyDirectory::read_games(directory, &study)? {
        let record = record?;
        let mut position = Position::from_fen(&rules, &record.fen)?;
        let moves: Vec<&str> = record.moves.split_ascii_whitespace().collect();
        let chance = POSITIONS_OF_A_GAME as f64 / moves.len().max(1) as f64;
        for played in moves {
            if random.random_bool(chance.min(1.0)) {
                let mut from = position;
                for _ in 0..random.random_range(0..3) {
                    let legal = from.legal_moves();
                    if legal.is_empty() {
                        break;
                    }
                    from.play(legal[random.random_range(0..legal.len())]);
                }
                if from.outcome().is_none()
                    && let Some(score) = evaluation.of(&from)?.filter(|score| score.abs() < 1_500)
                {
                    text.push_str(&format!("{},{},{score}\n", variant.key, from.to_fen()));
                }
            }
            position.play(position.parse_uci(played)?);
        }
    }
    Ok(text)
}

/// Fairy-Stockfish, asked for its static evaluation.
struct FairyEvaluation {
    program: Child,
    answers: BufReader<ChildStdout>,
    _variants: NamedTempFile,
}

impl FairyEvaluation {
    fn start(command: &str, variant: &Variant) -> Result<Self> {
        let mut variants = NamedTempFile::new()?;
        variants.write_all(fairy::section(variant)?.as_bytes())?;
        let mut program = Command::new(command).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = program.stdin.as_mut().ok_or("a pipe was asked for")?;
        writeln!(input, "uci")?;
        writeln!(input, "setoption name VariantPath value {}", variants.path().display())?;
        writeln!(input, "setoption name UCI_Variant value {}", fairy::name(variant))?;
        writeln!(input, "setoption name UCI_Chess960 value true")?;
        let answers = BufReader::new(program.stdout.take().ok_or("a pipe was asked for")?);
        Ok(Self { program, answers, _variants: variants })
    }

    /// In centipawns for White; nothing in check.
    fn of(&mut self, position: &Position<'_>) -> Result<Option<i32>> {
        let fen = position.to_fen();
        let six_fields = fen.rsplit_once(' ').map_or(fen.as_str(), |(six_fields, _)| six_fields);
        let input = self.program.stdin.as_mut().ok_or("a pipe was asked for")?;
        writeln!(input, "position fen {six_fields}\neval")?;
        let mut line = String::new();
        while self.answers.read_line(&mut line)? > 0 {
            if let Some(said) = line.trim().strip_prefix("Total evaluation: ") {
                let pawns = said.split(' ').next().and_then(|pawns| pawns.parse::<f64>().ok());
                return Ok(pawns.map(|pawns| (pawns * 100.0).round() as i32));
            }
            line.clear();
        }
        Err("the engine ended".into())
    }
}

/// Everything that can be changed: each weight's name, its place in a pair, and its value.
#[derive(Clone)]
struct Parameters {
    weights: Vec<(String, usize, f64)>,
}

impl Parameters {
    fn to_toml(&self) -> String {
        let mut text = String::new();
        let mut weights = self.weights.iter().peekable();
        while let Some((name, index, value)) = weights.next() {
            if *index == usize::MAX {
                text.push_str(&format!("{name} = {value:.2}\n"));
            } else {
                let endgame = weights.next().map_or(0.0, |(_, _, value)| *value);
                text.push_str(&format!("{name} = [{value:.2}, {endgame:.2}]\n"));
            }
        }
        text
    }

    fn evaluators(&self, variants: &[(Variant, Rules)]) -> Vec<Evaluator> {
        let text = self.to_toml();
        let read = |rules: &Rules| Weights::parse(&text, rules).expect("weights that were read before");
        variants.iter().map(|(_, rules)| Evaluator::new(rules, &read(rules))).collect()
    }
}

struct ScoredPosition<'r> {
    variant: usize,
    position: Position<'r>,
    score: f64,
}

/// How much a weight is held where it was, in the units of the squared error of one position.
const PULL: f64 = 0.002;

fn expected(centipawns: f64) -> f64 {
    1.0 / (1.0 + (-centipawns / 250.0).exp())
}

fn fit(start: &Path, labels: &Path) -> Result<()> {
    let text = std::fs::read_to_string(labels)?;
    let rows: Vec<(&str, &str, f64)> = text
        .lines()
        .filter_map(|line| {
            let (key, rest) = line.split_once(',')?;
            let (fen, score) = rest.rsplit_once(',')?;
            Some((key, fen, score.parse().ok()?))
        })
        .collect();
    let mut keys: Vec<&str> = rows.iter().map(|row| row.0).collect();
    keys.sort_unstable();
    keys.dedup();
    let variants: Vec<(Variant, Rules)> = keys
        .iter()
        .map(|key| Variant::find(key).map(|variant| (variant.clone(), Rules::new(&variant))))
        .collect::<std::result::Result<_, _>>()?;
    let mut samples = Vec::new();
    for (key, fen, score) in &rows {
        let variant = keys.binary_search(key).expect("every key is listed");
        let position = Position::from_fen(&variants[variant].1, fen)?;
        let score = if position.side_to_move() == Side::White { *score } else { -*score };
        samples.push(ScoredPosition { variant, position, score });
    }
    let (held_out, samples): (Vec<_>, Vec<_>) =
        samples.into_iter().enumerate().partition(|(number, _)| number % 10 == 0);
    let [held_out, samples] =
        [held_out, samples].map(|some| some.into_iter().map(|(_, sample)| sample).collect::<Vec<_>>());

    let start = read_parameters(&std::fs::read_to_string(start)?)?;
    let mut parameters = start.clone();
    let mut damping = 0.01;
    let mut loss = loss_of(&parameters, &variants, &samples);
    eprintln!("{} positions, {} held out", samples.len(), held_out.len());
    eprintln!("error {:.5}, held out {:.5}", loss, loss_of(&parameters, &variants, &held_out));
    for round in 1..=12 {
        let (mut normal, mut gradient) = normal_equations(&parameters, &variants, &samples);
        for (place, ((name, _, value), (.., first))) in
            parameters.weights.iter().zip(&start.weights).enumerate()
        {
            // What the positions say little of stays near where it was.
            let pull = if name == "king_danger" { 0.0 } else { PULL };
            normal[(place, place)] += pull;
            gradient[place] += pull * (first - value);
        }
        let mut better = None;
        for _ in 0..6 {
            let Some(step) = solve(&normal, &gradient, damping) else { break };
            let mut next = parameters.clone();
            next.weights.iter_mut().zip(step.iter()).for_each(|((_, _, value), step)| *value += step);
            let next_loss = loss_of(&next, &variants, &samples);
            if next_loss < loss {
                better = Some((next, next_loss));
                damping *= 0.3;
                break;
            }
            damping *= 5.0;
        }
        let Some((next, next_loss)) = better else { break };
        let little = loss - next_loss < 1e-6;
        (parameters, loss) = (next, next_loss);
        eprintln!(
            "round {round}: error {loss:.5}, held out {:.5}",
            loss_of(&parameters, &variants, &held_out)
        );
        if little {
            break;
        }
    }
    print!("{}", parameters.to_toml());
    Ok(())
}

fn read_parameters(text: &str) -> Result<Parameters> {
    let table: toml::Table = toml::from_str(text)?;
    let number = |value: &toml::Value| value.as_float().or(value.as_integer().map(|value| value as f64));
    let mut weights = Vec::new();
    // In the order of the file, which the text knows and a table need not.
    let names = text.lines().filter_map(|line| line.split_once(" = ").map(|(name, _)| name));
    for name in names.filter(|name| table.contains_key(*name)) {
        match &table[name] {
            toml::Value::Array(pair) => {
                for (index, value) in pair.iter().enumerate() {
                    weights.push((name.to_string(), index, number(value).ok_or("a weight is a number")?));
                }
            }
            value => {
                weights.push((name.to_string(), usize::MAX, number(value).ok_or("a weight is a number")?));
            }
        }
    }
    Ok(Parameters { weights })
}

fn evaluations(
    parameters: &Parameters,
    variants: &[(Variant, Rules)],
    samples: &[ScoredPosition<'_>],
) -> Vec<f64> {
    let evaluators = parameters.evaluators(variants);
    let evaluate =
        |sample: &ScoredPosition<'_>| f64::from(evaluators[sample.variant].evaluate(&sample.position));
    samples.par_iter().map(evaluate).collect()
}

fn loss_of(parameters: &Parameters, variants: &[(Variant, Rules)], samples: &[ScoredPosition<'_>]) -> f64 {
    let squares = evaluations(parameters, variants, samples)
        .into_iter()
        .zip(samples)
        .map(|(evaluation, sample)| (expected(evaluation) - expected(sample.score)).powi(2));
    (squares.sum::<f64>() / samples.len() as f64).sqrt()
}

/// The matrix and the right side of the equations for the next step.
fn normal_equations(
    parameters: &Parameters,
    variants: &[(Variant, Rules)],
    samples: &[ScoredPosition<'_>],
) -> (DMatrix<f64>, DVector<f64>) {
    let now = evaluations(parameters, variants, samples);
    let slopes: Vec<f64> =
        now.iter().map(|&value| expected(value) * (1.0 - expected(value)) / 250.0).collect();
    let residuals: Vec<f64> =
        now.iter().zip(samples).map(|(&value, sample)| expected(sample.score) - expected(value)).collect();
    let columns: Vec<Vec<f32>> = (0..parameters.weights.len())
        .map(|place| {
            let mut changed = parameters.clone();
            let (name, _, value) = &mut changed.weights[place];
            // Evaluations are whole centipawns: a step large enough to show.
            let least = if name == "king_danger" { 0.15 } else { 6.0 };
            let step = (value.abs() * 0.25).max(least);
            *value += step;
            let there = evaluations(&changed, variants, samples);
            let column = there.iter().zip(&now).zip(&slopes);
            column.map(|((there, now), slope)| ((there - now) / step * slope) as f32).collect()
        })
        .collect();
    let product = |one: &[f32], other: &[f32]| -> f64 {
        one.iter().zip(other).map(|(one, other)| f64::from(one * other)).sum()
    };
    let products: Vec<f64> =
        columns.par_iter().flat_map_iter(|one| columns.iter().map(|other| product(one, other))).collect();
    let normal = DMatrix::from_vec(columns.len(), columns.len(), products);
    let right = |column: &Vec<f32>| {
        column.iter().zip(&residuals).map(|(&slope, residual)| f64::from(slope) * residual).sum()
    };
    let gradient = DVector::from_iterator(columns.len(), columns.iter().map(right));
    (normal, gradient)
}

/// The step that damped equations ask for; none where they say nothing.
fn solve(normal: &DMatrix<f64>, gradient: &DVector<f64>, damping: f64) -> Option<DVector<f64>> {
    let mut damped = normal.clone();
    for place in 0..gradient.len() {
        damped[(place, place)] = normal[(place, place)] * (1.0 + damping) + 1e-9;
    }
    damped.cholesky().map(|factors| factors.solve(gradient))
}
