/** A card at a glance, before anything is loaded that trains: its question, what came out, its arms, what decides. */
import facts from 'virtual:paper-facts';
import type { ReactNode } from 'react';
import { foundFor, type JudgedCard, ruleHash } from '#contract/papers/papers.ts';
import { shownOutcome } from './filter.ts';
import { OutcomeSign } from './OutcomeSign.tsx';
import styles from './Paper.module.css';
import { Line } from './Summary.tsx';
import { claimInWords, contrastInWords } from './sentences.ts';
import { testedOf } from './words.ts';

interface Props {
  readonly card: JudgedCard;
  /** Of an own card, '' where it names none; null: the card is a paper's. */
  readonly author: string | null;
  /** The way to open it. */
  readonly children: ReactNode;
}

export function CardPoster({ card, author, children }: Props) {
  const fact = facts[card.id];
  const found = fact === undefined || fact.outdated ? null : foundFor(card, fact.outcome);
  return (
    <section className={styles.summary} aria-label="Card">
      <p className={styles.bannerHead}>
        {author === null ? <OutcomeSign outcome={shownOutcome(fact)} tested={card.tested.label} /> : <span>{card.title}</span>}
        <span className={styles.kind}>tested: {testedOf(card)}</span>
      </p>
      {author !== null && <p className={styles.quiet}>A card from outside this project{author === '' ? '' : `, by ${author}`}.</p>}
      {found !== null && <p className={styles.foundHere}>{found}</p>}
      {children}
      <dl className={styles.lines}>
        <Line name="Question">{card.question}</Line>
        <Line name="Arms">{card.arms.map(({ title }) => title).join('; ')}</Line>
        <Line name="Compared by">{card.quantity.title}</Line>
        <Line name="What decides">
          <ul className={styles.points}>
            {card.contrasts.map((contrast) => (
              <li key={contrast.id}>
                {claimInWords(contrast)}: {contrastInWords(contrast, card)}
              </li>
            ))}
          </ul>
        </Line>
        <Line name="Seeds an arm">{card.looks.join(', then ')}</Line>
        <Line name="Rule">{ruleHash(card)}</Line>
      </dl>
    </section>
  );
}
