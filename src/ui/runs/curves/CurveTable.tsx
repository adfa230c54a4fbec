/** The chart's text twin: the plotted numbers at even steps, then the events. */
import { t } from '#text/text.ts';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import styles from './Curves.module.css';
import { type ChartModel, readAt } from './model.ts';

const ROWS = 25;

export function CurveTable({ model, view }: { readonly model: ChartModel; readonly view: readonly [number, number] | null }) {
  const [from, to] = view ?? model.extent;
  const steps = Array.from({ length: ROWS }, (_, i) => from + ((to - from) * i) / (ROWS - 1));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={styles.tables} tabIndex={0} aria-label={t('Plotted values')}>
      <table>
        <caption>{t('{title}, unsmoothed', { title: model.title })}</caption>
        <thead>
          <tr>
            <th scope="col">{model.xTitle}</th>
            {model.groups.map(({ look }) => (
              <th key={look.id} scope="col">
                {look.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps.map((x) => (
            <tr key={x}>
              <th scope="row">{compact(x, 4)}</th>
              {model.groups.map((curve) => {
                const r = readAt(curve, x);
                return (
                  <td key={curve.look.id}>
                    {r === null ? '–' : measure(r.value)}
                    {r !== null && Number.isFinite(r.low) && ` [${measure(r.low)}, ${measure(r.high)}]`}
                    {r !== null && <small>{` n=${r.n}`}</small>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {model.marks.length > 0 && (
        <table>
          <caption>{t('Events')}</caption>
          <tbody>
            {model.marks.map((mark) => (
              <tr key={`${mark.group}/${mark.type}/${mark.x}/${mark.text}`}>
                <th scope="row">{compact(mark.x, 4)}</th>
                <td className={styles.words}>
                  {mark.type}: {mark.text} ({mark.group})
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
