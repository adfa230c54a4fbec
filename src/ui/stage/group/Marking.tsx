/**
 * Marks of a person on answers, and the judge that is made of them: from ten marks on it is fitted, a press makes it the reward and trains, with the KL
 * of the settings or without any, and marks on what is written then say whether the judge was fooled.
 */
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { runs } from '#client/runs/service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { type JsonObject, objectOf } from '#contract/kit/json.ts';
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

/** Whether a method of these settings is held near where it began. */
const isHeld = (algo: JsonObject): boolean => (objectOf(algo.reference ?? {}).kind ?? 'off') !== 'off';

interface Props {
  readonly env: EnvCard;
  readonly runId: string | null;
  /** A run by the judge was begun. */
  readonly onLearn: () => void;
}

export function Marking({ env, runId, onLearn }: Props) {
  const marks = useStore(answerMarks, (state) => state.marks);
  const judge = useMemo(() => fittedTo(marks), [marks]);
  const audit = runId === null ? null : auditOf(marks, runId);
  const held = useStore(draftStore, ({ config }) => isHeld(config.algo.config as JsonObject));
  const learn = (taste: string, free: boolean): void => {
    const { config } = draftStore.getState();
    const judges = (env.terms ?? []).flatMap(({ weights }) => weights);
    const { env: world, algo } = config;
    void runs.learn({
      ...config,
      env: { ...world, config: paidBy(world.config as JsonObject, taste, judges) },
      ...(free && { algo: { ...algo, config: { ...(algo.config as JsonObject), reference: { kind: 'off' } } } }),
    });
    onLearn();
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
      <span className={styles.acts}>
        <Button
          kind={judge === null ? 'quiet' : 'solid'}
          disabled={judge === null}
          onClick={() => judge !== null && learn(judge.taste, false)}
        >
          {t('Learn by this judge')}
        </Button>
        {held && (
          <Button disabled={judge === null} onClick={() => judge !== null && learn(judge.taste, true)}>
            {t('The same without a KL')}
          </Button>
        )}
      </span>
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
