/**
 * The page's common update clock: figures, curves and readouts of a run change at the same moments, so that many changes cost one
 * repaint. Ten times a second; four times where the processor draws, because there every repaint takes time from training.
 */
const PERIOD_MS = 100;
const SLOW_PERIOD_MS = 250;

let period = PERIOD_MS;
let waiting: (() => void)[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** Whether the processor draws the page; set where it is detected. */
export function setProcessorDraws(on: boolean): void {
  period = on ? SLOW_PERIOD_MS : PERIOD_MS;
}

export function processorDraws(): boolean {
  return period === SLOW_PERIOD_MS;
}

/** Calls back once, at the next update. */
export function atNextUpdate(action: () => void): void {
  waiting.push(action);
  if (timer === undefined) timer = setTimeout(update, period - (performance.now() % period));
}

function update(): void {
  const now = waiting;
  waiting = [];
  timer = undefined;
  for (const action of now) action();
}
