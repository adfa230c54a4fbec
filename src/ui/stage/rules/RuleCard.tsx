/** Below the scene of a rule grid: the goal and the rules of the episode that is shown, in sentences. The agent finds them out by acting. */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { frameSize, isGrid, ruleCardColumn } from '#contract/game/frames.ts';
import { type Line, NUMBERS, readLine, type Thing } from '#contract/game/rule-card.ts';
import { agentOffset } from '#scenes/lib/frames.ts';
import { draftStore } from '#stores/draft.ts';
import { stageStore } from '#stores/stage.ts';
import { t } from '#text/text.ts';
import { Sentence } from '#ui/form/rules/Sentence.tsx';
import { sentence } from '#ui/form/rules/words.ts';
import styles from './RuleCard.module.css';

const LOOK_MS = 100;
/** Of an agent's columns: the thing that it carries. */
const CARRIED = 3;

export default function RuleCard() {
  const card = useCard();
  const told = useStore(stageStore, ({ replay }) => replay?.env.config.tellTask);
  const tells = useStore(draftStore, ({ config }) => config.env.config.tellTask);
  if (card === null) return null;
  const { goal, rules, pocket } = card;
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
      <p className={styles.none}>
        {pocket.tile === 0 ? (
          t('The pocket is empty.')
        ) : (
          <>
            {t('In the pocket:')} <Sentence pieces={[pocket]} />.
          </>
        )}{' '}
        {(told ?? tells) !== true && t('The agent is not told goal and rules.')}
      </p>
    </section>
  );
}

interface Card {
  readonly goal: Line;
  readonly rules: readonly Line[];
  readonly pocket: Thing;
}

/** The task and the pocket of the frame on the stage. */
function useCard(): Card | null {
  const source = useStore(stageStore, (state) => state.source);
  const [text, setText] = useState('');
  useEffect(() => {
    const layout = source?.layout;
    if (source === null || !isGrid(layout) || layout.ruleCard === undefined) return;
    const frame = new Float32Array(frameSize(layout));
    const from = ruleCardColumn(layout);
    const held = agentOffset(layout) + CARRIED;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      timer = undefined;
      if (source.read(stageStore.getState().t, frame)) setText([frame[held]!, frame[held + 1]!, ...frame.subarray(from)].join(' '));
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
  const [tile = 0, colour = 0, ...numbers] = text.split(' ').map(Number);
  const rules: Line[] = [];
  for (let at = NUMBERS.goal; at < numbers.length; at += NUMBERS.rule) {
    const rule = readLine('rule', numbers.slice(at, at + NUMBERS.rule));
    if (rule.kind > 0) rules.push(rule);
  }
  return { goal: readLine('goal', numbers), rules, pocket: { tile, colour } };
}
