/** Small marks below the curves: edits, resumes, checkpoints, warnings, gaps, ends by a rule. Marks that would touch are drawn as one. The table lists them all. */
import styles from './Curves.module.css';
import type { ChartMark } from './model.ts';
import type { PlotArea } from './uplot-chart.ts';

interface Props {
  readonly marks: readonly ChartMark[];
  readonly range: readonly [number, number];
  readonly area: PlotArea;
  readonly series: readonly string[];
}

const NEAR = 7; // px
const SHAPES: { readonly [type in ChartMark['type']]: string } = {
  edit: 'M0-4 4 0 0 4-4 0Z',
  resume: 'M-3-4 4 0-3 4Z',
  checkpoint: 'M-.75-3h1.5v6h-1.5z',
  warning: 'M0-4.5 4.5 4h-9Z',
  recovered: 'M0 4.5 4.5-4h-9Z',
  gap: 'M-4-1.5h3v3h-3zM1-1.5h3v3H1z',
  executor: 'M-3.5-3.5h7v7h-7z',
  stop: 'M-1.75-4h3.5l2.25 2.25v3.5l-2.25 2.25h-3.5l-2.25-2.25v-3.5z',
};
/** What is kept when several fall together, most telling first. */
const RANK: readonly ChartMark['type'][] = ['warning', 'stop', 'recovered', 'edit', 'executor', 'gap', 'resume', 'checkpoint'];

export function EventLane({ marks, range, area, series }: Props) {
  const [from, to] = range;
  const placed = marks
    .filter((mark) => mark.x >= from && mark.x <= to)
    .map((mark) => ({ mark, left: area.left + ((mark.x - from) / (to - from)) * area.width }))
    .sort((a, b) => a.left - b.left);
  const shown: { mark: ChartMark; left: number; texts: string[] }[] = [];
  for (const { mark, left } of placed) {
    const last = shown[shown.length - 1];
    if (last !== undefined && left - last.left < NEAR) {
      last.texts.push(mark.text);
      if (RANK.indexOf(mark.type) < RANK.indexOf(last.mark.type)) last.mark = mark;
    } else {
      shown.push({ mark, left, texts: [mark.text] });
    }
  }
  return (
    <svg className={styles.lane} aria-hidden="true" focusable="false">
      <line x1={area.left} x2={area.left + area.width} y1="7" y2="7" stroke="var(--line)" />
      {shown.map(({ mark, left, texts }) => (
        <path
          key={`${mark.group}/${mark.type}/${mark.x}`}
          d={SHAPES[mark.type]}
          transform={`translate(${left.toFixed(1)} 7)`}
          fill={mark.type === 'warning' ? 'var(--caution)' : series[mark.colour % 8]}
          opacity={mark.type === 'checkpoint' ? 0.55 : 1}
        >
          <title>{texts.slice(0, 6).join('\n')}</title>
        </path>
      ))}
    </svg>
  );
}
