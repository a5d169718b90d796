// Curves over a number, by uPlot. Lines differ by dashes as well as by colour; dragging zooms in, a button or a double click out.

import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { onThemeChange } from '../app/theme';
import { Button } from '../ui/parts';
import { dataOf, DEFAULT_HEIGHT, optionsFor, showNewest, wasZoomed, type Plan } from './plot';

export { MOST_LINES, styleOf, type Series } from './plot';

interface Props extends Plan {
  /** What the picture shows, in words. */
  label: string;
  onPick?: (x: number) => void;
  paintKey?: unknown;
}

export function LineChart(props: Props) {
  const { label, x, series, height = DEFAULT_HEIGHT } = props;
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const [paints, setPaints] = useState(0);
  const [isZoomed, setZoomed] = useState(false);
  useEffect(() => onThemeChange(() => setPaints((count) => count + 1)), []);

  const shape = `${props.xLabel}${series.map((line) => `${line.label}${line.isShare}${line.band !== undefined}`).join()}`;
  useEffect(() => {
    const host = box.current;
    if (host === null) return;
    const made = new uPlot(optionsFor(latest, host.clientWidth, setZoomed), dataOf(latest.current), host);
    plot.current = made;
    const resizer = new ResizeObserver(() => made.setSize({ width: host.clientWidth, height }));
    resizer.observe(host);
    const pick = (): void => {
      const index = made.cursor.idx;
      const value = index === null || index === undefined ? undefined : latest.current.x[index];
      if (value !== undefined && made.select.width === 0) latest.current.onPick?.(value);
    };
    made.over.addEventListener('click', pick);
    return () => {
      resizer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [shape, paints, height]);

  useEffect(() => {
    const made = plot.current;
    if (made === null) return;
    const staysZoomed = wasZoomed(made);
    made.setData(dataOf(latest.current), !staysZoomed);
    if (made.cursor.idx === null || made.cursor.idx === undefined) showNewest(made);
    if (staysZoomed) made.redraw();
  }, [x, series, props.paintKey]);
  const showAll = (): void => {
    plot.current?.setData(plot.current.data, true);
    setZoomed(false);
  };

  return (
    <div class="chart-frame">
      <div ref={box} class="chart" role="img" aria-label={label} style={{ minHeight: `${height}px` }} />
      {isZoomed && (
        <div class="zoom-reset">
          <Button icon="minus" onClick={showAll}>
            Whole range
          </Button>
        </div>
      )}
    </div>
  );
}
