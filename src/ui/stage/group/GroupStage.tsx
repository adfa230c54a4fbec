/**
 * The stage of a policy on tokens: one prompt and sixteen answers of the policy as it is now, each token by its probability, and how much the
 * method of the run would push each. Sampled anew with every policy that comes to the stage, from the same draws, so that what changes is the
 * policy. Other methods weigh the same answers at a press, without training. Answers that are held stay while the policy learns on: each says how
 * probable it was and is. Sixteen prompts at once show which groups teach.
 */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
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
import { compact } from '#ui/kit/format/numbers.ts';
import { Segmented } from '#ui/kit/Segmented.tsx';
import { askedInWords } from '../describe.ts';
import { lessonOf, meanReward, plain, rightOf } from '../tokens/weighed.ts';
import { glyphsOf } from '../tokens/words.ts';
import { Answers } from './Answers.tsx';
import styles from './GroupStage.module.css';
import { movedInWords } from './moved.ts';
import { pushesOf, RULES, type RuleId } from './rules.ts';
import { Wall } from './Wall.tsx';

const SIZE = 16;
/** Of the wall: as many answers in all as one request may ask for. */
const WALL = { groups: 16, size: 8 };
const AVERAGINGS: readonly Averaging[] = ['sequence', 'token', 'constant', 'sum'];

interface Drawn {
  readonly groups: readonly AnswerGroup[];
  readonly step: number | null;
}

/** Ids that the policy wrote, by answer. */
const writtenOf = ({ answers }: AnswerGroup): readonly (readonly number[])[] =>
  answers.map(({ tokens: own }) => own.filter(({ written }) => written).map(({ id }) => id));

export default function GroupStage({ env }: { readonly env: EnvCard }) {
  const policy = useStore(stageStore, (state) => state.policy);
  const world = useStore(stageStore, (state) => state.replay?.env ?? null);
  const averaging = useStore(runsStore, ({ groups }) => averagingOf(groups.find(({ id }) => id === policy?.runId)?.config.algo));
  const [prompt, setPrompt] = useState(1);
  const [wall, setWall] = useState(false);
  const [picked, setPicked] = useState(0);
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  /** Answers that stay while the policy learns on. */
  const [held, setHeld] = useState<Drawn | null>(null);
  const [failed, setFailed] = useState('');
  const [rule, setRule] = useState<RuleId>('own');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a replay of the same world asks nothing new; a policy, a prompt or answers that are held do
  useEffect(() => {
    if (policy === null || world === null) return;
    let current = true;
    const kept = held?.groups[0];
    const asked = kept === undefined ? (wall ? WALL : { groups: 1, size: SIZE }) : { groups: 1, size: SIZE, written: writtenOf(kept) };
    tokens.sample({ policy: policy.key, env: world, from: null, seed: prompt, ...asked }).then(
      (groups) => {
        if (!current || groups.length === 0) return;
        setDrawn({ groups, step: policy.step });
        setFailed('');
      },
      (error: unknown) => {
        const { message, fix } = toFailure(error);
        if (current) setFailed(`${message} ${fix}`);
      },
    );
    return () => {
      current = false;
    };
  }, [policy?.key, policy?.step, prompt, env.id, wall, held]);
  if (drawn === null) return failed === '' ? <div className={styles.group} aria-busy="true" /> : <p className={styles.group}>{failed}</p>;
  const { step } = held ?? drawn;
  const group = (held ?? drawn).groups[wall ? picked : 0] ?? drawn.groups[0]!;
  const now = held === null ? null : (drawn.groups[0] ?? null);
  const { answers } = group;
  const pushes = pushesOf(group, rule, averaging, Math.max(...answers.map(({ tokens: own }) => own.length), 1));
  const compared = rule !== 'own' || group.comparison !== null;
  const another = (): void => {
    setHeld(null);
    setPrompt(prompt + 1);
  };
  return (
    <section className={styles.group} aria-labelledby="group-title" data-held={held !== null || undefined}>
      <header className={styles.head}>
        <h2 id="group-title">{group.asked === '' ? glyphsOf(env, group.prompt) : askedInWords(group.asked)}</h2>
        <span className={styles.acts}>
          <Button
            aria-pressed={wall}
            onClick={() => {
              setHeld(null);
              setPicked(0);
              setWall(!wall);
            }}
          >
            {t('16 prompts')}
          </Button>
          {!wall && (
            <Button aria-pressed={held !== null} onClick={() => setHeld(held === null ? drawn : null)}>
              {t('Hold these answers')}
            </Button>
          )}
          <Button onClick={another}>{wall ? t('Other prompts') : t('Another prompt')}</Button>
        </span>
      </header>
      {wall && <Wall env={env} groups={drawn.groups} picked={picked} onPick={setPicked} />}
      <p className={styles.said}>
        <strong>{t('{right} of {count} answers are right', { right: rightOf(answers), count: answers.length })}</strong>
        {' · '}
        {t('mean reward {mean}', { mean: plain(meanReward(group)) })}
        {step !== null && ` · ${t('after {count} tokens', { count: compact(step) })}`}
        {held !== null && drawn.step !== null && ` · ${t('looked at after {count} tokens', { count: compact(drawn.step) })}`}
      </p>
      {now !== null && <p role="status">{movedInWords(group, now)}</p>}
      <Segmented
        label={t('Weighed as by')}
        value={rule}
        options={RULES.map(({ id, title }) => ({ value: id, label: t(title) }))}
        onChange={setRule}
      />
      <p className={`${styles.said} ${styles.rule}`}>
        {rule === 'own' ? lessonOf(group) : t(RULES.find(({ id }) => id === rule)?.what ?? '')}
      </p>
      <Answers env={env} group={group} pushes={compared ? pushes : null} now={now} />
    </section>
  );
}

function averagingOf(algo: { readonly id: string; readonly config: unknown } | undefined): Averaging | null {
  const own = objectOf(algo?.config ?? {}).averaging;
  return AVERAGINGS.find((name) => name === own) ?? null;
}
