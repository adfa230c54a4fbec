/** What came of a sweep, run by this page or by the command line: the verdict, and its set-ups in four views. */
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { type LeftOut, leftOutTexts } from '#contract/sweep/differing.ts';
import { importances, iqmText, prunedText, verdictOf } from '#contract/sweep/report.ts';
import type { Reported, Setup } from '#contract/sweep/run.ts';
import type { Sweep } from '#contract/sweep/sweep.ts';
import { catalogStore } from '#stores/catalog.ts';
import type { RunGroup } from '#stores/types.ts';
import { Segmented } from '#ui/kit/Segmented.tsx';
import { valueText, wordsOf } from '#ui/runs/names.ts';
import { Contrasts } from './Contrasts.tsx';
import { actingWords, type FieldTitle } from './form.ts';
import { HeatMap } from './HeatMap.tsx';
import { Importance } from './Importance.tsx';
import { Parallel } from './Parallel.tsx';
import { SetupTable } from './SetupTable.tsx';
import styles from './Sweep.module.css';

const VIEWS = { table: 'Table', map: 'Heat map', lines: 'Parallel', importance: 'Importance' } as const;
type View = keyof typeof VIEWS;

/** Names of the searched fields, of environment and method, as far as they are known. */
export function useTitles(sweep: Sweep, setups: readonly Setup[]) {
  const catalog = useStore(catalogStore, (store) => store.catalog);
  const config = setups[0]?.config;
  const fields = useMemo(
    () =>
      sweep.names.map((name): FieldTitle => {
        const words = config === undefined ? { title: name, schema: null } : wordsOf(name, config, catalog);
        return { name, title: words.title, text: (value) => valueText(value, words) };
      }),
    [sweep, config, catalog],
  );
  const env = catalog?.envs.find((card) => card.id === config?.env.id)?.title;
  const algo = catalog?.algos.find((card) => card.id === config?.algo.id)?.title;
  return { fields, title: sweep.title ?? fields.map((field) => field.title).join(', '), env, algo };
}

interface Props {
  readonly sweep: Sweep;
  readonly setups: readonly Setup[];
  readonly left: readonly LeftOut[];
  readonly best: Setup | null;
  readonly reported: Reported | null;
  readonly fields: readonly FieldTitle[];
  /** Runs of this page that belong to it; null: they are elsewhere. */
  readonly runs: { readonly groups: readonly RunGroup[]; readonly asked: readonly string[] } | null;
}

export function SweepResults({ sweep, setups, left, best, reported, fields, runs }: Props) {
  const [view, setView] = useState<View>('table');
  const found = useMemo(() => (setups.some(({ first }) => first !== null) ? importances(sweep, { setups }) : []), [sweep, setups]);
  if (setups.length === 0) return null;
  const ended = prunedText(sweep, setups, 'configurations');
  const titleOf = (name: string): string => fields.find((field) => field.name === name)?.title ?? name;
  return (
    <>
      {best !== null && reported !== null && <Verdict sweep={sweep} best={best} reported={reported} fields={fields} />}
      {reported?.arms !== undefined && (
        <Contrasts sweep={sweep} found={[{ env: '', arms: reported.arms, setups }]} fields={fields} here={runs !== null} />
      )}
      <Segmented
        label="Results as"
        value={view}
        options={(Object.keys(VIEWS) as View[]).map((value) => ({ value, label: VIEWS[value] }))}
        onChange={setView}
      />
      {leftOutTexts(left, titleOf, 'configuration').map((text) => (
        <p key={text} className={styles.quiet}>
          {text}
        </p>
      ))}
      {ended !== '' && <p className={styles.quiet}>{ended}</p>}
      {view === 'table' && <SetupTable sweep={sweep} setups={setups} fields={fields} best={best} runs={runs} />}
      {view === 'map' && <HeatMap sweep={sweep} setups={setups} fields={fields} />}
      {view === 'lines' && <Parallel sweep={sweep} setups={setups} fields={fields} />}
      {view === 'importance' && <Importance found={found} fields={fields} search={sweep.search.by} />}
    </>
  );
}

interface VerdictProps {
  readonly sweep: Sweep;
  readonly best: Setup;
  readonly reported: Reported;
  readonly fields: readonly FieldTitle[];
}

/** The best set-up on fresh seeds, in words: nothing was chosen on these. */
function Verdict({ sweep, best, reported, fields }: VerdictProps) {
  const verdict = verdictOf(sweep, reported);
  if (verdict === null || reported.base === null) return null; // values were contrasted instead
  const apart = verdict.interval !== null && (verdict.interval[0] > 0 || verdict.interval[1] < 0);
  return (
    <section className={styles.verdict} data-apart={apart} aria-label="Verdict on fresh seeds">
      <p>
        Best on the tuning seeds: <b>{actingWords(fields, best.values)}</b>.
      </p>
      <p>{verdict.text}</p>
      <p className={styles.quiet}>
        Best: IQM {iqmText(reported.best)}; as it stands: IQM {iqmText(reported.base)}. Seeds {reported.seeds[0]} to {reported.seeds.at(-1)}
        , apart from the tuning seeds.
      </p>
    </section>
  );
}
