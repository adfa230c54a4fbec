/**
 * An environment of tokens from a task or a game: one action is one token. The observation is the whole row so far, one id per place, 0
 * behind its end: BOS, the prompt, what was written and what the world replied. EOS ends an answer; what the verifier says is the reward.
 * An episode is its seed and the tokens written (episodes.ts).
 */
import type { MetricCard, Preset, RewardTerm, Source } from '#contract/catalog/catalog.ts';
import type { FrameLayout, TableItem, TableLayout } from '#contract/game/frames.ts';
import type { VersionChange } from '#contract/run/versions.ts';
import { hashName } from '#math/rng.ts';
import { Xorshift } from '#math/xorshift.ts';
import { defineEnv } from '../../api/define.ts';
import { assemble } from '../../api/environment.ts';
import { soloMeta } from '../../api/meta.ts';
import type { EnvEntry, EnvMeta, EnvSettings, Recommended, ScriptedPolicy } from '../../api/types.ts';
import { type Episodes, episodeReader, episodeState, liveEpisodes, luckAt } from './episodes.ts';
import { BOS, CHARACTER_TOKENS, EOS, PAD, type Vocabulary } from './tokens.ts';

/** What the world makes of a turn. */
export interface Answer {
  readonly text: string;
  readonly done: boolean;
  readonly reward: number;
  /** Of which the reward is the sum, in the order of TokenEnv.terms; left out: all of it is the first. */
  readonly terms?: readonly number[];
  readonly format: 0 | 1;
  /** The task was solved: what is counted as success, whatever the reward pays for. */
  readonly solved: 0 | 1;
  /** The row begins anew with this prompt, where TokenTask.sizes says that rows do. */
  readonly again?: string;
}

/** What is no turn ends the episode with nothing. */
export const MALFORMED: Answer = { text: '', done: true, reward: 0, format: 0, solved: 0 };

/**
 * The same where turns have a price: it pays for the `left` turns that were still allowed, this one included. If it paid nothing, it would
 * be worth more than an attempt that fails, and writing nonsense at once would be learned.
 */
export function malformedAt(price: number, left: number): Answer {
  const reward = 0 - price * left;
  return { ...MALFORMED, reward, terms: [0, reward] };
}

/** Parts of the reward where a turn has a price, in the order of Answer.terms; a world's own come behind them. */
export const RIGHT_AND_PRICE: readonly RewardTerm[] = [
  { id: 'right', title: 'right', weights: [] },
  { id: 'price', title: 'price of turns', weights: ['price'] },
];

/** One episode in play. */
export interface Talk {
  readonly prompt: string;
  /** Whether `turn` is whole without EOS. */
  ends(turn: string): boolean;
  play(turn: string, ended: boolean): Answer;
  /** Fills the frame of TokenTask.world; `turn`: what was written of the turn under way. */
  draw?(turn: string, out: Float32Array): void;
  /** The whole turn a scripted player writes, EOS left out. */
  suggest(how: 'expert' | 'novice', luck: Xorshift): string;
  /** What TokenEnv.measures name, once the episode is over. */
  measured?(): readonly number[];
}

export interface TokenTask {
  /**
   * Tokens of any episode: prompt, all that is written, all replies. `again`: every turn, of so many tokens at most, is answered by a row
   * that begins anew, so often at most.
   */
  readonly sizes: {
    readonly prompt: number;
    readonly written: number;
    readonly replies: number;
    readonly again?: { readonly rows: number; readonly turn: number };
  };
  /** First tokens of rows that begin anew, by who is to write them, where that is not always the same one. */
  readonly roles?: readonly string[];
  /** What the tokens are about, if it can be drawn; else the picture is of cards with the tokens on them. */
  readonly world?: FrameLayout;
  /** Another seed is drawn where this is false. */
  accepts(seed: number): boolean;
  talk(seed: number): Talk;
}

export type TokenEnv<C> = TokenCard<C> & EnvSettings<C>;

interface TokenCard<C> {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly source: Source;
  readonly presets: readonly Preset[];
  readonly recommended: Recommended;
  readonly references: (c: C) => EnvMeta['references'];
  /** Parts of the reward, each with the settings that weigh it. */
  readonly terms?: readonly RewardTerm[];
  /** Beside whether an episode was solved and well-formed: Talk.measured gives them. */
  readonly measures?: readonly MetricCard[];
  readonly version?: number;
  readonly changes?: readonly VersionChange[];
  /** What tokens are; characters if missing. */
  readonly vocabulary?: Vocabulary;
  task(c: C): TokenTask;
  /** What a prompt asks, in words. */
  question(c: C, prompt: string): string;
}

/** Places of a row: BOS, the prompt, what is written and replied in it. */
const placesFor = ({ prompt, written, replies, again }: TokenTask['sizes']): number => 1 + prompt + (again?.turn ?? written + replies);

export const SOLVED: MetricCard = {
  id: 'solved',
  title: 'solved',
  description: 'Share of the last 100 episodes whose answer the verifier found right.',
};
const measures: readonly MetricCard[] = [
  SOLVED,
  { id: 'wellFormed', title: 'well-formed', description: 'Share of the last 100 episodes that ended in the right form, right or not.' },
];

/** Cards in a line of the picture at most, and the distance of their middles. */
const LINE = 16;
const GAP = 1.12;

/** The same of words. */
const WORDS_LINE = 6;
const WORDS_GAP = 2.9;

/** Numbers below a picture of this width. */
const below = (width: number): readonly TableItem[] => [
  { kind: 'number', label: 'reward', digits: 2, x: -width / 4, y: -1.5 },
  { kind: 'number', label: 'tokens written', digits: 0, x: width / 4, y: -1.5 },
];

/** Words as a text. */
function pageOf(places: number, names: readonly string[]): TableLayout {
  const lines = Math.ceil(places / WORDS_LINE);
  const width = WORDS_GAP * WORDS_LINE;
  return {
    kind: 'table',
    items: [{ kind: 'text', words: names, places, line: WORDS_LINE, gap: WORDS_GAP, x: 0, y: lines - 1 }, ...below(width)],
    bounds: [-(width + 0.6) / 2, -2, (width + 0.6) / 2, lines - 0.2],
  };
}

function pictureOf(places: number, { names, words }: Vocabulary): TableLayout {
  if (words === true) return pageOf(places, names);
  const lines = Math.ceil(places / LINE);
  const line = Math.ceil(places / lines);
  const cards: TableItem[] = Array.from({ length: places }, (_, i) => ({
    kind: 'card',
    faces: names,
    x: GAP * ((i % line) - (line - 1) / 2),
    y: 1.6 * (lines - 1 - Math.floor(i / line)),
  }));
  return {
    kind: 'table',
    items: [...cards, ...below(line)],
    bounds: [-(GAP * line + 0.6) / 2, -2, (GAP * line + 0.6) / 2, 1.6 * (lines - 1) + 1],
  };
}

/** The state's field of what was done. */
const WRITTEN = { name: 'written', doc: 'ids of the tokens written, 0 behind the last' };

/** A row as it stands: everything here follows from its seed and what was written. */
class Row {
  readonly ids: Uint16Array;
  n = 0;
  turn = '';
  /** What a picture shows of the turn: the whole of it once it has ended. */
  written = '';
  reward = 0;
  terms: readonly number[] = [];
  done = false;
  solved = 0;
  format = 0;
  readonly talk: Talk;
  private readonly vocabulary: Vocabulary;

  constructor(places: number, talk: Talk, vocabulary: Vocabulary) {
    this.ids = new Uint16Array(places);
    this.talk = talk;
    this.vocabulary = vocabulary;
    this.push([BOS, ...vocabulary.encode(talk.prompt)]);
  }

  private push(ids: readonly number[]): void {
    for (const id of ids) this.ids[this.n++] = id;
  }

  /** One token of the policy. */
  write(id: number): void {
    this.push([id]);
    this.reward = 0;
    this.terms = [];
    if (id !== EOS) this.turn += this.vocabulary.textOf(id);
    this.written = this.turn;
    // PAD and BOS are no part of any answer: what an empty turn is
    const stray = id === PAD || id === BOS;
    if (!stray && id !== EOS && !this.talk.ends(this.turn)) return;
    const said: Answer = stray ? { ...this.talk.play('', false), done: true } : this.talk.play(this.turn, id === EOS);
    this.turn = '';
    if (said.again === undefined) this.push(this.vocabulary.encode(said.text));
    else {
      this.ids.fill(PAD);
      this.n = 0;
      this.push([BOS, ...this.vocabulary.encode(said.again)]);
    }
    this.reward = said.reward;
    this.terms = said.terms ?? [said.reward];
    this.done = said.done;
    this.format = said.format;
    this.solved = said.solved;
  }
}

const episodesOf = (task: TokenTask, vocabulary: Vocabulary): Episodes<Row, void> => ({
  field: WRITTEN,
  most: task.sizes.written,
  choices: vocabulary.names.length,
  accepts: (seed) => task.accepts(seed),
  begin: (seed) => new Row(placesFor(task.sizes), task.talk(seed), vocabulary),
  act: (row, id) => row.write(id),
  over: (row) => row.done,
});

export function defineTokenEnv<C extends object>(def: TokenEnv<C>): EnvEntry {
  const vocabulary = def.vocabulary ?? CHARACTER_TOKENS;
  const meta = (c: C): EnvMeta => {
    const { sizes, world, roles } = def.task(c);
    const places = placesFor(sizes);
    return {
      ...soloMeta({
        id: def.id,
        version: def.version ?? 1,
        agent: 'writer',
        obs: { kind: 'grid', shape: [1, places, 1], codes: [vocabulary.names.length], extra: 0 },
        action: {
          kind: 'discrete',
          n: vocabulary.names.length,
          labels: vocabulary.names.map((name, id) => ['pad', 'begin', 'end'][id] ?? (name === ' ' ? 'space' : name)),
        },
        gamma: 1,
        maxSteps: sizes.written,
        evalMaxSteps: sizes.written,
        state: episodeState({ field: WRITTEN, most: sizes.written }),
        frame: world ?? pictureOf(places, vocabulary),
        references: def.references(c),
        keys: vocabulary.names.map((name, id) => (id === EOS ? ['Enter'] : id < EOS || name.length > 1 ? [] : [name])),
        idleAction: null,
        fps: 4,
      }),
      tokens: {
        begin: BOS,
        end: EOS,
        ...(vocabulary.words === true && { words: true as const }),
        ...(sizes.again !== undefined && { rows: sizes.again.rows }),
        ...(roles !== undefined && { roles: roles.flatMap((role) => vocabulary.encode(role)) }),
      },
      measures: [...measures, ...(def.measures ?? [])],
      ...(def.terms !== undefined && { terms: def.terms }),
    };
  };
  const scripted =
    (how: 'expert' | 'novice') =>
    (c: C): ScriptedPolicy => {
      const read = episodeReader(episodesOf(def.task(c), vocabulary));
      return {
        act(env, _buffers, out) {
          for (let b = 0; b < env.batch; b++) {
            const { seed, count, play: row } = read(env, b);
            // a turn is one draw of luck, the same at each of its tokens
            const wanted = row.done ? '' : row.talk.suggest(how, luckAt(seed, count - row.turn.length));
            out[b] = vocabulary.next(row.turn, wanted) ?? EOS;
          }
        },
      };
    };
  return defineEnv<C>({
    spec: {
      id: def.id,
      version: def.version ?? 1,
      changes: def.changes ?? [],
      title: def.title,
      summary: def.summary,
      source: def.source,
      ...(def.flat === undefined ? { config: def.config } : { config: def.config, flat: def.flat }),
      presets: def.presets,
      recommended: def.recommended,
      meta,
    },
    create(c, batch, options) {
      const task = def.task(c);
      const { sizes } = task;
      const places = placesFor(sizes);
      const termCount = def.terms?.length ?? 0;
      const live = liveEpisodes(episodesOf(task, vocabulary), batch, options?.draws);
      const observe: Parameters<typeof assemble>[3]['observe'] = (b, { obs }) => {
        obs.set(live.at(b).ids, b * places);
      };
      return assemble(meta(c), batch, live.rows, {
        start: (b) => live.start(b),
        step(actions, out) {
          for (let b = 0; b < batch; b++) {
            live.act(b, actions[b]!);
            const row = live.at(b);
            out.reward[b] = row.reward;
            out.terminated[b] = row.done ? 1 : 0;
            // no place left: what did not end scores nothing
            out.truncated[b] = !row.done && live.count(b) >= sizes.written ? 1 : 0;
            observe(b, out);
          }
        },
        observe,
        loaded: (b) => live.loaded(b),
        ...(def.terms !== undefined && {
          terms(b: number, out: Float64Array, at: number) {
            const { terms } = live.at(b);
            for (let k = 0; k < termCount; k++) out[at + k] = terms[k] ?? 0;
          },
        }),
        measure(b, out, at) {
          const row = live.at(b);
          out[at] = row.solved;
          out[at + 1] = row.format;
          row.talk.measured?.().forEach((value, i) => {
            out[at + 2 + i] = value;
          });
        },
        frame(b, out) {
          const row = live.at(b);
          if (task.world !== undefined) {
            row.talk.draw?.(row.written, out);
            return;
          }
          for (let i = 0; i < places; i++) out[i] = i < row.n ? row.ids[i]! : -1;
          out[places] = row.reward;
          out[places + 1] = live.count(b);
        },
      });
    },
    policies: { expert: scripted('expert'), novice: scripted('novice') },
    question: def.question,
  });
}

/**
 * One text in ten, by a draw from its hash: what is held out stays the same whatever else is drawn. The hash alone would not do: its lowest
 * bit is that of the sum of all characters, which some tasks fix.
 */
export const heldOut = (text: string): boolean => new Xorshift(hashName(text)).draw(10) === 0;
