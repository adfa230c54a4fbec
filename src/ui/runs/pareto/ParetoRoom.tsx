/**
 * Several rewards, no single best way: the trade-offs that the active run has learned, and which of its policies is on the stage.
 * Choosing weights or a point plays the policy that is best for them.
 */
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { newestPolicy } from '#client/runs/policies.ts';
import { stage } from '#client/stage/service.ts';
import { type Front, frontOf } from '#contract/files/pareto.ts';
import { curves, curvesStore } from '#stores/curves.ts';
import { preferencesStore } from '#stores/preferences.ts';
import type { RunGroup } from '#stores/types.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { SeedSelect } from '../SeedSelect.tsx';
import { FrontPlot } from './FrontPlot.tsx';
import { choiceFor, choicesOf, missing as missingOf, weightsFor } from './front.ts';
import styles from './Pareto.module.css';
import { Weights } from './Weights.tsx';

export function ParetoRoom({ group }: { readonly group: RunGroup }) {
  useStore(curvesStore, (state) => state.version); // policies come with numbers
  const wish = useStore(preferencesStore, (state) => state.weights[group.id]);
  const [wanted, setWanted] = useState<number | null>(null);
  const [axes, setAxes] = useState<readonly [number, number]>([0, 1]);
  const seeds = group.seeds.filter(({ seed }) => newestPolicy(group.id, seed) !== null);
  const seed = seeds.find((s) => s.seed === wanted) ?? seeds[0];
  const snapshot = seed === undefined ? null : newestPolicy(group.id, seed.seed);
  const front = useMemo(() => (snapshot === null ? null : frontOf(snapshot)), [snapshot]);
  const choices = useMemo(() => (front === null ? [] : choicesOf(front)), [front]);
  if (front === null || seed === undefined || snapshot === null || choices.length === 0) {
    return <p className={styles.empty}>The trade-offs appear here as soon as the run has its first policies.</p>;
  }
  const weights = wish?.length === front.objectives.length ? wish : front.objectives.map(() => 1 / front.objectives.length);
  const chosen = choiceFor(front, choices, weights);
  const missing = missingOf(front, choices);
  const best = choices.filter((choice) => !choice.dominated).length;
  const prefer = (next: readonly number[]): void => void stage.prefer(group.id, seed.seed, next);
  const last = (metric: string): number => curves.series(group.id, seed.seed, metric)?.values.at(-1) ?? Number.NaN;
  const coverage = last('coverage');
  const summary = `${best} trade-offs between ${front.objectives.join(' and ')}. At the chosen weights: ${inWords(front, chosen.value)}.`;
  const shown: readonly [number, number] = axes.every((k) => k < front.objectives.length) ? axes : [0, 1];

  return (
    <div className={styles.room}>
      <header className={styles.facts}>
        <span>
          <b className="figures">{best}</b> trade-offs
        </span>
        <span title="Space that the policies dominate together, against the reference point.">
          hypervolume <b className="figures">{measure(last('hypervolume'))}</b>
          {Number.isFinite(coverage) && <small>{` ${(100 * coverage).toFixed(coverage > 0.9995 ? 0 : 1)}\u202f% of the best`}</small>}
        </span>
        <SeedSelect seeds={seeds} value={seed.seed} onChange={setWanted} />
        {front.objectives.length > 2 && <Axes front={front} axes={shown} onChange={setAxes} />}
      </header>
      <FrontPlot
        front={front}
        choices={choices}
        missing={missing}
        chosen={chosen}
        weights={weights}
        axes={shown}
        summary={summary}
        onChoose={(choice) => prefer(weightsFor(front, choice))}
      />
      <Weights front={front} choices={choices} chosen={chosen} weights={weights} onChange={prefer} />
      <p className={styles.words} aria-live="polite">
        {`The policy for these weights gets ${inWords(front, chosen.value)}, and is on the stage. ${restInWords(missing)}`}
      </p>
    </div>
  );
}

function inWords({ objectives }: Front, value: readonly number[]): string {
  return objectives.map((name, k) => `${name} ${measure(value[k], 4)}`).join(', ');
}

function restInWords(missing: Front['known']): string {
  const dents = missing.filter(({ supported }) => supported === false).length;
  const others = missing.length - dents;
  const parts = [
    ...(dents > 0
      ? [
          `${dents} known ${dents === 1 ? 'trade-off lies' : 'trade-offs lie'} in a dent, where no weighted sum can find ${dents === 1 ? 'it' : 'them'}`,
        ]
      : []),
    ...(others > 0
      ? [`${others} ${dents > 0 ? 'more are' : others === 1 ? 'known trade-off is' : 'known trade-offs are'} not found yet`]
      : []),
  ];
  return parts.length === 0 ? '' : `${parts.join('; ')}.`;
}

function Axes({
  front,
  axes,
  onChange,
}: {
  readonly front: Front;
  readonly axes: readonly [number, number];
  readonly onChange: (axes: readonly [number, number]) => void;
}) {
  const pick = (at: 0 | 1, to: number): void => {
    const other = axes[at === 0 ? 1 : 0];
    const swapped = to === other ? axes[at]! : other;
    onChange(at === 0 ? [to, swapped] : [swapped, to]);
  };
  return (
    <span className={styles.axes}>
      {([1, 0] as const).map((at) => (
        <select
          key={at}
          aria-label={at === 0 ? 'Across' : 'Up'}
          value={axes[at]}
          onChange={(event) => pick(at, Number(event.target.value))}
        >
          {front.objectives.map((name, k) => (
            <option key={name} value={k}>
              {`${at === 0 ? '→' : '↑'} ${name}`}
            </option>
          ))}
        </select>
      ))}
    </span>
  );
}
