// Chooses the page that the address names and hands it the engine. Pages are loaded when they are first opened.

import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Engine } from '../engine/types';
import { asProblem } from '../game/session';
import { ProblemNotice } from '../ui/parts';
import { Shell } from '../ui/Shell';
import { getEngine, hasServer } from './engine';
import { parseRoute, playRoute, runRoute, type Route } from './router';

const HOME: Route = hasServer ? runRoute() : playRoute('chess');

export type PageProps<R extends Route = Route> = { route: R; engine: Engine };

export function App() {
  const route = useRoute();
  const shown = !hasServer && ['run', 'runs', 'bot'].includes(route.page) ? HOME : route;
  return (
    <Shell route={shown} hasRun={hasServer}>
      <Page key={shown.page === 'play' ? `play/${shown.game}` : shown.page} route={shown} />
    </Shell>
  );
}

function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash, HOME));
  useEffect(() => {
    const follow = (): void => setRoute(parseRoute(location.hash, HOME));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return route;
}

type Loaded = { View: FunctionComponent<PageProps>; engine: Engine };

function Page({ route }: { route: Route }) {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    setFailure(null);
    Promise.all([loadView(route), getEngine()]).then(
      ([View, engine]) => setLoaded({ View, engine }),
      (error: unknown) => setFailure(error),
    );
  }, [route.page, attempt]);
  if (failure !== null) return <ProblemNotice problem={asProblem(failure)} onRetry={() => setAttempt(attempt + 1)} />;
  if (loaded === null)
    return (
      <p class="muted" role="status">
        Loading…
      </p>
    );
  return <loaded.View route={route} engine={loaded.engine} />;
}

async function loadView(route: Route): Promise<FunctionComponent<PageProps>> {
  switch (route.page) {
    case 'run':
      return (await import('../pages/run/RunPage')).RunPage as FunctionComponent<PageProps>;
    case 'runs':
      return (await import('../pages/runs/RunsPage')).RunsPage as FunctionComponent<PageProps>;
    case 'bot':
      return (await import('../pages/bot/BotPage')).BotPage as FunctionComponent<PageProps>;
    case 'play':
      return (await import('../pages/play/PlayPage')).PlayPage as FunctionComponent<PageProps>;
    case 'analyse':
      return (await import('../pages/analyse/AnalysePage')).AnalysePage as FunctionComponent<PageProps>;
  }
}
