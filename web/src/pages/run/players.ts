// Who plays a game of a run, in few words. Pure.

/** "iter_0012/candidate.safetensors" and "iter_0012 ccdeb712" → "iter_0012". */
function shortName(player: string): string {
  return player.replace(/\/.*$/, '').replace(/ [0-9a-f]{8}$/, '');
}

/** Self-play is a network against itself; two of one name and different weights keep what tells them apart. */
export function playersText([first = '', second = '']: readonly string[]): string {
  const [left, right] = [shortName(first), shortName(second)];
  if (first === second) return `${left} against itself`;
  return left === right ? `${first} – ${second}` : `${left} – ${right}`;
}
