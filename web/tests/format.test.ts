import { describe, expect, it } from 'vitest';
import {
  formatAgo,
  formatClock,
  formatCount,
  formatDuration,
  formatPercent,
  formatShort,
  formatSigned,
} from '../src/ui/format';

describe('figures', () => {
  it('are grouped by thousands', () => expect(formatCount(1234567)).toBe('1,234,567'));
  it('that are unknown are a dash', () => {
    expect([formatCount(null), formatPercent(undefined), formatSigned(Number.NaN), formatDuration(null)]).toEqual([
      '–',
      '–',
      '–',
      '–',
    ]);
  });
  it.each([
    [0, '0'],
    [950, '950'],
    [1234, '1.2 k'],
    [12_500, '12.5 k'],
    [99_960, '100 k'],
    [456_000, '456 k'],
    [2_500_000, '2.5 M'],
    [-1500, '-1.5 k'],
  ])('shorten: %d → %s', (value, text) => expect(formatShort(value)).toBe(text));
  it('carry a real minus, and zero carries no sign', () => {
    expect([formatSigned(-0.5), formatSigned(0.25), formatSigned(-0.001)]).toEqual(['−0.50', '+0.25', '0.00']);
  });
});

describe('times', () => {
  it.each([
    [0, '0:00'],
    [75, '1:15'],
    [4000, '1:06:40'],
    [200_000, '2 d 7 h'],
    [-5, '0:00'],
  ])('are written like a watch: %d → %s', (seconds, text) => expect(formatDuration(seconds)).toBe(text));
  it.each([
    [300_000, '5:00'],
    [61_999, '1:01'],
    [9_449, '0:09.4'],
    [-10, '0:00.0'],
  ])('of a chess clock show tenths at the end: %d → %s', (ms, text) => expect(formatClock(ms)).toBe(text));
  it.each([
    [3, 'just now'],
    [42, '42 s ago'],
    [3599, '59 min ago'],
    [7300, '2 h ago'],
    [200_000, '2 d ago'],
  ])('ago: %d → %s', (seconds, text) => expect(formatAgo(seconds)).toBe(text));
});
