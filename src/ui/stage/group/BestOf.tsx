/**
 * Best-of-N against learning by reward: what is paid and a true score drawn apart. At the left of the answers of the policy on the stage the one that is
 * paid best out of N is taken, at the right are the curves of its run. Where the two lines part, what is paid is no longer what was meant.
 */
import { useStore } from 'zustand';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { AnswerGroup } from '#contract/run/tokens.ts';
import { curves, curvesStore } from '#stores/curves.ts';
import { t } from '#text/text.ts';
import { LineChart } from '#ui/kit/charts/Chart.tsx';
import type { ChartAxis, LineSeries } from '#ui/kit/charts/types.ts';
import { compact } from '#ui/kit/format/numbers.ts';
import { plain } from '../tokens/weighed.ts';
import { bestOfEach, learnedRows, TAKEN, truths } from './best.ts';
import styles from './GroupStage.module.css';

const HEIGHT = 170;
const Y: ChartAxis = { domain: [0, 1], ticks: [0, 0.5, 1], size: 28 };
const SERIES: readonly LineSeries[] = [
  { key: 'paid', colour: 'var(--series-0)', width: 2 },
  { key: 'true', colour: 'var(--series-2)', dash: '5 3', width: 2 },
];

interface Props {
  readonly env: EnvCard;
  readonly groups: readonly AnswerGroup[];
  readonly runId: string | null;
  readonly seed: number | null;
  /** The measure that is held against what is paid. */
  readonly chosen: string;
  readonly onChoose: (measure: string) => void;
}

export function BestOf({ env, groups, runId, seed, chosen, onChoose }: Props) {
  const known = truths(env);
  useStore(curvesStore, (state) => state.version);
  const truth = known.find(({ id }) => id === chosen) ?? known[0];
  if (truth === undefined) return null;
  const taken = bestOfEach(groups, truth.id);
  const last = taken[taken.length - 1]!;
  const series = (metric: string) => (runId === null || seed === null ? null : curves.series(runId, seed, metric));
  const learned = learnedRows(series('episodicReturn'), series(truth.id));
  const end = learned.at(-1);
  const most = Math.max(1, ...taken.map(({ paid }) => paid), ...learned.map(({ paid }) => Number(paid)));
  const y = most > 1 ? { ...Y, domain: [0, most] as const, ticks: [0, most / 2, most], format: plain } : Y;
  return (
    <div className={styles.best}>
      <p className={styles.legend}>
        <span data-line="paid">{t('what is paid')}</span>
        <label>
          <span data-line="true">{t('true score')}</span>{' '}
          <select value={truth.id} onChange={({ target }) => onChoose(target.value)}>
            {known.map(({ id, title }) => (
              <option key={id} value={id}>
                {t(title)}
              </option>
            ))}
          </select>
        </label>
      </p>
      <div className={styles.apart}>
        <figure>
          <figcaption>{t('The best paid of N answers is taken; nothing is learned')}</figcaption>
          <LineChart
            label=""
            height={HEIGHT}
            rows={taken.map(({ N, paid, true: held }) => ({ x: N, paid, true: held }))}
            series={SERIES.map((one) => ({ ...one, marker: { shape: 0, rows: taken.map((_, i) => i) } }))}
            x={{ domain: [1, last.N], log: true, ticks: TAKEN.filter((N) => N <= last.N), size: 22 }}
            y={y}
            grid
          />
          <p>
            {t('Best of {N}: paid {paid}, {truth} {held}; at most {kl} nats from the policy.', {
              N: last.N,
              paid: plain(last.paid),
              held: plain(last.true),
              truth: t(truth.title),
              kl: plain(last.kl),
            })}
          </p>
        </figure>
        <figure>
          <figcaption>{t('Learned by reward, over the tokens of this run')}</figcaption>
          {end === undefined ? (
            <p>{t('Nothing was learned yet.')}</p>
          ) : (
            <>
              <LineChart
                label=""
                height={HEIGHT}
                rows={learned}
                series={SERIES}
                x={{ domain: [learned[0]!.x, Math.max(learned[0]!.x + 1, end.x)], format: compact, size: 22, tickCount: 4 }}
                y={y}
                grid
              />
              <p>
                {t('After {count} tokens: paid {paid}, {truth} {held}.', {
                  count: compact(end.x),
                  paid: plain(Number(end.paid)),
                  held: plain(Number(end.true)),
                  truth: t(truth.title),
                })}
              </p>
            </>
          )}
        </figure>
      </div>
    </div>
  );
}
