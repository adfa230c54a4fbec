/**
 * A sandbox for a person's code: a frame of an opaque origin, in it a worker with core and code in one script (docs/reliability.md). The code has
 * no network, no storage and no way to this page but texts, which are bounded by the frame and read by contract/own/sandbox.ts. A call that is not
 * answered in its time ends the sandbox: an endless loop costs nothing but itself.
 */
import { fail } from '#contract/kit/errors.ts';
import {
  type Ask,
  type OwnCard,
  type OwnEpisode,
  type OwnFinding,
  type OwnPlayer,
  type OwnProgress,
  type OwnResult,
  type OwnScore,
  type OwnSetup,
  readEpisode,
  readSaid,
  type Said,
} from '#contract/own/sandbox.ts';
import { OWN_SCOPE } from '#contract/own/text.ts';
import { ASKED, isPart, TAKEN } from '#contract/own/wire.ts';
import { FRAME_PAGE } from './frame-page.ts';

/** Milliseconds that a sandbox has to start, to answer, and in training between two words. */
export const LIMITS = { start: 20_000, check: 30_000, play: 15_000, silence: 15_000 };
/**
 * Milliseconds between an answer and the question whether the code still answers, while nothing else is asked: promises without end begin to run after
 * an answer, and then nothing else in the worker has its turn.
 */
const PULSE_MS = 3000;
/**
 * Before the code: without the constructors it cannot start workers of its own, each of which would keep a core busy unseen. Nothing in a worker
 * leads to them by another way, and `this` is the one name of the global object that no declaration of the code can take.
 */
const NO_WORKERS = 'delete this.Worker;delete this.SharedWorker;';
/** Milliseconds that a frame has to say that it is there. It does nothing else, so one that does not is gone. */
const THERE_MS = 3000;

/** The code cannot be used: what is wrong, and where, 1 for its first line. */
export class CodeProblem extends Error {
  readonly fix: string;
  readonly line: number | null;
  /** The member of the definition that it is about. */
  readonly field: string | undefined;

  constructor(message: string, fix: string, line: number | null, field?: string) {
    super(message);
    this.fix = fix;
    this.line = line;
    this.field = field;
  }
}

interface Waiting {
  readonly hear: (said: Said) => void;
  readonly reject: (error: Error) => void;
  timer: ReturnType<typeof setTimeout>;
}

type AskOf<K extends Ask['kind']> = Omit<Extract<Ask, { kind: K }>, 'id' | 'kind'>;

export class Sandbox {
  private readonly frame: HTMLIFrameElement;
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;
  private over: Error | null = null;
  private pulse: ReturnType<typeof setTimeout> | undefined;

  private constructor() {
    this.frame = document.createElement('iframe');
    this.frame.setAttribute('sandbox', 'allow-scripts');
    this.frame.hidden = true;
    this.frame.title = 'Sandbox of code of your own';
    this.frame.referrerPolicy = 'no-referrer';
  }

  /** Starts a sandbox with this code. Rejects with a CodeProblem, or LabError where none can be started. */
  static async open(code: string, id: string): Promise<{ readonly sandbox: Sandbox; readonly world: OwnCard }> {
    const sandbox = new Sandbox();
    const world = await sandbox.start(code, id, false);
    if (world === null) throw sandbox.nonsense();
    sandbox.beat();
    return { sandbox, world };
  }

  /** `ended` is told why there will be no more answers. What waits for an answer then is rejected as well. */
  onEnd(ended: (error: Error) => void): void {
    this.ended = ended;
    if (this.over !== null) ended(this.over);
  }

  /** The same for the laboratory: parts of texts (contract/own/wire.ts) go to `hear`, and `ended` is told why there will be no more of them. */
  static async openLab(code: string, id: string, hear: (part: string) => void, ended: (error: Error) => void): Promise<Sandbox> {
    const sandbox = new Sandbox();
    await sandbox.start(code, id, true);
    sandbox.parts = hear;
    sandbox.ended = ended;
    return sandbox;
  }

  /** A text to a sandbox of the laboratory. */
  askLab(text: string): void {
    this.frame.contentWindow?.postMessage({ ask: ASKED + text }, '*');
  }

  /** Nothing was heard for so many milliseconds: it is ended, with words that say why. */
  silent(limit: number): void {
    this.late(limit);
  }

  check(setup: OwnSetup): Promise<readonly OwnFinding[]> {
    return this.ask('check', { setup }, LIMITS.check, (said) => (said.kind === 'checked' ? said.findings : null));
  }

  play(setup: OwnSetup, seed: number, player: OwnPlayer): Promise<OwnEpisode> {
    return this.ask('play', { setup, seed, player }, LIMITS.play, (said) => (said.kind === 'played' ? readEpisode(said.episode) : null));
  }

  /** Returns of several players over the same episodes. */
  score(setup: OwnSetup, episodes: number): Promise<readonly OwnScore[]> {
    return this.ask('score', { setup, episodes }, LIMITS.check, (said) => (said.kind === 'scored' ? said.scores : null));
  }

  /** Trains one seed; `play` as 'learned' shows what has been learned meanwhile. */
  train(request: AskOf<'train'>, onProgress: (progress: OwnProgress) => void): Promise<OwnResult> {
    return this.ask('train', request, LIMITS.silence, (said) => {
      if (said.kind === 'progress') {
        const { kind: _, id: __, ...progress } = said;
        onProgress(progress);
      }
      return said.kind === 'trained' ? said.result : null;
    });
  }

  /** The state of what is trained, or was trained until it was stopped: `train` goes on with it, here or in another sandbox. */
  save(): Promise<{ readonly step: number; readonly state: string }> {
    return this.ask('save', {}, LIMITS.silence, (said) => (said.kind === 'saved' ? { step: said.step, state: said.state } : null));
  }

  /** Asks again and again, while nothing else is asked, whether it still answers. One that does not is ended as any other. */
  private beat(): void {
    clearTimeout(this.pulse);
    if (this.over !== null) return;
    this.pulse = setTimeout(() => {
      if (this.waiting.size > 0) return; // its answer comes here again
      this.ask('ping', {}, LIMITS.silence, (said) => (said.kind === 'pong' ? true : null)).catch(() => {}); // told by onEnd
    }, PULSE_MS);
  }

  stop(): void {
    this.send({ kind: 'stop', id: this.next++ });
  }

  /** Nothing was asked for so many milliseconds: it is ended, and the next question is told so. */
  rested(ms: number): void {
    const minutes = Math.round(ms / 60_000);
    this.end(
      fail(
        'world-invalid',
        `Nothing was asked of the code for ${minutes} minutes, so that its sandbox was ended.`,
        'Train it again to watch it.',
      ),
    );
  }

  /** Ends the worker at once and takes the frame away. What waits for an answer is rejected. */
  dispose(): void {
    this.end(fail('world-invalid', 'The sandbox was closed.', 'Run the code again.'));
  }

  /** null: it is one of the laboratory, which has no card. Ends the sandbox where it rejects. */
  private async start(code: string, id: string, lab: boolean): Promise<OwnCard | null> {
    const { default: core } = await import('virtual:sandbox').catch(() => {
      throw fail(
        'offline',
        'The sandbox for code of your own is loaded when it is first used, and it could not be fetched now.',
        'Connect to the network and try again; your code is still here. To have every part without a network, choose Storage in the dotted menu, then “Keep everything for offline”, while you are connected.',
      );
    });
    try {
      return await this.begun(code, id, core, lab);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  private begun(code: string, id: string, core: string, lab: boolean): Promise<OwnCard | null> {
    const lines = code.split('\n').length;
    // The person's lines come first, so that their numbers are known; a syntax error there keeps the rest from starting.
    const script = `${NO_WORKERS}self.ownWorld=function(${OWN_SCOPE.join(',')}){"use strict";\n${code}\n};self.ownLines=${lines};self.ownId=${JSON.stringify(id)};self.ownLab=${lab ? JSON.stringify(code) : 'null'};\n${core}`;
    return new Promise<OwnCard | null>((resolve, reject) => {
      this.waiting.set(0, {
        hear: (said) => {
          if (said.kind === 'ready' && !lab) resolve(said.world);
          else if (said.kind === 'opened' && lab) resolve(null);
          else if (said.kind === 'refused') reject(new CodeProblem(said.failure.message, said.failure.fix, said.line, said.failure.field));
          else reject(this.nonsense());
        },
        reject,
        timer: setTimeout(() => this.late(LIMITS.start), LIMITS.start),
      });
      addEventListener('message', this.hear);
      this.begin = () => this.frame.contentWindow?.postMessage({ code: script }, '*');
      this.lines = lines;
      this.frame.srcdoc = FRAME_PAGE;
      document.body.append(this.frame);
    });
  }

  private begin: () => void = () => {};
  private lines = 0;
  private parts: ((part: string) => void) | null = null;
  private ended: (error: Error) => void = () => {};

  private ask<K extends Exclude<Ask['kind'], 'stop'>, T>(
    kind: K,
    rest: AskOf<K>,
    limit: number,
    read: (said: Said) => T | null,
  ): Promise<T> {
    const id = this.next++;
    return new Promise<T>((resolve, reject) => {
      if (this.over !== null) {
        reject(this.over);
        return;
      }
      const late = (): void => {
        const { timer } = entry;
        this.late(limit, () => this.waiting.has(id) && entry.timer === timer);
      };
      const entry: Waiting = {
        hear: (said) => {
          clearTimeout(entry.timer);
          if (said.kind === 'failed') {
            this.waiting.delete(id);
            this.beat();
            reject(fail('world-invalid', said.failure.message, said.failure.fix, said.failure.field));
            return;
          }
          const answer = read(said);
          if (answer === null && said.kind === 'progress') {
            entry.timer = setTimeout(late, limit);
            return;
          }
          this.waiting.delete(id);
          this.beat();
          if (answer === null) reject(fail('world-invalid', 'The sandbox answered something else.', 'Run the code again.'));
          else resolve(answer);
        },
        reject,
        timer: setTimeout(late, limit),
      };
      this.waiting.set(id, entry);
      this.send({ kind, id, ...rest } as unknown as Ask);
    });
  }

  private send(ask: Ask): void {
    // While one of its answers is worked out, training says nothing: its silence is counted anew.
    this.frame.contentWindow?.postMessage({ ask: JSON.stringify(ask) }, '*');
  }

  /**
   * Nothing was heard for so long: the code runs without end, or the browser took its frame away, which is no message to the page. `silent`: whether that
   * still holds when the frame has answered; after a time in which the browser froze the page, what the worker said in time is read only now.
   */
  private late(limit: number, silent: () => boolean = () => true): void {
    const timer = setTimeout(() => this.end(lost()), THERE_MS);
    this.there = () => {
      clearTimeout(timer);
      if (silent()) this.end(tooSlow(limit));
    };
    this.frame.contentWindow?.postMessage({ there: true }, '*');
  }

  private there: () => void = () => {};

  private readonly hear = ({ source, data }: MessageEvent<unknown>): void => {
    if (source === null || source !== this.frame.contentWindow || typeof data !== 'object' || data === null) return;
    if ('here' in data) this.begin();
    else if ('there' in data) this.there();
    else if ('ended' in data)
      this.end(fail('world-invalid', `The code ${String(data.ended).slice(0, 100)} and was ended.`, 'Correct it and run it again.'));
    else if ('broke' in data) this.broke(String(data.broke).slice(0, 500), 'line' in data ? Number(data.line) - 1 : 0);
    else if ('said' in data) this.heard(data.said);
  };

  private broke(message: string, line: number): void {
    const inside = line >= 1 && line <= this.lines;
    // Firefox gives errors of requests, of a database for instance, to the worker without a message.
    const what = message === 'undefined' ? 'An error without a message.' : message.replace(/^Uncaught /, '');
    this.end(new CodeProblem(what, 'Correct the code there.', inside ? line : null));
  }

  private nonsense(): Error {
    const error = fail(
      'world-invalid',
      "The code sent something that is none of the workbench's messages, and was ended.",
      'Correct it and run it again.',
    );
    this.end(error);
    return error;
  }

  private heard(text: unknown): void {
    if (this.parts !== null && isPart(text)) {
      this.parts(text);
      this.frame.contentWindow?.postMessage({ ask: TAKEN }, '*');
      return;
    }
    const said = readSaid(text);
    if (said === null) {
      this.nonsense();
      return;
    }
    const id = said.kind === 'ready' || said.kind === 'opened' || said.kind === 'refused' ? 0 : said.id;
    const waiting = this.waiting.get(id);
    if (waiting === undefined) return;
    if (id === 0) {
      clearTimeout(waiting.timer);
      this.waiting.delete(0);
    }
    waiting.hear(said);
  }

  private end(error: Error): void {
    if (this.over !== null) return;
    this.over = error;
    clearTimeout(this.pulse);
    removeEventListener('message', this.hear);
    this.frame.remove(); // its worker ends with it
    for (const { reject, timer } of this.waiting.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.waiting.clear();
    this.ended(error);
  }
}

const lost = (): Error =>
  fail(
    'world-invalid',
    'The browser ended the frame of the code, most likely because the code took all the memory there is.',
    'Keep less, a list that grows without end for instance, and run it again; your code is still here.',
  );

const tooSlow = (limit: number): Error =>
  fail(
    'world-invalid',
    `The code did not answer for ${Math.round(limit / 1000)} seconds and was ended. A loop in it may never end.`,
    'Correct it and run it again; your code is still here.',
  );
