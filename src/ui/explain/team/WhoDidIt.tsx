/**
 * At the simple depth, on the stage of a team: one press tells what each agent contributes, and the answer stands where it was pressed for, with a
 * ring round each agent. The usual question with the usual effort; everything that can be chosen stands in the panel Team.
 */
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { explain } from '#client/explain/service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { AgentAttribution } from '#contract/explain/explain.ts';
import { capital } from '#contract/kit/capital.ts';
import { listed } from '#contract/kit/listed.ts';
import { foremost, nameOf } from '#report/explain-words.ts';
import { explainStore, forgetAnswer } from '#stores/explain.ts';
import { stageStore } from '#stores/stage.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { failureText } from '#ui/kit/format/failure.ts';
import { useTexts } from '#ui/kit/parts.ts';
import { useSaid, valueMarks } from '#ui/stage/marks.ts';
import styles from './Team.module.css';
import { Values } from './Values.tsx';

export function WhoDidIt({ env }: { readonly env: EnvCard }) {
  const policy = useStore(stageStore, (state) => state.policy);
  const status = useStore(explainStore, (state) => (state.envId === env.id ? state.status : 'idle'));
  const failure = useStore(explainStore, (state) => state.failure);
  const answer = useStore(explainStore, (state) => (state.envId === env.id ? state.latest : null));
  const going = status === 'running' || status === 'paused';
  const run = policy?.runId;
  // What was answered is about another run.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another run on the stage, or another world, is the reason
  useEffect(() => forgetAnswer, [run, env.id]);
  useSaid(
    useMemo(() => {
      const marks = answer === null ? [] : valueMarks(answer, env);
      if (marks.length === 0) return null;
      return { title: t('What each agent contributes'), marks, ties: [], adds: t('adds'), takes: t('takes away') };
    }, [answer, env]),
  );
  if (!useTexts('why')) return null;
  return (
    <section className={styles.onStage} aria-label={t('What each agent contributes')}>
      {!going && answer === null && (
        <Button icon="help" onClick={() => void explain.agents(false)}>
          {t('Who did it?')}
        </Button>
      )}
      {going && (
        <p className={styles.onStageHead} role="status">
          {t('Playing with every part of the team, the others doing nothing.')}
          <Button icon="stop" onClick={() => explain.cancel()}>
            {t('Stop')}
          </Button>
        </p>
      )}
      {status === 'failed' && failure !== null && <p role="alert">{failureText(failure)}</p>}
      {answer !== null && (
        <>
          <p className={styles.onStageHead} role="status">
            <b>{capital(inWords(answer))}</b>
            {!going && <Button kind="bare" icon="close" label={t('Close')} onClick={forgetAnswer} />}
          </p>
          <Values answer={answer} />
        </>
      )}
    </section>
  );
}

/** Who contributes most, by the rule of the panel Team. */
function inWords(answer: AgentAttribution): string {
  const level = foremost(answer);
  if (level === null) return t('The first numbers come.');
  if (level.length === answer.players.length) return t('No difference between the agents is visible.');
  const names = answer.players.filter((_, i) => level.includes(i)).map(nameOf);
  return level.length === 1
    ? t('{name} contributes most.', { name: names[0] ?? '' })
    : t('{names} contribute most, with no visible difference between them.', { names: listed(names) });
}
