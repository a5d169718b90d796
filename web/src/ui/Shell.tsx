// The frame around every page: name, ways, theme, and word of a lost server.

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { GAME_INFO } from '../api/games';
import { analyseRoute, formatRoute, GAMES, playRoute, runRoute, type Route } from '../app/router';
import { chooseTheme, storedTheme, type Theme } from '../app/theme';
import { isOnline, onConnectionChange, retryNow } from '../live/connection';
import iconUrl from '../styles/icon.svg?url';
import { Button } from './parts';
import { gameIcon, Icon, type IconName } from './Icon';

interface Way {
  route: Route;
  label: string;
  icon: IconName;
}

const WAYS: readonly Way[] = [
  { route: runRoute(), label: 'Run', icon: 'run' },
  ...GAMES.map((game): Way => ({ route: playRoute(game), label: GAME_INFO[game].shortTitle, icon: gameIcon(game) })),
  { route: analyseRoute('chess'), label: 'Analyse', icon: 'analyse' },
];

const NEXT_THEME: { [theme in Theme]: Theme } = { system: 'light', light: 'dark', dark: 'system' };
const THEME_ICONS: { [theme in Theme]: IconName } = { system: 'system', light: 'sun', dark: 'moon' };

export function Shell({ route, hasRun, children }: { route: Route; hasRun: boolean; children: ComponentChildren }) {
  const ways = WAYS.filter((way) => hasRun || way.route.page !== 'run');
  return (
    <div class="shell">
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        Skip to the page
      </a>
      <header class="topbar">
        <a class="wordmark" href="#/" aria-label="Milton, first page">
          <img src={iconUrl} alt="" />
          Milton
        </a>
        <nav class="nav" aria-label="Pages">
          {ways.map((way) => (
            <a key={way.label} href={formatRoute(way.route)} aria-current={placeOf(route, way.route)}>
              <Icon name={way.icon} />
              {way.label}
            </a>
          ))}
        </nav>
        <ThemeButton />
      </header>
      <LostBanner />
      <main id="main" class="page" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

/** The list of runs and the bot are pages below the run's. */
function placeOf(route: Route, way: Route): 'page' | 'true' | undefined {
  if (way.page === 'run' && (route.page === 'runs' || route.page === 'bot')) return 'true';
  if (route.page !== way.page) return undefined;
  return route.page !== 'play' || way.page !== 'play' || route.game === way.game ? 'page' : undefined;
}

function ThemeButton() {
  const [theme, setTheme] = useState(storedTheme);
  const next = NEXT_THEME[theme];
  const choose = (): void => {
    chooseTheme(next);
    setTheme(next);
  };
  return (
    <Button kind="quiet" icon={THEME_ICONS[theme]} label={`Theme: ${theme}. Change to ${next}`} onClick={choose} />
  );
}

function LostBanner() {
  const [online, setOnline] = useState(isOnline);
  useEffect(() => onConnectionChange(setOnline), []);
  if (online) return null;
  return (
    <div class="banner" role="status">
      <span class="pulse" aria-hidden="true" />
      The server does not answer. Reconnecting; nothing of yours is lost.
      <Button onClick={retryNow}>Try now</Button>
    </div>
  );
}
