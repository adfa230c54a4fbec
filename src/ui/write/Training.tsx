/** Trains the code as it is now: curves, results, episodes of what was learned, saving and going on. */
import { useState } from 'react';
import type { OwnClip } from '#client/own/film.ts';
import { problemOf } from '#client/own/workshop.ts';
import { type OwnRunFile, ownRunText } from '#contract/own/run-file.ts';
import type { OwnCard, OwnSetup } from '#contract/own/sandbox.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import { fileName, save } from '#ui/kit/save.ts';
import { toast } from '#ui/kit/toasts.ts';
import { trainWritten } from '#ui/setup/mine.ts';
import { Curves } from './Curves.tsx';
import { Scores } from './Scores.tsx';
import { isStuck } from './stuck.ts';
import { SEEDS, type Seed, useTraining } from './useTraining.ts';
import styles from './Write.module.css';

interface Props {
  readonly world: OwnCard;
  readonly code: string;
  readonly setup: OwnSetup;
  readonly saved: OwnRunFile | null;
  /** The code as it is cannot be run, or fails when it is played. */
  readonly faulty: boolean;
  readonly onClip: (name: string, clip: OwnClip) => void;
}

const MOST_STEPS = 10_000_000;

export function Training({ world, code, setup, saved, faulty, onClip }: Props) {
  const [algo, setAlgo] = useState(saved?.algo ?? world.recommended.algo);
  const [steps, setSteps] = useState(saved?.steps ?? world.recommended.steps);
  const { seeds, running, scores, ...training } = useTraining(code, onClip);
  const [busy, setBusy] = useState(false);
  const method = world.methods.some(({ id }) => id === algo) ? algo : world.recommended.algo;
  const right = steps >= 1000 && steps <= MOST_STEPS && !faulty;
  const reward = world.kind === 'reward';
  const reached = Math.max(
    0,
    ...seeds.map(({ step }) => step),
    ...(seeds.length === 0 ? (saved?.seeds ?? []).map(({ step }) => step) : []),
  );
  const plan = { setup, algo: method, steps };

  const attempt = async (act: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    try {
      await act();
    } catch (error) {
      const { message, fix } = problemOf(error);
      toast(`${message} ${fix}`, { tone: 'caution' });
    }
    setBusy(false);
  };

  const keep = () =>
    attempt(async () => {
      const run = await training.saved();
      if (run !== null) await save(new Blob([ownRunText(run)], { type: 'application/json' }), `${fileName(world.title)}-run.json`);
    });
  const goOn = () =>
    attempt(async () => {
      const from = seeds.length === 0 ? (saved?.seeds ?? null) : await training.states();
      void training.train(plan, from);
    });

  return (
    <section className={styles.column} aria-label={t('Training')}>
      <h2 className={styles.heading}>{t('Train')}</h2>
      <div className={styles.bar}>
        {world.methods.length > 1 && (
          <label>
            {t('Method')}
            <select value={method} onChange={(event) => setAlgo(event.target.value)}>
              {world.methods.map(({ id, title }) => (
                <option key={id} value={id} lang="en">
                  {title}
                  {id === world.recommended.algo ? ` ${t('(recommended)')}` : ''}
                </option>
              ))}
            </select>
          </label>
        )}
        <label>
          {t('Steps')}
          <input
            type="number"
            min={1000}
            max={MOST_STEPS}
            step={1000}
            value={steps}
            onChange={(event) => setSteps(Number(event.target.value))}
          />
        </label>
        {running ? (
          <Button onClick={training.stop}>{t('Stop')}</Button>
        ) : (
          <Button kind="solid" disabled={!right || busy} onClick={() => void training.train(plan, null)}>
            {t('Train {SEEDS} seeds', { SEEDS })}
          </Button>
        )}
        {!running && reached > 0 && (
          <Button disabled={!right || busy || steps <= reached} onClick={() => void goOn()}>
            {t('Go on from step {reached}', { reached: compact(reached) })}
          </Button>
        )}
        {seeds.length > 0 && (
          <Button disabled={busy} onClick={() => void keep()}>
            {t('Save the run')}
          </Button>
        )}
      </div>
      {faulty && !running && <p className={styles.quiet}>{t('Fix the error shown beside the picture first.')}</p>}
      {(world.kind === 'world' || world.kind === 'reward') && (
        <div className={styles.bar}>
          <Button onClick={() => void trainWritten(world.id, world.title, code)}>{t('Open in the laboratory')}</Button>
          <span className={styles.quiet}>
            {t('More seeds, all settings, Why, play by hand, forks and sweeps. It is listed there under Mine.')}
          </span>
        </div>
      )}
      {!running && reached > 0 && steps <= reached && (
        <p className={styles.quiet}>{t('To go on, give more steps than the {reached} that are done.', { reached: compact(reached) })}</p>
      )}
      {seeds.length > 0 && (
        <div className={styles.charts}>
          <Curves
            title={reward ? t('Return under your reward') : t('Return while training')}
            seeds={seeds}
            steps={steps}
            value={(p) => p.return}
          />
          {reward && (
            <Curves
              title={`The same episodes, as ${world.base?.title ?? 'the environment'} pays`}
              seeds={seeds}
              steps={steps}
              value={(p) => p.old}
            />
          )}
          {world.metrics.map(({ id, title }, i) => (
            <Curves key={id} title={title} seeds={seeds} steps={steps} value={(p) => p.metrics[i]} />
          ))}
        </div>
      )}
      {seeds.length > 0 && <Results seeds={seeds} reward={reward} />}
      {seeds.some(({ result }) => result !== null) && (
        <div className={styles.bar}>
          <Button disabled={busy} onClick={() => void attempt(training.compare)}>
            {t('Compare with random play')}
          </Button>
        </div>
      )}
      {scores !== null && <Scores scores={scores} old={reward ? (world.base?.title ?? '') : null} />}
      <p className="visually-hidden" role="status">
        {seeds.length > 0 && !running ? t('Training has ended.') : ''}
      </p>
    </section>
  );
}

/** The newest of a curve. */
const newest = ({ points }: Seed, of: 'return' | 'old'): string => {
  const value = points.findLast((point) => point[of] !== null)?.[of];
  return value == null ? '' : measure(value);
};

function Results({ seeds, reward }: { readonly seeds: readonly Seed[]; readonly reward: boolean }) {
  const stuck = seeds.filter(isStuck);
  const problems = [...new Set(seeds.map(({ problem }) => problem).filter((problem) => problem !== ''))];
  return (
    <>
      <div className={styles.wide}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('Seed')}</th>
              <th scope="col">{t('Steps')}</th>
              <th scope="col">{reward ? t('Training: your reward') : t('Return while training')}</th>
              {reward && <th scope="col">{t('Training: old reward')}</th>}
              <th scope="col">{reward ? t('Policy: your reward') : t('Return of the policy')}</th>
              {reward && <th scope="col">{t('Policy: old reward')}</th>}
              <th scope="col">{t('Parameters')}</th>
            </tr>
          </thead>
          <tbody>
            {seeds.map((each) => (
              <tr key={each.seed}>
                <th scope="row">{each.seed}</th>
                <td>{compact(each.step)}</td>
                <td>{newest(each, 'return')}</td>
                {reward && <td>{newest(each, 'old')}</td>}
                <td>{each.result?.evalReturn == null ? '' : measure(each.result.evalReturn)}</td>
                {reward && <td>{each.result?.oldReturn == null ? '' : measure(each.result.oldReturn)}</td>}
                <td
                  className={styles.hash}
                  title={t('Hash of what was learned: the same here, in another browser and on the command line')}
                >
                  {each.result?.parameterHash ?? ''}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {stuck.length > 0 && (
        <p className={styles.quiet}>
          {t(
            'Seed {value}: what was learned does worse alone than while training. Training draws among the actions, the policy alone always takes the likeliest one, and where two are about as likely it can do the same for ever. Longer training settles that: give more steps and go on.',
            { value: stuck.map(({ seed }) => seed).join(', ') },
          )}
        </p>
      )}
      {problems.map((problem) => (
        <p key={problem} className={styles.problem} role="alert">
          {problem}
        </p>
      ))}
    </>
  );
}
