/**
 * What an environment says about the text maps of its config, so that one editor serves every grid: which codes a row is made of, how
 * each is drawn (the words of frames), what walks on it, and what a map needs to be playable. Plain data; the editor knows nothing else.
 */
import type { GridLook } from './frames.ts';

export interface MapTile {
  /** As written in a row. With `apart`, a coloured tile is this and the colour's code. */
  readonly code: string;
  readonly title: string;
  readonly look: GridLook;
  /** Of a door: 0 open, 1 closed, 2 locked. */
  readonly state?: number;
  /** Name of its colour, where it has a fixed one. */
  readonly colour?: string;
  /** Takes any of the format's colours. */
  readonly coloured?: boolean;
  /** A letter drawn upon it, where looks alone do not tell two tiles apart. */
  readonly glyph?: string;
  /** Its place on the scale of colours, 0 to 1: tiles that are levels. Such a tile is chosen by the key of its code. */
  readonly tint?: number;
  /** Stands once: painting it elsewhere moves it. */
  readonly once?: boolean;
  /**
   * How one walks there; missing: freely. 'cleared': once it has been opened or carried away. 'unlocked': with the key of its colour.
   * 'fatal': it ends the episode badly.
   */
  readonly walk?: 'never' | 'cleared' | 'unlocked' | 'fatal';
  /** Opens what is 'unlocked' in its colour. */
  readonly key?: boolean;
}

/** What a map needs. `says` is shown while it is not so: one sentence, and what to do. */
export type MapRule =
  /** So many cells with one of these codes. */
  | { readonly rule: 'count'; readonly of: readonly string[]; readonly least?: number; readonly most?: number; readonly says: string }
  /** As many of these as of those. */
  | { readonly rule: 'equal'; readonly of: readonly string[]; readonly as: readonly string[]; readonly says: string }
  /**
   * From any of `from` (none given: the map's start; without one every free cell) one gets onto one of `to`, or beside it.
   * `every`: to each of them.
   */
  | {
      readonly rule: 'reach';
      readonly from: readonly string[];
      readonly to: readonly string[];
      readonly beside?: boolean;
      readonly every?: boolean;
      readonly says: string;
    }
  /** All cells one can walk on hang together. */
  | { readonly rule: 'whole'; readonly says: string };

export interface MapFormat {
  /** The first is what an erased cell becomes. */
  readonly tiles: readonly MapTile[];
  /** Colours of coloured tiles; `name` as in frames. */
  readonly colours?: readonly { readonly code: string; readonly name: string }[];
  /** Codes stand apart by a space ("WE .. GG"); else one letter a cell. */
  readonly apart?: boolean;
  /** Cells along the edge of a new or resized map. */
  readonly edge?: string;
  /** Fewest and most cells along a side. */
  readonly size: readonly [least: number, most: number];
  /** Name of the field beside this one that holds where the agent starts: [x, y, direction] or null. */
  readonly start?: string;
  readonly rules: readonly MapRule[];
  /** The map in use where the field is empty: by the value of another field. Where neither says it, the scene is read. */
  readonly begin?: { readonly by: string; readonly rows: { readonly [value: string]: readonly string[] } };
}
