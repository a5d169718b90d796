// What the run wants a person to know, newest first. Alarms come with what to do about them.

import { useState } from 'preact/hooks';
import type { RunNote } from '../../live/messages';
import { formatAgo } from '../../ui/format';
import { useNow } from '../../ui/hooks';
import { Icon } from '../../ui/Icon';
import { Button, Panel } from '../../ui/parts';
import { capital } from '../../ui/text';

const FEW = 5;
const FEW_ALARMS = 3;

/** A few of the newest; alarms among all of them, so that promotions do not hide what has to be looked at. */
export function mostImportant(newest: readonly RunNote[]): RunNote[] {
  const alarms = newest.filter(({ level }) => level !== 'info').slice(0, FEW_ALARMS);
  const others = newest.filter((note) => !alarms.includes(note)).slice(0, FEW - alarms.length);
  return newest.filter((note) => alarms.includes(note) || others.includes(note));
}

export function Alarms({ notes }: { notes: readonly RunNote[] }) {
  const [showsAll, setShowsAll] = useState(false);
  const nowS = useNow(1_000);
  const newest = [...notes].reverse();
  const shown = showsAll ? newest : mostImportant(newest);
  const numAlarms = notes.filter((note) => note.level !== 'info').length;
  const aside = numAlarms > 0 && (
    <span class="badge gold">
      <Icon name="warning" />
      {numAlarms} to look at
    </span>
  );
  return (
    <Panel title="Alarms and events" aside={aside} class="alarms">
      {notes.length === 0 && <p class="muted small">Nothing to report: no alarms, no promotions yet.</p>}
      <ul>
        {shown.map((note) => (
          <li key={`${note.timeS}${note.message}`} class={note.level}>
            <Icon name={note.level === 'info' ? (note.kind.includes('promot') ? 'star' : 'info') : 'warning'} />
            <div>
              <p>
                {note.level !== 'info' && <strong>{capital(note.level)}: </strong>}
                {capital(note.message)}
              </p>
              {note.action !== '' && <p class="muted">{capital(note.action)}.</p>}
            </div>
            <span class="muted">
              {note.iteration > 0 ? `#${note.iteration} · ` : ''}
              {formatAgo(Math.max(0, nowS - note.timeS))}
            </span>
          </li>
        ))}
      </ul>
      {newest.length > FEW && (
        <Button kind="quiet" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Show fewer' : `Show all ${newest.length}`}
        </Button>
      )}
    </Panel>
  );
}
