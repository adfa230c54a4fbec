/** The tiles to paint with, numbered as their keys are, and for doors, keys, balls and boxes a colour. */
import { useId } from 'react';
import styles from './MapField.module.css';
import { TileArt } from './TileArt.tsx';
import { COLOURS, type Tile } from './tiles.ts';

interface Props {
  readonly tiles: readonly Tile[];
  readonly chosen: Tile;
  readonly colour: string;
  readonly onChoose: (tile: Tile) => void;
  readonly onColour: (code: string) => void;
}

export function Palette({ tiles, chosen, colour, onChoose, onColour }: Props) {
  const name = useId();
  const colourName = COLOURS.find((entry) => entry.code === colour)?.name ?? 'grey';
  return (
    <>
      <fieldset className={styles.palette}>
        <legend className="visually-hidden">Tile to paint</legend>
        {tiles.map((tile, i) => (
          <label key={tile.id} className={styles.tile} title={i < 10 ? `${tile.title} (${(i + 1) % 10})` : tile.title}>
            <input
              type="radio"
              className={styles.radio}
              name={`${name}-tile`}
              checked={tile.id === chosen.id}
              aria-label={tile.title}
              onChange={() => onChoose(tile)}
            />
            <span className={styles.art}>
              <TileArt seen={{ tile, colour: tile.coloured ? colourName : '' }} agent={null} />
            </span>
          </label>
        ))}
      </fieldset>
      {chosen.coloured && (
        <fieldset className={styles.palette}>
          <legend className="visually-hidden">Colour</legend>
          {COLOURS.map((entry) => (
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
        {chosen.coloured ? `${colourName} ` : ''}
        {chosen.title}
      </p>
    </>
  );
}
