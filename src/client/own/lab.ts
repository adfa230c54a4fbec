/**
 * Own worlds in the laboratory: the stage and the set-up ask a sandbox as they ask the watch worker, and each seed trains in a sandbox of its own, to
 * which a session worker speaks through this page; that worker keeps and stores what comes of it. Nothing of the code runs in the page or in its
 * workers, and nothing of it runs before a person has allowed it.
 */

import type { Lane } from '#client/workers/service.ts';
import type { SessionBeside } from '#client/workers/workers.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { Answer, ExplainPort, ExplainRequest } from '#contract/explain/explain-api.ts';
import { type FrameLayout, frameSize } from '#contract/game/frames.ts';
import { FIRST_ISSUE } from '#contract/kit/bounded.ts';
import { canonicalJson } from '#contract/kit/canonical.ts';
import { fail, type LabError, toFailure } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { ownAnswers } from '#contract/own/answers.ts';
import { carriedCode } from '#contract/own/code.ts';
import { readAnswer } from '#contract/own/explain.ts';
import { type LabAsk, readLabSaid, saidSomethingElse } from '#contract/own/lab.ts';
import { tameFrames } from '#contract/own/sandbox-layouts.ts';
import { PartReader, toWire } from '#contract/own/wire.ts';
import type { PolicySnapshot, Replay } from '#contract/run/events.ts';
import { CODE_SETTING, codeMissing, type EnvRef, type OwnRef } from '#contract/run/own-world.ts';
import type { SandboxNews, Window } from '#contract/session/session.ts';
import { listEnv } from '#stores/catalog.ts';
import { askAboutCode } from '#stores/own.ts';
import { captionStage } from '#stores/stage.ts';
import { isAllowed } from './allowed.ts';
import { REST_MS, Rest } from './rest.ts';
import { CodeProblem, Sandbox } from './sandbox.ts';

/**
 * A look for words of a sandbox, and how many looks without one end it; before that it is asked whether it still answers. That goes on while nothing
 * else is asked: promises without end begin to run after an answer. Looks are counted, not time: a frozen page looks not at all.
 */
const LOOK_MS = 3000;
const ASK_AFTER = 2;
const END_AFTER = 6;
/** Sandboxes of the stage that stay open: the world that is looked at, and the one before. */
const OPEN = 2;

type Method = keyof typeof ownAnswers;
const isAnswered = (method: string): method is Method => Object.hasOwn(ownAnswers, method);

const notHere = (method: string): LabError =>
  fail(
    'incompatible',
    REFUSED[method] ?? REFUSED.other,
    'Choose an environment of the catalogue for that, or the command line: rl ... --env-file FILE.',
    'env',
  );
const REFUSED: { readonly other: string; readonly [method: string]: string } = {
  explain: 'What members of a team mean for each other is not computed for environments of your own.',
  dataRecord: 'Episodes of environments of your own are not recorded as data here: their code runs in a sandbox.',
  race: 'Environments of your own train on the wasm executor alone.',
  measure: 'How fast environments of your own train is not measured before they are trained: their code runs in a sandbox.',
  other: 'This is not there for environments of your own: their code runs in a sandbox.',
};

/** What went wrong with the code, as a failure that keeps the line. */
function inWords(error: unknown): LabError {
  const { message, fix } = error instanceof CodeProblem ? error : toFailure(error);
  const line = error instanceof CodeProblem && error.line !== null ? `Line ${error.line}: ` : '';
  return fail('world-invalid', `${line}${message}`, fix, 'env');
}

async function openSandbox({ id, code }: OwnRef, hear: (part: string) => void, ended: (error: LabError) => void): Promise<Sandbox> {
  if (!(await isAllowed(code))) {
    askAboutCode(id, code);
    throw fail(
      'world-invalid',
      'The code of this environment came from elsewhere and was not allowed to run.',
      'Look at it, then press “Run this code”; or choose another environment.',
      'env',
    );
  }
  try {
    return await Sandbox.openLab(code, id, hear, (error) => ended(inWords(error)));
  } catch (error) {
    throw inWords(error);
  }
}

interface Asked {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  /** What is known before the answer. */
  readonly tell: (soFar: unknown) => void;
}

/** Explainers of teams: their panels read more than the answers that a sandbox may give. */
const TEAM = ['agents', 'coordination', 'communication', 'channel-value', 'trust'];

/** One sandbox that answers the stage. */
class Line {
  readonly ref: OwnRef;
  private readonly reader = new PartReader();
  private readonly waiting = new Map<number, Asked>();
  private readonly onEnd: (error: LabError) => void;
  private readonly rest: Rest;
  private sandbox: Sandbox | null = null;
  private closed = false;
  private next = 1;
  private silentLooks = 0;
  private looks: ReturnType<typeof setInterval> | undefined;
  /** By the settings they follow from. */
  private readonly layouts = new Map<string, Promise<FrameLayout>>();
  private game: FrameLayout | null = null;

  private constructor(ref: OwnRef, onEnd: (error: LabError) => void, onRest: () => void) {
    this.ref = ref;
    this.onEnd = onEnd;
    this.rest = new Rest(REST_MS, () => {
      if (this.game !== null) return; // a person thinks about a move
      this.close();
      onRest();
    });
  }

  /** `onEnd` is told why it ended, unless it was closed; `onRest`, that it was, because nothing was asked of it. */
  static async open(ref: OwnRef, onEnd: (error: LabError) => void, onRest: () => void): Promise<Line> {
    const line = new Line(ref, onEnd, onRest);
    line.sandbox = await openSandbox(
      ref,
      (text) => line.hear(text),
      (error) => line.end(error),
    );
    line.looks = setInterval(() => line.look(), LOOK_MS);
    return line;
  }

  /** Rejects with the LabError of the sandbox, or one that says why it was ended. */
  ask(method: Method, args: readonly unknown[]): Promise<unknown> {
    return this.rest.during(() => this.asked(method, args));
  }

  private async asked(method: Method, args: readonly unknown[]): Promise<unknown> {
    if (method === 'explain') return this.explain(args[0] as ExplainRequest, args[1] as ExplainPort<Answer>);
    const said = await this.send(method, args);
    const read = ownAnswers[method].safeParse(said, FIRST_ISSUE);
    const answer = read.success ? await this.checked(method, args, read.data) : null;
    if (answer !== null) return answer.value;
    throw this.foul();
  }

  private async explain(request: ExplainRequest, port: ExplainPort<Answer>): Promise<Answer | null> {
    const read = (said: unknown): Answer => {
      const answer = readAnswer(said, request.explainer, this.ref.id);
      if (answer === null) throw this.foul();
      return answer;
    };
    const said = await this.send('explain', [request], (soFar) => port.postMessage(read(soFar)));
    return said === null ? null : read(said);
  }

  private foul(): LabError {
    const error = saidSomethingElse();
    this.end(error);
    return error;
  }

  close(): void {
    this.closed = true;
    clearInterval(this.looks);
    this.rest.stop();
    this.sandbox?.dispose();
  }

  private send(method: Method, args: readonly unknown[], tell: (soFar: unknown) => void = () => {}): Promise<unknown> {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, tell });
      this.say({ kind: 'call', id, method, args });
    });
  }

  private say(ask: LabAsk): void {
    this.sandbox?.askLab(toWire(ask));
  }

  private hear(part: string): void {
    this.silentLooks = 0;
    let text: string | null;
    try {
      text = this.reader.take(part);
    } catch {
      this.end(saidSomethingElse());
      return;
    }
    if (text === null) return;
    const said = readLabSaid(text);
    if (said === null) this.end(saidSomethingElse());
    else if (said.kind === 'told') this.told(said.id, said.value);
    else if (said.kind === 'answer' || said.kind === 'refused') {
      const asked = this.waiting.get(said.id);
      this.waiting.delete(said.id);
      if (said.kind === 'answer') asked?.resolve(said.value);
      else asked?.reject(fail(said.failure.id, said.failure.message, said.failure.fix, said.failure.field));
    }
  }

  private told(id: number, soFar: unknown): void {
    const asked = this.waiting.get(id);
    try {
      asked?.tell(soFar);
    } catch (error) {
      asked?.reject(inWords(error)); // it was none, and the sandbox was ended
    }
  }

  private look(): void {
    this.silentLooks++;
    if (this.silentLooks === ASK_AFTER) this.say({ kind: 'ping' });
    if (this.silentLooks === END_AFTER) this.sandbox?.silent(END_AFTER * LOOK_MS);
  }

  private end(error: LabError): void {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
    if (this.closed) return;
    this.close();
    this.onEnd(error);
  }

  /** What the schemas cannot say: it is of this environment, and its frames can be drawn. null: it is not. */
  private async checked(method: Method, args: readonly unknown[], value: unknown): Promise<{ readonly value: unknown } | null> {
    const { id, code } = this.ref;
    switch (method) {
      case 'complete': {
        const { env } = value as { readonly env: WholeRef };
        return env.id === id && env.config[CODE_SETTING] === code ? { value } : null;
      }
      case 'describe': {
        const card = value as EnvCard;
        return card.id === id ? { value: this.card(card) } : null;
      }
      case 'closePlay':
        this.game = null;
        return (value as Replay).env.id === id ? { value } : null;
      case 'play':
      case 'playTeam':
      case 'playSoFar':
        return (value as Replay).env.id === id ? { value } : null;
      case 'frames':
      case 'preview':
      case 'openPlay': {
        const ref = method === 'frames' ? (args[0] as Replay).env : (args[0] as WholeRef);
        const layout = await this.layoutOf(ref.config);
        if (method === 'openPlay') this.game = layout;
        return tamed(value as Window, layout) ? { value } : null;
      }
      case 'playStep':
        return this.game !== null && tamed((value as { readonly window: Window }).window, this.game) ? { value } : null;
      case 'look': {
        const { frame } = value as { readonly frame: Float32Array | null };
        if (frame === null) return { value };
        const layout = await this.layoutOf((args[0] as { readonly replay: Replay }).replay.env.config);
        return frame.length === frameSize(layout) ? { value: { ...(value as object), frame: tameFrames(layout, frame) } } : null;
      }
      default:
        return { value };
    }
  }

  /** With what the page knows itself; its settings carry the code. */
  private card(card: EnvCard): EnvCard {
    return {
      ...card,
      family: 'Mine',
      source: { title: card.title, authors: '', year: 0 },
      changes: [],
      defaults: { ...card.defaults, [CODE_SETTING]: this.ref.code },
    };
  }

  private layoutOf(config: JsonObject): Promise<FrameLayout> {
    const key = canonicalJson(config);
    const known = this.layouts.get(key) ?? this.ask('describe', [{ id: this.ref.id, config }]).then((card) => (card as EnvCard).frame);
    this.layouts.set(key, known);
    known.catch(() => this.layouts.delete(key)); // its caller is told
    for (const old of [...this.layouts.keys()].slice(0, -20)) this.layouts.delete(old);
    return known;
  }
}

interface WholeRef {
  readonly id: string;
  readonly config: JsonObject;
}

/** Brings the frames into what scenes draw; false: they do not fit the layout. */
function tamed({ frames }: Window, layout: FrameLayout): boolean {
  const fits = frames.length % frameSize(layout) === 0;
  if (fits) tameFrames(layout, frames);
  return fits;
}

/** The sandboxes of one asker, the newest last, and the policies they were given, which a new one is given again. */
class Lines {
  /** Tells a person that a sandbox is gone; the next question starts a new one. */
  private readonly lost: (error: LabError) => void;
  private readonly open = new Map<string, Promise<Line>>();
  private readonly policies = new Map<string, { readonly id: string; readonly snapshot: PolicySnapshot }>();

  constructor(lost: (error: LabError) => void) {
    this.lost = lost;
  }

  async ask(ref: OwnRef, method: string, args: readonly unknown[]): Promise<unknown> {
    if (!isAnswered(method) || (method === 'explain' && TEAM.includes((args[0] as ExplainRequest).explainer))) throw notHere(method);
    const [key, snapshot] = args;
    if (method === 'setPolicy') this.policies.set(String(key), { id: ref.id, snapshot: snapshot as PolicySnapshot });
    if (method === 'dropPolicy') this.policies.delete(String(key));
    const line = await this.line(ref);
    return line.ask(method, args);
  }

  /** A word to all of them that is about no environment. */
  tell(method: Method, args: readonly unknown[]): void {
    for (const line of this.open.values()) line.then((one) => one.ask(method, args)).catch(() => {}); // one that ended does nothing any more
  }

  private line(ref: OwnRef): Promise<Line> {
    const { id } = ref;
    const known = this.open.get(id);
    const line = known ?? this.begin(ref);
    this.open.delete(id);
    this.open.set(id, line);
    for (const old of [...this.open.keys()].slice(0, -OPEN)) {
      this.open
        .get(old)
        ?.then((one) => one.close())
        .catch(() => {}); // it did not open
      this.open.delete(old);
    }
    return line;
  }

  private begin(ref: OwnRef): Promise<Line> {
    const forget = (): void => {
      if (this.open.get(ref.id) === line) this.open.delete(ref.id);
    };
    const ended = (error: LabError): void => {
      forget();
      this.lost(error);
    };
    const line = Line.open(ref, ended, forget).then(async (one) => {
      const card = (await one.ask('describe', [{ id: ref.id, config: { [CODE_SETTING]: ref.code } }])) as EnvCard;
      listEnv(card);
      for (const [key, { id, snapshot }] of this.policies) if (id === ref.id) await one.ask('setPolicy', [key, snapshot]);
      return one;
    });
    line.catch(forget); // told by the call
    return line;
  }
}

const lanes: { readonly [lane in Lane]: Lines } = {
  player: new Lines(({ failure }) => captionStage(`${failure.message} ${failure.fix}`)),
  answerer: new Lines(() => {}), // the view that waits for an answer is told
};

/** Codes by their ids: they are asked for again and again. */
const codes = new Map<string, string>();

/** An own world with the code that its settings carry. Throws LabError('unknown-id') where they do not. */
function withCode({ id, config }: EnvRef): OwnRef {
  const given: unknown = Reflect.get(config, CODE_SETTING);
  const known = codes.get(id);
  const code = known !== undefined && known === given ? known : carriedCode({ id, config });
  if (code === null) throw codeMissing('environment', id, 'env.id');
  if (known !== undefined && known !== code)
    throw fail(
      'world-invalid',
      'Two different programs here have the same short id, and one is open already.',
      'Reload the page to open the other. Code that was made to look like another is not to be trusted.',
      'env.id',
    );
  codes.set(id, code);
  return { id, code };
}

export async function ask(lane: Lane, env: EnvRef, method: string, args: readonly unknown[]): Promise<unknown> {
  if (method === 'openPlay') played = env;
  if (method === 'setPolicy') policies.set(args[0], env);
  return lanes[lane].ask(withCode(env), method, args);
}

/** Words about whatever goes on. */
const TO_ALL = ['stopPlaying', 'pauseExplanation', 'cancelExplanation', 'paceExplanation'];

export function tell(lane: Lane, method: string, args: readonly unknown[]): void {
  if (TO_ALL.includes(method) && isAnswered(method)) lanes[lane].tell(method, args);
}

/** Own worlds of the policies that have a name, and of the game that is played. */
const policies = new Map<unknown, EnvRef>();
let played: EnvRef | undefined;

/** The own world that a call is about; `about`: the one that its arguments name. */
export function named(method: string, [key]: readonly unknown[], about: EnvRef | undefined): EnvRef | undefined {
  if (method === 'playStep' || method === 'closePlay' || method === 'playSoFar' || method === 'besideSays') return played;
  if (method === 'dropPolicy') return policies.get(key);
  if (method === 'openPlay') played = about;
  return about;
}

/** A sandbox for one seed, and the worker's end of the way there. */
export async function openSession(env: EnvRef): Promise<SessionBeside> {
  const ref = withCode(env);
  const { port1, port2 } = new MessageChannel();
  const sandbox = await openSandbox(
    ref,
    (text) => port1.postMessage(text),
    (error) => port1.postMessage({ ended: error.failure }),
  );
  port1.onmessage = ({ data }: MessageEvent<string | SandboxNews>) => {
    if (typeof data === 'string') sandbox.askLab(data);
    else if ('silent' in data) sandbox.silent(1000 * data.silent);
    else sandbox.dispose();
  };
  return { port: port2, end: () => sandbox.dispose() };
}
