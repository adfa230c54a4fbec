import { useEffect, useState } from 'react';
import type { Catalog, ExperimentCard } from '#contract/catalog.ts';
import type { JsonObject } from '#contract/json.ts';
import { Picture } from '../env-page/Picture.tsx';
import { nearestPreset } from './card-text.ts';
import { openExperiment, type Verdict, verdictOf } from './experiments.ts';
import styles from './Gallery.module.css';

interface Props {
  readonly card: ExperimentCard;
  readonly catalog: Catalog;
  readonly current: boolean;
  readonly compact?: boolean;
  readonly onOpened?: () => void;
}

export function Card({ card, catalog, current, compact = false, onOpened }: Props) {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  useEffect(() => {
    let live = true;
    if (card.kind === 'claim' && !compact) void verdictOf(card.id).then((answer) => live && setVerdict(answer));
    return () => {
      live = false;
    };
  }, [card, compact]);

  const { id, config = {} } = card.config.env as { readonly id: string; readonly config?: JsonObject };
  const env = catalog.envs.find((candidate) => candidate.id === id);
  return (
    <button
      type="button"
      className={styles.card}
      data-compact={compact ? '' : undefined}
      aria-current={current ? 'true' : undefined}
      title={compact ? card.claim : undefined}
      onClick={() => {
        openExperiment(card, catalog);
        onOpened?.();
      }}
    >
      <span className={styles.thumb}>{env && <Picture env={env} preset={nearestPreset(env, config)} config={config} />}</span>
      <span className={styles.cardText}>
        <span className={styles.cardTitle}>{card.title}</span>
        <span className={styles.claim}>{card.claim}</span>
        {verdict !== null && (
          <span className={styles.verdict} data-verdict={verdict.verdict}>
            {verdict.text}
          </span>
        )}
      </span>
    </button>
  );
}
