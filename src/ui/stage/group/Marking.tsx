/**
 * Marks of a person on answers, and the judge that is made of them: from ten marks on it is fitted, a press makes it the reward and trains, and marks
 * on what is written then say whether the judge was fooled.
 */
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { runs } from '#client/runs/service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { GroupAnswer } from '#contract/run/tokens.ts';
import { draftStore } from '#stores/draft.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { plain } from '../tokens/weighed.ts';
import styles from './GroupStage.module.css';
import { answerMarks, auditOf, fittedTo, LEAST_MARKS, markOf, wordsOf } from './marks.ts';

/** Whether answers of this world can be marked: it has a judge that is fitted to marks. */
export const marksIn = ({ schema }: Pick<EnvCard, 'schema'>): boolean => Object.hasOwn(schema.properties ?? {}, 'taste');

/** The world's settings with the fitted judge alone paid. */
function paidBy(config: JsonObject, taste: string, judges: readonly string[]): JsonObject {
  return { ...config, ...Object.fromEntries(judges.map((name) => [name, 0])), own: 1, taste };
}

interface Props {
  readonly env: EnvCard;
  readonly runId: string | null;
}

export function Marking({ env, runId }: Props) {
  const marks = useStore(answerMarks, (state) => state.marks);
  const judge = useMemo(() => fittedTo(marks), [marks]);
  const audit = runId === null ? null : auditOf(marks, runId);
  const learn = (taste: string): void => {
    const { config } = draftStore.getState();
    const judges = (env.terms ?? []).flatMap(({ weights }) => weights);
    void runs.learn({ ...config, env: { ...config.env, config: paidBy(config.env.config as JsonObject, taste, judges) } });
  };
  return (
    <section className={styles.marking} aria-label={t('A judge of your own')}>
      <p role="status">
        {judge === null
          ? t('{count} of {least} answers marked; some of either kind are needed.', { count: marks.length, least: LEAST_MARKS })
          : t('A judge fitted to {count} marks agrees with {agrees} of them.', { count: marks.length, agrees: judge.agrees })}
        {judge !== null && (
          <>
            {' '}
            {judge.liked.length > 0 && t('It likes: {words}.', { words: judge.liked.join(', ') })}{' '}
            {judge.disliked.length > 0 && t('It dislikes: {words}.', { words: judge.disliked.join(', ') })}
          </>
        )}
      </p>
      {audit !== null && (
        <p>
          {t('You call {good} of {count} marked answers of this run good; its reward gives these {paid} on average.', {
            good: audit.good,
            count: audit.count,
            paid: plain(audit.paid),
          })}
        </p>
      )}
      <Button kind={judge === null ? 'quiet' : 'solid'} disabled={judge === null} onClick={() => judge !== null && learn(judge.taste)}>
        {t('Learn by this judge')}
      </Button>
    </section>
  );
}

interface MarkButtonsProps {
  readonly env: EnvCard;
  readonly answer: GroupAnswer;
  readonly runId: string | null;
}

/** Good or bad, of one answer. */
export function MarkButtons({ env, answer, runId }: MarkButtonsProps) {
  const words = wordsOf(env, answer);
  const given = useStore(answerMarks, ({ marks }) => markOf(marks, words)?.good);
  const press = (good: boolean): void => answerMarks.getState().mark({ words, good, runId, reward: answer.reward });
  return (
    <span className={styles.marks}>
      <button
        type="button"
        aria-pressed={given === true}
        aria-label={t('good: {answer}', { answer: words.join(' ') })}
        onClick={() => press(true)}
      >
        +
      </button>
      <button
        type="button"
        aria-pressed={given === false}
        aria-label={t('bad: {answer}', { answer: words.join(' ') })}
        onClick={() => press(false)}
      >
        −
      </button>
    </span>
  );
}
