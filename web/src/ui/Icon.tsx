// Line icons of one family, drawn here so that nothing is fetched. Decorative: names stand beside them.

const PATHS = {
  run: 'M3 17l5-6 4 3 8-9M15 5h5v5',
  chess:
    'M9 20h7M8 17h9c.3-4-1.200-6-3-7.500 2 .2 3.500.8 4.500 1.800l1-1.800C18.800 6.500 15.500 4 11 4L9.500 2.500v3C7 7 5.500 9.500 5 12l2 1.200L10 11c.3 2-2 3-2 6',
  santorini: 'M3 20h18M5 20v-6h14v6M8 14v-4h8v4M9.500 10a2.500 3.500 0 0 1 5 0',
  connect_four: 'M4 4h16v16H4zM9 9h.01M15 9h.01M9 15h.01M15 15h.01',
  analyse:
    'M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13zM15.500 15.500L21 21M10.500 7.500v6M7.500 10.500h6',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v2M12 20v2M4 12H2M22 12h-2M5 5l1.500 1.500M17.500 17.500L19 19M19 5l-1.500 1.500M6.500 17.500L5 19',
  moon: 'M20 14.500A8.500 8.500 0 1 1 9.500 4a7 7 0 0 0 10.500 10.500z',
  system: 'M4 5h16v11H4zM9 20h6M12 16v4',
  undo: 'M8 5L3.500 9.500 8 14M4 9.500h10a5.500 5.500 0 0 1 0 11H10',
  flip: 'M7 4v16M3.500 7.500L7 4l3.500 3.500M17 20V4M13.500 16.500L17 20l3.500-3.500',
  flag: 'M5 21V4M5 4h12l-2.500 4L17 12H5',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  export: 'M12 15V3M7.500 7.500L12 3l4.500 4.500M4 14v6h16v-6',
  bulb: 'M9 18h6M10 21h4M8.500 15a6 6 0 1 1 7 0c-.5.5-.5 1.500-.5 3H9c0-1.500 0-2.500-.5-3z',
  first: 'M6 5v14M19 5l-9 7 9 7z',
  previous: 'M16 5l-9 7 9 7z',
  next: 'M8 5l9 7-9 7z',
  last: 'M18 5v14M5 5l9 7-9 7z',
  play: 'M7 4.500v15l12-7.500z',
  pause: 'M8 5v14M16 5v14',
  stop: 'M6 6h12v12H6z',
  star: 'M12 3.500l2.600 5.500 6 .8-4.400 4.200 1.100 6L12 17.200 6.700 20l1.100-6L3.400 9.800l6-.8z',
  warning: 'M12 4L2.500 20h19zM12 10v4.500M12 17.500v.01',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5.500M12 7.500v.01',
  check: 'M5 12.500l4.500 4.500L19 7.500',
  cross: 'M6 6l12 12M18 6L6 18',
  left: 'M9 5H5v4M5 5l5.500 5.500M20 20a9.500 9.500 0 0 0-9.500-9.500',
  right: 'M15 5h4v4M19 5l-5.500 5.500M4 20a9.500 9.500 0 0 1 9.500-9.500',
  cube: 'M12 3l8 4.500v9L12 21l-8-4.500v-9zM4 7.500l8 4.500 8-4.500M12 12v9',
  grid: 'M4 4h16v16H4zM4 12h16M12 4v16',
  down: 'M5 8l7 9 7-9z',
  tree: 'M12 4v5M5 20v-4h14v4M12 9v11M12 16V9',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.500 2',
} as const;

export type IconName = keyof typeof PATHS;

/** A game's own icon, or a plain board. */
export function gameIcon(game: string): IconName {
  return game in PATHS ? (game as IconName) : 'grid';
}

export function Icon({ name, fill = false }: { name: IconName; fill?: boolean }) {
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      fill={fill ? 'currentColor' : 'none'}
      stroke="currentColor"
      stroke-width="1.7"
      stroke-linecap="round"
      stroke-linejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
