/**
 * What a method is, generated from the head of its file, its card and results: idea, equations, pseudo-code beside the code, settings with
 * where their defaults come from, curves to watch, scores.
 */
import methodFacts from 'virtual:method-facts';
import scoreFacts from 'virtual:score-facts';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { laboratory } from '#client/address/laboratory.ts';
import type { AlgoCard, Catalog } from '#contract/catalog/catalog.ts';
import { objectOf } from '#contract/kit/json.ts';
import { nearest } from '#contract/kit/nearest.ts';
import { scoreRows } from '#report/scores.ts';
import { catalogStore } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { wantFitting } from '#stores/fitting.ts';
import { hashOf } from '#stores/route.ts';
import { presetInWords, settingsOf } from '#ui/form/env-words.ts';
import { clearAllBad } from '#ui/form/invalid.ts';
import { PageFrame } from '#ui/frame/PageFrame.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { Prose } from '#ui/kit/Prose.tsx';
import { useFitting } from '#ui/setup/Fits.tsx';
import { Cite } from '#ui/setup/Picker.tsx';
import { CiteThing } from '../CiteThing.tsx';
import { openExperiment } from '../experiments.ts';
import { ScoreTable } from '../scores/ScoreTable.tsx';
import styles from './Methods.module.css';

const back = <a href={hashOf({ page: 'methods', id: null, query: {} })}>All methods</a>;

export default function MethodPage({ id }: { readonly id: string }) {
  const catalog = useStore(catalogStore, (state) => state.catalog);
  const card = catalog?.algos.find((algo) => algo.id === id);
  return (
    <PageFrame title={card?.title ?? id} page="methods" tab={card?.title ?? id} above={back}>
      {catalog === null ? (
        <p role="status">Reading …</p>
      ) : card === undefined ? (
        <p role="status">
          There is no method “{id}”.{' '}
          {nearest(
            id,
            catalog.algos.map((algo) => algo.id),
          ).map((like) => (
            <a key={like} href={hashOf({ page: 'methods', id: like, query: {} })}>
              Did you mean {like}?
            </a>
          ))}
        </p>
      ) : (
        <Method card={card} catalog={catalog} />
      )}
    </PageFrame>
  );
}

function Method({ card, catalog }: { readonly card: AlgoCard; readonly catalog: Catalog }) {
  const { about = [], pseudo = [], file = '' } = methodFacts[card.id] ?? {};
  const scores = useMemo(() => scoreRows(scoreFacts, catalog).filter(({ fact }) => fact.algo.id === card.id), [card, catalog]);
  const experiments = catalog.experiments.filter(({ config }) => objectOf(config.algo).id === card.id);
  return (
    <article className={styles.page}>
      <p className={styles.lead}>
        {card.summary} <Cite source={card.source} />
      </p>
      <Ways card={card} catalog={catalog} />
      <Part title="Idea">
        {about.map(({ kind, text }) =>
          kind === 'equation' ? (
            <pre key={text} className={styles.equation}>
              {text}
            </pre>
          ) : (
            <p key={text} className={styles.prose}>
              <Prose text={text} />
            </p>
          ),
        )}
      </Part>
      <div className={styles.two}>
        <Part title="Pseudo-code">
          <div className={styles.pseudo}>
            {pseudo.map((line, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines keep their places
              <div key={i} style={{ paddingInlineStart: `${2 + line.search(/\S/)}ch` }}>
                {line.trim()}
              </div>
            ))}
          </div>
        </Part>
        <Part title="Code">
          <p className={styles.quiet}>
            <code>{file}</code>
          </p>
          <Code id={card.id} />
        </Part>
      </div>
      <Part title="What to watch in the curves">
        <Table
          heads={['curve', 'what it says']}
          rows={card.metrics.map(({ title, description, unit }) => [title, `${description}${unit === undefined ? '' : ` In ${unit}.`}`])}
        />
      </Part>
      <Part title="Results by environment">
        {scores.length === 0 ? (
          <p className={styles.prose}>No claim of its own yet; papers and lessons may use it.</p>
        ) : (
          <ScoreTable rows={scores} catalog={catalog} />
        )}
      </Part>
      {experiments.length > 0 && (
        <Part title="Experiments">
          <div className={styles.actions}>
            {experiments.map((experiment) => (
              <Button
                key={experiment.id}
                onClick={() => {
                  openExperiment(experiment, catalog);
                  laboratory.back();
                }}
              >
                {experiment.title}
              </Button>
            ))}
          </div>
        </Part>
      )}
      {card.presets.length > 0 && (
        <Part title="Presets">
          <Presets card={card} />
        </Part>
      )}
      <Part title="Settings">
        <Table
          heads={['setting', 'default', 'allowed', 'what it does']}
          rows={settingsOf(card.schema, card.defaults).map(({ key, title, value, range, text }) => [
            <>
              {title} <code>{key}</code>
            </>,
            value,
            range,
            text,
          ])}
        />
      </Part>
    </article>
  );
}

/** Takes the method into the laboratory, with the world that is open there; null where it does not fit that world. */
function useMethod(card: AlgoCard) {
  useEffect(wantFitting, []); // who reads about a method comes to choose one
  const fit = useFitting()?.fits.find(({ algo }) => algo === card.id);
  if (fit === undefined) return null;
  return (preset = fit.preset): void => {
    clearAllBad();
    draftStore.getState().setAlgo(card.id, preset);
    laboratory.back();
  };
}

function Ways({ card, catalog }: { readonly card: AlgoCard; readonly catalog: Catalog }) {
  const envId = useStore(draftStore, (state) => state.config.env.id);
  const use = useMethod(card);
  const here = catalog.envs.find(({ id }) => id === envId);
  const own = catalog.envs.find(({ id }) => id === card.trial.env);
  return (
    <div className={styles.actions}>
      {use !== null && (
        <Button kind="solid" onClick={() => use()}>
          Use it in {here?.title ?? envId}
        </Button>
      )}
      {own !== undefined && own.id !== envId && <a href={`#env=${own.id}&algo=${card.id}`}>Open it in {own.title}</a>}
      <CiteThing of={{ ...card, kind: 'method' }} />
    </div>
  );
}

function Presets({ card }: { readonly card: AlgoCard }) {
  const use = useMethod(card);
  return (
    <ul className={styles.presets}>
      {card.presets.map(({ id, title, config }) => (
        <li key={id}>
          {use === null ? <strong>{title}</strong> : <Button onClick={() => use(id)}>{title}</Button>}
          <span className={styles.quiet}>{presetInWords(config, card.schema)}</span>
        </li>
      ))}
    </ul>
  );
}

/** The code of all methods comes as one file, when the first is looked at. */
function Code({ id }: { readonly id: string }) {
  const [text, setText] = useState('');
  useEffect(() => {
    let shown = true;
    import('virtual:method-code').then(
      ({ default: code }) => shown && setText(code[id] ?? ''),
      () => shown && setText('// The code could not be loaded: it comes with the next visit online.'),
    );
    return () => {
      shown = false;
    };
  }, [id]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={styles.code} tabIndex={0} aria-label="Code of the method" data-ready={text !== ''}>
      <pre>{text}</pre>
    </section>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.section} aria-label={title}>
      <h2 className={styles.heading}>{title}</h2>
      {children}
    </section>
  );
}

function Table({ heads, rows }: { readonly heads: readonly string[]; readonly rows: readonly (readonly ReactNode[])[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label={`Table: ${heads.join(', ')}`}>
      <table className={styles.table}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...others], i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of one table keep their places
            <tr key={i}>
              <th scope="row">{first}</th>
              {others.map((cell, j) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells of one row keep their places
                <td key={j}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
