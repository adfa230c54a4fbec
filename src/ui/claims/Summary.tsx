/** The first screen of a paper: what it says, what was run here, what came out, what was found, what is smaller or other here; both labels, and the cost. */
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { besideVerdict, withPilot } from '#client/compare/papers.ts';
import { objectOf } from '#contract/kit/json.ts';
import { number } from '#contract/kit/numbers.ts';
import { isConfirmed, TESTED_MEANS } from '#contract/papers/labels.ts';
import { foundFor, type JudgedCard, ruleHash } from '#contract/papers/papers.ts';
import type { Confirmation, PaperResult } from '#contract/papers/results.ts';
import { type Contrast, isCounted } from '#math/contrasts.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { measure } from '#ui/kit/format/numbers.ts';
import { late } from '#ui/kit/late.tsx';
import { ToSource } from './AgainstSource.tsx';
import { shownOutcome } from './filter.ts';
import { OutcomeSign } from './OutcomeSign.tsx';
import styles from './Paper.module.css';
import { policyFile } from './policies.ts';
import { cameOut, notHeld } from './sentences.ts';
import { pairOf } from './showable.ts';
import type { Stored } from './stored.ts';
import { useTitles } from './titles.ts';
import { besidePublished, howSure, outcomeInSentences, testedOf } from './words.ts';

const ShowParting = late(() => import('./ShowParting.tsx'));

interface Props {
  readonly card: JudgedCard;
  readonly stored: Stored;
  /** What came out is not told yet: a visitor is asked first. */
  readonly covered: boolean;
  /** What came out stands below it, by runs of this profile: of an own card, which has no other. */
  readonly below?: boolean;
}

export function Summary({ card, stored, covered, below = false }: Props) {
  const ran = stored.state === 'here' ? stored.result : null;
  const result = covered ? null : ran;
  const found = result === null || result.outdated.length > 0 ? null : foundFor(card, result.outcome);
  return (
    <section className={styles.summary} aria-label="Outcome" aria-busy={stored.state === 'reading'}>
      <p className={styles.bannerHead}>
        {!covered && !below && <State stored={stored} card={card} />}
        <span className={styles.kind}>tested: {testedOf(card)}</span>
        {result !== null && <Confirmed result={result} />}
        {result !== null && (
          <span className={styles.cost}>{result.coreMinutes < 0.1 ? 'under 0.1' : measure(result.coreMinutes, 2)} core-minutes</span>
        )}
      </p>
      {found !== null && <p className={styles.foundHere}>{found}</p>}
      {result !== null && <ShowMe card={card} />}
      <dl className={styles.lines}>
        <Line name={card.claim === '' ? 'Question' : 'Paper says'}>{card.claim === '' ? card.question : card.claim}</Line>
        <Line name="Here">
          {card.claim !== '' && `${card.question} `}
          <Setting card={card} result={ran} />
        </Line>
        {card.claim !== '' && (
          <Line name="Tested">
            {card.tested.why === '' ? TESTED_MEANS[card.tested.label] : card.tested.why}{' '}
            {card.source !== null && <ToSource source={card.source} />}
          </Line>
        )}
        {!below && (
          <Line name="Came out">
            {covered ? (
              <span className={styles.quiet}>{t('Covered until you have said what you expect.')}</span>
            ) : (
              <CameOut card={card} stored={stored} />
            )}
          </Line>
        )}
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

/** What the second block of seeds said. */
function Confirmed({ result }: { readonly result: PaperResult }) {
  const confirmed = isConfirmed(result);
  if (confirmed === null) return null;
  const agree = result.outcome === 'open' ? 'open on a second block of seeds too' : 'confirmed on a second block of seeds';
  return <span className={styles.kind}>{confirmed ? agree : 'the two blocks of seeds disagree'}</span>;
}

function State({ stored, card }: { readonly stored: Stored; readonly card: JudgedCard }) {
  if (stored.state === 'here')
    return (
      <OutcomeSign
        outcome={shownOutcome({ outcome: stored.result.outcome, outdated: stored.result.outdated.length > 0 })}
        tested={card.tested.label}
      />
    );
  if (stored.state === 'none') return <OutcomeSign outcome="not run" />;
  return <span>{stored.state === 'reading' ? 'Reading the result' : 'No result here'}</span>;
}

/** Two kept policies side by side, where the card keeps two that can be; loaded and played at the press. */
function ShowMe({ card }: { readonly card: JudgedCard }) {
  const [shown, setShown] = useState(false);
  const pair = useMemo(() => pairOf(card, (arm) => policyFile(card.id, arm)), [card]);
  if (pair === null) return null;
  if (shown)
    return (
      <Suspense fallback={<p role="status">{t('Both play from the same start: one moment.')}</p>}>
        <ShowParting card={card} pair={pair} />
      </Suspense>
    );
  return (
    <p className={styles.showMe}>
      <Button kind="solid" icon="play" onClick={() => setShown(true)}>
        {t('Show me')}
      </Button>
      <span className={styles.quiet}>
        {t('“{one}” and “{other}” from the same start', { one: pair.one.title, other: pair.other.title })}
      </span>
    </p>
  );
}

/** A line of a card's head: what it is, and what is said of it. */
export function Line({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** World, arms, steps and seeds. */
function Setting({ card, result }: { readonly card: JudgedCard; readonly result: PaperResult | null }) {
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

function CameOut({ card, stored }: { readonly card: JudgedCard; readonly stored: Stored }) {
  if (stored.state === 'failed') return stored.why;
  if (stored.state !== 'here')
    return stored.state === 'reading' ? (
      <span className={styles.quiet}>Reading the full result.</span>
    ) : (
      'Not judged yet: its full runs are not done. A run here gives an answer of your own.'
    );
  const { result } = stored;
  const first = card.contrasts.find(isCounted) ?? card.contrasts[0];
  const main = cameOut(
    first,
    result.findings.find(({ id }) => id === first.id),
    card,
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
      <p>{outcomeInSentences(result, card.tested.label)}</p>
      {result.outcome !== 'shown' && notHeld(card, result.findings).map((text) => <p key={text}>{text}</p>)}
      {besideVerdict(card, result).map((text) => (
        <p key={text}>{text}</p>
      ))}
      {result.confirm !== null && (
        <p>
          Second block, seeds {result.confirm.seeds[0]} to {result.confirm.seeds.at(-1)}: {secondBlock(first, result.confirm, card)}
        </p>
      )}
      <p className={styles.quiet}>{howSure(result, card.forms)}</p>
      {result.rule !== ruleHash(withPilot(card, result.pilot)) && (
        <p className={styles.quiet}>
          This result follows an earlier rule ({result.rule}) than the one below ({ruleHash(withPilot(card, result.pilot))}).
        </p>
      )}
    </>
  );
}

/** The outcome of the second block, and the number of its main contrast. */
function secondBlock(main: Contrast, { findings, outcome }: Confirmation, card: JudgedCard): string {
  const said = cameOut(
    main,
    findings.find(({ id }) => id === main.id),
    card,
  );
  return `${outcome}. ${said}`;
}
