/** Which mixture of members the method aims at, iteration by iteration: a row for each member, the darker the larger its share. */
import { useEffect, useRef } from 'react';
import type { PopulationReport } from '#contract/game/population.ts';
import { compact, percent } from '#ui/kit/format/numbers.ts';
import { useSize } from '#ui/kit/useSize.ts';
import { usePalette } from '../curves/palette.ts';
import styles from './Population.module.css';
import { thin } from './payoffs.ts';

const ROW = 14; // px

export function MixtureMap({ report: { members, meta, metaSteps } }: { readonly report: PopulationReport }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, height] = useSize(canvas);
  const palette = usePalette();
  const columns = thin(meta.length, Math.max(2, Math.floor(width / 2)));
  useEffect(() => {
    const element = canvas.current;
    const g = element?.getContext('2d', { willReadFrequently: true });
    if (element === null || g === null || g === undefined || width === 0) return;
    const ratio = Math.min(2, devicePixelRatio);
    element.width = width * ratio;
    element.height = height * ratio;
    g.scale(ratio, ratio);
    g.clearRect(0, 0, width, height);
    const w = width / columns.length;
    columns.forEach((at, x) => {
      meta[at]!.forEach((share, m) => {
        g.globalAlpha = 0.06 + 0.94 * Math.min(1, share);
        g.fillStyle = palette.series[0]!;
        g.fillRect(x * w, m * ROW + 1, w + 0.4, ROW - 2);
      });
    });
    g.globalAlpha = 1;
  });
  const last = meta.at(-1) ?? [];
  const top = [...members].map((member, i) => ({ member, share: last[i] ?? 0 })).sort((a, b) => b.share - a.share);
  return (
    <div className={styles.mixture}>
      <ol aria-hidden="true">
        {members.map(({ id }) => (
          <li key={id}>{id}</li>
        ))}
      </ol>
      <canvas
        ref={canvas}
        style={{ blockSize: `${members.length * ROW}px` }}
        role="img"
        aria-label={`Mixture at the end: ${top
          .slice(0, 4)
          .map(({ member, share }) => `${member.id} ${percent(Math.round(100 * share))}`)
          .join(', ')}.`}
      />
      <p className={styles.ends}>
        <span>{compact(metaSteps[0] ?? 0)}</span>
        <span>{`${compact(metaSteps.at(-1) ?? 0)} steps`}</span>
      </p>
    </div>
  );
}
