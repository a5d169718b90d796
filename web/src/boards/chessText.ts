// Reads the picture out of a FEN: what stands where. Not whether it may.

const NAMES: { readonly [letter: string]: string } = {
  p: 'pawn',
  n: 'knight',
  b: 'bishop',
  r: 'rook',
  q: 'queen',
  k: 'king',
};

/** "e4" → "white pawn", for every square that is not empty. */
export function piecesOf(fen: string): Map<string, string> {
  const pieces = new Map<string, string>();
  const rows = (fen.split(' ')[0] ?? '').split('/');
  rows.forEach((row, fromTop) => {
    let column = 0;
    for (const letter of row) {
      const name = NAMES[letter.toLowerCase()];
      if (name === undefined) {
        column += Number(letter) || 0;
      } else {
        const colour = letter === letter.toLowerCase() ? 'black' : 'white';
        pieces.set(`${'abcdefgh'.charAt(column)}${8 - fromTop}`, `${colour} ${name}`);
        column += 1;
      }
    }
  });
  return pieces;
}

/** From each square the squares that legal moves lead to. */
export function destinations(legalMoves: readonly string[]): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const move of legalMoves) {
    const [from, to] = [move.slice(0, 2), move.slice(2, 4)];
    const known = all.get(from);
    if (known === undefined) all.set(from, [to]);
    else if (!known.includes(to)) known.push(to);
  }
  return all;
}

export function movesBetween(legalMoves: readonly string[], from: string, to: string): string[] {
  return legalMoves.filter((move) => move.startsWith(from + to));
}

export const PROMOTIONS: readonly { letter: string; name: string }[] = [
  { letter: 'q', name: 'queen' },
  { letter: 'n', name: 'knight' },
  { letter: 'r', name: 'rook' },
  { letter: 'b', name: 'bishop' },
];
