import facts from 'virtual:claim-facts';
import type { Catalog, ExperimentCard } from '#contract/catalog/catalog.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { t } from '#text/text.ts';
import { openExperiment } from '#ui/catalogue/experiments.ts';
import { claimText, nearestPreset } from '#ui/kit/format/card-text.ts';
import { langOf, titleOf } from '#ui/kit/format/fact.ts';
import { Picture } from '#ui/kit/picture/Picture.tsx';
import styles from './Gallery.module.css';

interface Props {
  readonly card: ExperimentCard;
  readonly catalog: Catalog;
  readonly current: boolean;
  readonly compact?: boolean;
  readonly onOpened?: () => void;
}

export function Card({ card, catalog, current, compact = false, onOpened }: Props) {
  const fact = card.kind === 'claim' && !compact ? facts[card.id] : undefined;
  const { id, config = {} } = card.config.env as { readonly id: string; readonly config?: JsonObject };
  const env = catalog.envs.find((candidate) => candidate.id === id);
  return (
    <button
      type="button"
      className={styles.card}
      data-compact={compact ? '' : undefined}
      aria-current={current ? 'true' : undefined}
      title={compact ? titleOf(card.claim) : undefined}
      onClick={() => {
        openExperiment(card, catalog);
        onOpened?.();
      }}
    >
      <span className={styles.thumb}>{env && <Picture env={env} preset={nearestPreset(env, config)} config={config} />}</span>
      <span className={styles.cardText}>
        <span className={styles.cardTitle} lang={langOf(card.title)}>
          {t(card.title)}
        </span>
        <span className={styles.claim} lang={langOf(card.claim)}>
          {t(card.claim)}
        </span>
        {fact !== undefined && (
          <span className={styles.verdict} data-outcome={fact.outcome} lang="en">
            {claimText(fact)}
          </span>
        )}
      </span>
    </button>
  );
}
