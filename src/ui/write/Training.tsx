/** Trains the code as it is now: some seeds, each in a sandbox of its own; curves, results, and episodes of what was learned. */
import { useEffect, useRef, useState } from 'react';
import type { OwnClip } from '#client/own/film.ts';
import { problemOf, type SeedRun, trainSeed } from '#client/own/workshop.ts';
import type { OwnCard, OwnResult, OwnSettings } from '#contract/sandbox.ts';
import { Button } from '#ui/kit/Button.tsx';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import styles from './Write.module.css';

interface Props {
  readonly world: OwnCard;
  readonly code: string;
  readonly settings: OwnSettings;
  readonly onClip: (name: string, clip: OwnClip) => void;
}

interface Seed {
  readonly seed: number;
  readonly points: readonly (readonly [step: number, value: number])[];
  readonly step: number;
  readonly result: OwnResult | null;
  readonly problem: string;
}

const SEEDS = 3;
/** Episodes of the policy are shown this often while it learns, ms. */
const WATCH_MS = 5000;

export function Training({ world, code, settings, onClip }: Props) {
  const [algo, setAlgo] = useState(world.recommended.algo);
  const [steps, setSteps] = useState(100_000);
  const [seeds, setSeeds] = useState<readonly Seed[]>([]);
  const runs = useRef<SeedRun[]>([]);
  const shown = useRef(0);
  const tell = useRef(onClip);
  tell.current = onClip;
  const running = seeds.some(({ result, problem }) => result === null && problem === '');
  const method = world.methods.some(({ id }) => id === algo) ? algo : world.recommended.algo;

  useEffect(
    () => () => {
      for (const run of runs.current) run.close();
    },
    [],
  );

  const watch = (run: SeedRun, seed: number): void => {
    const start = 1000 + shown.current++;
    run.watch(start).then(
      (clip) => tell.current(`learned ${seed} ${start}`, clip),
      () => {}, // the run itself says what is wrong
    );
  };

  const train = async (): Promise<void> => {
    for (const run of runs.current) run.close();
    runs.current = [];
    const numbers = Array.from({ length: SEEDS }, (_, i) => i + 1);
    setSeeds(numbers.map((seed) => ({ seed, points: [], step: 0, result: null, problem: '' })));
    const change = (seed: number, to: (before: Seed) => Seed): void =>
      setSeeds((all) => all.map((each) => (each.seed === seed ? to(each) : each)));
    await Promise.all(
      numbers.map(async (seed) => {
        let watched = 0;
        let run: SeedRun | null = null;
        try {
          run = await trainSeed(code, { settings, algo: method, steps, seed }, (progress) => {
            const { step, return: value } = progress;
            change(seed, (now) => ({ ...now, step, points: value === null ? now.points : thinned([...now.points, [step, value]]) }));
            if (seed !== 1 || run === null || performance.now() - watched < WATCH_MS) return;
            watched = performance.now();
            watch(run, seed);
          });
          runs.current = [...runs.current, run];
          const result = await run.result;
          change(seed, (now) => ({ ...now, step: result.steps, result }));
          if (seed === 1) watch(run, seed);
        } catch (error) {
          const { message, fix } = problemOf(error);
          change(seed, (now) => ({ ...now, problem: `${message} ${fix}` }));
        }
      }),
    );
  };

  const stop = (): void => {
    for (const run of runs.current) run.stop();
  };

  return (
    <section className={styles.column} aria-label="Training">
      <div className={styles.bar}>
        <label>
          Method
          <select value={method} onChange={(event) => setAlgo(event.target.value)}>
            {world.methods.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
                {id === world.recommended.algo ? ' (recommended)' : ''}
              </option>
            ))}
          </select>
        </label>
        <label>
          Steps
          <input
            type="number"
            min={1000}
            max={10_000_000}
            step={1000}
            value={steps}
            onChange={(event) => setSteps(Number(event.target.value))}
          />
        </label>
        {running ? (
          <Button onClick={stop}>Stop</Button>
        ) : (
          <Button kind="solid" disabled={!(steps >= 1000 && steps <= 10_000_000)} onClick={() => void train()}>
            {`Train ${SEEDS} seeds`}
          </Button>
        )}
      </div>
      {seeds.length > 0 && <Curves seeds={seeds} steps={steps} />}
      {seeds.length > 0 && (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Seed</th>
              <th scope="col">Steps</th>
              <th scope="col">Return while training</th>
              <th scope="col">Return of the policy</th>
              <th scope="col">Parameters</th>
            </tr>
          </thead>
          <tbody>
            {seeds.map(({ seed, step, points, result, problem }) => (
              <tr key={seed}>
                <th scope="row">{seed}</th>
                <td>{compact(step)}</td>
                <td>{points.length === 0 ? '' : measure(points.at(-1)?.[1] ?? 0)}</td>
                <td>{problem !== '' ? problem : result?.evalReturn == null ? '' : measure(result.evalReturn)}</td>
                <td title="Hash of the learned parameters: the same here, in another browser and on the command line">
                  {result?.parameterHash ?? ''}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="visually-hidden" role="status">
        {seeds.length > 0 && !running ? 'Training has ended.' : ''}
      </p>
    </section>
  );
}

/** Every second point once there are many. */
const thinned = <T,>(points: readonly T[]): readonly T[] => (points.length > 600 ? points.filter((_, i) => i % 2 === 0) : points);

function Curves({ seeds, steps }: { readonly seeds: readonly Seed[]; readonly steps: number }) {
  const values = seeds.flatMap(({ points }) => points.map(([, value]) => value));
  if (values.length === 0) return <p className={styles.quiet}>The first episodes are under way.</p>;
  const low = Math.min(...values);
  const high = Math.max(...values, low + 1e-9);
  const path = (points: Seed['points']): string =>
    points
      .map(
        ([step, value], i) =>
          `${i === 0 ? 'M' : 'L'}${((100 * step) / steps).toFixed(2)} ${(98 - (96 * (value - low)) / (high - low)).toFixed(2)}`,
      )
      .join('');
  return (
    <svg
      className={styles.curve}
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      role="img"
      aria-label={`Return while training, from ${measure(low)} to ${measure(high)}`}
    >
      {seeds.map(({ seed, points }) => (
        <path key={seed} d={path(points)} stroke={`var(--series-${seed - 1})`} />
      ))}
    </svg>
  );
}
