/**
 * The page's common beat: whatever follows a run (figures, curves, readouts) changes at the same moments, so that many changes cost
 * one picture. Ten times a second; four times where the processor draws, because there every picture is taken from training.
 */
const BEAT_MS = 100;
const SLOW_BEAT_MS = 250;

let period = BEAT_MS;
let waiting: (() => void)[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** Whether the processor draws the page; set where it is detected. */
export function setProcessorDraws(on: boolean): void {
  period = on ? SLOW_BEAT_MS : BEAT_MS;
}

export function processorDraws(): boolean {
  return period === SLOW_BEAT_MS;
}

/** Calls back once, at the next beat. */
export function atBeat(action: () => void): void {
  waiting.push(action);
  if (timer === undefined) timer = setTimeout(beat, period - (performance.now() % period));
}

function beat(): void {
  const now = waiting;
  waiting = [];
  timer = undefined;
  for (const action of now) action();
}
