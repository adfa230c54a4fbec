/** One paper: its head, and below it the view of its form; of one that is only planned, what it waits for and what is near it. */
import { ownOfPaper } from '#client/compare/own-card.ts';
import { cardOf, listed } from '#client/compare/papers.ts';
import { isJudged } from '#contract/papers/forms.ts';
import type { ListedPaper } from '#contract/papers/papers.ts';
import { hashOf, type Route } from '#stores/route.ts';
import { KeepHere } from '#ui/frame/KeepHere.tsx';
import { keepable, worldsIn } from '#ui/frame/keepable.ts';
import { PageFrame } from '#ui/frame/PageFrame.tsx';
import { useTexts } from '#ui/kit/parts.ts';
import { JudgedView } from './JudgedView.tsx';
import { OutcomeSign } from './OutcomeSign.tsx';
import { ways } from './own/ways.ts';
import styles from './Paper.module.css';
import { UnjudgedView } from './UnjudgedView.tsx';

const galleryOf = (query: Readonly<Record<string, string>>): string => hashOf({ page: 'papers', id: null, query });

export default function PaperPage({ route }: { readonly route: Route }) {
  const ready = useTexts('papers');
  const id = route.id ?? '';
  const entry = listed.find((paper) => paper.id === id.toUpperCase());
  const card = cardOf(id);
  const title = entry?.title ?? card?.title; // a comparison of our own stands in no list
  const back = (
    <a className={styles.back} href={galleryOf({})}>
      All papers
    </a>
  );
  if (title === undefined)
    return (
      <PageFrame title={`There is no paper “${route.id}”`} page="papers" above={back}>
        <p className={styles.lead}>The list goes from P001 to {listed.at(-1)?.id}.</p>
      </PageFrame>
    );
  return (
    <PageFrame title={title} page="papers" tab={entry?.id ?? card?.id} above={back}>
      <p className={styles.byline}>
        {entry !== undefined && <span>{entry.id}</span>}
        <span>{entry?.name ?? 'Our own comparison, after'}</span>
        {card !== undefined && (
          <span>
            {card.authors}, {card.year}
          </span>
        )}
        {card !== undefined && (
          <a href={card.link} rel="noreferrer">
            {card.link.replace(/^https?:\/\//, '')}
          </a>
        )}
        {card !== undefined && isJudged(card) && ownOfPaper(card) !== null && (
          <a href={ways.make({ paper: card.id })}>Change it into a card of your own</a>
        )}
        <KeepHere name={title} thing={keepable(worldsIn(card), ['paper'], ['papers'], [`results/papers/${id}.json`])} />
      </p>
      {entry !== undefined && (
        <p className={styles.topics}>
          {entry.topics.map((topic) => (
            <a key={topic} href={galleryOf({ topic })}>
              {topic}
            </a>
          ))}
        </p>
      )}
      {ready && card !== undefined && isJudged(card) && <JudgedView key={card.id} card={card} query={route.query} />}
      {ready && card !== undefined && !isJudged(card) && <UnjudgedView key={card.id} card={card} query={route.query} />}
      {card === undefined && entry !== undefined && <Planned paper={entry} />}
    </PageFrame>
  );
}

/** What of a paper can be said before it is built, and what is near it that runs. */
function Planned({ paper }: { readonly paper: ListedPaper }) {
  const near = listed
    .filter(({ id }) => cardOf(id) !== undefined)
    .map((other) => ({ other, shared: other.topics.filter((topic) => paper.topics.includes(topic)).length }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, 3);
  return (
    <>
      <p className={styles.question}>{paper.idea}</p>
      <section className={styles.banner} aria-label="State">
        <p className={styles.bannerHead}>
          <OutcomeSign outcome="planned" />
        </p>
        <p>It cannot be run here yet. It waits for:</p>
        <ul className={styles.bullets}>
          {paper.waitsFor.map((piece) => (
            <li key={piece}>{piece}</li>
          ))}
        </ul>
      </section>
      {near.length > 0 && (
        <section>
          <h2>Related papers you can run</h2>
          <ul className={styles.bullets}>
            {near.map(({ other }) => (
              <li key={other.id}>
                <a href={hashOf({ page: 'papers', id: other.id.toLowerCase(), query: {} })}>{other.name}</a>: {other.idea}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
