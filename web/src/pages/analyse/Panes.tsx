// One search of the position, or two networks' side by side.

import { useState } from 'preact/hooks';
import type { Arrow } from '../../boards/board';
import type { NetworkInfo } from '../../engine/types';
import { Button } from '../../ui/parts';
import { Pane, type PaneProps } from './Pane';

type PanesProps = Omit<PaneProps, 'network' | 'title' | 'onNetwork' | 'onArrows'> & {
  networks: readonly NetworkInfo[];
  onArrows: (arrows: readonly Arrow[]) => void;
};

export function Panes({ networks, onArrows, ...rest }: PanesProps) {
  const [first, setFirst] = useState(networks[0]?.id ?? '');
  const [second, setSecond] = useState(networks[1]?.id ?? networks[0]?.id ?? '');
  const [compares, setCompares] = useState(false);
  return (
    <>
      <div class="row">
        <Button pressed={compares} onClick={() => setCompares(!compares)}>
          Compare two networks
        </Button>
      </div>
      <div class={`analyse-panes ${compares ? 'two' : ''}`}>
        <Pane
          {...rest}
          networks={networks}
          title={compares ? 'Search A' : 'Search'}
          network={first}
          onNetwork={setFirst}
          onArrows={onArrows}
        />
        {compares && (
          <Pane {...rest} networks={networks} title="Search B" network={second} onNetwork={setSecond} onArrows={null} />
        )}
      </div>
    </>
  );
}
