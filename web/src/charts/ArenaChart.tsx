// Arena results as stacked bars: wins from below, draws hatched, losses above; a star over promotions.

import { useMemo } from 'preact/hooks';
import type uPlot from 'uplot';
import { themeColour } from '../app/theme';
import type { IterationRow } from '../live/messages';
import { LineChart, type Series } from './LineChart';

interface Props {
  rows: readonly IterationRow[];
  selected: number | null;
  onPick: (iteration: number) => void;
}

const GATE = 0.5;
export const MOST_BARS = 200;

/** Beyond 200 bars neighbours share one: its games are theirs together, and a star stands for any promotion. */
export function groupArena(rows: readonly IterationRow[]): IterationRow[] {
  const perBar = Math.ceil(rows.length / MOST_BARS);
  if (perBar <= 1) return [...rows];
  const groups = Array.from({ length: Math.ceil(rows.length / perBar) }, (_, index) =>
    rows.slice(index * perBar, (index + 1) * perBar),
  );
  return groups.map((group) => {
    const last = group.at(-1)!;
    const sum = (key: 'wins' | 'draws' | 'losses'): number =>
      group.reduce((total, row) => total + (row.arena?.[key] ?? 0), 0);
    const arena =
      last.arena === null ? null : { ...last.arena, wins: sum('wins'), draws: sum('draws'), losses: sum('losses') };
    return { ...last, arena, wasPromoted: group.some((row) => row.wasPromoted) };
  });
}

export function ArenaChart({ rows, selected, onPick }: Props) {
  const played = useMemo(() => groupArena(rows.filter((row) => row.arena !== null)), [rows]);
  const numPlayed = useMemo(() => rows.filter((row) => row.arena !== null).length, [rows]);
  const perBar = Math.max(1, Math.ceil(numPlayed / MOST_BARS));
  const x = useMemo(() => played.map((row) => row.iteration), [played]);
  const series = useMemo((): Series[] => {
    const share = (key: 'wins' | 'draws' | 'losses') =>
      played.map(({ arena }) =>
        arena === null ? null : arena[key] / Math.max(1, arena.wins + arena.draws + arena.losses),
      );
    return [
      { label: 'Won', values: share('wins'), colour: 1, painted: 'win', isShare: true },
      { label: 'Drawn', values: share('draws'), colour: 4, painted: 'draw', isShare: true },
      { label: 'Lost', values: share('losses'), colour: 2, painted: 'loss', isShare: true },
    ];
  }, [played]);
  const promoted = rows.filter((row) => row.arena !== null && row.wasPromoted).length;
  const label = `Arena results of ${numPlayed} iterations, ${promoted} promoted; the table below has the numbers`;
  return (
    <LineChart
      label={label}
      x={x}
      xLabel={perBar > 1 ? 'Up to iteration' : 'Iteration'}
      series={series}
      height={190}
      syncKey="run"
      margin={0.6 * perBar}
      range={[0, 1.12]}
      onPick={onPick}
      paint={(plot) => paintBars(plot, played, selected, perBar)}
      paintKey={`${selected}`}
    />
  );
}

function paintBars(plot: uPlot, rows: readonly IterationRow[], selected: number | null, perBar: number): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.fillStyle = themeColour('surface');
  ctx.fillRect(bbox.left, bbox.top, bbox.width, bbox.height);
  const width = Math.max(1, Math.abs(plot.valToPos(perBar, 'x', true) - plot.valToPos(0, 'x', true)) * 0.74);
  const fills = {
    win: themeColour('win'),
    draw: hatch(ctx, themeColour('draw'), themeColour('surface')),
    loss: themeColour('loss'),
  };
  const y = (share: number): number => plot.valToPos(share, 'y', true);
  for (const { iteration, arena, wasPromoted } of rows) {
    if (arena === null) continue;
    const middle = plot.valToPos(iteration, 'x', true);
    if (middle < bbox.left - width || middle > bbox.left + bbox.width + width) continue;
    const total = Math.max(1, arena.wins + arena.draws + arena.losses);
    const [won, drawn] = [arena.wins / total, arena.draws / total];
    const left = middle - width / 2;
    const bar = (from: number, to: number, fill: string | CanvasPattern): void => {
      ctx.fillStyle = fill;
      ctx.fillRect(left, y(to), width, Math.max(0, y(from) - y(to)));
    };
    bar(0, won, fills.win);
    bar(won, won + drawn, fills.draw);
    bar(won + drawn, 1, fills.loss);
    if (wasPromoted) star(ctx, middle, y(1.06), Math.min(6, Math.max(2, width / 2)) * devicePixelRatio);
    if (selected !== null && selected <= iteration && selected > iteration - perBar) {
      ctx.strokeStyle = themeColour('ink');
      ctx.lineWidth = 2 * devicePixelRatio;
      ctx.strokeRect(left - 1, y(1), width + 2, y(0) - y(1));
    }
  }
  ctx.strokeStyle = themeColour('ink');
  ctx.setLineDash([4, 4]);
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(bbox.left, y(GATE));
  ctx.lineTo(bbox.left + bbox.width, y(GATE));
  ctx.stroke();
  ctx.restore();
}

function star(ctx: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  ctx.fillStyle = themeColour('gold');
  ctx.beginPath();
  for (let corner = 0; corner < 10; corner += 1) {
    const angle = (corner * Math.PI) / 5 - Math.PI / 2;
    const size = corner % 2 === 0 ? radius : radius * 0.45;
    ctx.lineTo(x + Math.cos(angle) * size, y + Math.sin(angle) * size);
  }
  ctx.fill();
}

function hatch(ctx: CanvasRenderingContext2D, colour: string, ground: string): string | CanvasPattern {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 6;
  const pen = tile.getContext('2d');
  if (pen === null) return colour;
  pen.fillStyle = ground;
  pen.fillRect(0, 0, 6, 6);
  pen.strokeStyle = colour;
  pen.lineWidth = 2.5;
  pen.beginPath();
  for (const start of [-6, 0, 6]) {
    pen.moveTo(start, 6);
    pen.lineTo(start + 6, 0);
  }
  pen.stroke();
  return ctx.createPattern(tile, 'repeat') ?? colour;
}
