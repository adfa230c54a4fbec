/** How probable an answer was when it was written, a hollow tick, and how probable it is now, a full one, on a scale of logarithms from `least` to 1. */
import { exp } from '#math/functions.ts';
import { t } from '#text/text.ts';
import { compact, measure, percent } from '#ui/kit/format/numbers.ts';
import styles from './GroupStage.module.css';

/** In nats; null: the policy gives no probabilities. */
export function Ticks({ before, after, least }: { readonly before: number | null; readonly after: number | null; readonly least: number }) {
  if (before === null || after === null) return null;
  const at = (logProb: number): string => `${100 - (100 * logProb) / least}%`;
  const said = (logProb: number): string => (logProb < -9 ? compact(exp(logProb)) : percent(measure(100 * exp(logProb), 2)));
  const words = t('{before} then, {after} now', { before: said(before), after: said(after) });
  const [from, to] = before < after ? [before, after] : [after, before];
  return (
    <span className={styles.ticks} role="img" aria-label={words} title={words}>
      <i
        data-part="way"
        style={{ insetInlineStart: at(from), inlineSize: `${(-100 * (to - from)) / least}%` }}
        data-up={after > before || undefined}
      />
      <i data-part="then" style={{ insetInlineStart: at(before) }} />
      <i data-part="now" style={{ insetInlineStart: at(after) }} />
    </span>
  );
}
