/** One paper in the gallery: built ones with a picture and their labels, planned ones with what they wait for. */
import { memo } from 'react';
import { useStore } from 'zustand';
import { objectOf } from '#contract/kit/json.ts';
import { judgedFormOf, type PaperCard, VERBS } from '#contract/papers/forms.ts';
import { catalogStore } from '#stores/catalog.ts';
import { hashOf } from '#stores/route.ts';
import { nearestPreset } from '#ui/kit/format/card-text.ts';
import { Picture } from '#ui/kit/picture/Picture.tsx';
import type { Entry } from './filter.ts';
import { OutcomeSign } from './OutcomeSign.tsx';
import styles from './Papers.module.css';

const addressOf = (id: string): string => hashOf({ page: 'papers', id: id.toLowerCase(), query: {} });

interface Props {
  readonly entry: Entry;
  /** The filters leave it out. */
  readonly hidden: boolean;
}

export const PaperEntry = memo(function PaperEntry({ entry, hidden }: Props) {
  const { id, name, title, idea, waitsFor, card, tested, outcome, found, confirmed, minutes, here } = entry;
  if (card === null)
    return (
      <li className={styles.entry} hidden={hidden}>
        <a href={addressOf(id)}>
          <span className={styles.id}>{id}</span> <strong>{name}</strong>
        </a>
        <p className={styles.full}>{title}</p>
        <p>{idea}</p>
        <p className={styles.waits}>Waits for: {waitsFor.join('; ')}.</p>
      </li>
    );
  return (
    <li className={styles.entry} data-built="" hidden={hidden}>
      <PaperPicture card={card} />
      <a href={addressOf(id)}>
        <span className={styles.id}>{id}</span> <strong>{name}</strong>
      </a>
      <p className={styles.full}>{title}</p>
      <p className={styles.claim}>{card.claim}</p>
      {found !== null && (
        <p className={styles.foundHere}>
          <b>Found here:</b> {found}
        </p>
      )}
      <p className={styles.can}>
        <b>{VERBS[card.form]}</b>
        {here && <span>runs in this tab</span>}
      </p>
      <p className={styles.signs}>
        <OutcomeSign outcome={outcome} tested={tested} />
        {tested !== null && <span>tested: {tested}</span>}
        {confirmed && <span>confirmed</span>}
        {minutes !== null && <span>{minutes < 1 ? 'less than 1' : Math.round(minutes)} core-min</span>}
      </p>
    </li>
  );
});

/** Of the world that the paper's arms share. */
export function PaperPicture({ card }: { readonly card: PaperCard }) {
  const { id, config } = objectOf(judgedFormOf(card)?.config.env ?? (card.form === 'built' ? { id: card.tasks[0]?.env ?? '' } : {}));
  const env = useStore(catalogStore, (state) => state.catalog?.envs.find((one) => one.id === id));
  const settings = objectOf(config);
  return (
    <span className={styles.picture}>
      {env !== undefined && <Picture env={env} preset={nearestPreset(env, settings)} config={settings} />}
    </span>
  );
}
