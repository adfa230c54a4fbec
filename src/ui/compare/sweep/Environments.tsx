/** Environments in which the question of a sweep is asked: that of the set-up, and others. */
import type { EnvCard } from '#contract/catalog.ts';
import { MOST_ENVS } from '#contract/sweep.ts';
import { Button } from '#ui/kit/Button.tsx';
import styles from './Sweep.module.css';

interface Props {
  /** Title of the set-up's own. */
  readonly own: string;
  /** Others that the method can act in. */
  readonly offered: readonly EnvCard[];
  /** Ids. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

export function Environments({ own, offered, chosen, onChange }: Props) {
  const titleOf = (id: string): string => offered.find((card) => card.id === id)?.title ?? id;
  return (
    <fieldset className={styles.envs}>
      <legend>Environments</legend>
      <ul aria-label="Environments of the sweep">
        <li>{own}</li>
        {chosen.map((id) => (
          <li key={id}>
            {titleOf(id)}
            <Button
              kind="bare"
              icon="close"
              label={`Leave out ${titleOf(id)}`}
              onClick={() => onChange(chosen.filter((one) => one !== id))}
            />
          </li>
        ))}
      </ul>
      {chosen.length + 1 < MOST_ENVS && (
        <select aria-label="Another environment" value="" onChange={(event) => onChange([...chosen, event.target.value])}>
          <option value="" disabled>
            and in another
          </option>
          {offered
            .filter(({ id }) => !chosen.includes(id))
            .map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
        </select>
      )}
    </fieldset>
  );
}
