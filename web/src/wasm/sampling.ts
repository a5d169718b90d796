// How a level chooses among the moves that its short search found. The formula is that of src/milton/play/sampling.py,
// with its numbers; web/wasm/agreement.test.ts compares the two.

import type { Candidate } from '../engine/types';
import type { Sampling, SamplingNumbers } from './playdata';

type Known = Pick<Candidate, 'visits' | 'prior' | 'value' | 'mateIn'>;

const WORD = (1n << 64n) - 1n;

/** 64 random bits. */
export function drawSeed(): bigint {
  return crypto.getRandomValues(new BigUint64Array(1))[0]!;
}

/** The index of the move that a level plays; there is at least one. Equal seeds choose alike. */
export function sampleIndex(
  moves: readonly Known[],
  { temperature, plausibleShare }: Sampling,
  seed: bigint,
  numbers: SamplingNumbers,
): number {
  const logits = improvedLogits(moves, numbers);
  const best = Math.max(...logits);
  if (temperature <= 0) return logits.indexOf(best);
  const weights = logits.map((logit) =>
    Math.exp(logit - best) >= plausibleShare ? Math.exp((logit - best) / temperature) : 0,
  );
  let mark = uniform(seed) * weights.reduce((sum, weight) => sum + weight, 0);
  const chosen = weights.findIndex((weight) => {
    mark -= weight;
    return mark < 0;
  });
  return chosen < 0 ? logits.indexOf(best) : chosen;
}

/** A move without visits is taken for no better than the worst that has some. */
function improvedLogits(moves: readonly Known[], numbers: SamplingNumbers): number[] {
  const seen = moves.filter(isKnown).map(({ value }) => value);
  const unseen = seen.length === 0 ? 0 : Math.min(...seen);
  const scale = numbers.valueScale * (numbers.visitOffset + Math.max(...moves.map(({ visits }) => visits)));
  return moves.map((move) => {
    const value = isKnown(move) ? move.value : unseen;
    return Math.log(Math.max(move.prior, numbers.smallestPrior)) + scale * value;
  });
}

function isKnown({ visits, mateIn = null }: Known): boolean {
  return visits > 0 || mateIn !== null;
}

/** In [0, 1): one step of SplitMix64, as in Python. */
export function uniform(seed: bigint): number {
  let z = (seed + 0x9e3779b97f4a7c15n) & WORD;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & WORD;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & WORD;
  return Number((z ^ (z >> 31n)) >> 11n) / 2 ** 53;
}
