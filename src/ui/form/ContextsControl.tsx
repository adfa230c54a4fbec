/** What each episode draws: the fields with their ranges, and whether agents see the numbers. */
import { type Contexts, contextsIn, isRange, withDraw } from '#contract/contexts.ts';
import type { Json, JsonObject } from '#contract/json.ts';
import { Icon } from '#ui/kit/Icon.tsx';
import type { ControlProps } from './control.ts';
import styles from './Field.module.css';

export function ContextsControl({ value, labelId, describedBy, problem, onChange }: ControlProps) {
  const contexts = value === undefined ? undefined : contextsIn({ contexts: value } as JsonObject);
  const put = (next: Contexts | undefined): void => onChange(next as Json | undefined);
  if (contexts === undefined) {
    return (
      <p className={styles.help}>
        Press <Icon name="range" size={13} /> beside a number above to draw it from a range in each episode.
      </p>
    );
  }
  const fields = Object.entries(contexts.draw ?? {});
  const { list, ...unlisted } = contexts;
  return (
    <fieldset className={styles.seats} aria-labelledby={labelId} aria-describedby={describedBy}>
      <ul>
        {fields.map(([field, draw]) => (
          <li key={field} className={styles.seat}>
            <span>{`${field}: ${isRange(draw) ? `${draw.from} to ${draw.to}${draw.scale === 'log' ? ' (log)' : ''}` : draw.join(', ')}`}</span>
            <button type="button" className={styles.reset} title="Back to one value" onClick={() => put(withDraw(contexts, field, null))}>
              <Icon name="close" size={13} />
              <span className="visually-hidden">{`Draw ${field} no longer`}</span>
            </button>
          </li>
        ))}
        {list !== undefined && (
          <li className={styles.seat}>
            <span>{`one of ${list.length} listed settings`}</span>
            <button
              type="button"
              className={styles.reset}
              title="Draw from the list no longer"
              onClick={() => put(fields.length === 0 ? undefined : unlisted)}
            >
              <Icon name="close" size={13} />
              <span className="visually-hidden">Draw from the list no longer</span>
            </button>
          </li>
        )}
        <li className={styles.seat}>
          <label htmlFor={`${labelId}-tell`}>agents see the drawn numbers</label>
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
