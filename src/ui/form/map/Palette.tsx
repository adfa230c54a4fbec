/** The tiles to paint with, numbered as their keys are, and for those that have one a colour. */
import { useId } from 'react';
import type { MapFormat } from '#contract/game/maps.ts';
import { msg, t } from '#text/text.ts';
import { codeOf } from './format.ts';
import styles from './MapField.module.css';
import { TileArt } from './TileArt.tsx';

/** A tile of the format by its place, or the agent whose start is a field of its own. */
export type Brush = number | 'agent';

interface Props {
  readonly format: MapFormat;
  /** The agent can be placed. */
  readonly agent: boolean;
  readonly chosen: Brush;
  /** Code of the colour to paint in. */
  readonly colour: string;
  readonly onChoose: (brush: Brush) => void;
  readonly onColour: (code: string) => void;
}

export function Palette({ format, agent, chosen, colour, onChoose, onColour }: Props) {
  const name = useId();
  const tile = chosen === 'agent' ? null : (format.tiles[chosen] ?? null);
  const colourName = format.colours?.find((entry) => entry.code === colour)?.name ?? '';
  const tip = (title: string, place: number) => (place < 10 ? `${t(title)} (${(place + 1) % 10})` : t(title));
  return (
    <div className={styles.palettes}>
      <fieldset className={styles.palette}>
        <legend className="visually-hidden">{t('Tile to paint')}</legend>
        {format.tiles.map((one, i) => (
          <label key={one.code} className={styles.tile} title={one.tint === undefined ? tip(one.title, i) : t(one.title)}>
            <input
              type="radio"
              className={styles.radio}
              name={`${name}-tile`}
              checked={i === chosen}
              aria-label={t(one.title)}
              onChange={() => onChoose(i)}
            />
            <span className={styles.art}>
              <TileArt format={format} code={codeOf(one, colour)} />
            </span>
          </label>
        ))}
        {agent && (
          <label className={styles.tile} title={tip(msg('agent'), format.tiles.length)}>
            <input
              type="radio"
              className={styles.radio}
              name={`${name}-tile`}
              checked={chosen === 'agent'}
              aria-label={t('agent')}
              onChange={() => onChoose('agent')}
            />
            <span className={styles.art}>
              <TileArt format={format} code={format.tiles[0]?.code ?? ''} agent={0} />
            </span>
          </label>
        )}
      </fieldset>
      {tile?.coloured && (
        <fieldset className={styles.palette}>
          <legend className="visually-hidden">{t('Colour')}</legend>
          {format.colours?.map((entry) => (
            <label key={entry.code} className={styles.colour} title={entry.name}>
              <input
                type="radio"
                className={styles.radio}
                name={`${name}-colour`}
                checked={entry.code === colour}
                aria-label={entry.name}
                onChange={() => onColour(entry.code)}
              />
              <span className={styles.dot} data-colour={entry.name} />
            </label>
          ))}
        </fieldset>
      )}
      <p className={styles.chosen} aria-hidden="true">
        {tile === null ? t('agent: again turns it') : tile.coloured ? `${colourName} ${t(tile.title)}` : t(tile.title)}
      </p>
    </div>
  );
}
