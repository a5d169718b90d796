// What the core's means are to people: win, draw and loss. The formulas are those of src/milton/play/score.py.

export type Proof = 'unknown' | 'win' | 'draw' | 'loss';
export type Wdl = [number, number, number];

const PROVEN: { [proof in Proof]: Wdl | null } = { unknown: null, win: [1, 0, 0], draw: [0, 1, 0], loss: [0, 0, 1] };

export function provenWdl(proof: Proof): Wdl | null {
  return PROVEN[proof];
}

/** From the mean value and the mean share of draws, or from what is proven. */
export function wdlOf(value: number, draw: number, proof: Proof): Wdl {
  const proven = provenWdl(proof);
  if (proven !== null) return proven;
  // Rounding in sums must not leave the simplex.
  const draws = Math.min(Math.max(draw, 0), 1 - Math.min(1, Math.abs(value)));
  const wins = Math.min(Math.max((1 - draws + value) / 2, 0), 1);
  return [wins, draws, Math.max(0, 1 - wins - draws)];
}
