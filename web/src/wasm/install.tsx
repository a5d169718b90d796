// Keeps the static site in the browser, so that it opens offline and can be installed, and offers a new version when
// one was deployed. Where there are no service workers (pages that came without encryption) nothing happens.

import { render } from 'preact';
import { Button, Notice } from '../ui/parts';

export async function keepOffline(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const container = navigator.serviceWorker;
  let hadController = container.controller !== null;
  container.addEventListener('controllerchange', () => {
    // Another version took over: parts of this page that were not loaded yet are gone.
    if (hadController) location.reload();
    hadController = true;
  });
  try {
    const address = new URL('sw.js', document.baseURI);
    watch(await container.register(address, { updateViaCache: 'none' }));
  } catch (error) {
    console.warn('The site cannot be kept for offline use:', error);
  }
}

function watch(registration: ServiceWorkerRegistration): void {
  const offer = (): void => {
    const { waiting } = registration;
    if (waiting !== null && registration.active !== null) showOffer(() => waiting.postMessage('take over'));
  };
  offer();
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', offer);
  });
}

function showOffer(onAccept: () => void): void {
  let place = document.getElementById('update');
  if (place === null) {
    place = document.createElement('div');
    place.id = 'update';
    document.body.prepend(place);
  }
  const action = <Button onClick={onAccept}>Update</Button>;
  render(
    <Notice action={action}>
      <p>A new version of Milton is here. Your game stays.</p>
    </Notice>,
    place,
  );
}
