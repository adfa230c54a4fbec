/** Fields of forms, each with its name above it. */
import { type ReactNode, useId } from 'react';
import { t } from '#text/text.ts';
import styles from './Fields.module.css';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly most: number;
  readonly rows?: number;
  readonly onChange: (value: string) => void;
}

export function Text({ label, value, most, rows, onChange }: Props) {
  const id = useId();
  return (
    <div className={styles.text}>
      <label htmlFor={id}>
        {label}
        {value.length > most * 0.8 && ` (${t('{n} of {all}', { n: value.length, all: most })})`}
      </label>
      {rows === undefined ? (
        <input id={id} type="text" maxLength={most} value={value} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <textarea id={id} rows={rows} maxLength={most} value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </div>
  );
}

export function Tick({
  checked,
  onChange,
  children,
}: {
  readonly checked: boolean;
  readonly onChange: (on: boolean) => void;
  readonly children: ReactNode;
}) {
  return (
    <label className={styles.check}>
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      {children}
    </label>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, words: string])[];
  readonly onChange: (value: string) => void;
}

export function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <label className={styles.text}>
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map(([id, words]) => (
          <option key={id} value={id}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
