/** The decision of the shown frame at the simple depth: a sentence, and a bar for each of the likeliest actions. */
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { Inspection } from '#contract/session/session.ts';
import { t } from '#text/text.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { Bars } from './Bars.tsx';
import { actionRows } from './inspect.ts';
import { decisionWords, likeliest, type Setting, settingWords } from './simple.ts';
import styles from './Why.module.css';

interface Props {
  readonly inspection: Inspection;
  readonly env: EnvCard;
}

export function SimpleChoice({ inspection, env }: Props) {
  const rows = actionRows(inspection, env);
  if (rows.length === 0) return <Settings inspection={inspection} env={env} />;
  return (
    <>
      <p className={styles.sentence}>{decisionWords(rows)}</p>
      <Bars rows={likeliest(rows)} onMap={false} plain />
    </>
  );
}

/** What a continuous policy sets, each on its range. */
function Settings({ inspection, env }: Props) {
  const { action } = env;
  if (action.kind !== 'box') return null;
  const rows = Array.from({ length: action.size }, (_, d): Setting => {
    const low = action.low[d] ?? -1;
    const high = action.high[d] ?? 1;
    const value = Math.min(high, Math.max(low, inspection.chosen[d] ?? inspection.mean?.[d] ?? 0));
    const label = action.labels[d];
    return { name: label === undefined ? t('action {n}', { n: d + 1 }) : t(label), low, high, value };
  });
  return (
    <>
      <p className={styles.sentence}>{settingWords(rows)}</p>
      <table className={styles.bars}>
        <tbody>
          {rows.map(({ name, low, high, value }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className={styles.range}>
                <i style={{ insetInlineStart: `${(100 * (value - low)) / (high - low)}%` }} />
              </td>
              <td className={styles.number}>{measure(value, 2)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
