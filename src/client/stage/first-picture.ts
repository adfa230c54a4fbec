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

/** The front page is left alone for so long at most, ms: its code may be late, or missing without a network. */
const LATEST_MS = 2000;
/** What a person does, or asks for by the address: what is behind the front page is wanted from then on. */
const WANTED = ['pointerdown', 'keydown', 'click', 'hashchange'] as const;

let begun: () => void = () => {};
const rest = new Promise<void>((resolve) => {
  begun = resolve;
});

/** Nothing on the front page moves: there is nothing to wait for. */
export const nothingMoves = (): void => begun();

/**
 * Resolves when the front page moves, or a person does something: what takes the page's thread for long and is not looked at yet, the
 * catalogue, begins after it.
 */
export function frontPageMoves(): Promise<void> {
  setTimeout(begun, LATEST_MS);
  for (const what of WANTED) addEventListener(what, begun, { once: true, capture: true });
  void first.then(begun);
  return rest;
}

/** A scene has drawn its second frame. */
export const pictureShown = (): void => shown();

/** Resolves when a scene moves, or LONGEST_MS after this is first asked where none comes. */
export function firstPicture(): Promise<void> {
  setTimeout(shown, LONGEST_MS);
  return first;
}
