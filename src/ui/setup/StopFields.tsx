/** When a run ends before its budget: after so much training, or with a return that is enough. Acts on the run that goes on, too. */
import { useStore } from 'zustand';
import { runs } from '#client/runs/service.ts';
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { LARGEST_RETURN, LONGEST_S, type StopRules } from '#contract/game/stop-rules.ts';
import type { Json } from '#contract/kit/json.ts';
import { draftStore } from '#stores/draft.ts';
import { layoutStore } from '#stores/layout.ts';
import { runsStore } from '#stores/runs.ts';
import { stopsStore, stopWhen } from '#stores/stops.ts';
import { t } from '#text/text.ts';
import { Field } from '#ui/form/Field.tsx';
import { type Leaf, leavesOf } from '#ui/form/leaves.ts';
import styles from './Setup.module.css';
import { openTwin, runningTwin } from './useSetup.ts';

const nothing = 'never';
const fields: FieldSchema = {
  type: 'object',
  properties: {
    seconds: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: LONGEST_S,
      default: null,
      title: 'end after',
      unit: 's',
      empty: nothing,
      live: true,
      description: 'Seconds of training of each seed, pauses left out. It ends with the update in which they have passed.',
    },
    meanReturn: {
      type: 'number',
      minimum: -LARGEST_RETURN,
      maximum: LARGEST_RETURN,
      default: null,
      title: 'end at a return of',
      empty: nothing,
      live: true,
      description: 'Mean of the last 100 training episodes, of 20 at least. A seed that reaches it ends.',
    },
  },
};
/** Empty: the rule is off. */
const LEAVES = leavesOf('stop', fields).map((leaf): Leaf => ({ ...leaf, nullable: true }));

export function StopFields() {
  const rules = useStore(stopsStore, (state) => state.rules);
  const depth = useStore(layoutStore, (state) => state.depth);
  const config = useStore(draftStore, (state) => state.config);
  const running = useStore(runsStore, (state) => runningTwin(state.groups, state.activeId, config) !== null);
  if (depth === 'teach') return null;
  const value = (path: string): number | null => (path === 'stop.seconds' ? rules.seconds : rules.meanReturn) ?? null;
  return (
    <div className={styles.group}>
      <h4 className={styles.groupTitle}>{t('end early')}</h4>
      {LEAVES.map((leaf) => (
        <Field
          key={leaf.path}
          leaf={leaf}
          value={value(leaf.path)}
          base={null}
          problem={null}
          running={running}
          onChange={change}
          onReset={(path) => change(path, null)}
        />
      ))}
    </div>
  );
}

/** A run of the shown config that has not come to its end follows at once. */
function change(path: string, value: Json | undefined): void {
  const { seconds, meanReturn } = stopsStore.getState().rules;
  const next = typeof value === 'number' ? value : undefined;
  const both = path === 'stop.seconds' ? { seconds: next, meanReturn } : { seconds, meanReturn: next };
  const rules: StopRules = Object.fromEntries(Object.entries(both).filter(([, limit]) => limit !== undefined));
  stopWhen(rules);
  const { groups, activeId } = runsStore.getState();
  const twin = openTwin(groups, activeId, draftStore.getState().config);
  if (twin !== null) runs.stopAt(twin.id, rules);
}
