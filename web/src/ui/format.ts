// Figures as people read them. Pure functions; one home for every way a number is written on a page.

const NOTHING = '–';

export function formatCount(value: number | null | undefined): string {
  return value === null || value === undefined || !Number.isFinite(value)
    ? NOTHING
    : Math.round(value).toLocaleString('en-GB');
}

/** "1 node", "2,000 nodes". */
export function countText(value: number, noun: string): string {
  return `${formatCount(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** 1,234 → "1.2 k", 12,500 → "12.5 k", 234,000 → "234 k"; for narrow places. */
export function formatShort(value: number): string {
  const size = Math.abs(value);
  if (size < 1_000) return `${Math.round(value * 10) / 10}`;
  for (const [limit, unit] of [
    [1e6, 'k'],
    [1e9, 'M'],
    [1e12, 'G'],
  ] as const) {
    const scaled = (value * 1_000) / limit;
    if (size < limit) return `${Math.abs(scaled) < 99.95 ? scaled.toFixed(1) : Math.round(scaled)} ${unit}`;
  }
  return value.toExponential(1);
}

const MOST_DIGITS = 6;

/** Of one axis, all in one unit and with as many decimals as tell them apart: 10,000 and 12,500 → "10.0 k", "12.5 k". */
export function tickLabels(ticks: readonly number[], isShare = false): string[] {
  const largest = Math.max(0, ...ticks.map(Math.abs));
  const [size, unit] = isShare ? [0.01, ' %'] : unitOf(largest);
  const scaled = ticks.map((tick) => tick / size);
  const tolerance =
    1e-3 * Math.min(...scaled.slice(1).map((tick, index) => tick - (scaled[index] ?? 0)), largest / size);
  const isExact = (digits: number): boolean =>
    scaled.every((tick) => Math.abs(Number(tick.toFixed(digits)) - tick) <= tolerance);
  const digits = Array.from({ length: MOST_DIGITS }, (_, count) => count).find(isExact) ?? MOST_DIGITS;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return scaled.map((tick) => `${(tick === 0 ? 0 : tick).toLocaleString('en-GB', options).replace('-', '−')}${unit}`);
}

function unitOf(largest: number): [number, string] {
  if (largest < 10_000) return [1, ''];
  if (largest < 1e6) return [1e3, ' k'];
  return largest < 1e9 ? [1e6, ' M'] : [1e9, ' G'];
}

export function formatPercent(share: number | null | undefined, digits = 0): string {
  return share === null || share === undefined || !Number.isFinite(share)
    ? NOTHING
    : `${(share * 100).toFixed(digits)} %`;
}

/** A value in −1…1 with its sign; the minus is a real one. */
export function formatSigned(value: number | null | undefined, digits = 2): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NOTHING;
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return text;
  return (value < 0 ? '−' : '+') + text;
}

export function formatFixed(value: number | null | undefined, digits = 3): string {
  return value === null || value === undefined || !Number.isFinite(value)
    ? NOTHING
    : value.toFixed(digits).replace('-', '−');
}

/** 75 → "1:15", 4000 → "1:06:40", 200000 → "2 d 7 h". */
export function formatDuration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return NOTHING;
  const whole = Math.max(0, Math.round(seconds));
  const hours = Math.floor(whole / 3600);
  if (hours >= 48) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  const minutes = Math.floor((whole % 3600) / 60);
  const rest = two(whole % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** A chess clock: "5:00", under ten seconds "9.4". */
export function formatClock(ms: number): string {
  const left = Math.max(0, ms);
  if (left < 10_000) return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
  return formatDuration(Math.floor(left / 1000));
}

/** How long ago, in the words of a conversation. */
export function formatAgo(seconds: number): string {
  if (seconds < 10) return 'just now';
  if (seconds < 60) return `${Math.floor(seconds)} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86_400)} d ago`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
