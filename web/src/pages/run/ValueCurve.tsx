// How the search judged a game as it went, seen by the first player. A click goes to that move.

interface Props {
  values: readonly (number | null)[];
  ply: number;
  onShow: (ply: number) => void;
}

const WIDTH = 300;
const HEIGHT = 56;

export function ValueCurve({ values, ply, onShow }: Props) {
  if (values.every((value) => value === null)) return null;
  const x = (index: number): number => (index / Math.max(1, values.length)) * WIDTH;
  const y = (value: number): number => (HEIGHT / 2) * (1 - value);
  const points = values.flatMap((value, index) =>
    value === null ? [] : [`${x(index).toFixed(1)},${y(value).toFixed(1)}`],
  );
  const go = (event: MouseEvent): void => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    onShow(Math.round(((event.clientX - box.left) / box.width) * values.length));
  };
  return (
    <svg
      class="value-curve"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      onClick={go}
      role="img"
      aria-label="How the search judged the game, first player above"
    >
      <line class="zero" x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      <polyline points={points.join(' ')} />
      <line class="now" x1={x(ply)} x2={x(ply)} y1="0" y2={HEIGHT} />
    </svg>
  );
}
