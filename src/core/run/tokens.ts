/**
 * A policy on tokens, token by token: how probable each was, how undecided it was there, what it could still expect. The mean reward to come
 * is measured, not learned: the episode is sampled to its end several times from every frame.
 */
import { fail, present } from '#contract/kit/errors.ts';
import type { Replay } from '#contract/run/events.ts';
import {
  type AttentionMap,
  LONGEST_PROMPT,
  type PromptAnswers,
  type StripToken,
  type StripValues,
  type TokenInspection,
  type TokenStrip,
  type WrittenToken,
} from '#contract/run/tokens.ts';
import { log } from '#math/functions.ts';
import { Rng } from '#math/rng.ts';
import { argmax } from '#math/sampling.ts';
import type { Act, Policy } from '../algos/api/types.ts';
import { createActions, createBuffers } from '../envs/api/buffers.ts';
import type { EnvEntry, Environment, EnvMeta, StepBuffers } from '../envs/api/types.ts';
import { probabilities } from './inspect.ts';
import type { ReplayReader } from './replay.ts';

/** Alternatives that are named for each token. */
const LIKELY = 5;
/** Rows that continue at once, and samples of one frame. */
const MOST_ROWS = 192;
const [LEAST_SAMPLES, MOST_SAMPLES] = [4, 16];

/** Throws LabError('incompatible') where there are none. */
export function tokensOf(meta: EnvMeta): {
  readonly end: number;
  readonly begin: number;
  readonly places: number;
  readonly labels: readonly string[];
  readonly words?: true;
} {
  const { tokens } = meta;
  const action = meta.agents[0]?.action;
  if (tokens === undefined || action?.kind !== 'discrete')
    throw fail('incompatible', 'This environment is not written in tokens.', 'Choose a task of the family Language.', 'env.id');
  return { ...tokens, places: meta.obsSize, labels: action.labels };
}

/** Behind the last token of a row. */
const PADDING = 0;

/** Tokens of a row. */
export const lengthOf = (row: ArrayLike<number>): number => {
  let n = 0;
  for (let i = 0; i < row.length; i++) if (row[i] !== PADDING) n = i + 1;
  return n;
};

/** What the world put behind token `id`, written at place `at`. Where the row begins anew the token is gone from it, and all of it is new; padding is never seen. */
export function repliesTo(row: readonly number[], at: number, id: number): { readonly replies: readonly number[]; readonly anew: boolean } {
  const anew = row[at] !== id && id !== PADDING;
  return { replies: anew ? row : row.slice(at + 1), anew };
}

/**
 * Samples every row of an environment in tokens to its end. `took` is called for each token that was written; `ended`: it was the last of its
 * row. False as soon as `cut`, asked before every step, says so. `given`: the next token of a row in place of the one that was drawn, if any.
 */
export async function sampleOut(
  policy: Policy,
  env: Environment,
  buffers: StepBuffers,
  rng: Rng,
  took: (row: number, act: Act, ended: boolean) => void,
  cut: () => boolean | Promise<boolean> = () => false,
  given?: (row: number) => number | undefined,
): Promise<boolean> {
  const rows = env.batch;
  const actions = createActions(env.meta, rows);
  const agent = new Int32Array(rows);
  const over = new Uint8Array(rows);
  for (let left = rows; left > 0; ) {
    if (await cut()) return false;
    const act = await policy.act({ obs: buffers.obs, agent, hidden: policy.initial(rows), rng, rows, greedy: false, unread: over });
    if (given !== undefined) for (let row = 0; row < rows; row++) if (over[row] === 0) act.actions[row] = given(row) ?? act.actions[row]!;
    actions.set(act.actions);
    env.step(actions, buffers);
    for (let row = 0; row < rows; row++) {
      if (over[row] === 1) continue;
      over[row] = buffers.terminated[row]! | buffers.truncated[row]!;
      left -= over[row]!;
      took(row, act, over[row] === 1);
    }
  }
  return true;
}

/** Reads the distribution behind `id` from one row of probabilities. */
function reading(p: Float32Array, id: number): WrittenToken {
  let entropy = 0;
  for (const x of p) if (x > 0) entropy -= x * log(x);
  const ranked = Array.from(p, (probability, token) => ({ id: token, probability })).sort((a, b) => b.probability - a.probability);
  const likely = ranked.filter((token, rank) => rank < LIKELY || token.id === id); // the one taken always among them
  return { id, logProb: log(Math.max(p[id] ?? 0, Number.MIN_VALUE)), entropy, likely };
}

/** Probabilities of the next token of every row, [rows] of [V]; null where the policy has none. */
async function nextTokens(policy: Policy, meta: EnvMeta, obs: Float32Array, rows: number): Promise<(Float32Array | null)[]> {
  const act = await policy.act({ obs, agent: new Int32Array(rows), hidden: policy.initial(rows), rng: Rng.from(0), rows, greedy: true });
  return Array.from({ length: rows }, (_, row) => probabilities(act, row, meta.actionCount, undefined));
}

/** An episode laid out as a strip of tokens. */
interface Layout {
  readonly tokens: readonly Omit<StripToken, 'written'>[];
  /** [frames, places]: the row before each token that was written. */
  readonly obs: Float32Array;
  /** Places on the strip of the tokens of each such row. */
  readonly rows: readonly (readonly number[])[];
  /** Frame by frame the place of the token that was written behind that row. */
  readonly own: readonly number[];
}

/** Leaves the reader at the last frame. */
function layOut(reader: ReplayReader): Layout {
  const { places } = tokensOf(reader.env.meta);
  const written = reader.total - 1;
  const obs = new Float32Array(written * places);
  const lengths: number[] = [];
  for (let t = 0; t < written; t++) {
    reader.seek(t);
    obs.set(reader.buffers.obs.subarray(0, places), t * places);
    lengths.push(lengthOf(reader.buffers.obs.subarray(0, places)));
  }
  /** The row as it stands at a frame. */
  const rowAt = (t: number): readonly number[] => {
    if (t === written) reader.seek(written);
    const row = t < written ? obs.subarray(t * places, (t + 1) * places) : reader.buffers.obs.subarray(0, places);
    return Array.from(row.subarray(0, lengthOf(row)));
  };
  const tokens: { readonly id: number; readonly frame: number }[] = [];
  const rows: number[][] = [];
  const own: number[] = [];
  /** Puts tokens behind the strip, and their places into a row that holds `before` already. */
  const give = (ids: readonly number[], frame: number, before: readonly number[]): void => {
    rows.push([...before, ...ids.map((_, i) => tokens.length + i)]);
    tokens.push(...ids.map((id) => ({ id, frame })));
  };
  give(rowAt(0), 0, []);
  for (let t = 0; t < written; t++) {
    const at = lengths[t]!;
    const id = reader.replay.actions[t]!;
    const row = rowAt(t + 1);
    own.push(tokens.length);
    tokens.push({ id, frame: t + 1 });
    const { replies, anew } = repliesTo(row, at, id);
    give(replies, t + 1, anew ? [] : [...(rows[t] ?? []).slice(0, at), own[t]!]);
  }
  return { tokens, obs, rows, own };
}

/** The episode of a replay in its tokens. Throws LabError('incompatible') where there are none. */
export async function tokenStrip(policy: Policy, reader: ReplayReader, entry: EnvEntry): Promise<TokenStrip> {
  const { meta } = reader.env;
  const { tokens, obs, own } = layOut(reader);
  const measured = (meta.measures ?? []).map(({ id }) => id);
  const values = new Float64Array(measured.length);
  reader.env.measure?.(0, values, 0); // before anything else moves the reader
  const dists = own.length === 0 ? [] : await nextTokens(policy, meta, obs, own.length);
  const { reward, ended, env } = reader.replay;
  const strip: StripToken[] = tokens.map((token) => ({ ...token, written: null }));
  own.forEach((place, t) => {
    const p = dists[t] ?? null;
    const token = strip[place]!;
    if (p !== null) strip[place] = { ...token, written: reading(p, token.id) };
  });
  const given = tokens.filter(({ frame }) => frame === 0).map(({ id }) => id);
  const measures = ended === 'cut' ? null : Object.fromEntries(measured.map((id, i) => [id, values[i]!]));
  return {
    tokens: strip,
    inspectable: policy.inspect !== undefined,
    reward: reward.reduce((a, b) => a + b, 0),
    measures,
    asked: entry.question?.(env.config, promptOf(meta, given)) ?? '',
    right: measures?.solved === 0 ? expertTokens(reader, entry) : [],
  };
}

/** The text of tokens that are given at the start. */
export function promptOf(meta: EnvMeta, given: readonly number[]): string {
  const { begin, labels, words } = tokensOf(meta);
  return given
    .filter((id) => id !== begin)
    .map((id) => (labels[id] === 'space' ? ' ' : (labels[id] ?? '')))
    .join(words === true ? ' ' : '');
}

/** What the scripted expert writes from the start of this episode; none where it does not solve it either. */
function expertTokens(reader: ReplayReader, entry: EnvEntry): readonly number[] {
  const { config } = reader.replay.env;
  const { expert } = entry.policies(config);
  if (expert === undefined) return [];
  const env = entry.create(config, 1);
  const { meta } = env;
  const { end } = tokensOf(meta);
  const buffers = createBuffers(meta, 1);
  const actions = createActions(meta, 1);
  env.load(0, reader.replay.start, buffers);
  const written: number[] = [];
  while (buffers.terminated[0] === 0 && buffers.truncated[0] === 0 && written.length < meta.maxSteps) {
    expert.act(env, buffers, actions);
    written.push(actions[0]!);
    env.step(actions, buffers);
  }
  const measures = meta.measures ?? [];
  const values = new Float64Array(measures.length);
  env.measure?.(0, values, 0);
  env.dispose?.();
  const solved = values[measures.findIndex(({ id }) => id === 'solved')] === 1;
  return solved ? written.filter((id) => id !== end) : [];
}

/**
 * Inside the network where the token of a frame was written. null: nothing was written there, or the policy is no transformer. Throws
 * LabError('incompatible') where there are no tokens.
 */
export async function inspectToken(policy: Policy, reader: ReplayReader, frame: number): Promise<TokenInspection | null> {
  const { obs, rows, own, tokens } = layOut(reader);
  const t = frame - 1;
  const place = own[t];
  if (policy.inspect === undefined || place === undefined) return null;
  const { id } = tokens[place]!;
  const places = obs.length / own.length;
  const seen = obs.subarray(t * places, frame * places);
  const row = rows[t]!.slice(0, lengthOf(seen));
  const { layers, heads, attention, logits } = await policy.inspect(seen);
  const n = row.length;
  const cut = new Float32Array(layers * heads * n);
  for (let head = 0; head < layers * heads; head++) cut.set(attention.subarray(head * places, head * places + n), head * n);
  const count = logits.length / (layers + 1);
  const lens = Array.from({ length: layers + 1 }, (_, depth) =>
    reading(present(probabilities({ logits }, depth, count, undefined), 'probabilities of logits'), id),
  );
  return { frame, row, layers, heads, attention: cut, lens };
}

/** Token by token what the heads drew in the row before the token of a frame. null and errors as in `inspectToken`. */
export async function attentionMap(policy: Policy, reader: ReplayReader, frame: number): Promise<AttentionMap | null> {
  const { obs, rows, own } = layOut(reader);
  const t = frame - 1;
  if (policy.inspect === undefined || own[t] === undefined) return null;
  const places = obs.length / own.length;
  const seen = obs.subarray(t * places, frame * places);
  const n = lengthOf(seen);
  const row = rows[t]!.slice(0, n);
  let [layers, heads] = [0, 0];
  let weights = new Float32Array(0);
  for (let from = 0; from < n; from++) {
    const before = new Float32Array(places);
    before.set(seen.subarray(0, from + 1));
    const told = await policy.inspect(before);
    if (from === 0) {
      ({ layers, heads } = told);
      weights = new Float32Array(layers * heads * n * n);
    }
    for (let head = 0; head < layers * heads; head++)
      weights.set(told.attention.subarray(head * places, head * places + from + 1), (head * n + from) * n);
  }
  return { frame, row, layers, heads, weights };
}

/** Mean reward to come at every frame of a replay, by sampling on; null as soon as `cut`, asked before every step, says so. */
export async function stripValues(
  policy: Policy,
  entry: EnvEntry,
  replay: Replay,
  reader: ReplayReader,
  cut: () => boolean | Promise<boolean> = () => false,
): Promise<StripValues | null> {
  const { meta } = reader.env;
  tokensOf(meta);
  const frames = reader.total - 1;
  const values = new Array<number>(frames + 1).fill(0);
  if (frames === 0) return { samples: 0, values };
  const samples = Math.max(LEAST_SAMPLES, Math.min(MOST_SAMPLES, Math.floor(MOST_ROWS / frames)));
  const rows = frames * samples;
  const env = entry.create(replay.env.config, rows);
  const buffers = createBuffers(meta, rows);
  env.reset(new Uint32Array(rows), buffers);
  for (let t = 0; t < frames; t++) {
    reader.seek(t);
    const state = reader.env.save(0);
    for (let k = 0; k < samples; k++) env.load(t * samples + k, state, buffers);
  }
  const add = (row: number): void => {
    const t = Math.floor(row / samples);
    values[t] = values[t]! + buffers.reward[row]! / samples;
  };
  const whole = await sampleOut(policy, env, buffers, Rng.from(1).split('values of tokens'), add, cut);
  return whole ? { samples, values } : null;
}

/**
 * What the policy writes behind a prompt: the most probable token each time, and one draw. Nothing replies and nothing is judged. Throws
 * LabError('config-invalid') naming `prompt` for characters that no token stands for, and for what is longer than the row.
 */
export async function answerPrompt(policy: Policy, meta: EnvMeta, prompt: string, seed: number): Promise<PromptAnswers> {
  const { begin, end, places, labels, words } = tokensOf(meta);
  const longest = words === true ? LONGEST_PROMPT : Math.min(LONGEST_PROMPT, places - 2);
  const wrong = (message: string, fix: string): Error => fail('config-invalid', message, fix, 'prompt');
  if (prompt.length > longest)
    throw wrong(`The prompt has ${prompt.length} characters; the row has room for ${longest}.`, `Shorten it to ${longest}.`);
  if (prompt === '') throw wrong('The prompt is empty.', 'Type one like those of the episodes.');
  const said = words === true ? prompt.split(/\s+/).filter((word) => word !== '') : [...prompt].map((c) => (c === ' ' ? 'space' : c));
  const ids = said.map((label) => {
    const id = labels.indexOf(label);
    if (id <= end) throw wrong(`No token stands for "${label}".`, `There are: ${labels.filter((_, known) => known > end).join(' ')}`);
    return id;
  });
  if (ids.length > places - 2)
    throw wrong(`The prompt has ${ids.length} words; the row has room for ${places - 2}.`, `Shorten it to ${places - 2}.`);
  const rng = Rng.from(seed).split('prompt');
  const write = async (draw: (p: Float32Array) => number): Promise<WrittenToken[]> => {
    const obs = new Float32Array(places);
    obs.set([begin, ...ids]);
    const out: WrittenToken[] = [];
    for (let n = ids.length + 1; n < places; n++) {
      const [p] = await nextTokens(policy, meta, obs, 1);
      if (p === undefined || p === null)
        throw fail('incompatible', 'This policy gives no probabilities.', 'Choose one of a method with a policy.', 'algo.id');
      const id = draw(p);
      out.push(reading(p, id));
      obs[n] = id;
      if (id === end || id <= begin) break;
    }
    return out;
  };
  const sample = (p: Float32Array): number => {
    let left = rng.uniform();
    for (let id = 0; id < p.length; id++) if ((left -= p[id]!) < 0) return id;
    return argmax(p, 0, p.length);
  };
  return { greedy: await write((p) => argmax(p, 0, p.length)), sampled: await write(sample) };
}
