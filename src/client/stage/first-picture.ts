/**
 * When a scene of the page moves. What no view waits for begins after it: copies for offline, parts of the page that are out of sight, the
 * episode of a laboratory that is not open. On a first visit all of these would share the processor and the network with the first picture.
 */

/** A page without a moving picture counts as shown after so long, ms. */
const LONGEST_MS = 3000;

let shown: () => void = () => {};
const first = new Promise<void>((resolve) => {
  shown = resolve;
});

/** The front page counts as drawn after so long, ms: its code may be late, or missing without a network. */
const LATEST_MS = 1000;

let drawn: () => void = () => {};
const tiles = new Promise<void>((resolve) => {
  drawn = resolve;
});

/** The front page has drawn its tiles, and their scenes have been asked for. */
export const tilesDrawn = (): void => drawn();

/** Resolves when the front page has drawn its tiles: what takes the page's thread for long and is not looked at yet begins after it. */
export function frontPageDrawn(): Promise<void> {
  setTimeout(drawn, LATEST_MS);
  return tiles;
}

/** A scene has drawn its second frame. */
export const pictureShown = (): void => shown();

/** Resolves when a scene moves, or LONGEST_MS after this is first asked where none comes. */
export function firstPicture(): Promise<void> {
  setTimeout(shown, LONGEST_MS);
  return first;
}
