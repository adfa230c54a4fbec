/** What each episode draws, or which tasks follow one another: the fields with their ranges, the tasks, their order, and whether agents see the numbers. */
import { useStore } from 'zustand';
import { asTasks } from '#contract/catalog/context-tasks.ts';
import { type Contexts, contextsIn, drawnFields, isRange, MOST_CONTEXTS, withDraw } from '#contract/catalog/contexts.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { draftStore } from '#stores/draft.ts';
import { t } from '#text/text.ts';
import { editable, parseNumber } from '#ui/kit/format/numbers.ts';
import { Icon } from '#ui/kit/Icon.tsx';
import type { ControlProps } from './control.ts';
import styles from './Field.module.css';

type Order = NonNullable<Contexts['order']>['by'];

const ORDERS: readonly { readonly by: Order; readonly title: string }[] = [
  { by: 'blocks', title: 'one task after the other' },
  { by: 'turns', title: 'the next task in each episode' },
  { by: 'drift', title: 'drifting from task to task' },
];

export function ContextsControl({ value, id, labelId, describedBy, problem, onChange }: ControlProps) {
  const steps = useStore(draftStore, ({ config }) => config.run.steps);
  const contexts = value === undefined ? undefined : contextsIn({ contexts: value } as JsonObject);
  const put = (next: Contexts | undefined): void => onChange(next as Json | undefined);
  if (contexts === undefined) {
    return (
      <p className={styles.help}>
        <Icon name="range" size={13} />{' '}
        {t('beside a number above draws it from a range in each episode, or lets one value be learned after the other.')}
      </p>
    );
  }
  const fields = Object.entries(contexts.draw ?? {});
  const { list, order, ...drawn } = contexts;
  /** So long that the run meets every task once. */
  const blocksOf = (count: number): number => Math.max(1, Math.floor((steps ?? 100_000) / count));
  const orderedBy = (by: Order): Contexts => {
    const tasks = asTasks(contexts, { by });
    const length = order?.steps ?? blocksOf(tasks.list?.length ?? 1);
    return by === 'turns' ? tasks : { ...tasks, order: { by, steps: length } };
  };
  const canFollow = list === undefined ? asTasks(contexts, { by: 'turns' }).list !== undefined : list.length > 1;
  return (
    <fieldset className={styles.seats} aria-labelledby={labelId} aria-describedby={describedBy}>
      <ul>
        {fields.map(([field, draw]) => (
          <li key={field} className={styles.seat}>
            <span>{`${field}: ${isRange(draw) ? `${draw.from} to ${draw.to}${draw.scale === 'log' ? ' (log)' : ''}` : draw.join(', ')}`}</span>
            <button
              type="button"
              className={styles.reset}
              title={t('Back to one value')}
              onClick={() => put(withDraw(contexts, field, null))}
            >
              <Icon name="close" size={13} />
              <span className="visually-hidden">{t('Draw {field} no longer', { field })}</span>
            </button>
          </li>
        ))}
        {canFollow && (
          <li className={styles.seat}>
            <label htmlFor={`${id}-order`}>{t('episodes')}</label>
            <select
              id={`${id}-order`}
              className={styles.select}
              value={order?.by ?? 'drawn'}
              onChange={(event) => {
                const by = ORDERS.find((one) => one.by === event.target.value)?.by;
                put(by === undefined ? { ...drawn, ...(list !== undefined && { list }) } : orderedBy(by));
              }}
            >
              <option value="drawn">{list === undefined ? t('draw a value each') : t('draw a task each')}</option>
              {ORDERS.map(({ by, title }) => (
                <option key={by} value={by}>
                  {title}
                </option>
              ))}
            </select>
          </li>
        )}
        {order !== undefined && order.by !== 'turns' && (
          <li className={styles.seat}>
            <label htmlFor={`${id}-steps`}>{order.by === 'blocks' ? t('steps of a task') : t('steps from task to task')}</label>
            <NumberEntry
              id={`${id}-steps`}
              value={order.steps ?? 1}
              onChange={(next) => put({ ...contexts, order: { ...order, steps: Math.round(next) } })}
            />
          </li>
        )}
        {list !== undefined && (
          <Tasks
            list={list}
            onChange={(next) =>
              put(
                next.length === 0
                  ? fields.length === 0
                    ? undefined
                    : drawn
                  : next.length === 1
                    ? { ...drawn, list: next }
                    : { ...contexts, list: next },
              )
            }
          />
        )}
        <li className={styles.seat}>
          <label htmlFor={`${labelId}-tell`}>{t('agents see the drawn numbers')}</label>
          <input
            id={`${labelId}-tell`}
            type="checkbox"
            role="switch"
            className={styles.switch}
            checked={contexts.tell === true}
            aria-checked={contexts.tell === true}
            onChange={(event) => {
              const { tell: _, ...rest } = contexts;
              put(event.target.checked ? { ...rest, tell: true } : rest);
            }}
          />
        </li>
      </ul>
      {problem !== null && (
        <p className={styles.error} role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

interface TasksProps {
  readonly list: readonly JsonObject[];
  readonly onChange: (list: JsonObject[]) => void;
}

/** A row for each task: its numbers to change, what is no number by the name of its field. */
function Tasks({ list, onChange }: TasksProps) {
  const fields = drawnFields({ list: [...list] });
  const last = list[list.length - 1];
  return (
    <>
      {list.map((task, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: tasks are known by their place
        <li key={place} className={styles.task}>
          <span>{t('task {value}', { value: place + 1 })}</span>
          <span className={styles.taskFields}>
            {fields.map((field) => {
              const value = task[field];
              return typeof value === 'number' ? (
                <span key={field}>
                  {field}
                  <NumberEntry
                    label={t('{field} of task {value}', { field, value: place + 1 })}
                    value={value}
                    onChange={(next) => onChange(list.map((one, k) => (k === place ? { ...one, [field]: next } : one)))}
                  />
                </span>
              ) : (
                <span key={field}>{inWords(field, value)}</span>
              );
            })}
          </span>
          <button
            type="button"
            className={styles.reset}
            title={t('Leave this task out')}
            onClick={() => onChange(list.filter((_, k) => k !== place))}
          >
            <Icon name="close" size={13} />
            <span className="visually-hidden">{t('Leave out task {value}', { value: place + 1 })}</span>
          </button>
        </li>
      ))}
      {last !== undefined && list.length < MOST_CONTEXTS && (
        <li className={styles.seat}>
          <button type="button" className={styles.add} onClick={() => onChange([...list, last])}>
            <Icon name="plus" size={13} /> {t('Add a task')}
          </button>
        </li>
      )}
    </>
  );
}

/** A setting that is no number: short ones as they are. */
function inWords(field: string, value: Json | undefined): string {
  if (typeof value === 'boolean' || typeof value === 'string') return `${field} ${value}`;
  return field;
}

interface NumberProps {
  readonly id?: string;
  readonly label?: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

/** A number that is put when it is one; the checks of the whole config say whether it fits. */
function NumberEntry({ id, label, value, onChange }: NumberProps) {
  return (
    <span className={styles.entry}>
      <input
        id={id}
        aria-label={label}
        key={value}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        className={styles.number}
        defaultValue={editable(value)}
        onBlur={(event) => {
          const typed = parseNumber(event.target.value);
          if (!Number.isFinite(typed)) event.target.value = editable(value);
          else if (typed !== value) onChange(typed);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
        }}
      />
    </span>
  );
}
