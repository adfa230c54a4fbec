/** A link was made under rules that have changed: which, what is stored of that time, and the run under the rules of today. */
import { useStore } from 'zustand';
import { runOfThen } from '#client/runs/rules.ts';
import { runs } from '#client/runs/service.ts';
import { layoutStore } from '#stores/layout.ts';
import { runsStore } from '#stores/runs.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { measure } from '#ui/kit/format/numbers.ts';
import { GREEDY_TEST } from '#ui/kit/format/returns.ts';
import { Icon } from '#ui/kit/Icon.tsx';
import { outcomeOf } from '#ui/runs/rows.ts';
import styles from './FailureNote.module.css';

export function RuleNote() {
  const change = useStore(layoutStore, (state) => state.ruleChange);
  const groups = useStore(runsStore, (state) => state.groups);
  if (change === null) return null;
  const stored = runOfThen(change, groups);
  const away = () => layoutStore.getState().set('ruleChange', null);
  return (
    <div className={styles.note} role="status" data-tone="caution">
      <Icon name="info" />
      <p className={styles.text}>
        <b>{t('The rules have changed since this link was made.')}</b> {change.rules.join(' ')} {t('A run of today gives other numbers.')}
        {stored !== null &&
          ` ${t('{name}, stored here under the older rule: {title} {value}.', { name: stored.name, title: t(GREEDY_TEST), value: measure(outcomeOf(stored).iqm) })}`}
      </p>
      <span className={styles.ways}>
        {stored !== null && (
          <Button
            onClick={() => {
              runsStore.getState().setActive(stored.id);
              away();
            }}
          >
            {t('Show what is stored')}
          </Button>
        )}
        <Button
          icon="play"
          onClick={() => {
            away();
            void runs.train();
          }}
        >
          {t('Train under the new rule')}
        </Button>
      </span>
      <Button kind="bare" icon="close" label={t('Put this note away')} onClick={away} />
    </div>
  );
}
