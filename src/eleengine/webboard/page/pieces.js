// Pictures of pieces from outlines: the same data as eleengine.svg, so no font is needed.

import { svg } from "./dom.js";

const EM = 256;
/** @type {Record<string, string>} */
let characters = {};
/** @type {Record<string, [kind: string, d: string][]>} */
let symbols = {};

export async function loadPieces() {
  [characters, symbols] = await Promise.all(
    ["characters.json", "symbols.json"].map(async (name) => (await (await fetch(name)).json()).paths),
  );
}

/** @type {Record<string, string>} */
const SIMPLE = { K: "帅", A: "仕", B: "相", N: "马", R: "车", C: "炮", P: "兵", k: "将", a: "士", b: "象", n: "马", r: "车", c: "炮", p: "卒" };
/** @type {Record<string, string>} */
const TRADITIONAL = { ...SIMPLE, K: "帥", N: "傌", R: "俥", k: "將", n: "馬", r: "車", c: "砲" };

/** @param {string} letters */
export const isWestern = (letters) => letters === "latin" || letters === "symbols";

/** @param {string} char @param {number} size @param {number} x @param {number} y */
export function character(char, size, x = 0, y = 0) {
  return svg("path", { d: characters[char] ?? "", transform: `translate(${x} ${y})scale(${size / EM})` });
}

/** @param {string} symbol @param {string} letters */
function face(symbol, letters) {
  const letter = symbol.toUpperCase();
  if (letters === "symbols") {
    const layers = symbols[letter].map(([kind, d]) => svg("path", { d, class: kind }));
    return [svg("g", { transform: `scale(${40 / EM})` }, layers)];
  }
  if (letters === "latin") return [character(letter, 40)];
  if (letters === "learner") return [character(SIMPLE[symbol], 31, -3, -4), character(letter, 16, 14, 13)];
  return [character((letters === "traditional" ? TRADITIONAL : SIMPLE)[symbol], 34.5)];
}

// A piece round 0 0; colours come from the style sheet.
/** @param {string} symbol @param {string} letters */
export function piece(symbol, letters) {
  const side = symbol === symbol.toUpperCase() ? "red" : "black";
  return svg(
    "g",
    { class: `piece ${side}` },
    svg("circle", { class: "shadow", cx: 1.5, cy: 2.5, r: 27 }),
    svg("circle", { class: "disc", r: 27 }),
    svg("circle", { class: "ring", r: letters === "learner" ? 25 : 23 }),
    face(symbol, letters),
  );
}
