/** A reward that the pupil writes: trained in the sandbox, and its policy's return under it and as the world itself pays. */
import { useEffect, useMemo, useState } from 'react';
import type { OwnClip } from '#client/own/film.ts';
import type { OwnSetup } from '#contract/own/sandbox.ts';
import type { WrittenReward } from '#lessons/define.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { measure, percent } from '#ui/kit/format/numbers.ts';
import { useReducedMotion } from '#ui/stage/motion.ts';
import { Live } from '#ui/stage/show/Live.tsx';
import { Reel } from '#ui/stage/show/reel.ts';
import { Editor } from '#ui/write/Editor.tsx';
import { SEEDS, type Seed, useTraining } from '#ui/write/useTraining.ts';
import { useWorld } from '#ui/write/useWorld.ts';
import styles from '../../Lessons.module.css';
import type { StepViewProps } from '../../StepView.tsx';
import { useLesson } from '../../state.ts';
import { OnStage } from '../OnStage.tsx';

const AS_WRITTEN: OwnSetup = { settings: {}, method: {}, seat: '' };

export default function RewardView({ lesson, step }: StepViewProps) {
  const { reward } = step;
  if (reward === undefined) throw new Error(`The step "${step.title}" has no reward to begin with.`);
  const algo = String((lesson.config.algo as { readonly id?: string }).id);
  return <Written reward={reward} algo={algo} at={lesson.steps.indexOf(step)} asked={step.predict !== undefined} />;
}

interface Props {
  readonly reward: WrittenReward;
  readonly algo: string;
  readonly at: number;
  readonly asked: boolean;
}

function Written({ reward: { code, steps, goal }, algo, at, asked }: Props) {
  const { words, write, meet, run } = useLesson();
  const unanswered = useLesson(({ answers }) => asked && answers[at] === undefined);
  /** What is in the editor, and what was put there last by other means than typing. */
  const [draft, setDraft] = useState(() => words[at] ?? code);
  const [given, setGiven] = useState({ code: draft });
  const [learned, setLearned] = useState<{ readonly name: string; readonly clip: OwnClip } | null>(null);
  const world = useWorld(draft, AS_WRITTEN);
  const { seeds, running, train, stop } = useTraining(world.code, (name, clip) => setLearned({ name, clip }));
  const met = goal === undefined ? null : judged(seeds, goal);
  useEffect(() => {
    if (met === true) meet(at);
  }, [met, meet, at]);

  const change = (text: string): void => {
    setDraft(text);
    write(at, text);
  };
  const clip = learned ?? world.clip;
  const behind = world.code !== draft || world.problem !== null;
  const failed = seeds.find(({ problem }) => problem !== '')?.problem;
  return (
    <div className={styles.written}>
      <div className={styles.short}>
        <Editor
          code={given.code}
          given={given}
          card={world.opened?.world ?? null}
          problem={world.problem}
          label={t('Your reward. Escape, then Tab, leaves the editor.')}
          onChange={change}
          onRun={() => world.again()}
        />
      </div>
      {world.problem !== null && (
        <p className={styles.check} role="alert">
          {world.problem.line !== null && !/\bline \d/.test(world.problem.message) && `${t('Line {n}.', { n: world.problem.line })} `}
          {world.problem.message.replace(/([^.!?:])$/, '$1.')} {world.problem.fix}
        </p>
      )}
      <p className={styles.row}>
        {running ? (
          <Button onClick={stop}>{t('Stop')}</Button>
        ) : (
          <Button
            kind="solid"
            icon="play"
            disabled={behind || unanswered}
            onClick={() => {
              run(at);
              void train({ setup: AS_WRITTEN, algo, steps }, null);
            }}
          >
            {t('Train {n} seeds', { n: SEEDS })}
          </Button>
        )}
        <Button
          disabled={draft === code}
          onClick={() => {
            change(code);
            setGiven({ code });
          }}
        >
          {t('The first code again')}
        </Button>
      </p>
      {unanswered && <p className={styles.quiet}>{t('First your prediction, then the run.')}</p>}
      {seeds.length > 0 && <Paid seeds={seeds} steps={steps} />}
      {failed !== undefined && (
        <p className={styles.check} role="alert">
          {failed}
        </p>
      )}
      {clip !== null && (
        <OnStage scenes={1}>
          <Episode clip={clip} learned={learned !== null} />
        </OnStage>
      )}
      {goal !== undefined && (
        <p className={styles.check} role="status" data-met={met ?? undefined}>
          {met === true ? t('✓ Reached: {goal}.', { goal: goal.say }) : t('To reach: {goal}.', { goal: goal.say })}
        </p>
      )}
    </div>
  );
}

/** null: not every seed has its result. */
function judged(seeds: readonly Seed[], { min, max }: { readonly min: number; readonly max: number }): boolean | null {
  if (seeds.length === 0 || seeds.some(({ result }) => result === null)) return null;
  return seeds.every(({ result }) => {
    const old = result?.oldReturn ?? Number.NEGATIVE_INFINITY;
    return old >= min && old <= max;
  });
}

const figure = (value: number | null | undefined): string => (value == null ? '' : measure(value));

function Paid({ seeds, steps }: { readonly seeds: readonly Seed[]; readonly steps: number }) {
  const over = seeds.every((seed) => seed.over);
  return (
    <>
      <table className={styles.results}>
        <caption>{t('Return of what was learned, without exploring')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('seed')}</th>
            <th scope="col">{t('as your code pays')}</th>
            <th scope="col">{t('as the world pays')}</th>
          </tr>
        </thead>
        <tbody>
          {seeds.map(({ seed, result, step, over: done }) => (
            <tr key={seed}>
              <th scope="row">{seed}</th>
              <td>{result === null ? (done ? '' : percent(Math.round((100 * step) / steps))) : figure(result.evalReturn)}</td>
              <td>{figure(result?.oldReturn)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="visually-hidden" role="status">
        {over ? t('Training has ended.') : ''}
      </p>
    </>
  );
}

interface EpisodeProps {
  readonly clip: { readonly name: string; readonly clip: OwnClip };
  readonly learned: boolean;
}

function Episode({ clip: { name, clip }, learned }: EpisodeProps) {
  const reduced = useReducedMotion();
  const reel = useMemo(() => new Reel(), []);
  const [playing, setPlaying] = useState(!reduced);
  reel.playing = playing;
  const values = { n: clip.steps, value: measure(clip.total) };
  const words = learned
    ? t('An episode of what was learned: {n} steps, your code pays {value}.', values)
    : t('An episode of random actions: {n} steps, your code pays {value}.', values);
  return (
    <>
      <Live reel={reel} playing={playing} eager name={name} load={() => Promise.resolve(clip)} poster={null} label={words} />
      <p className={styles.row}>
        <Button pressed={playing} onClick={() => setPlaying(!playing)}>
          {playing ? t('Pause') : t('Play')}
        </Button>
        <span className={styles.quiet}>{words}</span>
      </p>
    </>
  );
}
