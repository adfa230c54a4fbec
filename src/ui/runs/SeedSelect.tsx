/** Which seed of a run a view shows; nothing where there is one alone. */
import { t } from '#text/text.ts';

interface Props {
  readonly seeds: readonly { readonly seed: number }[];
  readonly value: number;
  readonly onChange: (seed: number) => void;
}

export function SeedSelect({ seeds, value, onChange }: Props) {
  if (seeds.length < 2) return null;
  return (
    <select aria-label={t('Seed')} value={value} onChange={(event) => onChange(Number(event.target.value))}>
      {seeds.map(({ seed }) => (
        <option key={seed} value={seed}>
          {t('seed {seed}', { seed })}
        </option>
      ))}
    </select>
  );
}
