// A card with the moves of a piece, shown where it is pointed at or focused.

import { byId, el } from "./dom.mjs";

// Milliseconds for which the mouse rests on a piece before its card appears; those who play moves are not disturbed.
const REST = 450;

export class PieceCard {
  constructor(data) {
    this.moves = data.game.moves;
    this.card = byId("piece-card");
    this.shown = null;
    const pieceAt = (event) => event.target.closest?.("[data-piece]");
    document.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") this.#wait(pieceAt(event));
    });
    document.addEventListener("pointerdown", () => this.hide());
    document.addEventListener("focusin", (event) => this.show(pieceAt(event)));
    document.addEventListener("focusout", () => this.hide());
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") this.hide(); });
    // What gets the focus is scrolled into view.
    document.addEventListener("scroll", () => this.#follow(), { capture: true, passive: true });
    // A button that is touched has the focus already when it is touched again.
    document.addEventListener("click", (event) => this.show(event.target.closest?.("button[data-piece]")));
  }

  // Shows the card of a piece when the mouse has rested on it for a while.
  #wait(piece) {
    clearTimeout(this.timer);
    if (!piece) this.hide();
    else if (piece !== this.shown) this.timer = setTimeout(() => this.show(piece), REST);
  }

  show(piece) {
    clearTimeout(this.timer);
    const moves = piece && this.moves[piece.dataset.piece];
    if (!moves || !piece.isConnected) return;
    const { name, betza, words, diagram } = moves;
    const picture = el("div", { "aria-hidden": "true" });
    picture.innerHTML = diagram;
    this.card.replaceChildren(el("p", {}, el("strong", {}, name), " ", el("code", {}, betza)), picture, el("p", {}, words));
    this.card.hidden = false;
    this.shown = piece;
    this.#place(piece.getBoundingClientRect());
  }

  // Stays beside the piece while that is in the page.
  #follow() {
    if (this.shown?.isConnected) this.#place(this.shown.getBoundingClientRect());
    else if (this.shown) this.hide();
  }

  // On the right of the piece or else on its left, and inside the window.
  #place({ left, right, top, bottom }) {
    const { offsetWidth: width, offsetHeight: height } = this.card;
    const [most, lowest] = [document.documentElement.clientWidth - width - 4, window.innerHeight - height - 4];
    const beside = right + 8 <= most ? right + 8 : left - width - 8;
    const x = Math.min(Math.max(beside, 4), Math.max(most, 4));
    // Where neither side has room, it stands below or above the piece.
    const covers = x < right && x + width > left;
    const y = !covers ? (top + bottom - height) / 2 : bottom + 8 <= lowest ? bottom + 8 : top - height - 8;
    this.card.style.transform = `translate(${Math.round(x)}px, ${Math.round(Math.min(Math.max(y, 4), Math.max(lowest, 4)))}px)`;
  }

  hide() {
    clearTimeout(this.timer);
    this.card.hidden = true;
    this.shown = null;
  }
}
