// Turns clicks on cells into a move, for games whose moves are written as a chain of cells: `c3` places, `b2c3d4`
// steps and builds. Knows no rules: whatever is allowed next is read off the legal moves.

export interface Choice {
  /** The worker's cell, where it steps to; null while not chosen. */
  from: string | null;
  to: string | null;
}

export type Picked = { kind: 'choice'; choice: Choice } | { kind: 'move'; move: string };

export const NO_CHOICE: Choice = { from: null, to: null };

export function cellsOf(move: string): string[] {
  return move.match(/[a-z]\d/g) ?? [];
}

/** Cells that may be clicked now. Own workers stay clickable, so that another one can be taken instead. */
export function openCells(legalMoves: readonly string[], choice: Choice): Set<string> {
  const chains = legalMoves.map(cellsOf);
  const matching = chains.filter((chain) => fits(chain, choice));
  if (choice.from !== null && choice.to !== null) return cellsAt(matching, 2);
  if (choice.to !== null) return cellsAt(matching, 0);
  if (choice.from !== null) return union(cellsAt(matching, 1), cellsAt(chains, 0));
  return union(cellsAt(chains, 0), cellsAt(chains, 1));
}

/** The cells to light up: where something can happen next, without the ways back. */
export function litCells(legalMoves: readonly string[], choice: Choice): Set<string> {
  const chains = legalMoves.map(cellsOf).filter((chain) => fits(chain, choice));
  if (choice.from !== null && choice.to !== null) return cellsAt(chains, 2);
  if (choice.from !== null) return cellsAt(chains, 1);
  return cellsAt(chains, 0);
}

/** What a click on a cell means; null if nothing. */
export function pick(legalMoves: readonly string[], choice: Choice, cell: string): Picked | null {
  if (choice.from !== null && choice.to !== null) {
    const move = legalMoves.find((legal) => isChain(cellsOf(legal), [choice.from, choice.to, cell]));
    return move === undefined ? null : { kind: 'move', move };
  }
  const chains = legalMoves.map(cellsOf);
  const starts = cellsAt(chains, 0);
  if (choice.to !== null) return starts.has(cell) ? settle(legalMoves, { from: cell, to: choice.to }) : null;
  const steps = choice.from === null ? chains : chains.filter((chain) => chain[0] === choice.from);
  if (cellsAt(steps, 1).has(cell)) return settle(legalMoves, stepTo(steps, choice, cell));
  if (!starts.has(cell)) return null;
  return settle(legalMoves, { from: choice.from === cell ? null : cell, to: null });
}

/** A step that only one worker can make needs no choice of the worker: move and build are two clicks then. */
function stepTo(chains: readonly string[][], choice: Choice, to: string): Choice {
  if (choice.from !== null) return { from: choice.from, to };
  const workers = cellsAt(
    chains.filter((chain) => chain[1] === to),
    0,
  );
  const [only] = workers;
  return { from: workers.size === 1 && only !== undefined ? only : null, to };
}

/** A choice that already is a whole move: a placement, or a step that ends the game. */
function settle(legalMoves: readonly string[], choice: Choice): Picked {
  const chain = [choice.from, choice.to].filter((cell) => cell !== null);
  const move = choice.from === null ? undefined : legalMoves.find((legal) => isChain(cellsOf(legal), chain));
  return move === undefined ? { kind: 'choice', choice } : { kind: 'move', move };
}

function fits(chain: readonly string[], choice: Choice): boolean {
  return (choice.from === null || chain[0] === choice.from) && (choice.to === null || chain[1] === choice.to);
}

function isChain(chain: readonly string[], wanted: readonly (string | null)[]): boolean {
  return chain.length === wanted.length && chain.every((cell, index) => cell === wanted[index]);
}

function cellsAt(chains: readonly (readonly string[])[], index: number): Set<string> {
  return new Set(chains.flatMap((chain) => chain[index] ?? []));
}

function union(left: Set<string>, right: Set<string>): Set<string> {
  return new Set([...left, ...right]);
}
