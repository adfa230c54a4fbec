/** How many rows or columns a table has, with a button for one less and for one more. */
import { t, tn } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import styles from './Count.module.css';

interface Props {
  readonly of: 'rows' | 'columns';
  readonly value: number;
  readonly range: readonly [number, number];
  readonly onChange: (value: number) => void;
}

export function Count({ of, value, range, onChange }: Props) {
  const rows = of === 'rows';
  return (
    <span className={styles.count}>
      <Button
        kind="bare"
        icon="minus"
        label={rows ? t('One row less') : t('One column less')}
        disabled={value <= range[0]}
        onClick={() => onChange(value - 1)}
      />
      <span className={styles.number}>{rows ? tn('{n} row', '{n} rows', value) : tn('{n} column', '{n} columns', value)}</span>
      <Button
        kind="bare"
        icon="plus"
        label={rows ? t('One row more') : t('One column more')}
        disabled={value >= range[1]}
        onClick={() => onChange(value + 1)}
      />
    </span>
  );
}
