// How much room the page has. Narrow pages show one section at a time.

import { useEffect, useState } from 'preact/hooks';

const NARROW = '(max-width: 52rem)'; // where styles/run.css puts everything into one column

export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const follow = (): void => setNarrow(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  return isNarrow;
}
