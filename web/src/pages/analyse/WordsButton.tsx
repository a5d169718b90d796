// Asks the language model that the server has configured to word a review. Nobody is asked without a click: calls cost
// money. Where there is no model, as on the static site, there is no button.

import { useEffect, useState } from 'preact/hooks';
import type { Engine, Words, WordsInfo } from '../../engine/types';
import { asProblem } from '../../game/session';
import { inWords, type Review } from '../../review/review';
import { Button } from '../../ui/parts';

interface Props {
  engine: Engine;
  review: Review;
  /** The same review in other words. */
  onWorded: (review: Review) => void;
}

export function WordsButton({ engine, review, onWorded }: Props) {
  const [info, setInfo] = useState<WordsInfo | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [told, setTold] = useState('');
  const { game } = review.record;
  useEffect(() => {
    engine.wordsInfo?.(game).then(setInfo, () => setInfo(null));
  }, [engine, game]);
  if (info === null) return null;
  const ask = async (): Promise<void> => {
    setAsking(true);
    setTold('');
    try {
      const found = await inWords(engine, review);
      onWorded(found.review);
      if (found.words !== null) setTold(outcomeText(found.words));
    } catch (error) {
      setTold(`The offline sentences stay: ${asProblem(error).message}.`);
    } finally {
      setAsking(false);
    }
  };
  return (
    <>
      <Button disabled={isAsking} onClick={() => void ask()}>
        {isAsking ? `Asking ${info.provider}…` : `Explain in words (${info.provider})`}
      </Button>
      <span class="small muted" role="status">
        {told}
      </span>
    </>
  );
}

function outcomeText({ provider, moves, numDropped, problem }: Words): string {
  if (problem !== '') return `The offline sentences stay: ${problem}.`;
  const taken = moves.length > 0 ? `Words by ${provider}; figures and lines are the engine’s.` : '';
  const dropped = numDropped > 0 ? `Left out: ${numDropped} with moves or numbers of their own.` : '';
  return [taken, dropped].filter((text) => text !== '').join(' ') || `${provider} had nothing to say.`;
}
