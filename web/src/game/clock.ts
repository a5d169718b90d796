// Two clocks of a game, as plain values: what is left, who is on move since when. Time is handed in, never read.

import type { ClockTimes, Side } from '../engine/types';

export interface Clock {
  leftMs: [number, number];
  incrementMs: number;
  /** Whose clock runs, and since when; null while both stand. */
  running: { side: Side; sinceMs: number } | null;
}

export function newClock(initialMs: number, incrementMs: number): Clock {
  return { leftMs: [initialMs, initialMs], incrementMs, running: null };
}

export function leftOf(clock: Clock, side: Side, nowMs: number): number {
  const spent = clock.running?.side === side ? nowMs - clock.running.sinceMs : 0;
  return Math.max(0, clock.leftMs[side] - Math.max(0, spent));
}

/** Lets a side's clock run; whatever ran before is settled first. */
export function run(clock: Clock, side: Side, nowMs: number): Clock {
  if (clock.running?.side === side) return clock;
  return { ...settle(clock, nowMs), running: { side, sinceMs: nowMs } };
}

export function pause(clock: Clock, nowMs: number): Clock {
  return clock.running === null ? clock : settle(clock, nowMs);
}

/** The running side has moved: it gets its increment, and its clock stands. */
export function press(clock: Clock, side: Side, nowMs: number): Clock {
  const settled = settle(clock, nowMs);
  const leftMs: [number, number] = [...settled.leftMs];
  leftMs[side] += settled.incrementMs;
  return { ...settled, leftMs };
}

export function hasFlagged(clock: Clock, nowMs: number): Side | null {
  if (clock.running === null) return null;
  return leftOf(clock, clock.running.side, nowMs) <= 0 ? clock.running.side : null;
}

export function asLimits(clock: Clock, nowMs: number): ClockTimes {
  return {
    whiteMs: Math.max(1, Math.round(leftOf(clock, 0, nowMs))),
    blackMs: Math.max(1, Math.round(leftOf(clock, 1, nowMs))),
    whiteIncMs: clock.incrementMs,
    blackIncMs: clock.incrementMs,
  };
}

function settle(clock: Clock, nowMs: number): Clock {
  return { ...clock, leftMs: [leftOf(clock, 0, nowMs), leftOf(clock, 1, nowMs)], running: null };
}
