/** Charts for the page: recharts is loaded with the first one; until then their place is kept. One that is not on this device leaves the panel around it. */
import { type ReactNode, Suspense } from 'react';
import { t } from '#text/text.ts';
import { Boundary } from '../Boundary.tsx';
import { late } from '../late.tsx';
import styles from './Chart.module.css';
import type { HistogramProps, LineChartProps } from './types.ts';

const Lines = late(() => import('./recharts.tsx').then((module) => ({ default: module.Lines })));
const Bars = late(() => import('./recharts.tsx').then((module) => ({ default: module.Bars })));

export function LineChart(props: LineChartProps) {
  return (
    <Frame label={props.label} height={props.height}>
      <Lines {...props} />
    </Frame>
  );
}

export function Histogram(props: HistogramProps) {
  return (
    <Frame label={props.label} height={props.height}>
      <Bars {...props} />
    </Frame>
  );
}

function Frame({ label, height, children }: { readonly label: string; readonly height: number; readonly children: ReactNode }) {
  const named = label === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  return (
    <Boundary name={t('The chart')}>
      <div className={styles.chart} style={{ blockSize: `${height}px` }} {...named}>
        <Suspense>{children}</Suspense>
      </div>
    </Boundary>
  );
}
