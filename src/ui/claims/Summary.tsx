/** The first screen of a paper: what it says, what was run here, what came out, what is smaller or other here; verdict, kind and cost. */
import type { ReactNode } from 'react';
import { besideVerdict, withPilot } from '#client/compare/papers.ts';
import { objectOf } from '#contract/json.ts';
import { number } from '#contract/numbers.ts';
import { type PaperCard, ruleHash, SIGNS } from '#contract/papers.ts';
import type { PaperResult } from '#contract/results.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { shownVerdict } from './filter.ts';
import styles from './Paper.module.css';
import type { Stored } from './stored.ts';
import { useTitles } from './titles.ts';
import { VerdictSign } from './VerdictSign.tsx';
import { besidePublished, cameOut, howSure, notHeld, verdictInWords } from './words.ts';

export function Summary({ card, stored }: { readonly card: PaperCard; readonly stored: Stored }) {
  const result = stored.state === 'here' ? stored.result : null;
  return (
    <section className={styles.summary} aria-label="Verdict" aria-busy={stored.state === 'reading'}>
      <p className={styles.bannerHead}>
        <State stored={stored} />
        {(result?.parts ?? []).map((part) => (
          <span key={part} className={styles.kind}>
            {part}
          </span>
        ))}
        {card.sign !== null && <span className={styles.kind}>{SIGNS[card.sign]}</span>}
        {result !== null && (
          <span className={styles.cost}>{result.coreMinutes < 0.1 ? 'under 0.1' : measure(result.coreMinutes, 2)} core-minutes</span>
        )}
      </p>
      <dl className={styles.lines}>
        <Line name={card.claim === '' ? 'Question' : 'Paper says'}>{card.claim === '' ? card.question : card.claim}</Line>
        <Line name="Here">
          {card.claim !== '' && `${card.question} `}
          <Setting card={card} result={result} />
        </Line>
        <Line name="Came out">
          <CameOut card={card} stored={stored} />
        </Line>
        {card.differs.length > 0 && (
          <Line name="Smaller or other here">
            <ul className={styles.points}>
              {card.differs.map((point) => (
                <li key={point}>{point}</li>
              ))}
            </ul>
          </Line>
        )}
      </dl>
    </section>
  );
}

function State({ stored }: { readonly stored: Stored }) {
  if (stored.state === 'here')
    return <VerdictSign verdict={shownVerdict({ verdict: stored.result.verdict, outdated: stored.result.outdated.length > 0 })} />;
  if (stored.state === 'none') return <VerdictSign verdict="not run" />;
  return <span>{stored.state === 'reading' ? 'Reading the result' : 'No result here'}</span>;
}

function Line({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** World, arms, steps and seeds. */
function Setting({ card, result }: { readonly card: PaperCard; readonly result: PaperResult | null }) {
  const title = useTitles();
  const worlds = [...new Set(card.arms.map(({ differs }) => differs?.env?.id ?? String(objectOf(card.config.env).id)))];
  const steps = (result?.arms ?? []).flatMap((arm) => (arm.steps === null ? [] : [arm.steps]));
  const [least, most] = [Math.min(...steps), Math.max(...steps)];
  const range = least === most ? number(least) : `${number(least)} to ${number(most)}`;
  const facts = [
    worlds.length > 3 ? `${worlds.length} environments` : worlds.map((id) => title('env', id)).join(', '),
    `${card.arms.length} ${card.arms.length === 1 ? 'arm' : 'arms'}`,
    ...(result === null ? [] : [`${result.seeds.length} seeds each`]),
    ...(steps.length === 0 ? [] : [`${range} steps`]),
    `measured: ${card.quantity.title}`,
  ];
  return <span className={styles.quiet}>{facts.join(' · ')}</span>;
}

function CameOut({ card, stored }: { readonly card: PaperCard; readonly stored: Stored }) {
  if (stored.state === 'failed') return stored.why;
  if (stored.state !== 'here')
    return stored.state === 'reading' ? (
      <span className={styles.quiet}>Reading the full result.</span>
    ) : (
      'Not judged yet: its full runs are not done. A run here gives an answer of your own.'
    );
  const { result } = stored;
  const titleOf = (arm: string): string => card.arms.find(({ id }) => id === arm)?.title ?? arm;
  const first = card.contrasts.find(({ control }) => control !== true) ?? card.contrasts[0];
  const main = cameOut(
    first,
    result.findings.find(({ id }) => id === first.id),
    titleOf,
  );
  const beside = besidePublished(card.published, result);
  return (
    <>
      {result.outdated.length > 0 && (
        <p className={styles.apart}>
          To be run again: what ran has changed since, so all of this is of an older version. {result.outdated.join(' ')}
        </p>
      )}
      {main !== '' && <p>{main}</p>}
      {beside !== null && <p className={beside.apart ? styles.apart : undefined}>{beside.text}</p>}
      <p>{verdictInWords(result, card.atMost)}</p>
      {result.verdict === 'partly' && notHeld(card.contrasts, result.findings).map((text) => <p key={text}>Not held: {text}</p>)}
      {besideVerdict(card, result).map((text) => (
        <p key={text}>{text}</p>
      ))}
      <p className={styles.quiet}>{howSure(result)}</p>
      {result.rule !== ruleHash(withPilot(card, result.pilot)) && (
        <p className={styles.quiet}>
          This result follows an earlier rule ({result.rule}) than the one below ({ruleHash(withPilot(card, result.pilot))}).
        </p>
      )}
    </>
  );
}
