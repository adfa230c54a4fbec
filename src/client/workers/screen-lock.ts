/** Keeps the screen awake while something trains, where the browser allows it: a sleeping phone trains nothing. */
const CHECK_MS = 2000;

export function keepAwake(busy: () => boolean): void {
  // In a frame the screen is the embedding page's: most frames may not ask, and asking shows as an error there.
  if (!('wakeLock' in navigator) || window.self !== window.top) return;
  let held: WakeLockSentinel | null = null;
  let asking = false;
  const check = async (): Promise<void> => {
    const wanted = busy() && !document.hidden;
    if (asking || wanted === (held !== null)) return;
    asking = true;
    try {
      if (wanted) {
        const lock = await navigator.wakeLock.request('screen');
        held = lock;
        lock.addEventListener('release', () => {
          if (held === lock) held = null; // the browser lets go when the page hides
        });
      } else await held?.release();
    } catch {
      // Refused, for saving power: training goes on as long as the machine does.
    } finally {
      asking = false;
    }
  };
  setInterval(() => void check(), CHECK_MS);
  document.addEventListener('visibilitychange', () => void check());
}
