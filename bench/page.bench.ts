/**
 * What a person waits for, on the built page in a real Chromium: first movement and first curve on a machine a quarter as fast, the main
 * thread while five seeds train at full speed, keystrokes in a form meanwhile, what watching costs the trainer, what one metric row costs
 * the page. Each is the median of `rounds` fresh profiles. Targets are the checks of the feature list; without a graphics card the
 * scene is drawn in software, which is the worst case.
 */
import type { CDPSession, Page } from '@playwright/test';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { median } from '#math/stats.ts';
import { type Visit, withBrowser } from './browser.ts';
import { madeUpProject } from './page-data.ts';

interface Row {
  readonly what: string;
  /** For `--only`. */
  readonly id: string;
  readonly unit: string;
  readonly target: { readonly below?: number; readonly above?: number };
  measure(visit: Visit): Promise<number>;
}

interface Hook {
  readonly runs: readonly { readonly id: string; readonly seeds: readonly { readonly seed: number }[] }[];
  readonly activeRun: {
    readonly id: string;
    readonly seeds: readonly { readonly seed: number; readonly state: string; readonly step: number; readonly stepsPerSecond: number }[];
  } | null;
  readonly stage: {
    readonly t: number;
    readonly length: number;
    readonly message: string;
    readonly policy: { readonly runId: string; readonly seed: number; readonly step: number } | null;
  };
  readonly perf: { readonly bootMs: number; readonly catalogMs: number; readonly eventsReceived: number };
  metrics(runId: string): readonly string[];
  curve(runId: string, seed: number, metric: string): { readonly steps: readonly number[] } | null;
}
type LabWindow = { readonly __lab: Hook };

/** How often what is compared is measured with and without. */
const TURNS = 4;
/** A team that learns on all cores, and a script to explain meanwhile. */
const TEAM = '#env=mpe-simple-spread&algo=ppo&steps=100000000&seeds=5';
const LONG = '#env=cartpole&algo=ppo&steps=100000000&seeds=5';

async function visitPage(visit: Visit, hash: string, motion: 'reduce' | 'no-preference' = 'no-preference'): Promise<Page> {
  const page = await visit.newPage();
  await page.emulateMedia({ reducedMotion: motion });
  await page.goto(`${visit.url}${hash}`);
  return page;
}

const trainButton = (page: Page): ReturnType<Page['getByRole']> =>
  page.getByRole('group', { name: 'Training' }).getByRole('button', { name: 'Train', exact: true });

/** Waits in the page for a condition, so that no round trip is part of the time. Milliseconds since navigation. */
const whenTrue = (page: Page, condition: () => boolean): Promise<number> =>
  page.waitForFunction(condition, undefined, { polling: 20 }).then(() => page.evaluate(() => performance.now()));

/** Whether the strip of tokens has changed since it was first seen. */
const writing = (): boolean => {
  const seen = window as unknown as { tokensAtFirst?: number };
  const tokens = document.querySelectorAll('section[aria-label="Tokens of this episode"] [data-come]').length;
  if (tokens === 0) return false;
  seen.tokensAtFirst ??= tokens;
  return tokens !== seen.tokensAtFirst;
};

const alive = (page: Page): Promise<number> => whenTrue(page, () => ((window as unknown as Partial<LabWindow>).__lab?.stage.t ?? 0) > 0);

/** On the front page a tile where a trained agent plays shows another picture than its first. The picture is compared at a size that costs nothing. */
const trainedMoves = (): boolean => {
  const tile = [...document.querySelectorAll('main button')].find(
    (button) => button.textContent.includes('A trained agent plays') && button.querySelector('[data-state="playing"] canvas') !== null,
  );
  const canvas = tile?.querySelector('canvas');
  if (!(canvas instanceof HTMLCanvasElement)) return false;
  const small = new OffscreenCanvas(48, 36);
  const context = small.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('this browser has no canvas to compare with');
  context.drawImage(canvas, 0, 0, small.width, small.height);
  const picture = context.getImageData(0, 0, small.width, small.height).data.join();
  const seen = window as unknown as { tilesAtFirst?: Map<HTMLCanvasElement, string> };
  seen.tilesAtFirst ??= new Map();
  const first = seen.tilesAtFirst.get(canvas);
  if (first === undefined) seen.tilesAtFirst.set(canvas, picture);
  return first !== undefined && first !== picture;
};

/** The active run has 20 points of a curve. */
const learning = (): boolean => {
  const hook = (window as unknown as LabWindow).__lab;
  const run = hook.activeRun;
  return run !== null && (hook.curve(run.id, run.seeds[0]?.seed ?? 1, 'episodicReturn')?.steps.length ?? 0) >= 20;
};

/** The curve of the active run is drawn in its panel. */
const curveStands = (): boolean => {
  const hook = (window as unknown as Partial<LabWindow>).__lab;
  const run = hook?.activeRun;
  const points = run && (hook?.curve(run.id, run.seeds[0]?.seed ?? 1, 'episodicReturn')?.steps.length ?? 0);
  return (points ?? 0) >= 20 && document.querySelector('#panel-curves canvas') !== null;
};

/** Milliseconds from a press on the first tile of the front page that trains an agent until its curve stands. */
async function tileToCurve(page: Page): Promise<number> {
  const tile = page.locator('main button', { hasText: 'Train: learns' }).first();
  await tile.waitFor();
  await page.evaluate(() => {
    document.addEventListener('click', () => Object.assign(window, { pressed: performance.now() }), { capture: true, once: true });
  });
  await tile.click();
  const stands = await whenTrue(page, curveStands);
  return stands - (await page.evaluate(() => (window as unknown as { pressed: number }).pressed));
}

async function slowed(page: Page, rate: number): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
  return session;
}

const steps = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as LabWindow).__lab.activeRun?.seeds.reduce((sum, seed) => sum + seed.step, 0) ?? 0);

async function speed(page: Page, ms: number): Promise<number> {
  const from = await steps(page);
  const start = performance.now();
  await page.waitForTimeout(ms);
  return ((await steps(page)) - from) / ((performance.now() - start) / 1000);
}

async function training(page: Page): Promise<void> {
  await trainButton(page).click();
  await page.waitForFunction(() => ((window as unknown as LabWindow).__lab.activeRun?.seeds[0]?.step ?? 0) > 20_000);
}

/** An explanation that streams for longer than anybody measures. */
async function explaining(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Team' }).check();
  await page.getByRole('combobox', { name: 'Policy to watch' }).selectOption('scripted');
  await page.getByRole('combobox', { name: 'effort' }).selectOption({ label: 'for a paper' });
  await page.getByRole('button', { name: 'Who did it?' }).click();
  await page.getByText(/draws, .* episodes/).waitFor();
}

/** Means of a measurement with an explanation streaming and with it paused, by turns, so that what else the machine does falls on both. */
async function byTurns(page: Page, measure: () => Promise<number>): Promise<readonly [beside: number, alone: number]> {
  const panel = page.getByRole('region', { name: 'What each agent contributes' });
  const sums: [number, number] = [0, 0];
  for (let turn = 0; turn < TURNS; turn++) {
    sums[0] += await measure();
    await panel.getByRole('button', { name: 'Pause' }).click();
    sums[1] += await measure();
    await panel.getByRole('button', { name: 'Go on' }).click();
  }
  return [sums[0] / TURNS, sums[1] / TURNS];
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds that its thread ran. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Milliseconds that the longest task of a page's main thread ran. */
function longestTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString('utf8')) as { readonly traceEvents: readonly TraceEvent[] };
  const thread = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const mains = new Set(traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(thread));
  const tasks = traceEvents.filter(
    (event) => event.ph === 'X' && event.name === 'ThreadControllerImpl::RunTask' && mains.has(thread(event)),
  );
  if (tasks.length === 0) throw new Error('the trace holds no task of the main thread');
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur), 0) / 1000;
}

/** Trains what the page holds to its end; answers how long after the end of the shown seed its last policy came on the stage. */
async function endToStage(page: Page): Promise<number> {
  await page.evaluate(() => {
    const times = { ended: 0, shown: 0 };
    Object.assign(window, { times });
    const look = (): void => {
      const { activeRun, stage } = (window as unknown as LabWindow).__lab;
      const seed = activeRun?.seeds.find((one) => one.seed === stage.policy?.seed);
      if (times.ended === 0 && seed?.state === 'done') times.ended = performance.now();
      const last = seed?.state === 'done' && stage.policy?.runId === activeRun?.id && stage.policy?.step === seed.step;
      if (last && stage.message.includes('always its best action')) times.shown = performance.now();
      else setTimeout(look, 5);
    };
    look();
  });
  await trainButton(page).click();
  await page.waitForFunction(() => (window as unknown as { times: { shown: number } }).times.shown > 0);
  return page.evaluate(() => {
    const { ended, shown } = (window as unknown as { times: { ended: number; shown: number } }).times;
    return shown - ended;
  });
}

/** Drags the slider of gravity to its end; answers how long after it is let go the agent acts in the changed world. */
async function sliderToStage(page: Page): Promise<number> {
  const track = page.locator('[data-field$="gravity"] [class*="track"]');
  await track.scrollIntoViewIfNeeded();
  const box = await track.boundingBox();
  if (box === null) throw new Error('there is no slider of gravity');
  await page.evaluate(() => {
    const times = { dropped: 0, shown: 0 };
    Object.assign(window, { times });
    document.addEventListener('pointerup', () => Object.assign(times, { dropped: performance.now() }), { capture: true, once: true });
    const look = (): void => {
      const shown = times.dropped > 0 && (window as unknown as LabWindow).__lab.stage.message.includes('Trained with gravity');
      if (shown) times.shown = performance.now();
      else setTimeout(look, 2);
    };
    look();
  });
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 7, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction(() => (window as unknown as { times: { shown: number } }).times.shown > 0);
  return page.evaluate(() => {
    const { dropped, shown } = (window as unknown as { times: { dropped: number; shown: number } }).times;
    return shown - dropped;
  });
}

/** Moves a number of what the agent sees by its slider, again and again; answers the median of how long after it the bars have another length. */
async function editToBars(page: Page): Promise<number> {
  await page.getByRole('radio', { name: 'Edit', exact: true }).check();
  await page.getByRole('slider', { name: 'angle', exact: true }).waitFor();
  return page.evaluate(async () => {
    const slider = [...document.querySelectorAll<HTMLInputElement>('#panel-why input[type="range"]')][2];
    const bars = (): string =>
      [...document.querySelectorAll<HTMLElement>('#panel-why table td span')].map((bar) => bar.style.inlineSize).join();
    if (slider === undefined) throw new Error('there is no slider of the pole');
    const found: number[] = [];
    for (let i = 0; i < 15; i++) {
      const before = bars();
      const start = performance.now();
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(slider, String(0.05 + 0.02 * i));
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      while (bars() === before) {
        if (performance.now() - start > 10_000) throw new Error('the bars do not answer');
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      found.push(performance.now() - start);
    }
    return found.sort((a, b) => a - b)[Math.floor(found.length / 2)] ?? Number.NaN;
  });
}

/** Fresh page at a quarter of the speed. */
async function quarter<T>(visit: Visit, hash: string, work: (page: Page) => Promise<T>): Promise<T> {
  const page = await visit.newPage();
  try {
    await slowed(page, 4);
    await page.goto(`${visit.url}${hash}`);
    return await work(page);
  } finally {
    await page.context().close();
  }
}

async function using<T>(page: Page, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await page.context().close();
  }
}

/** A page that holds made-up runs, dropped on it as a project file. */
async function withRuns<T>(visit: Visit, runs: number, points: number, work: (page: Page) => Promise<T>): Promise<T> {
  const page = await visitPage(visit, '#env=cartpole&algo=ppo', 'reduce');
  return using(page, async () => {
    await alivePage(page);
    const base64 = Buffer.from(madeUpProject(runs, points)).toString('base64');
    await page.evaluate((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(text), (char) => char.charCodeAt(0))], 'runs.lab'));
      document.querySelector('main')?.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer }));
    }, base64);
    // Reading this many runs takes a while, and a look in every frame would slow it down.
    const patient = { polling: 500, timeout: 120_000 };
    await page.waitForFunction((count) => (window as unknown as LabWindow).__lab.runs.length === count, runs, patient);
    await page.waitForFunction(
      ([count, wanted]) => {
        const hook = (window as unknown as LabWindow).__lab;
        // Curves are read one run after another; a table of many needs none of them.
        const last = hook.runs[count <= 10 ? count - 1 : 0];
        return last !== undefined && (hook.curve(last.id, last.seeds[0]?.seed ?? 1, 'episodicReturn')?.steps.length ?? 0) >= wanted;
      },
      [runs, points] as const,
      patient,
    );
    await page.waitForTimeout(runs <= 10 ? 1000 : 5000);
    return work(page);
  });
}

const alivePage = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => (window as unknown as Partial<LabWindow>).__lab !== undefined && document.querySelector('main') !== null);

/** The page has started, and what it does after that is over. */
const settled = (page: Page): Promise<void> => alivePage(page).then(() => page.waitForTimeout(2000));

const LAST_PAPER = 'a[href="#/papers/p184"]';

/** Script and layout until the next frame after an input event that `act` dispatches in the page, the median of `times`. */
const toNextFrame = (page: Page, selector: string, kind: 'click' | 'input' | 'point', times: number): Promise<number> =>
  page.evaluate(
    async ([target, event, count]) => {
      const found: number[] = [];
      for (let i = 0; i < count; i++) {
        const element = document.querySelector<HTMLElement>(target);
        if (element === null) throw new Error(`nothing matches ${target}`);
        const start = performance.now();
        if (event === 'click') element.click();
        else if (event === 'point') {
          const { left, top, width, height } = element.getBoundingClientRect();
          const at = { clientX: left + (width * (i + 1)) / (count + 1), clientY: top + height / 2, bubbles: true };
          element.dispatchEvent(new MouseEvent('mousemove', at));
        } else {
          const text = i % 2 === 0 ? 'run 49' : '';
          Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(element, text);
          element.dispatchEvent(new Event('input', { bubbles: true }));
        }
        // A frame is produced after this callback; a task posted from it runs once that frame's script, style and layout are done.
        await new Promise<void>((resolve) =>
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve();
            port2.postMessage(null);
          }),
        );
        found.push(performance.now() - start);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return found.sort((a, b) => a - b)[Math.floor(found.length / 2)] ?? Number.NaN;
    },
    [selector, kind, times] as const,
  );

/** Milliseconds that the page's main thread has spent in script so far: what it worked, not what it waited. */
async function scriptClock(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * (metrics.find((metric) => metric.name === 'ScriptDuration')?.value ?? 0);
  };
}

const ROWS: readonly Row[] = [
  {
    what: 'first visit: a trained agent moves on the front page (since navigation)',
    id: 'first-move',
    unit: 'ms',
    target: { below: 1400 },
    async measure(visit) {
      const page = await visitPage(visit, '');
      return using(page, () => whenTrue(page, trainedMoves));
    },
  },
  {
    what: 'a trained agent moves on the front page, at a quarter of the speed',
    id: 'first-move-slow',
    unit: 'ms',
    target: { below: 5000 },
    measure: (visit) => quarter(visit, '', (page) => whenTrue(page, trainedMoves)),
  },
  {
    what: 'first visit: from a press on a tile of the front page to a drawn curve with 20 points',
    id: 'first-curve',
    unit: 'ms',
    target: { below: 2700 },
    async measure(visit) {
      const page = await visitPage(visit, '');
      return using(page, () => tileToCurve(page));
    },
  },
  {
    what: 'opening rooms told in words: tokens are written (since navigation)',
    id: 'first-token',
    unit: 'ms',
    target: { below: 3000 },
    async measure(visit) {
      const page = await visitPage(visit, '#env=t-house&seeds=1');
      return using(page, () => whenTrue(page, writing));
    },
  },
  {
    what: 'a paper’s link in a fresh profile, to a trained policy that plays',
    id: 'paper-plays',
    unit: 'ms',
    target: { below: 3000 },
    async measure(visit) {
      const page = await visitPage(visit, '#/papers/p057');
      return using(page, () => whenTrue(page, () => document.querySelector('[data-state="playing"]') !== null));
    },
  },
  {
    what: 'from the click on Train to the first step on the page',
    id: 'train-click',
    unit: 'ms',
    target: { below: 1000 },
    async measure(visit) {
      const page = await visitPage(visit, LONG);
      return using(page, async () => {
        await alive(page);
        await page.evaluate(() => {
          document.addEventListener('click', () => Object.assign(window, { pressed: performance.now() }), { capture: true, once: true });
        });
        await trainButton(page).click();
        const moved = await whenTrue(page, () => ((window as unknown as LabWindow).__lab.activeRun?.seeds[0]?.step ?? 0) > 0);
        return moved - (await page.evaluate(() => (window as unknown as { pressed: number }).pressed));
      });
    },
  },
  {
    what: 'from the click on Train to 20 curve points, at a quarter of the speed',
    id: 'train-click-slow',
    unit: 'ms',
    target: { below: 10_000 },
    measure: (visit) =>
      quarter(visit, '#env=cartpole&algo=ppo', async (page) => {
        await trainButton(page).click();
        const clicked = await page.evaluate(() => performance.now());
        const seen = await whenTrue(page, learning);
        return seen - clicked;
      }),
  },
  {
    what: 'end of run to trained policy on stage, episodes of 1,000 steps before',
    id: 'end-to-stage',
    unit: 'ms',
    target: { below: 1000 },
    async measure(visit) {
      const page = await visitPage(visit, '#env=cliff-walking&algo=q-learning&steps=50000&seeds=1');
      return using(page, () => endToStage(page));
    },
  },
  {
    what: 'end of run to trained policy on stage, five seeds',
    id: 'end-to-stage-five',
    unit: 'ms',
    target: { below: 1000 },
    async measure(visit) {
      const page = await visitPage(visit, '#env=cartpole&algo=ppo&steps=150000&seeds=5');
      return using(page, () => endToStage(page));
    },
  },
  {
    what: 'slider moved to agent in the changed world',
    id: 'slider-to-stage',
    unit: 'ms',
    target: { below: 300 },
    async measure(visit) {
      const page = await visitPage(visit, '#env=cartpole&algo=ppo&steps=60000&seeds=1');
      return using(page, async () => {
        await endToStage(page);
        return sliderToStage(page);
      });
    },
  },
  {
    what: 'slider moved to agent in the changed world, while it trains',
    id: 'slider-to-stage-training',
    unit: 'ms',
    target: { below: 300 },
    async measure(visit) {
      const page = await visitPage(visit, '#env=cartpole&algo=ppo&steps=100000000&seeds=1');
      return using(page, async () => {
        await training(page);
        await page.waitForFunction(() => (window as unknown as LabWindow).__lab.stage.policy !== null);
        return sliderToStage(page);
      });
    },
  },
  {
    what: 'a number of the edited state moved to action bars that answer',
    id: 'edit-to-bars',
    unit: 'ms',
    target: { below: 100 },
    async measure(visit) {
      const page = await visitPage(visit, '#env=cartpole&algo=ppo&steps=20000&seeds=1', 'reduce');
      return using(page, async () => {
        await endToStage(page);
        return editToBars(page);
      });
    },
  },
  {
    what: 'a film of ten seconds at the size that the dialog offers first, from the press to the file',
    id: 'film',
    unit: 'ms',
    target: { below: 5000 },
    async measure(visit) {
      const page = await visitPage(visit, '#env=pendulum&algo=ppo&depth=lab', 'reduce');
      return using(page, async () => {
        await page.getByRole('combobox', { name: 'Policy to watch' }).selectOption('expert');
        await page.getByText('0 / 200').waitFor();
        await page.getByRole('button', { name: 'Save as a video' }).click();
        const dialog = page.getByRole('dialog', { name: 'Save as a video' });
        await dialog.getByLabel('Speed').selectOption('1×'); // 200 steps of 0.05 s, and 0.7 s on the last one
        await page.waitForTimeout(3000); // what the page still loads and draws after its opening is not the film's
        const start = performance.now();
        const done = page.waitForEvent('download', { timeout: 120_000 });
        await dialog.getByRole('button', { name: 'Make the film' }).click();
        await done;
        return performance.now() - start;
      });
    },
  },
  {
    what: 'main thread in tasks over 50 ms while five seeds train',
    id: 'train-tasks',
    unit: '% of the time',
    target: { below: 5 },
    async measure(visit) {
      const page = await visitPage(visit, LONG);
      return using(page, async () => {
        await training(page);
        return page.evaluate(async () => {
          let busy = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) busy += entry.duration;
          }).observe({ type: 'longtask' });
          const start = performance.now();
          await new Promise((resolve) => setTimeout(resolve, 6000));
          return (100 * busy) / (performance.now() - start);
        });
      });
    },
  },
  {
    what: 'a keystroke in a form field while five seeds train, to the next paint',
    id: 'keystroke',
    unit: 'ms',
    target: { below: 200 },
    async measure(visit) {
      const page = await visitPage(visit, LONG, 'reduce');
      return using(page, async () => {
        await training(page);
        await page.evaluate(() => {
          const seen: number[] = [];
          (window as unknown as { seen: number[] }).seen = seen;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) if (entry.name === 'keydown') seen.push(entry.duration);
          }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
        });
        const field = page.getByRole('textbox', { name: /seed/i }).or(page.getByRole('textbox').first()).first();
        await field.focus();
        for (let i = 0; i < 10; i++) await page.keyboard.press(i % 2 === 0 ? '1' : 'Backspace');
        await page.waitForTimeout(500);
        const seen = await page.evaluate(() => (window as unknown as { seen: number[] }).seen);
        return seen.length === 0 ? 16 : Math.max(...seen); // nothing reported: all below the threshold
      });
    },
  },
  {
    what: 'steps/s that watching an episode costs the trainer',
    id: 'watching',
    unit: '%',
    target: { below: 20 },
    async measure(visit) {
      const page = await visitPage(visit, '#env=cartpole&algo=ppo&steps=100000000&seeds=1', 'reduce');
      return using(page, async () => {
        await training(page);
        const alone = await speed(page, 3000);
        await page.getByRole('button', { name: 'Play the episode' }).click();
        const watched = await speed(page, 3000);
        return 100 * (1 - watched / alone);
      });
    },
  },
  {
    // 60 frames/s leave 16.7 ms for script, layout and drawing.
    what: 'script of a frame while tokens are written beside their room, the fastest there is',
    id: 'token-strip',
    unit: 'ms',
    target: { below: 8 },
    async measure(visit) {
      const page = await visitPage(visit, '#env=t-house&seeds=1');
      return using(page, async () => {
        await page.getByRole('combobox', { name: 'Policy to watch' }).selectOption('expert');
        await whenTrue(page, writing);
        for (let i = 0; i < 10; i++) await page.keyboard.press(']');
        const script = await scriptClock(page);
        const before = await script();
        const frames = await page.evaluate(
          () =>
            new Promise<number>((resolve) => {
              const end = performance.now() + 5000;
              let drawn = 0;
              const next = (): void => {
                drawn++;
                if (performance.now() < end) requestAnimationFrame(next);
                else resolve(drawn);
              };
              requestAnimationFrame(next);
            }),
        );
        return ((await script()) - before) / frames;
      });
    },
  },
  {
    // Its own time: by the clock a task is as long as the trainers on the same cores make it wait, explanation or not.
    what: 'longest task of the main thread while an explanation streams, its own time',
    id: 'explain-task',
    unit: 'ms',
    target: { below: 50 },
    async measure(visit) {
      const page = await visitPage(visit, TEAM, 'reduce');
      return using(page, async () => {
        await training(page);
        await explaining(page);
        await visit.browser.startTracing(page, { categories: ['toplevel'] });
        await page.waitForTimeout(8000);
        return longestTask(await visit.browser.stopTracing());
      });
    },
  },
  {
    what: 'main thread in tasks over 50 ms by the clock, what an explanation adds',
    id: 'explain-tasks',
    unit: '% of the time',
    target: {},
    async measure(visit) {
      const page = await visitPage(visit, TEAM, 'reduce');
      return using(page, async () => {
        await training(page);
        await explaining(page);
        await page.evaluate(() => {
          const seen = { busy: 0 };
          Object.assign(window, { seen });
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) seen.busy += entry.duration;
          }).observe({ type: 'longtask' });
        });
        const busy = (): Promise<number> => page.evaluate(() => (window as unknown as { seen: { busy: number } }).seen.busy);
        const [beside, alone] = await byTurns(page, async () => {
          const before = await busy();
          const start = performance.now();
          await page.waitForTimeout(3000);
          return (100 * ((await busy()) - before)) / (performance.now() - start);
        });
        return beside - alone;
      });
    },
  },
  {
    what: 'training speed kept while an explanation streams, all cores training',
    id: 'explain-speed',
    unit: '% of the speed without',
    target: { above: 70 },
    async measure(visit) {
      const page = await visitPage(visit, TEAM, 'reduce');
      return using(page, async () => {
        await training(page);
        await explaining(page);
        const [beside, alone] = await byTurns(page, () => speed(page, 2500));
        return (100 * beside) / alone;
      });
    },
  },
  {
    what: 'page script per metric row received (batching, stores, curves)',
    id: 'metric-row',
    unit: 'us',
    target: {},
    async measure(visit) {
      const page = await visitPage(visit, LONG, 'reduce');
      return using(page, async () => {
        await training(page);
        const session = await page.context().newCDPSession(page);
        await session.send('Performance.enable');
        const read = async (): Promise<{ script: number; rows: number }> => {
          const { metrics } = await session.send('Performance.getMetrics');
          const rows = await page.evaluate(() => {
            const hook = (window as unknown as LabWindow).__lab;
            const run = hook.activeRun;
            return run === null
              ? 0
              : run.seeds.reduce((sum, { seed }) => sum + (hook.curve(run.id, seed, 'entropy')?.steps.length ?? 0), 0);
          });
          return { script: metrics.find((metric) => metric.name === 'ScriptDuration')?.value ?? 0, rows };
        };
        const before = await read();
        await page.waitForTimeout(5000);
        const after = await read();
        return (1e6 * (after.script - before.script)) / Math.max(1, after.rows - before.rows);
      });
    },
  },
  {
    what: 'after a reload: the curves of all of 500 runs (since navigation)',
    id: 'curves-back',
    unit: 'ms',
    target: { below: 5000 },
    measure: (visit) =>
      withRuns(visit, 500, 10, async (page) => {
        await page.reload();
        return whenTrue(page, () => {
          const hook = (window as unknown as Partial<LabWindow>).__lab;
          return (
            hook?.runs.length === 500 && hook.runs.every((run) => hook.curve(run.id, run.seeds[0]?.seed ?? 1, 'episodicReturn') !== null)
          );
        });
      }),
  },
  {
    what: 'after a reload: the curve of the active one of 500 runs (since the list is there)',
    id: 'active-curve-back',
    unit: 'ms',
    target: { below: 300 },
    measure: (visit) =>
      withRuns(visit, 500, 10, async (page) => {
        // From the first moment of the next page on: a question asked from outside would come too late.
        await page.addInitScript(() => {
          const times = { listed: 0, drawn: 0 };
          Object.assign(window, { times });
          const look = (): void => {
            const hook = (window as unknown as Partial<LabWindow>).__lab;
            if (times.listed === 0 && hook?.runs.length === 500) times.listed = performance.now();
            const run = hook?.activeRun;
            if (run && hook?.curve(run.id, run.seeds[0]?.seed ?? 1, 'episodicReturn')) times.drawn = performance.now();
            else setTimeout(look, 2);
          };
          look();
        });
        await page.reload();
        await page.waitForFunction(() => (window as unknown as { times: { drawn: number } }).times.drawn > 0);
        return page.evaluate(() => {
          const { listed, drawn } = (window as unknown as { times: { listed: number; drawn: number } }).times;
          return drawn - listed;
        });
      }),
  },
  {
    what: 'sorting a table of 500 runs, to the next frame',
    id: 'sorting',
    unit: 'ms',
    target: { below: 100 },
    measure: (visit) =>
      withRuns(visit, 500, 10, (page) => toNextFrame(page, '#panel-runs thead th[data-column="return"] button', 'click', 7)),
  },
  {
    what: 'filtering 500 runs, to the next frame',
    id: 'filtering',
    unit: 'ms',
    target: { below: 100 },
    measure: (visit) => withRuns(visit, 500, 10, (page) => toNextFrame(page, '#runs-filter', 'input', 8)),
  },
  {
    what: 'pointing at the curves of 200 runs of 10,000 points, to the next frame',
    id: 'pointing',
    unit: 'ms',
    target: { below: 50 },
    measure: (visit) => withRuns(visit, 200, 10_000, (page) => toNextFrame(page, '#panel-curves .u-over', 'point', 15)),
  },
  {
    what: 'script of one redraw of four curves of 20,000 points',
    id: 'redraw',
    unit: 'ms',
    target: { below: 2 },
    measure: (visit) =>
      withRuns(visit, 4, 20_000, async (page) => {
        const plot = page.locator('#panel-curves figure [role="img"]');
        await plot.focus();
        const script = await scriptClock(page);
        // Zooming in and out redraws the whole picture: model, decimation, axes, lines. The keys' own cost is part of it.
        const found: number[] = [];
        for (let i = 0; i < 20; i++) {
          const before = await script();
          await page.keyboard.press(i % 2 === 0 ? 'w' : 's');
          await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0))));
          found.push((await script()) - before);
        }
        return median(found);
      }),
  },
  {
    what: 'opening the gallery of 184 papers: its script',
    id: 'papers-open',
    unit: 'ms',
    target: { below: 300 },
    async measure(visit) {
      const page = await visitPage(visit, '', 'reduce');
      return using(page, async () => {
        await settled(page);
        const script = await scriptClock(page);
        const before = await script();
        await page.evaluate(() => {
          location.hash = '#/papers';
        });
        await page.locator(LAST_PAPER).waitFor();
        return (await script()) - before;
      });
    },
  },
  {
    what: 'filtering the gallery by a word, to the next frame',
    id: 'papers-filter',
    unit: 'ms',
    target: { below: 50 },
    async measure(visit) {
      const page = await visitPage(visit, '#/papers', 'reduce');
      return using(page, async () => {
        await page.locator(LAST_PAPER).waitFor();
        await settled(page);
        return toNextFrame(page, '#papers-search', 'input', 8);
      });
    },
  },
];

/** Rows written before, by what they measure. */
function rowsBefore(before: Json): readonly JsonObject[] {
  const { rows } = (before ?? {}) as { readonly rows?: Json };
  return Array.isArray(rows) ? (rows as JsonObject[]) : [];
}

/** Throws RangeError for a part that is not there. */
export async function run(options: {
  readonly quick: boolean;
  readonly only: readonly string[];
  readonly before: Json;
  readonly log: (line: string) => void;
}): Promise<Json> {
  const rounds = options.quick ? 1 : 5;
  const unknown = options.only.find((id) => !ROWS.some((row) => row.id === id));
  if (unknown !== undefined) throw new RangeError(`There is no part "${unknown}". Use any of: ${ROWS.map(({ id }) => id).join(', ')}.`);
  const rows: JsonObject[] = [];
  await withBrowser(async (visit) => {
    for (const row of ROWS) {
      if (options.only.length > 0 && !options.only.includes(row.id)) {
        const kept = rowsBefore(options.before).find(({ what }) => what === row.what);
        if (kept !== undefined) rows.push(kept);
        continue;
      }
      const found: number[] = [];
      for (let round = 0; round < rounds; round++) found.push(await row.measure(visit));
      const value = Math.round(10 * median(found)) / 10;
      const { below, above } = row.target;
      const met = (below === undefined || value <= below) && (above === undefined || value >= above);
      rows.push({
        what: row.what,
        unit: row.unit,
        value,
        runs: found.map((one) => Math.round(10 * one) / 10),
        target: { ...row.target },
        met,
      });
      const wanted = below !== undefined ? ` (target: at most ${below})` : above !== undefined ? ` (target: at least ${above})` : '';
      options.log(`${row.what.padEnd(76)} ${value} ${row.unit}${wanted}`);
    }
  });
  return { rows };
}
