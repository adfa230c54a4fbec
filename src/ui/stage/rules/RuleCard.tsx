/** Below the scene of a rule grid: the goal and the rules of the episode that is shown, in sentences. The agent finds them out by acting. */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { frameSize, isGrid, ruleCardColumn } from '#contract/game/frames.ts';
import { type Line, NUMBERS, readLine } from '#contract/game/rule-card.ts';
import { draftStore } from '#stores/draft.ts';
import { stageStore } from '#stores/stage.ts';
import { t } from '#text/text.ts';
import { Sentence } from '#ui/form/rules/Sentence.tsx';
import { sentence } from '#ui/form/rules/words.ts';
import styles from './RuleCard.module.css';

const LOOK_MS = 150;

export default function RuleCard() {
  const card = useCard();
  const told = useStore(stageStore, ({ replay }) => replay?.env.config.tellTask);
  const tells = useStore(draftStore, ({ config }) => config.env.config.tellTask);
  if (card === null) return null;
  const { goal, rules } = card;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long lists are scrolled by keys
    <section className={styles.card} aria-label={t('Goal and rules')} tabIndex={0}>
      <p className={styles.goal}>
        <b>{t('Goal')}</b> <Sentence pieces={sentence('goal', goal)} />
        {rules.length > 1 && <span className={styles.count}>{t('{n} rules', { n: rules.length })}</span>}
      </p>
      {rules.length === 0 ? (
        <p className={styles.none}>{t('No rules: nothing changes but by hand.')}</p>
      ) : (
        <ul className={styles.rules}>
          {rules.map((rule, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rules of one task stay in their order
            <li key={i}>
              <Sentence pieces={sentence('rule', rule)} />
            </li>
          ))}
        </ul>
      )}
      {(told ?? tells) !== true && <p className={styles.none}>{t('The agent is not told this.')}</p>}
    </section>
  );
}

interface Card {
  readonly goal: Line;
  readonly rules: readonly Line[];
}

/** The task of the frame on the stage; it changes with episodes only. */
function useCard(): Card | null {
  const source = useStore(stageStore, (state) => state.source);
  const [text, setText] = useState('');
  useEffect(() => {
    const layout = source?.layout;
    if (source === null || !isGrid(layout) || layout.ruleCard === undefined) return;
    const frame = new Float32Array(frameSize(layout));
    const from = ruleCardColumn(layout);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      timer = undefined;
      if (source.read(stageStore.getState().t, frame)) setText(frame.subarray(from).join(' '));
      else later();
    };
    const later = (): void => {
      timer ??= setTimeout(look, LOOK_MS);
    };
    look();
    const stop = stageStore.subscribe(later);
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [source]);
  if (text === '') return null;
  const numbers = text.split(' ').map(Number);
  const rules: Line[] = [];
  for (let at = NUMBERS.goal; at < numbers.length; at += NUMBERS.rule) {
    const rule = readLine('rule', numbers.slice(at, at + NUMBERS.rule));
    if (rule.kind > 0) rules.push(rule);
  }
  return { goal: readLine('goal', numbers), rules };
}
