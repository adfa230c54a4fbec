/** Which environment or algorithm, which of its presets, and one line about it with its source. */
import { type ReactNode, useId } from 'react';
import { useStore } from 'zustand';
import type { Preset, Source } from '#contract/catalog/catalog.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { draftStore } from '#stores/draft.ts';
import { msg, t } from '#text/text.ts';
import { langOf } from '#ui/kit/format/fact.ts';
import styles from './Setup.module.css';

interface Card {
  readonly id: string;
  readonly family: string;
  readonly title: string;
  readonly summary: string;
  readonly source: Source;
  readonly defaults: JsonObject;
  readonly presets: readonly Preset[];
}

interface Props<C extends Card> {
  readonly label: string;
  readonly room: 'env' | 'algo';
  readonly cards: readonly C[];
  readonly chosen: C | null;
  /** Why a card cannot be chosen with the rest of the draft; '' when it can. */
  readonly fits: (card: C) => string;
  readonly onChoose: (id: string, presetId?: string) => void;
  /** Buttons beside the choice. */
  readonly extra?: ReactNode;
  /** Beside the words about it: the chosen card as this preset, '' for values of one's own. */
  readonly picture?: (card: C, preset: string) => ReactNode;
  /** Ids of the cards that are offered, best first; without it all of them by family. */
  readonly order?: readonly string[] | undefined;
  /** Below the words about it. */
  readonly note?: ReactNode;
  /** The pointer or the focus comes to the choice. */
  readonly onNear?: () => void;
  /** At the end of a family: what is opened elsewhere in place of being chosen. */
  readonly beside?: { readonly family: string; readonly items: readonly Beside[] };
}

interface Beside {
  readonly key: string;
  readonly title: string;
  readonly open: () => void;
}

/** Before the key of what is opened elsewhere; no card has such an id. */
const BESIDE = 'beside:';

export function Picker<C extends Card>({
  label,
  room,
  cards,
  chosen,
  fits,
  onChoose,
  extra,
  picture,
  order,
  note,
  onNear,
  beside,
}: Props<C>) {
  const id = useId();
  const config = useStore(draftStore, (state) => state.config[room].config);
  const base = useStore(draftStore, (state) => state.base[room].config);
  const preset = chosen?.presets.find((candidate) => same(config, { ...chosen.defaults, ...candidate.config }));

  return (
    <div className={styles.picker}>
      <div className={styles.pickRow}>
        <select
          className={styles.pick}
          aria-label={label}
          aria-describedby={`${id}-about`}
          value={chosen?.id ?? ''}
          onPointerEnter={onNear}
          onFocus={onNear}
          onChange={({ target: { value } }) => {
            if (value.startsWith(BESIDE)) beside?.items.find(({ key }) => BESIDE + key === value)?.open();
            else onChoose(value);
          }}
        >
          {chosen === null && <option value="">{t('Choose')}</option>}
          {(order === undefined ? families(cards) : offered(cards, order, chosen)).map(([family, members]) => (
            <optgroup key={family} label={t(family)}>
              {members.map((card) => {
                const why = fits(card);
                return (
                  <option
                    key={card.id}
                    value={card.id}
                    disabled={why !== '' && card.id !== chosen?.id}
                    lang={langOf(why === '' ? card.title : why)}
                  >
                    {why === '' ? t(card.title) : `${t(card.title)} (${why})`}
                  </option>
                );
              })}
              {beside?.family === family &&
                beside.items.map(({ key, title }) => (
                  <option key={key} value={BESIDE + key}>
                    {title}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
        {extra}
      </div>
      {chosen !== null && chosen.presets.length > 1 && (
        <label className={styles.preset}>
          <span>{t('preset')}</span>
          <select value={preset?.id ?? ''} onChange={(event) => onChoose(chosen.id, event.target.value)}>
            {preset === undefined && <option value="">{same(config, base) ? t('as opened') : t('own values')}</option>}
            {chosen.presets.map((candidate) => (
              <option key={candidate.id} value={candidate.id} lang={langOf(candidate.title)}>
                {t(candidate.title)}
              </option>
            ))}
          </select>
        </label>
      )}
      {chosen !== null && (
        <div className={styles.aboutRow}>
          {picture?.(chosen, preset?.id ?? '')}
          <p id={`${id}-about`} className={styles.about}>
            <span lang={langOf(chosen.summary)}>{t(chosen.summary)}</span> <Cite source={chosen.source} />
          </p>
        </div>
      )}
      {note}
    </div>
  );
}

/** The first choice, the others that fit, and a card that is chosen without fitting. */
function offered<C extends Card>(
  cards: readonly C[],
  order: readonly string[],
  chosen: C | null,
): readonly (readonly [string, readonly C[]])[] {
  const byId = new Map(cards.map((card) => [card.id, card]));
  const [first, ...rest] = order.flatMap((id) => byId.get(id) ?? []);
  const astray = chosen !== null && !order.includes(chosen.id) ? [chosen] : [];
  const groups = [
    [msg('First choice'), first === undefined ? [] : [first]],
    [msg('Others that fit, best first'), rest],
    [msg('Does not fit'), astray],
  ] as const;
  return groups.filter(([, members]) => members.length > 0);
}

/** In order of first appearance. */
function families<C extends Card>(cards: readonly C[]): readonly (readonly [string, readonly C[]])[] {
  const found = new Map<string, C[]>();
  for (const card of cards) found.set(card.family, [...(found.get(card.family) ?? []), card]);
  return [...found];
}

export function Cite({ source }: { readonly source: Source }) {
  if (source.authors === '') return null;
  const text = `${source.authors} ${source.year}`;
  if (source.url === undefined)
    return (
      <cite className={styles.cite} lang="en">
        {text}
      </cite>
    );
  return (
    <a className={styles.cite} href={source.url} target="_blank" rel="noreferrer" title={source.title} lang="en">
      {text}
    </a>
  );
}

function same(a: JsonObject, b: JsonObject): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => JSON.stringify(a[key]) === JSON.stringify(b[key]));
}
