// Elements, and helpers for all parts of the page.

export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svgEl(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

export const byId = (id) => document.getElementById(id);

export const thousands = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");

export const plural = (number, one, many = `${one}s`) => `${thousands(number)} ${number === 1 ? one : many}`;

// Announces a message to screen readers, and shows it for a moment.
export function announce(text) {
  const toast = byId("toast");
  toast.textContent = text;
  toast.classList.add("shown");
  clearTimeout(announce.timer);
  announce.timer = setTimeout(() => toast.classList.remove("shown"), 2500);
}

export async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Some browsers do not let pages from disk use the clipboard, but an older API works there.
    const area = el("textarea", { class: "offscreen" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  announce(`${what} copied`);
}

export function saveFile(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = el("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
  announce(`${name} saved`);
}

// A list of choices: each is a value and its text.
export function select(label, choices, value, onchange) {
  const options = choices.map(([choice, text]) => el("option", { value: choice, selected: choice === value }, text));
  return el("select", { "aria-label": label, onchange: (event) => onchange(event.target.value) }, options);
}

// A colour of the page's style.
export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
