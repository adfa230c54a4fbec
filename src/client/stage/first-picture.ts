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

/** A scene has drawn its second frame. */
export const pictureShown = (): void => shown();

/** Resolves when a scene moves, or LONGEST_MS after this is first asked where none comes. */
export function firstPicture(): Promise<void> {
  setTimeout(shown, LONGEST_MS);
  return first;
}
