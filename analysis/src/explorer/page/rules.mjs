// The rules of a game, from its description: pieces, boards and how moves change them.
//
// A square is its index from a1 along the ranks. A board is an array with a letter for each square: capitals for White,
// small letters for Black, and an empty text for an empty square.

export const WHITE = 0;
export const BLACK = 1;

// Squares in a straight line, "again and again", have this range.
const ENDLESS = 255;

export class Rules {
  constructor(game) {
    this.game = game;
    this.files = game.files;
    this.ranks = game.ranks;
    this.squares = game.files * game.ranks;
    this.kinds = new Map(game.pieces.map((piece) => [piece.letter, piece]));
    this.king = game.pieces.find((piece) => piece.royal).letter;
    // The differences in files that pawns make: in steps and in captures.
    [this.pawnSteps, this.pawnCaptures] = game.pawn.berolina ? [[-1, 1], [0]] : [[0], [-1, 1]];
    this.steps = new Map();
    for (const piece of game.pieces) this.steps.set(piece.letter, [1, -1].map((forward) => this.#lines(piece.rays, forward)));
  }

  // For each square the lines on which a piece moves from it, each a list of squares in order.
  #lines(rays, forward) {
    return Array.from({ length: this.squares }, (_, from) => rays.flatMap(([dx, dy, range, moves, captures, first, passage]) => {
      const step = [dx * forward, dy * forward];
      const flags = { moves: !!moves, captures: !!captures, first: !!first };
      if (!passage) return [{ squares: this.#along(from, step, range), ...flags }];
      const bend = passage.bend?.map((part) => part * forward);
      return this.#paths(from, step, range, passage.kind, bend).map((path) => ({ ...path, ...flags }));
    }).filter((line) => line.squares.length > 0));
  }

  // The squares at most so many steps away, in order.
  #along(from, [dx, dy], range) {
    const squares = [];
    let [file, rank] = [this.file(from), this.rank(from)];
    for (let step = 0; step < range || range === ENDLESS; step++) {
      file += dx;
      rank += dy;
      if (file < 0 || file >= this.files || rank < 0 || rank >= this.ranks) break;
      squares.push(this.square(file, rank));
    }
    return squares;
  }

  // The squares between a square and the one a leap away: straight first, then diagonally.
  #way(from, [dx, dy]) {
    const way = [];
    let square = from;
    for (;;) {
      const [far, near] = [Math.abs(dx) >= Math.abs(dy), Math.abs(dy) >= Math.abs(dx)];
      const step = [far ? Math.sign(dx) : 0, near ? Math.sign(dy) : 0];
      [dx, dy] = [dx - step[0], dy - step[1]];
      if (dx === 0 && dy === 0) return way;
      [square] = this.#along(square, step, 1);
      way.push(square);
    }
  }

  // Lines of a single square that depend on what stands in between: `through` has from `least` to `most` pieces, one of them on
  // `hurdle` if there is one.
  #paths(from, step, range, kind, bend) {
    const corner = bend ? this.#along(from, step, 1)[0] : undefined;
    if (bend && corner === undefined) return [];
    const squares = this.#along(corner ?? from, bend ?? step, range);
    const before = (index) => squares.slice(0, index);
    return squares.map((to, index) => {
      const last = index ? squares[index - 1] : from;
      switch (kind) {
        case "lame": {
          const ways = before(index).flatMap((square, at) => [...this.#way(at ? squares[at - 1] : from, step), square]);
          return { squares: [to], through: [...ways, ...this.#way(last, step)], least: 0, most: 0 };
        }
        case "jump": return { squares: [to], through: this.#way(from, step), least: 1, most: Infinity };
        case "bent": return { squares: [to], through: [corner, ...before(index)], least: 0, most: 0 };
        default: {
          const hurdle = kind === "grasshopper" ? last : undefined;
          return { squares: index ? [to] : [], through: before(index), least: 1, most: 1, hurdle };
        }
      }
    });
  }

  square(file, rank) { return rank * this.files + file; }
  file(square) { return square % this.files; }
  rank(square) { return Math.floor(square / this.files); }
  name(square) { return this.fileName(square) + (this.rank(square) + 1); }
  fileName(square) { return String.fromCharCode(97 + this.file(square)); }

  // The index of a square by its name, or −1.
  parse(name) {
    const file = name.charCodeAt(0) - 97;
    const rank = Number(name.slice(1)) - 1;
    const known = file >= 0 && file < this.files && rank >= 0 && rank < this.ranks;
    return known ? this.square(file, rank) : -1;
  }

  isLight(square) { return (this.file(square) + this.rank(square)) % 2 === 1; }

  // A rank as the side sees it: White counts from below, Black from above.
  ownRank(side, rank) { return side === WHITE ? rank : this.ranks - 1 - rank; }
  firstRank(side) { return this.ownRank(side, this.game.firstRank); }
  // Where castling with a partner ends, on the king's left or on its right.
  landing(partner, isLeft) {
    const { left, right, with: others } = this.game.castling;
    return (others[partner] ?? [left, right])[isLeft ? 0 : 1];
  }

  lastRank(side) { return this.ownRank(side, this.ranks - 1); }
}

export const sideOf = (letter) => (letter >= "a" ? BLACK : WHITE);
const cased = (letter, side) => (side === WHITE ? letter : letter.toLowerCase());

// A state of play. It is changed by play() and nothing else; copy() makes another one.
export class Position {
  constructor(rules) {
    this.rules = rules;
    this.board = new Array(rules.squares).fill("");
    this.side = WHITE;
    // Partners that a king may castle with, and pieces that have other moves because they have not moved: squares.
    this.castling = new Set();
    this.unmoved = new Set();
    this.enPassant = -1;
    // How many more checks win for White and for Black, in games that are won by checks.
    this.checksLeft = rules.game.checks ? [rules.game.checks, rules.game.checks] : [];
    // The pawn that has passed that square.
    this.passing = -1;
    this.halfmoves = 0;
    this.fullmoves = 1;
  }

  // The start of a game from first ranks, of which each has a letter or a dot for each file.
  static ofSetup(rules, white, black, advanced = ["", ""]) {
    const position = new Position(rules);
    rules.game.fixed.forEach(([square, side, letter]) => {
      const isAdvanced = letter === "P" && advanced[side].includes(String.fromCharCode(97 + rules.file(square)));
      const forwards = side === WHITE ? rules.files : -rules.files;
      position.board[isAdvanced ? square + forwards : square] = cased(letter, side);
    });
    [white, black].forEach((letters, side) => {
      [...letters].forEach((letter, file) => {
        if (letter !== ".") position.board[rules.square(file, rules.firstRank(side))] = cased(letter, side);
      });
    });
    if (rules.game.position) position.#readFields(rules.game.position);
    else [WHITE, BLACK].forEach((side) => position.#startRights(side));
    return position;
  }

  // What a FEN says besides where the pieces stand, which is known.
  #readFields(fen) {
    const { rules } = this;
    const fields = fen.split(" ").slice(1).filter((field) => !field.includes("+"));
    const [side, castling, enPassant, halfmoves, fullmoves, unmoved] = fields;
    this.side = side === "b" ? BLACK : WHITE;
    this.#readEnPassant(enPassant);
    [this.halfmoves, this.fullmoves] = [Number(halfmoves), Number(fullmoves)];
    const onFirstRank = (letter) => {
      const side = sideOf(letter);
      return [side, rules.square(letter.toLowerCase().charCodeAt(0) - 97, rules.firstRank(side))];
    };
    for (const letter of castling.replace("-", "")) {
      const [side, square] = onFirstRank(letter);
      const king = this.kingSquare(side);
      const [left, right] = this.#outermost(side, king);
      const named = { q: left, k: right }[letter.toLowerCase()];
      this.castling.add(rules.game.castling.kqkq && named !== undefined ? named : square);
    }
    for (const letter of (unmoved ?? "-").replace("-", "")) this.unmoved.add(onFirstRank(letter)[1]);
  }

  // The outermost partners on a side's first rank to the left and to the right of a king.
  #outermost(side, king) {
    const start = this.rules.square(0, this.rules.firstRank(side));
    const { partners } = this.rules.game.castling;
    const on = Array.from({ length: this.rules.files }, (_, file) => start + file)
      .filter((square) => this.board[square] && this.isOwn(square, side) && partners.includes(this.kind(square)));
    return [on.filter((square) => square < king)[0], on.filter((square) => square > king).at(-1)];
  }

  #startRights(side) {
    const { game, files } = this.rules;
    const start = this.rules.square(0, this.rules.firstRank(side));
    const on = (letter) => Array.from({ length: files }, (_, file) => start + file)
      .filter((square) => this.board[square] === cased(letter, side));
    const [king] = on(this.rules.king);
    if (game.castling && king !== undefined) {
      const home = game.castling.home?.[side];
      const atHome = (partner) => !home || (king === start + home.king && home.partners.includes(partner - start));
      this.#outermost(side, king).filter((partner) => partner !== undefined && atHome(partner))
        .forEach((partner) => this.castling.add(partner));
    }
    for (let square = start; square < start + files; square++) if (this.board[square]) this.unmoved.add(square);
    const adjusters = game.adjustment ? on(game.adjustment.piece) : [];
    const oneColour = adjusters.length > 1 && adjusters.every((square) => (square - adjusters[0]) % 2 === 0);
    if (!oneColour) adjusters.forEach((square) => this.unmoved.delete(square));
    this.#keepUseful(side);
  }

  copy() {
    const copy = Object.assign(new Position(this.rules), this);
    copy.board = this.board.slice();
    copy.castling = new Set(this.castling);
    copy.unmoved = new Set(this.unmoved);
    return copy;
  }

  isOwn(square, side = this.side) {
    return this.board[square] !== "" && sideOf(this.board[square]) === side;
  }

  kind(square) { return this.board[square].toUpperCase(); }

  kingSquare(side = this.side) { return this.board.indexOf(cased(this.rules.king, side)); }

  #adjusts(square) { return this.rules.game.adjustment?.piece === this.kind(square); }

  // Removes a side's pieces that no longer have special first moves from the unmoved ones: bishops without a neighbour
  // to swap with, and neighbours without a bishop.
  #keepUseful(side) {
    const { game } = this.rules;
    const own = [...this.unmoved].filter((square) => this.isOwn(square, side));
    const partner = (square) => this.unmoved.has(square) && this.isOwn(square, side)
      && game.adjustment?.partners.includes(this.kind(square));
    const beside = (square) => [square - 1, square + 1]
      .filter((other) => other >= 0 && this.rules.rank(other) === this.rules.rank(square));
    const useful = own.filter((square) => {
      if (this.rules.kinds.get(this.kind(square)).rays.some((ray) => ray[5])) return true;
      if (this.#adjusts(square)) return beside(square).some(partner);
      return partner(square)
        && beside(square).some((other) => this.unmoved.has(other) && this.isOwn(other, side) && this.#adjusts(other));
    });
    own.forEach((square) => this.unmoved.delete(square));
    useful.forEach((square) => this.unmoved.add(square));
  }

  // The square that a pawn has passed; a Berolina pawn's own square is named, too, and either may be the first.
  #readEnPassant(field) {
    const { rules } = this;
    const squares = (field.match(/[a-p]\d+/g) ?? []).map((name) => rules.parse(name));
    if (squares.length === 0) return;
    const ahead = this.side === WHITE ? -1 : 1;
    if (squares.length === 1) squares.push(squares[0] + ahead * rules.files);
    if (rules.rank(squares[1]) !== rules.rank(squares[0]) + ahead) squares.reverse();
    [this.enPassant, this.passing] = squares;
  }

  // A move: its squares and, if these do not determine it, its kind.
  move(from, to, promotion = "") {
    const { rules } = this;
    const { game } = rules;
    const piece = this.kind(from);
    let kind = "normal";
    if (promotion) kind = "promotion";
    else if (this.isOwn(to) && piece === rules.king && this.castling.has(to)) kind = "castling";
    else if (this.isOwn(to) && piece === game.adjustment?.piece) kind = "adjustment";
    else if (piece === "P" && to === this.enPassant && (rules.file(from) === rules.file(to)) === game.pawn.berolina) kind = "enPassant";
    return { from, to, promotion, kind };
  }

  // A move from its text in UCI, trusting that it is legal.
  moveOfUci(text) {
    const [, from, to, promotion] = /^([a-p]\d+)([a-p]\d+)([a-z]?)$/.exec(text);
    return this.move(this.rules.parse(from), this.rules.parse(to), promotion.toUpperCase());
  }

  isCapture(move) {
    return move.kind === "enPassant" || (this.board[move.to] !== "" && !this.isOwn(move.to));
  }

  // Where king and partner land.
  landing(move) {
    const { rules } = this;
    const isLeft = move.to < move.from;
    const { king, partner, kingSteps } = rules.landing(this.kind(move.to), isLeft);
    if (kingSteps === undefined) {
      const start = rules.square(0, rules.firstRank(this.side));
      return [start + king, start + partner];
    }
    // The king goes so far towards its partner, which lands beside it. Where the board ends before, they change places.
    const towards = isLeft ? -1 : 1;
    const file = rules.file(move.from) + towards * kingSteps;
    if (file < 0 || file >= rules.files) return [move.to, move.from];
    const lands = move.from + towards * kingSteps;
    return [lands, lands - towards];
  }

  play(move) {
    const { rules, side, board } = this;
    const { from, to } = move;
    const piece = board[from];
    const taken = this.passing;
    const isPawn = this.kind(from) === "P";
    this.halfmoves = isPawn || this.isCapture(move) ? 0 : this.halfmoves + 1;
    this.enPassant = -1;
    const touched = [from, to];
    if (move.kind === "castling") {
      const [kingLands, partnerLands] = this.landing(move);
      const partner = board[to];
      board[from] = board[to] = "";
      board[kingLands] = piece;
      board[partnerLands] = partner;
      this.#loseCastling(side);
    } else if (move.kind === "adjustment") {
      if (to === this.kingSquare()) this.#loseCastling(side);
      const own = [...this.unmoved].filter((square) => this.isOwn(square));
      touched.push(...own.filter((square) => this.#adjusts(square)));
      board[from] = board[to];
      board[to] = piece;
    } else {
      if (move.kind === "enPassant") board[taken] = "";
      if (from === this.kingSquare()) this.#loseCastling(side);
      board[from] = "";
      board[to] = move.promotion ? cased(move.promotion, side) : piece;
      const passed = (from + to) / 2;
      if (isPawn && !move.promotion && Math.abs(rules.rank(to) - rules.rank(from)) === 2 && rules.game.pawn.enPassant && this.#canTakeEnPassant(1 - side, passed, to)) {
        [this.enPassant, this.passing] = [passed, to];
      }
    }
    touched.forEach((square) => this.castling.delete(square));
    if (touched.filter((square) => this.unmoved.delete(square)).length) [WHITE, BLACK].forEach((one) => this.#keepUseful(one));
    this.side = 1 - side;
    if (this.checksLeft.length && this.isCheck()) this.checksLeft = this.checksLeft.map((left, of) => left - (of === side ? 1 : 0));
    if (side === BLACK) this.fullmoves += 1;
  }

  #loseCastling(side) {
    [...this.castling].filter((square) => this.isOwn(square, side)).forEach((square) => this.castling.delete(square));
  }

  // Squares from which a side's pawn attacks a square.
  #pawnsBehind(side, square) {
    const back = side === WHITE ? -1 : 1;
    const rank = this.rules.rank(square) + back;
    if (rank < 0 || rank >= this.rules.ranks) return [];
    return this.rules.pawnCaptures.map((dx) => this.rules.file(square) + dx)
      .filter((file) => file >= 0 && file < this.rules.files)
      .map((file) => this.rules.square(file, rank));
  }

  #pawnReady(side, square) {
    return this.#pawnsBehind(side, square).some((from) => this.board[from] === cased("P", side));
  }

  // Whether a pawn of a side can legally capture on a square that an enemy pawn, now on another, has just passed.
  #canTakeEnPassant(side, passed, taken) {
    return this.#pawnsBehind(side, passed).some((from) => {
      if (this.board[from] !== cased("P", side)) return false;
      const after = this.copy();
      after.board[passed] = after.board[from];
      after.board[from] = after.board[taken] = "";
      return !after.isCheck(side);
    });
  }

  // Whether a side's pieces attack a square.
  isAttacked(square, by) {
    if (this.#pawnReady(by, square)) return true;
    for (let from = 0; from < this.rules.squares; from++) {
      if (!this.isOwn(from, by) || this.kind(from) === "P") continue;
      for (const line of this.rules.steps.get(this.kind(from))[by][from]) {
        if (!line.captures || (line.first && !this.unmoved.has(from)) || !this.#isOpen(line)) continue;
        for (const to of line.squares) {
          if (to === square) return true;
          if (this.board[to]) break;
        }
      }
    }
    return false;
  }

  // Whether what stands in between allows a move along a line.
  #isOpen({ through, least, most, hurdle }) {
    if (!through || (hurdle !== undefined && !this.board[hurdle])) return !through;
    const men = through.filter((square) => this.board[square]).length;
    return least <= men && men <= most;
  }

  isCheck(side = this.side) { return this.isAttacked(this.kingSquare(side), 1 - side); }

  // Every legal move.
  legalMoves() {
    const moves = [];
    const tryMove = (move) => {
      const after = this.copy();
      after.play(move);
      if (!after.isAttacked(after.kingSquare(this.side), 1 - this.side)) moves.push(move);
    };
    for (let from = 0; from < this.rules.squares; from++) {
      if (!this.isOwn(from)) continue;
      if (this.kind(from) === "P") this.#pawnMoves(from).forEach(tryMove);
      else this.#pieceMoves(from).forEach(tryMove);
    }
    if ((this.castling.size || this.unmoved.size) && !this.isCheck()) {
      const king = this.kingSquare();
      const own = (squares) => [...squares].filter((square) => this.isOwn(square)).sort((a, b) => a - b);
      own(this.castling).map((to) => this.move(king, to)).filter((move) => this.#mayCastle(move)).forEach(tryMove);
      for (const from of own(this.unmoved).filter((square) => this.#adjusts(square))) {
        for (const to of [from - 1, from + 1]) {
          const isPartner = this.unmoved.has(to) && this.isOwn(to) && this.rules.game.adjustment.partners.includes(this.kind(to));
          if (isPartner) tryMove({ from, to, promotion: "", kind: "adjustment" });
        }
      }
    }
    return moves;
  }

  #pieceMoves(from) {
    const moves = [];
    const seen = new Set();
    for (const line of this.rules.steps.get(this.kind(from))[this.side][from]) {
      if ((line.first && !this.unmoved.has(from)) || !this.#isOpen(line)) continue;
      for (const to of line.squares) {
        const enemy = this.board[to] !== "";
        if (this.isOwn(to)) break;
        if ((enemy ? line.captures : line.moves) && !seen.has(to)) {
          seen.add(to);
          moves.push({ from, to, promotion: "", kind: "normal" });
        }
        if (enemy) break;
      }
    }
    return moves;
  }

  #pawnMoves(from) {
    const { rules, side } = this;
    const forward = side === WHITE ? rules.files : -rules.files;
    const targets = [];
    const onBoard = (file) => file >= 0 && file < rules.files;
    const starts = rules.game.pawn.doubleStepRanks[side].includes(rules.ownRank(side, rules.rank(from)));
    for (const dx of rules.pawnSteps) {
      const step = forward + dx;
      if (!onBoard(rules.file(from) + dx) || this.board[from + step] !== "") continue;
      targets.push(from + step);
      if (starts && onBoard(rules.file(from) + 2 * dx) && this.board[from + 2 * step] === "") targets.push(from + 2 * step);
    }
    for (const dx of rules.pawnCaptures) {
      const to = from + forward + dx;
      if (!onBoard(rules.file(from) + dx)) continue;
      if (to === this.enPassant || (this.board[to] && !this.isOwn(to))) targets.push(to);
    }
    const [promotionRanks, forcedRanks] = rules.game.pawn.promotionRanks;
    return targets.flatMap((to) => {
      const left = Math.abs(rules.lastRank(side) - rules.rank(to));
      const promotions = left < promotionRanks && this.move(from, to).kind !== "enPassant" ? this.#promotesTo().map((letter) => this.move(from, to, letter)) : [];
      return left < forcedRanks ? promotions : [this.move(from, to), ...promotions];
    });
  }

  // What a pawn of the side to move can become now.
  #promotesTo() {
    const { promotesTo, promotesToCaptured } = this.rules.game.pawn;
    const left = (letter) => this.board.filter((piece) => piece === cased(letter, this.side)).length;
    const started = (letter) => [...this.rules.game.startLetters[this.side]].filter((piece) => piece === letter).length;
    return [...promotesTo[this.side]].filter((letter) => !promotesToCaptured || left(letter) < started(letter));
  }

  // Whether nothing stands between king, partner and where they land, and the king passes no attacked square.
  #mayCastle(move) {
    const [kingLands, partnerLands] = this.landing(move);
    const between = (one, other) => Array.from({ length: Math.abs(one - other) + 1 }, (_, step) => Math.min(one, other) + step);
    const way = between(move.from, kingLands);
    const free = [...way, ...between(move.to, partnerLands)]
      .every((square) => square === move.from || square === move.to || this.board[square] === "");
    return free && way.every((square) => !this.isAttacked(square, 1 - this.side));
  }

  // The text of the position: FEN, with a seventh field where unmoved pieces have moves of their own.
  fen() {
    const { rules } = this;
    const rows = [];
    for (let rank = rules.ranks - 1; rank >= 0; rank--) {
      const row = this.board.slice(rank * rules.files, (rank + 1) * rules.files);
      rows.push(row.map((letter) => letter || ".").join("").replace(/\.+/g, (run) => run.length));
    }
    const letters = (squares, side) => [...squares].filter((square) => this.isOwn(square, side))
      .sort((a, b) => a - b).map((square) => cased(rules.fileName(square).toUpperCase(), side)).join("");
    const files = (squares) => letters(squares, WHITE) + letters(squares, BLACK) || "-";
    const castling = rules.game.castling?.kqkq ? this.#kqkq() : files(this.castling);
    const passed = rules.game.pawn.berolina ? [this.enPassant, this.passing].sort((a, b) => a - b) : [this.enPassant];
    const enPassant = this.enPassant < 0 ? "-" : passed.map((square) => rules.name(square)).join("");
    const checks = this.checksLeft.length ? [this.checksLeft.join("+")] : [];
    const fields = [rows.join("/"), "wb"[this.side], castling, enPassant, ...checks, this.halfmoves, this.fullmoves];
    if (rules.game.unmovedField) fields.push(files(this.unmoved));
    return fields.join(" ");
  }

  // Castling rights as KQkq; a partner that is not the outermost on its side is written as its file.
  #kqkq() {
    const { rules } = this;
    const text = [WHITE, BLACK].map((side) => {
      const king = this.kingSquare(side);
      const start = rules.square(0, rules.firstRank(side));
      const right = (from, to) => {
        const has = [...this.castling].filter((square) => this.isOwn(square, side) && square >= from && square < to);
        const all = Array.from({ length: to - from }, (_, at) => from + at).filter((square) => this.isOwn(square, side) && rules.game.castling.partners.includes(this.kind(square)));
        return has.map((square) => {
          const outermost = square < king ? all[0] : all[all.length - 1];
          return cased(square === outermost ? (square < king ? "Q" : "K") : rules.fileName(square).toUpperCase(), side);
        }).join("");
      };
      return right(king + 1, start + rules.files) + right(start, king);
    }).join("");
    return text || "-";
  }
}
