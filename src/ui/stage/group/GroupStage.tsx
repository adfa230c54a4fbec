/**
 * The stage of a policy on tokens: one prompt and sixteen answers of the policy as it is now, each token by its probability, and how much the
 * method of the run would push each. Sampled anew with every policy that comes to the stage, from the same draws, so that what changes is the
 * policy. Other methods weigh the same answers at a press, without training.
 */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { tokens } from '#client/stage/service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { objectOf } from '#contract/kit/json.ts';
import type { AnswerGroup, AnswerToken } from '#contract/run/tokens.ts';
import type { Averaging } from '#math/groups.ts';
import { runsStore } from '#stores/runs.ts';
import { stageStore } from '#stores/stage.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { compact, measure, percent } from '#ui/kit/format/numbers.ts';
import { Segmented } from '#ui/kit/Segmented.tsx';
import { askedInWords } from '../describe.ts';
import { isRight, lessonOf, meanReward, plain, rightOf } from '../tokens/weighed.ts';
import { glyphOf, glyphsOf, nameOf } from '../tokens/words.ts';
import styles from './GroupStage.module.css';
import { byReward, pushesOf, RULES, type RuleId } from './rules.ts';

const SIZE = 16;
const AVERAGINGS: readonly Averaging[] = ['sequence', 'token', 'constant', 'sum'];

interface Drawn {
  readonly group: AnswerGroup;
  readonly step: number | null;
}

export default function GroupStage({ env }: { readonly env: EnvCard }) {
  const policy = useStore(stageStore, (state) => state.policy);
  const world = useStore(stageStore, (state) => state.replay?.env ?? null);
  const averaging = useStore(runsStore, ({ groups }) => averagingOf(groups.find(({ id }) => id === policy?.runId)?.config.algo));
  const [prompt, setPrompt] = useState(1);
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const [failed, setFailed] = useState('');
  const [rule, setRule] = useState<RuleId>('own');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a replay of the same world asks nothing new; a policy or a prompt does
  useEffect(() => {
    if (policy === null || world === null) return;
    let current = true;
    tokens.sample({ policy: policy.key, env: world, from: null, groups: 1, size: SIZE, seed: prompt }).then(
      ([group]) => {
        if (!current || group === undefined) return;
        setDrawn({ group, step: policy.step });
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
  }, [policy?.key, policy?.step, prompt, env.id]);
  if (drawn === null) return failed === '' ? <div className={styles.group} aria-busy="true" /> : <p className={styles.group}>{failed}</p>;
  const { group, step } = drawn;
  const { answers } = group;
  const pushes = pushesOf(group, rule, averaging, Math.max(...answers.map(({ tokens: own }) => own.length), 1));
  const compared = rule !== 'own' || group.comparison !== null;
  const most = Math.max(...pushes.map(({ token }) => Math.abs(token)), 1e-9);
  return (
    <section className={styles.group} aria-labelledby="group-title">
      <header className={styles.head}>
        <h2 id="group-title">{group.asked === '' ? glyphsOf(env, group.prompt) : askedInWords(group.asked)}</h2>
        <Button onClick={() => setPrompt(prompt + 1)}>{t('Another prompt')}</Button>
      </header>
      <p className={styles.said}>
        <strong>{t('{right} of {count} answers are right', { right: rightOf(answers), count: answers.length })}</strong>
        {' · '}
        {t('mean reward {mean}', { mean: plain(meanReward(group)) })}
        {step !== null && ` · ${t('after {count} tokens', { count: compact(step) })}`}
      </p>
      <Segmented
        label={t('Weighed as by')}
        value={rule}
        options={RULES.map(({ id, title }) => ({ value: id, label: t(title) }))}
        onChange={setRule}
      />
      <p className={`${styles.said} ${styles.rule}`}>
        {rule === 'own' ? lessonOf(group) : t(RULES.find(({ id }) => id === rule)?.what ?? '')}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section className={styles.scroller} tabIndex={0} aria-label={t('Answers of the group, the best paid first')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('answer')}</th>
              <th scope="col">
                <span className="visually-hidden">{t('right or wrong')}</span>
              </th>
              <th scope="col">{t('reward')}</th>
              {compared && (
                <>
                  <th scope="col">{t('advantage')}</th>
                  <th scope="col" title={t('Advantage times the weight of a token in the loss')}>
                    {t('push on each token')}
                  </th>
                </>
              )}
            </tr>
          </thead>
          <tbody>
            {byReward(group).map((place) => {
              const answer = answers[place]!;
              const { advantage, token, dropped } = pushes[place]!;
              return (
                <tr key={place} data-right={isRight(answer) || undefined} data-dropped={dropped || undefined}>
                  <td>
                    <Written env={env} said={answer.tokens} />
                  </td>
                  <td>{isRight(answer) ? '✓' : '✗'}</td>
                  <td>{plain(answer.reward)}</td>
                  {compared && (
                    <>
                      <td>{dropped ? t('left out') : advantage === null ? '' : plain(advantage)}</td>
                      <td className={styles.push}>
                        <i data-sign={Math.sign(token)} style={{ inlineSize: `${(50 * Math.abs(token)) / most}%` }} />
                      </td>
                    </>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
    </section>
  );
}

/** An answer, each token that the policy wrote tinted by how probable it was there. */
function Written({ env, said }: { readonly env: EnvCard; readonly said: readonly AnswerToken[] }) {
  return (
    <code className={styles.written}>
      {said.map(({ id, logProb }, place) => {
        const p = logProb === null ? null : Math.exp(logProb);
        return (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: places of a row are what they are
            key={place}
            style={p === null ? undefined : ({ '--p': `${(100 * p).toFixed(0)}%` } as object)}
            title={p === null ? nameOf(env, id) : `${nameOf(env, id)}: ${percent(measure(100 * p, 2))}`}
          >
            {glyphOf(env, id)}
          </span>
        );
      })}
    </code>
  );
}

function averagingOf(algo: { readonly id: string; readonly config: unknown } | undefined): Averaging | null {
  const own = objectOf(algo?.config ?? {}).averaging;
  return AVERAGINGS.find((name) => name === own) ?? null;
}
