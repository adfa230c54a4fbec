/** What a sweep is asked for beside the set-up's own: other environments, or other methods. */
import { Button } from '#ui/kit/Button.tsx';
import styles from './Sweep.module.css';

interface Props {
  /** "Environments". */
  readonly legend: string;
  /** "environment". */
  readonly one: string;
  /** Title of the set-up's own. */
  readonly own: string;
  /** Others that fit. */
  readonly offered: readonly { readonly id: string; readonly title: string }[];
  /** Of those chosen that are not offered. */
  readonly titleOf: (id: string) => string;
  /** Ids. */
  readonly chosen: readonly string[];
  /** With the own one. */
  readonly most: number;
  readonly onChange: (chosen: readonly string[]) => void;
}

export function Several({ legend, one, own, offered, titleOf, chosen, most, onChange }: Props) {
  return (
    <fieldset className={styles.envs}>
      <legend>{legend}</legend>
      <ul aria-label={`${legend} of the sweep`}>
        <li>{own}</li>
        {chosen.map((id) => (
          <li key={id}>
            {titleOf(id)}
            <Button
              kind="bare"
              icon="close"
              label={`Leave out ${titleOf(id)}`}
              onClick={() => onChange(chosen.filter((other) => other !== id))}
            />
          </li>
        ))}
      </ul>
      {chosen.length + 1 < most && (
        <select aria-label={`Another ${one}`} value="" onChange={(event) => onChange([...chosen, event.target.value])}>
          <option value="" disabled>
            and another {one}
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
