import { describe, expect, it } from 'vitest';
import { analyseRoute, formatRoute, parseRoute, playRoute, type Route } from '../src/app/router';

const HOME: Route = { page: 'run', iteration: null, name: null };

describe('addresses', () => {
  const routes: Route[] = [
    { page: 'run', iteration: null, name: null },
    { page: 'run', iteration: 12, name: null },
    { page: 'run', iteration: 12, name: 'a run & more' },
    { page: 'runs' },
    { page: 'bot' },
    playRoute('chess'),
    playRoute('connect_four', '7/7/7/7/3o3/2xx3 o'),
    analyseRoute('santorini'),
    analyseRoute('chess', { start: null, moves: ['e2e4', 'e7e5'] }, true),
    analyseRoute('chess', { start: null, moves: ['e2e4'] }, true, [
      ['White', 'You & I'],
      ['Result', '0-1'],
    ]),
    analyseRoute('chess', { start: '8/8/8/4k3/8/8/4K3/8 w - - 0 1', moves: [] }),
    {
      page: 'analyse',
      game: 'chess',
      text: '8/8/8/4k3/8/8/4K3/8 w - - 0 1 & more?',
      line: null,
      review: false,
      tags: [],
    },
  ];
  it.each(routes)('survive writing and reading: %j', (route) => {
    expect(parseRoute(formatRoute(route), HOME)).toEqual(route);
  });

  it.each(['', '#', '#/', '#/nowhere', '#/<script>'])('that mean nothing lead home: %j', (hash) => {
    expect(parseRoute(hash, HOME)).toEqual(HOME);
  });

  it('with an unknown game lead to chess', () => {
    expect(parseRoute('#/play/go', HOME)).toEqual(playRoute('chess'));
  });

  it('with a bad iteration show the newest', () => {
    expect(parseRoute('#/run/-3', HOME)).toEqual({ page: 'run', iteration: null, name: null });
  });
});
