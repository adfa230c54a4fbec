/** An own card, whole in its address, judged by the rule of the papers. */
import { useMemo } from 'react';
import { cardAddress } from '#client/compare/own-card.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { hashOf, type Route } from '#stores/route.ts';
import { PageFrame } from '#ui/frame/PageFrame.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { failureText } from '#ui/kit/format/failure.ts';
import { useTexts } from '#ui/kit/parts.ts';
import { JudgedView } from '../JudgedView.tsx';
import styles from '../Paper.module.css';
import { type OpenedCard, openedCard, useKeptCards } from './kept.ts';
import made from './MakeCard.module.css';
import { saveCard } from './save-card.ts';
import { ways } from './ways.ts';

function opened(packed: string): OpenedCard | { readonly problem: string } {
  try {
    return openedCard(packed);
  } catch (error) {
    return { problem: failureText(toFailure(error)) };
  }
}

export default function CardPage({ route }: { readonly route: Route }) {
  const ready = useTexts('papers');
  const packed = route.query.c ?? '';
  const found = useMemo(() => opened(packed), [packed]);
  const back = (
    <a className={styles.back} href={hashOf({ page: 'papers', id: 'own', query: {} })}>
      Our own, and yours
    </a>
  );
  if ('problem' in found)
    return (
      <PageFrame title="This card cannot be opened" page="papers" above={back}>
        <p className={styles.lead} role="alert">
          {found.problem}
        </p>
        <p>
          <a href={ways.make({})}>Make a card</a>
        </p>
      </PageFrame>
    );
  const { own, card } = found;
  return (
    <PageFrame title={own.title} page="papers" tab="A card" above={back}>
      <p className={styles.byline}>
        <span>A card from outside this project{own.author === undefined || own.author === '' ? '' : `, by ${own.author}`}</span>
        {own.after !== undefined && (
          <span>
            made from <a href={hashOf({ page: 'papers', id: own.after.toLowerCase(), query: {} })}>{own.after}</a> and changed
          </span>
        )}
      </p>
      <p className={styles.quiet}>
        Its words are those of its author, not of this project. The whole card stands in the address; nothing of it was published here. Your
        runs are judged by the rule of the papers.
      </p>
      <div className={made.actions}>
        <Button icon="download" onClick={() => saveCard(own)}>
          Card as a file
        </Button>
        <KeepCard packed={packed} />
        <a href={ways.make({ c: packed })}>Change it</a>
      </div>
      {ready && <JudgedView key={card.id} card={card} query={route.query} address={cardAddress(packed)} />}
      <p className={styles.quiet}>
        On the command line, the same rule and the same words: <code>rl claims --card FILE</code>
      </p>
    </PageFrame>
  );
}

/** Whether it stands in the list of cards on this machine, and the way to put it there. */
function KeepCard({ packed }: { readonly packed: string }) {
  const { packed: all, keep, leave } = useKeptCards();
  const kept = all.includes(packed);
  return (
    <Button icon="rows" pressed={kept} onClick={() => (kept ? leave(packed) : keep(packed))}>
      In my list of cards
    </Button>
  );
}
