/**
 * The stage of a policy on tokens: one prompt and sixteen answers of the policy as it is now, each token by its probability, and how much the
 * method of the run would push each. Sampled anew with every policy that comes to the stage, from the same draws, so that what changes is the
 * policy. Other methods weigh the same answers at a press, without training. Answers that are held stay while the policy learns on: each says how
 * probable it was and is. Sixteen prompts at once show which groups teach; the best of N stands beside learning by reward; and a person may mark answers, of
 * which a judge is made.
 */
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { race } from '#client/compare/race.ts';
import { canRace } from '#client/compare/racers.ts';
import { tokens } from '#client/stage/service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { objectOf } from '#contract/kit/json.ts';
import type { AnswerGroup } from '#contract/run/tokens.ts';
import type { Averaging } from '#math/groups.ts';
import { runsStore } from '#stores/runs.ts';
import { stageStore } from '#stores/stage.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { failureText } from '#ui/kit/format/failure.ts';
import { compact } from '#ui/kit/format/numbers.ts';
import { Segmented } from '#ui/kit/Segmented.tsx';
import { toast } from '#ui/kit/toasts.ts';
import { askedInWords } from '../describe.ts';
import { lasting, useLasting } from '../lasting.ts';
import { lessonOf, meanReward, plain, rightOf } from '../tokens/weighed.ts';
import { glyphsOf } from '../tokens/words.ts';
import { Answers } from './Answers.tsx';
import { BestOf } from './BestOf.tsx';
import { truths } from './best.ts';
import styles from './GroupStage.module.css';
import { Marking, marksIn } from './Marking.tsx';
import { movedInWords } from './moved.ts';
import { pushesOf, RULES, type RuleId } from './rules.ts';
import { Wall } from './Wall.tsx';

const SIZE = 16;
/** Of the wall, and of the best of N: as many answers in all as one request may ask for. */
const WALL = { groups: 16, size: 8 };
const BEST = { groups: 8, size: 16 };
/** What is seen of the policy: a group, sixteen of them, the best of N, or a group that a person marks. */
type View = 'group' | 'wall' | 'best' | 'mark';
const AVERAGINGS: readonly Averaging[] = ['sequence', 'token', 'constant', 'sum'];

interface Drawn {
  readonly groups: readonly AnswerGroup[];
  readonly step: number | null;
  /** The run whose policy wrote them. */
  readonly runId: string;
}

/** What a person has chosen here, and the answers that were shown last: a view that comes back shows them until others are drawn. */
interface Chosen {
  /** Seed of the prompt; of several prompts, of the first. */
  readonly prompt: number;
  readonly view: View;
  /** Of the wall, the prompt whose answers are listed below it. */
  readonly picked: number;
  /** The prompt whose answers are shown. */
  readonly marked: number;
  readonly drawn: Drawn | null;
  /** Answers that stay while the policy learns on. */
  readonly held: Drawn | null;
  readonly rule: RuleId;
  /** Of the best of N, the measure that is held against what is paid; '': the first that there is. */
  readonly truth: string;
}

const choices = lasting<Chosen>({
  prompt: 1,
  view: 'group',
  picked: 0,
  marked: 0,
  drawn: null,
  held: null,
  rule: 'own',
  truth: '',
});

/** Ids that the policy wrote, by answer. */
const writtenOf = ({ answers }: AnswerGroup): readonly (readonly number[])[] =>
  answers.map(({ tokens: own }) => own.filter(({ written }) => written).map(({ id }) => id));

export default function GroupStage({ env }: { readonly env: EnvCard }) {
  const policy = useStore(stageStore, (state) => state.policy);
  const world = useStore(stageStore, (state) => state.replay?.env ?? null);
  const config = useStore(runsStore, ({ groups }) => groups.find(({ id }) => id === policy?.runId)?.config);
  const active = useStore(runsStore, ({ groups, activeId }) => groups.find(({ id }) => id === activeId));
  const averaging = averagingOf(config?.algo);
  const [racing, setRacing] = useState(false);
  const [{ prompt, view, picked, marked, drawn, held: kept, rule, truth }, choose] = useLasting(choices, env.id);
  // what another run wrote is not what this one can be held against
  const held = kept?.runId === policy?.runId ? kept : null;
  const [failed, setFailed] = useState('');
  /** What answers are wanted of now; null: the stage is gone. */
  const wanted = useRef<object | null>(null);
  /** Which prompts, and how many answers to each. */
  const scene = useRef('');
  /** One question at a time: policies may come faster than their answers, and then none would ever be shown. */
  const drawing = useRef(false);
  const [turn, setTurn] = useState(0);
  useEffect(
    () => () => {
      wanted.current = null;
    },
    [],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a replay of the same world asks nothing new; a policy, a prompt or answers that are held do
  useEffect(() => {
    if (policy === null || world === null) return;
    if (view === 'mark' && marked === prompt && drawn?.runId === policy.runId) return; // what is being marked stays
    const question = {};
    const where = [env.id, view, prompt, held?.step].join();
    wanted.current = question;
    scene.current = where;
    if (drawing.current) return;
    drawing.current = true;
    const current = (): boolean => wanted.current !== null && scene.current === where;
    const answers = held?.groups[0];
    const sizes =
      answers === undefined
        ? view === 'wall'
          ? WALL
          : view === 'best'
            ? BEST
            : { groups: 1, size: SIZE }
        : { groups: 1, size: SIZE, written: writtenOf(answers) };
    tokens
      .sample({ policy: policy.key, env: world, from: null, seed: prompt, ...sizes })
      .then(
        (groups) => {
          if (!current() || groups.length === 0) return;
          choose({ drawn: { groups, step: policy.step, runId: policy.runId }, marked: prompt });
          setFailed('');
        },
        (error: unknown) => {
          const { message, fix } = toFailure(error);
          if (current()) setFailed(`${message} ${fix}`);
        },
      )
      .finally(() => {
        drawing.current = false;
        if (wanted.current !== null && wanted.current !== question) setTurn((n) => n + 1);
      });
  }, [policy?.key, policy?.step, prompt, env.id, view, held, turn]);
  if (drawn === null) return failed === '' ? <div className={styles.group} aria-busy="true" /> : <p className={styles.group}>{failed}</p>;
  const { step } = held ?? drawn;
  const group = (held ?? drawn).groups[view === 'wall' ? picked : 0] ?? drawn.groups[0]!;
  const now = held === null ? null : (drawn.groups[0] ?? null);
  const { answers } = group;
  const pushes = pushesOf(group, rule, averaging, Math.max(...answers.map(({ tokens: own }) => own.length), 1));
  const compared = rule !== 'own' || group.comparison !== null;
  const byToken = rule === 'own' && view !== 'mark' && group.comparison === 'tokens';
  const show = (to: View): void => choose({ held: null, picked: 0, marked: 0, view: view === to ? 'group' : to });
  const runId = policy?.runId ?? null;
  // a run that was just begun has curves before the stage has a policy of it
  const learning = active?.config.env.id === env.id ? { runId: active.id, seed: active.seeds[0]?.seed ?? null } : null;
  const seed = policy?.seed ?? null;
  const curveOf = learning === null || learning.runId === runId ? { runId, seed } : learning;
  const begin = (): void => {
    if (config === undefined) return;
    setRacing(true);
    race(config)
      .then((paused) => toast(raceInWords(paused)))
      .catch((error: unknown) => setFailed(failureText(toFailure(error))))
      .finally(() => setRacing(false));
  };
  const another = (): void => choose({ held: null, prompt: prompt + 1 });
  return (
    <section className={styles.group} aria-labelledby="group-title" data-held={held !== null || undefined} data-view={view}>
      <header className={styles.head}>
        <h2 id="group-title">
          {view === 'best'
            ? t('{size} answers to each of {groups} prompts', BEST)
            : group.asked === ''
              ? glyphsOf(env, group.prompt)
              : askedInWords(group.asked)}
        </h2>
        <span className={styles.acts}>
          <Button aria-pressed={view === 'wall'} onClick={() => show('wall')}>
            {t('16 prompts')}
          </Button>
          {truths(env).length > 0 && (
            <Button aria-pressed={view === 'best'} onClick={() => show('best')}>
              {t('Best of N')}
            </Button>
          )}
          {marksIn(env) && (
            <Button aria-pressed={view === 'mark'} onClick={() => show('mark')}>
              {t('Mark answers')}
            </Button>
          )}
          {view === 'group' && canRace(config?.algo) && (
            <Button onClick={begin} disabled={racing} label={t('GRPO, Dr. GRPO and RAFT train from one start')}>
              {t('Race of three')}
            </Button>
          )}
          {(view === 'group' || view === 'mark') && (
            <Button aria-pressed={held !== null} onClick={() => choose({ held: held === null ? drawn : null })}>
              {t('Hold these answers')}
            </Button>
          )}
          <Button onClick={another}>{view === 'wall' || view === 'best' ? t('Other prompts') : t('Another prompt')}</Button>
        </span>
      </header>
      {view === 'wall' && <Wall env={env} groups={drawn.groups} picked={picked} onPick={(place) => choose({ picked: place })} />}
      {view === 'mark' && <Marking env={env} runId={runId} onLearn={() => show('best')} />}
      {view !== 'best' && (
        <p className={styles.said}>
          <strong>{t('{right} of {count} answers are right', { right: rightOf(answers), count: answers.length })}</strong>
          {' · '}
          {t('mean reward {mean}', { mean: plain(meanReward(group)) })}
          {step !== null && ` · ${t('after {count} tokens', { count: compact(step) })}`}
          {held !== null && drawn.step !== null && ` · ${t('looked at after {count} tokens', { count: compact(drawn.step) })}`}
        </p>
      )}
      {failed !== '' && <p role="alert">{failed}</p>}
      {now !== null && <p role="status">{movedInWords(group, now)}</p>}
      {view === 'best' ? (
        <BestOf env={env} groups={drawn.groups} {...curveOf} chosen={truth} onChoose={(id) => choose({ truth: id })} />
      ) : (
        <>
          {view !== 'mark' && (
            <>
              <Segmented
                label={t('Weighed as by')}
                value={rule}
                options={RULES.map(({ id, title }) => ({ value: id, label: t(title) }))}
                onChange={(id) => choose({ rule: id })}
              />
              <p className={`${styles.said} ${styles.rule}`}>
                {rule === 'own' ? lessonOf(group) : t(RULES.find(({ id }) => id === rule)?.what ?? '')}
              </p>
            </>
          )}
          {byToken && (
            <p className={styles.signs}>
              <span>{t('Advantage above 0: likelier')}</span>
              <span data-sign="-1">{t('below 0: less likely')}</span>
            </p>
          )}
          <Answers
            env={env}
            group={group}
            byToken={byToken}
            pushes={compared && view !== 'mark' ? pushes : null}
            now={now}
            marking={view === 'mark' ? { runId: drawn.runId } : null}
          />
        </>
      )}
    </section>
  );
}

function raceInWords(paused: readonly string[]): string {
  const all = t('GRPO, Dr. GRPO and RAFT train beside each other from one start; each draws a curve.');
  return paused.length === 0 ? all : `${all} ${t('Paused for them, to be resumed under My runs: {names}.', { names: paused.join(', ') })}`;
}

function averagingOf(algo: { readonly id: string; readonly config: unknown } | undefined): Averaging | null {
  const own = objectOf(algo?.config ?? {}).averaging;
  return AVERAGINGS.find((name) => name === own) ?? null;
}
