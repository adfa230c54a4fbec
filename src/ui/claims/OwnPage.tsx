/** The comparisons of our own, which stand in no list of papers: by suite, each with its question and outcome. */
import facts from 'virtual:paper-facts';
import { useMemo } from 'react';
import { cardAddress } from '#client/compare/own-card.ts';
import { suites, suiteTitles } from '#client/compare/papers.ts';
import { hashOf } from '#stores/route.ts';
import { PageFrame } from '#ui/frame/PageFrame.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { percent } from '#ui/kit/format/numbers.ts';
import { toast } from '#ui/kit/toasts.ts';
import { shownOutcome } from './filter.ts';
import { OutcomeSign } from './OutcomeSign.tsx';
import { type OpenedCard, readable, useKeptCards } from './own/kept.ts';
import { ways } from './own/ways.ts';
import paper from './Paper.module.css';
import styles from './Papers.module.css';
import { usePaperRuns } from './usePaperRuns.ts';

export default function OwnPage() {
  const back = (
    <a className={paper.back} href={hashOf({ page: 'papers', id: null, query: {} })}>
      All papers
    </a>
  );
  return (
    <PageFrame title="Comparisons of our own" page="papers" tab="Our own" above={back}>
      <p className={styles.lead}>Questions of this project about methods and environments, judged by the same rule as the papers.</p>
      <section aria-labelledby="own-yours">
        <h2 id="own-yours" className={styles.suite}>
          Cards of your own
        </h2>
        <p className={styles.full}>
          A question of yours, with the runs of this profile as arms, judged by the same rule: a link that an article can carry.{' '}
          <a href={ways.make({})}>Make a card</a>
        </p>
        <Kept />
      </section>
      {Object.entries(suites).map(([suite, cards]) => (
        <section key={suite} aria-labelledby={`own-${suite}`}>
          <h2 id={`own-${suite}`} className={styles.suite}>
            {suiteTitles[suite] ?? suite}{' '}
            <span className={styles.count}>
              {cards.filter(({ id }) => facts[id] !== undefined).length} of {cards.length} judged
            </span>
          </h2>
          <ul className={styles.own}>
            {cards.map(({ id, title, question }) => (
              <li key={id}>
                <div>
                  <a href={hashOf({ page: 'papers', id, query: {} })}>{title}</a>
                  <p className={styles.full}>{question}</p>
                </div>
                <OutcomeSign outcome={shownOutcome(facts[id])} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </PageFrame>
  );
}

/** Cards that were made or kept on this machine. */
function Kept() {
  const packed = useKeptCards((state) => state.packed);
  const cards = useMemo(() => readable(packed), [packed]);
  if (cards.length === 0) return null;
  return (
    <ul className={styles.own} aria-label="Your cards">
      {cards.map((one) => (
        <KeptItem key={one.packed} {...one} />
      ))}
    </ul>
  );
}

function KeptItem({ packed, own, card }: OpenedCard) {
  const { now } = usePaperRuns(card, false);
  const leave = (): void => {
    const { leave: take, keep } = useKeptCards.getState();
    take(packed);
    toast(`${own.title} left out. Its runs stay.`, { action: { label: 'Undo', run: () => keep(packed) } });
  };
  return (
    <li>
      <div>
        <a href={cardAddress(packed)}>{own.title}</a>
        <p className={styles.full}>{own.question}</p>
      </div>
      <div className={styles.keptState}>
        {now?.decision ? (
          <OutcomeSign outcome={now.decision.outcome} tested={card.tested.label} />
        ) : now?.started ? (
          <span>running: {percent(Math.floor(100 * now.share))}</span>
        ) : (
          <OutcomeSign outcome="not run" />
        )}
        <Button icon="trash" label={`Leave ${own.title} out of the list`} onClick={leave} />
      </div>
    </li>
  );
}
