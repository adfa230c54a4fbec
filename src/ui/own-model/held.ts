/** The language model that a person brought into this tab, its tokenizer, and what it has written. Nothing of it is stored or sent. */
import { createStore } from 'zustand/vanilla';
import {
  checkLlama,
  type LlamaModel,
  type LlamaTokenizer,
  llamaTokens,
  mayBeLlama,
  mayBeTokenizer,
  readLlama,
  readTokenizer,
} from '#contract/foreign/llama2c.ts';
import { LabError } from '#contract/kit/errors.ts';
import { type LlamaReader, llamaReader, softmax } from '#math/llama.ts';
import { Rng } from '#math/rng.ts';

export interface Choice {
  readonly id: number;
  readonly probability: number;
}

export interface Written {
  readonly id: number;
  /** It was given. */
  readonly given: boolean;
  /** Of this token where it stands; null: the first one. */
  readonly probability: number | null;
  /** The likeliest there, best first. */
  readonly likely: readonly Choice[];
}

interface Held {
  readonly name: string;
  readonly bytes: number;
  readonly model: LlamaModel | null;
  readonly tokenizer: LlamaTokenizer | null;
  /** A tokenizer that came before its model. */
  readonly waiting: Uint8Array | null;
  readonly rows: readonly Written[];
  readonly problem: string;
}

const NOTHING: Held = { name: '', bytes: 0, model: null, tokenizer: null, waiting: null, rows: [], problem: '' };
/** Begin and end of a text, as llama2.c has them. */
const BEGIN = 1;
const LIKELY = 8;

export const heldModel = createStore<Held>(() => NOTHING);

/** Whether a file is for here, by its name and its first bytes. */
export async function isModelFile(file: File): Promise<boolean> {
  const first = new Uint8Array(await file.slice(0, 28).arrayBuffer());
  return mayBeTokenizer(file.name, first) || mayBeLlama(file.name, first);
}

/** Takes a model or a tokenizer. What is wrong with it stands in `problem`, and is answered; '': nothing. */
export async function takeFile(file: File): Promise<string> {
  try {
    const first = new Uint8Array(await file.slice(0, 28).arrayBuffer());
    if (mayBeTokenizer(file.name, first)) {
      const bytes = new Uint8Array(await file.slice(0, 4_194_304).arrayBuffer());
      const { model } = heldModel.getState();
      if (model === null) heldModel.setState({ waiting: bytes, problem: '' });
      else heldModel.setState({ tokenizer: readTokenizer(bytes, model.shape.vocabulary), rows: [], problem: '' });
      return '';
    }
    checkLlama(first, file.size); // before any more of it is read
    const model = readLlama(new Uint8Array(await file.arrayBuffer()));
    const { waiting } = heldModel.getState();
    heldModel.setState({ name: file.name, bytes: file.size, model, tokenizer: null, waiting: null, rows: [], problem: '' });
    if (waiting !== null) heldModel.setState({ tokenizer: readTokenizer(waiting, model.shape.vocabulary) });
    return '';
  } catch (error) {
    if (!(error instanceof LabError)) throw error;
    const { message, fix } = error.failure;
    const problem = `${message} ${fix}`;
    heldModel.setState({ problem });
    return problem;
  }
}

/** Draws from logits divided by the temperature; 0: the likeliest. `p`: the probabilities at temperature 1. */
function drawn(logits: Float32Array, temperature: number, rng: Rng): { readonly id: number; readonly p: Float32Array } {
  const p = logits.slice();
  softmax(p);
  if (temperature === 0) return { id: p.reduce((best, value, id) => (value > p[best]! ? id : best), 0), p };
  const cool = logits.map((value) => value / temperature);
  softmax(cool);
  let left = rng.uniform();
  for (let id = 0; id < cool.length; id++) if ((left -= cool[id]!) < 0) return { id, p };
  return { id: p.length - 1, p };
}

const likelyOf = (p: Float32Array): readonly Choice[] =>
  Array.from(p, (probability, id) => ({ id, probability }))
    .sort((a, b) => b.probability - a.probability)
    .slice(0, LIKELY);

export interface Wish {
  readonly prompt: string;
  readonly temperature: number;
  readonly seed: number;
  /** Tokens written at most. */
  readonly most: number;
}

/** Writes token after token, each of which is seen at once; ends with the text, a full row or the signal. */
export async function write({ prompt, temperature, seed, most }: Wish, signal: AbortSignal): Promise<void> {
  const { model, tokenizer } = heldModel.getState();
  if (model === null) return;
  const reader: LlamaReader = llamaReader(model);
  const rng = Rng.from(seed);
  const given = tokenizer === null ? [] : llamaTokens(prompt, tokenizer).slice(0, model.shape.places - 2);
  const rows: Written[] = [];
  heldModel.setState({ rows: [] });
  let last = BEGIN;
  while (reader.length < model.shape.places && rows.length < given.length + most && !signal.aborted) {
    const { id: own, p } = drawn(reader.read(last), temperature, rng);
    const id = given[rows.length] ?? own;
    const isGiven = rows.length < given.length;
    if (!isGiven && id <= 2) break; // begin or end: the text is over
    rows.push({ id, given: isGiven, probability: p[id]!, likely: likelyOf(p) });
    last = id;
    heldModel.setState({ rows: [...rows] });
    // other things of the page have their turn between tokens
    await new Promise((done) => setTimeout(done));
    if (heldModel.getState().model !== model) return;
  }
}
