/** What matters on the whole: a row per feature, a dot per frame; its place is the share, its colour the size of what was seen. */
import type { FeatureAttribution } from '#contract/explain/explain.ts';
import type { AtFrame } from '#stores/explain.ts';
import { stageStore } from '#stores/stage.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { leading, ranks } from './feature-words.ts';
import styles from './Team.module.css';

const SHOWN = 8;
const W = 320;
const ROW = 26;
const R = 2.6;

export function Beeswarm({ points }: { readonly points: readonly AtFrame<FeatureAttribution>[] }) {
  const answers = points.map(({ answer }) => answer);
  const rows = leading(answers, SHOWN);
  const reach = Math.max(...answers.flatMap(({ value }) => rows.map((i) => Math.abs(value[i]!)))) || 1;
  const x = (v: number): number => W / 2 + (v / reach) * (W / 2 - R);
  return (
    <figure className={styles.swarm}>
      <figcaption className={styles.small}>
        {points.length} frames of this episode. Right: speaks for it, left: against. Dark: little of it was seen, bright: much. A dot opens
        its frame.
      </figcaption>
      {rows.map((i) => {
        const rank = ranks(answers.map(({ level }) => level[i]!));
        const used = new Map<number, number>();
        return (
          <div key={i} className={styles.swarmRow}>
            <span>{answers[0]!.features[i]!.name}</span>
            <svg viewBox={`0 0 ${W} ${ROW}`} role="img" aria-label={`Shares of ${answers[0]!.features[i]!.name} over the episode`}>
              <line x1={W / 2} x2={W / 2} y1={0} y2={ROW} className={styles.axis} />
              {points.map(({ t, answer }, k) => {
                // dots that would lie on each other step aside
                const bin = Math.round(x(answer.value[i]!) / (2 * R));
                const n = used.get(bin) ?? 0;
                used.set(bin, n + 1);
                const aside = (n % 2 === 0 ? 1 : -1) * Math.ceil(n / 2) * R;
                return (
                  // biome-ignore lint/a11y/noStaticElementInteractions: the episode's timeline does the same from the keyboard
                  <circle
                    key={t}
                    cx={x(answer.value[i]!)}
                    cy={Math.min(ROW - R, Math.max(R, ROW / 2 + aside))}
                    r={R}
                    fill={`color-mix(in oklab, var(--series-6) ${Math.round(100 * rank[k]!)}%, var(--series-3))`}
                    onClick={() => stageStore.getState().seek(t)}
                  >
                    <title>{`frame ${t}: ${measure(answer.value[i], 3)}`}</title>
                  </circle>
                );
              })}
            </svg>
          </div>
        );
      })}
      <p className={styles.ends}>
        <span className="figures">−{measure(reach, 2)}</span>
        <span className="figures">{measure(reach, 2)}</span>
      </p>
    </figure>
  );
}
