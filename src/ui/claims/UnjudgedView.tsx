/** A card without an outcome: what the paper says, why nothing is decided here, its question, and what there is to touch, open or read. */
import { useState } from 'react';
import { askedScores } from '#client/compare/papers.ts';
import { type BuiltCard, cameOutOf, type IdeaCard, type MapCard, type ScoreRef, type UnjudgedCard } from '#contract/papers/forms.ts';
import { TESTED_MEANS } from '#contract/papers/labels.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import type { Route } from '#stores/route.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { copy } from '#ui/kit/save.ts';
import { AgainstSource, ToSource } from './AgainstSource.tsx';
import { middleOf } from './figures.ts';
import { widgetOf } from './ideas/index.ts';
import { Measured } from './ideas/Measured.tsx';
import { PlayedIdea } from './ideas/PlayedIdea.tsx';
import { TrainedIdea } from './ideas/TrainedIdea.tsx';
import { JudgedView } from './JudgedView.tsx';
import { MapTree } from './MapTree.tsx';
import { MethodTable } from './MethodTable.tsx';
import styles from './Paper.module.css';
import { PaperPicture } from './PaperEntry.tsx';
import { Predict } from './Predict.tsx';
import { scoresIn, useResults } from './stored.ts';
import { TouchIdea } from './TouchIdea.tsx';
import { citation } from './words.ts';

interface Props {
  readonly card: UnjudgedCard;
  /** `class`: the word of a class; `earlier`: the form that was judged before is open. */
  readonly query: Route['query'];
}

/** What a card of each form is, in words. */
const KINDS = { idea: 'An idea to touch', map: 'A survey as a map', built: 'Tasks and methods as a table' } as const;

export function UnjudgedView({ card, query }: Props) {
  return (
    <>
      <div className={styles.top}>
        <section className={styles.summary} aria-label="What it is">
          <p className={styles.bannerHead}>
            <span>{KINDS[card.form]}</span>
            <span className={styles.kind}>no verdict</span>
          </p>
          <dl className={styles.lines}>
            <div>
              <dt>Paper says</dt>
              <dd>{card.claim}</dd>
            </div>
            {card.form === 'idea' && (
              <div>
                <dt>Its own number</dt>
                <dd>{card.quoted.text}</dd>
              </div>
            )}
            <div>
              <dt>No verdict</dt>
              <dd>{card.noVerdict}</dd>
            </div>
            {card.earlier !== null && <WhatRuns judged={card.earlier} />}
          </dl>
        </section>
        {card.form === 'idea' && <Idea card={card} word={query.class} />}
        {card.form === 'map' && <Survey card={card} word={query.class} />}
        {card.form === 'built' && <Table card={card} word={query.class} />}
      </div>
      <div className={styles.idea}>
        <div>
          <h2>The idea</h2>
          <p>{card.idea}</p>
          <p className={styles.equation}>
            <code>{card.equation}</code>
          </p>
        </div>
        <PaperPicture card={card} />
      </div>
      {card.earlier !== null && <TouchIdea card={card.earlier} />}
      {card.earlier?.source != null && <AgainstSource source={card.earlier.source} />}
      <Earlier card={card} query={query} />
      <div className={styles.actions}>
        <Button icon="share" onClick={() => void copy(location.href.replace(/\?.*$/, ''), 'Link')}>
          Copy link
        </Button>
        <Button icon="copy" onClick={() => void copy(citation(card, null), 'Citation')}>
          Cite
        </Button>
      </div>
    </>
  );
}

/** What of the paper runs here, and the way to its table of sources. */
function WhatRuns({ judged: { tested, source } }: { readonly judged: JudgedCard }) {
  return (
    <div>
      <dt>{t('What runs here')}</dt>
      <dd>
        {tested.why === '' ? TESTED_MEANS[tested.label] : tested.why} {source !== null && <ToSource source={source} />}
      </dd>
    </div>
  );
}

function Idea({ card, word }: { readonly card: IdeaCard; readonly word: string | undefined }) {
  const { touch, earlier } = card;
  if (earlier === null) return null;
  if (touch.kind === 'played') return <PlayedIdea card={card} judged={earlier} touch={touch} word={word} />;
  if (touch.kind === 'trained') return <TrainedIdea card={card} judged={earlier} touch={touch} word={word} />;
  const Widget = widgetOf(touch.id);
  return Widget === undefined ? null : <Widget card={card} judged={earlier} word={word} />;
}

function Survey({ card, word }: { readonly card: MapCard; readonly word: string | undefined }) {
  const [pressed, setPressed] = useState(false);
  const { results, problems, done } = useResults(pressed ? idsOf(card.shown) : null);
  const values = card.shown.map((score) => middleOf(scoresIn(results, score) ?? [])?.value ?? null);
  const [first] = card.shown;
  return (
    <>
      <Predict
        paper={card.id}
        question={card.asked}
        word={word}
        came={cameOutOf(card.asked, values)}
        shown={pressed}
        press={{ label: 'Show what came out', busy: pressed && !done, go: () => setPressed(true) }}
      >
        {problems.map((text) => (
          <p key={text}>{text}</p>
        ))}
        {done && first !== undefined && (
          <Measured
            rows={card.shown.map((_, k) => ({ title: card.asked.choices[k] ?? '', value: values[k] ?? null }))}
            measured={`${results[first.result]?.quantity ?? ''}; interquartile mean of ${results[first.result]?.seeds.length ?? 0} seeds of the earlier form, below`}
          />
        )}
      </Predict>
      <MapTree branches={card.branches} />
    </>
  );
}

function Table({ card, word }: { readonly card: BuiltCard; readonly word: string | undefined }) {
  const [pressed, setPressed] = useState(false);
  const all = card.tasks.flatMap(({ scores }) => scores.flatMap((score) => score ?? []));
  const { results, problems, done } = useResults(pressed ? idsOf(all) : null);
  const values = askedScores(card).map(({ score }) => middleOf(scoresIn(results, score) ?? [])?.value ?? null);
  return (
    <>
      <Predict
        paper={card.id}
        question={card.asked}
        word={word}
        came={cameOutOf(card.asked, values)}
        shown={pressed}
        press={{ label: 'Show the scores', busy: pressed && !done, go: () => setPressed(true) }}
      >
        {problems.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </Predict>
      <MethodTable card={card} results={results} shown={pressed} />
    </>
  );
}

const idsOf = (scores: readonly ScoreRef[]): readonly string[] => [...new Set(scores.map(({ result }) => result))];

/** What was judged under this id before: its result, its log with the old words, its figures. */
function Earlier({ card, query }: Props) {
  const { earlier } = card;
  const [open, setOpen] = useState('earlier' in query);
  const behind = card.form === 'built' && card.tasks.some(({ scores }) => scores.some((score) => score?.result === card.id));
  if (earlier === null) return null;
  return (
    <details className={styles.earlier} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {behind ? (
          <>
            <h2>{t('The comparison behind the table')}</h2>{' '}
            <span className={styles.quiet}>{t('with its rule, its result and its log')}</span>
          </>
        ) : (
          <>
            <h2>Earlier judged form</h2>{' '}
            <span className={styles.quiet}>a comparison that stood here before, with its result and its log</span>
          </>
        )}
      </summary>
      {open && <JudgedView card={earlier} query={{}} part />}
    </details>
  );
}
