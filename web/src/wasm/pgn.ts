// PGN as text: which words are moves and which are not. Knows no rules; the core reads the moves.

export interface PgnText {
  headers: Map<string, string>;
  /** The main line as it was written. */
  moves: string[];
}

const HEADER = /^\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*$/;
const RESULTS = new Set(['1-0', '0-1', '1/2-1/2', '*']);

/** The first game of a PGN text. */
export function readPgn(text: string): PgnText {
  const headers = new Map<string, string>();
  const body: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const header = body.length === 0 ? HEADER.exec(line) : null;
    if (header !== null) {
      headers.set(header[1]!, header[2]!.replace(/\\(.)/g, '$1'));
    } else if (body.length > 0 && HEADER.test(line)) {
      break; // the next game
    } else if (line.trim() !== '' && !line.startsWith('%')) {
      body.push(line);
    }
  }
  return { headers, moves: mainLine(body.join('\n')) };
}

function mainLine(text: string): string[] {
  const plain = text.replace(/\{[^}]*\}?/g, ' ').replace(/;[^\n]*/g, ' ');
  const moves: string[] = [];
  let depth = 0; // of variations
  for (const word of plain.match(/[()]|[^\s()]+/g) ?? []) {
    if (word === '(') depth += 1;
    else if (word === ')') depth = Math.max(0, depth - 1);
    else if (depth > 0 || word.startsWith('$')) continue;
    else if (RESULTS.has(word)) break;
    else {
      const move = word.replace(/^\d+\.*/, '').replace(/^\.+/, '');
      // "1." leaves nothing; "0-0" is castling with zeros, not a number.
      if (/^0-0/.test(word)) moves.push(word);
      else if (move !== '' && !/^[!?]+$/.test(move)) moves.push(move);
    }
  }
  return moves;
}

const LINE_LENGTH = 80;

export interface PgnGame {
  headers: [string, string][];
  /** SAN of each move. */
  notation: string[];
  /** Half-moves before the first one, from the start of the game. */
  firstPly: number;
  result: string;
}

export function writePgn(game: PgnGame): string {
  const headers = game.headers.map(([name, value]) => `[${name} "${value.replace(/[\\"]/g, '\\$&')}"]`);
  const words = game.notation.map((move, index) => {
    const ply = game.firstPly + index;
    const number = Math.floor(ply / 2) + 1;
    if (ply % 2 === 0) return `${number}. ${move}`;
    return index === 0 ? `${number}... ${move}` : move;
  });
  return `${headers.join('\n')}\n\n${wrapped([...words, game.result])}\n`;
}

function wrapped(words: string[]): string {
  const lines: string[] = [];
  let line = '';
  for (const word of words.flatMap((move) => move.split(' '))) {
    if (line !== '' && line.length + 1 + word.length > LINE_LENGTH) {
      lines.push(line);
      line = '';
    }
    line += (line === '' ? '' : ' ') + word;
  }
  return [...lines, line].join('\n');
}
