// Short sounds made here: wood on wood, no files.

/** @type {AudioContext} */
let context;

/** @param {number} frequency @param {number} length @param {number} volume */
function knock(frequency, length, volume, when = 0) {
  const start = context.currentTime + when;
  const tone = context.createOscillator(), gain = context.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(frequency, start);
  tone.frequency.exponentialRampToValueAtTime(frequency / 3, start + length);
  gain.gain.setValueAtTime(volume, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + length);
  tone.connect(gain).connect(context.destination);
  tone.start(start);
  tone.stop(start + length);
}

const SOUNDS = {
  move: () => knock(420, 0.09, 0.5),
  capture: () => (knock(300, 0.12, 0.7), knock(180, 0.16, 0.5, 0.03)),
  check: () => (knock(420, 0.09, 0.5), knock(660, 0.18, 0.35, 0.08)),
  end: () => [523, 392, 330].forEach((tone, n) => knock(tone, 0.35, 0.4, n * 0.16)),
};

/** @param {keyof typeof SOUNDS} name */
export function play(name) {
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  SOUNDS[name]();
}
