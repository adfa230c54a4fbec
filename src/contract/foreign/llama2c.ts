/**
 * Small language models in the form of llama2.c (Karpathy 2023): a header of seven 32-bit integers, then 32-bit floats, low byte first; and its
 * tokenizer.bin, a score and a text for every token. Header and size are checked before anything is decoded, and what is too large is refused by its size.
 */
import { utf8 } from '../kit/canonical.ts';
import { fail } from '../kit/errors.ts';

/** Bytes of a checkpoint at most: 4 million parameters, which the page computes in some milliseconds a token. */
export const LARGEST_MODEL = 16_777_216;
const LARGEST_TOKENIZER = 2_097_152;
const LONGEST_TOKEN = 256;
const HEADER = 28;
/** First bytes of later versions of the form, "ak42" as a number. */
const VERSIONED = 0x616b_3432;

export interface LlamaShape {
  readonly dim: number;
  readonly hiddenDim: number;
  readonly layers: number;
  readonly heads: number;
  /** Heads of keys and values, which several heads of queries may share. */
  readonly kvHeads: number;
  readonly vocabulary: number;
  readonly places: number;
  /** The logits are made by the embedding. */
  readonly shared: boolean;
}

/** Rows of matrices as [outputs, inputs]; those of all layers one behind the other. */
export interface LlamaModel {
  readonly shape: LlamaShape;
  readonly parameters: number;
  readonly embedding: Float32Array;
  readonly attentionNorm: Float32Array;
  readonly wq: Float32Array;
  readonly wk: Float32Array;
  readonly wv: Float32Array;
  readonly wo: Float32Array;
  readonly hiddenNorm: Float32Array;
  readonly w1: Float32Array;
  readonly w2: Float32Array;
  readonly w3: Float32Array;
  readonly finalNorm: Float32Array;
  readonly classifier: Float32Array;
}

export interface LlamaTokenizer {
  /** Bytes of a token, each as one character (Latin 1). */
  readonly texts: readonly string[];
  readonly scores: readonly number[];
}

const wrong = (message: string, fix: string, field?: string) => fail('file-invalid', message, fix, field);
const AGAIN = 'Take a checkpoint that export.py of llama2.c wrote in its first form (--version 0), such as stories260K.bin.';
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e6 ? 2 : 1)} MB`;

const FIELDS: readonly (readonly [name: string, least: number, most: number])[] = [
  ['dim', 2, 1024],
  ['hidden_dim', 1, 4096],
  ['n_layers', 1, 32],
  ['n_heads', 1, 64],
  ['n_kv_heads', 1, 64],
  ['vocab_size', 3, 65_536],
  ['seq_len', 2, 4096],
];

/** What a header says. Throws LabError('file-invalid') naming the field. `bytes`: the first 28. */
function shapeOf(view: DataView): LlamaShape {
  if (view.getUint32(0, true) === VERSIONED)
    throw wrong(`This is version ${view.getInt32(4, true)} of the form of llama2.c, which is not read.`, AGAIN, 'version');
  const numbers = FIELDS.map((_, i) => view.getInt32(4 * i, true));
  const signed = numbers[5]!;
  FIELDS.forEach(([name, least, most], i) => {
    const value = name === 'vocab_size' ? Math.abs(numbers[i]!) : numbers[i]!;
    if (value < least || value > most) throw wrong(`${name} is ${value}; from ${least} to ${most} is read.`, AGAIN, name);
  });
  const [dim, hiddenDim, layers, heads, kvHeads, , places] = numbers as [number, number, number, number, number, number, number];
  if (dim % heads !== 0 || (dim / heads) % 2 !== 0)
    throw wrong(`n_heads is ${heads}: a dim of ${dim} does not split into heads of an even width.`, AGAIN, 'n_heads');
  if (heads % kvHeads !== 0) throw wrong(`n_kv_heads is ${kvHeads}, which ${heads} heads do not share evenly.`, AGAIN, 'n_kv_heads');
  return { dim, hiddenDim, layers, heads, kvHeads, vocabulary: Math.abs(signed), places, shared: signed > 0 };
}

/** Whether a file may be such a checkpoint, by its name and its first bytes. */
export function mayBeLlama(name: string, first: Uint8Array): boolean {
  if (!/\.bin$/i.test(name) || first.length < HEADER) return false;
  const view = new DataView(first.buffer, first.byteOffset, HEADER);
  if (view.getUint32(0, true) === VERSIONED) return true;
  // widths, layers and heads of anything like a network, whether or not they fit together
  return FIELDS.every((_, i) => {
    const value = Math.abs(view.getInt32(4 * i, true));
    return value > 0 && value < 1e6;
  });
}

/** Whether a file may be a tokenizer.bin. */
export function mayBeTokenizer(name: string, first: Uint8Array): boolean {
  if (!/\.bin$/i.test(name) || first.length < 12) return false;
  const view = new DataView(first.buffer, first.byteOffset, 12);
  const [longest, score, length] = [view.getInt32(0, true), view.getFloat32(4, true), view.getInt32(8, true)];
  // an integer of a header is no score: read as a float it is nearly nothing
  const scored = score === 0 || (Math.abs(score) > 1e-3 && Math.abs(score) < 1e9);
  return longest > 0 && longest <= LONGEST_TOKEN && length > 0 && length <= longest && scored;
}

/** Before it is read: refuses what is too large by its size, and a header that does not fit. `size`: bytes of the file. */
export function checkLlama(first: Uint8Array, size: number): LlamaShape {
  if (size > LARGEST_MODEL)
    throw wrong(
      `The model has ${megabytes(size)}; up to ${megabytes(LARGEST_MODEL)} is read here.`,
      'Take a smaller one: stories260K has 1 MB, stories15M with 61 MB is too large.',
      'size',
    );
  if (first.length < HEADER) throw wrong(`The file has ${first.length} bytes, fewer than a header.`, AGAIN, 'size');
  const shape = shapeOf(new DataView(first.buffer, first.byteOffset, HEADER));
  const { bytes } = partsOf(shape);
  if (bytes !== size)
    throw wrong(
      `By its header the file should have ${bytes} bytes; it has ${size}.`,
      `The file is incomplete, or of another form. ${AGAIN}`,
      'size',
    );
  return shape;
}

/** Where each part begins, in floats behind the header. */
function partsOf({ dim, hiddenDim, layers, heads, kvHeads, vocabulary, places, shared }: LlamaShape) {
  const keys = (dim / heads) * kvHeads;
  const sizes = {
    embedding: vocabulary * dim,
    attentionNorm: layers * dim,
    wq: layers * dim * dim,
    wk: layers * dim * keys,
    wv: layers * dim * keys,
    wo: layers * dim * dim,
    hiddenNorm: layers * dim,
    w1: layers * dim * hiddenDim,
    w2: layers * dim * hiddenDim,
    w3: layers * dim * hiddenDim,
    finalNorm: dim,
    // turns of places that older files carry; they follow from the shape
    turns: places * (dim / heads),
    classifier: shared ? 0 : vocabulary * dim,
  };
  const floats = Object.values(sizes).reduce((a, b) => a + b, 0);
  return { sizes, parameters: floats - sizes.turns, bytes: HEADER + 4 * floats };
}

/** Throws LabError('file-invalid') naming what is wrong. */
export function readLlama(bytes: Uint8Array): LlamaModel {
  const shape = checkLlama(bytes, bytes.length);
  const { sizes, parameters } = partsOf(shape);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = HEADER;
  const part = (name: string, size: number): Float32Array => {
    const numbers = new Float32Array(size);
    for (let i = 0; i < size; i++, at += 4) numbers[i] = view.getFloat32(at, true);
    if (!numbers.every(Number.isFinite)) throw wrong(`A number of ${name} is not finite.`, AGAIN, name);
    return numbers;
  };
  const parts = Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, part(name, size)])) as {
    readonly [name in keyof typeof sizes]: Float32Array;
  };
  const { turns: _, classifier, ...rest } = parts;
  return { shape, parameters, ...rest, classifier: shape.shared ? parts.embedding : classifier };
}

/** The tokens of a tokenizer.bin. Throws LabError('file-invalid') where it has another number of them. */
export function readTokenizer(bytes: Uint8Array, vocabulary: number): LlamaTokenizer {
  const other = 'Take the tokenizer that belongs to the model (tok512.bin to stories260K.bin).';
  if (bytes.length > LARGEST_TOKENIZER)
    throw wrong(`The tokenizer has ${megabytes(bytes.length)}; up to ${megabytes(LARGEST_TOKENIZER)} is read.`, other, 'size');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const texts: string[] = [];
  const scores: number[] = [];
  for (let at = 4; at + 8 <= bytes.length; ) {
    const length = view.getInt32(at + 4, true);
    if (length < 0 || length > LONGEST_TOKEN || at + 8 + length > bytes.length)
      throw wrong(`Token ${texts.length} of the tokenizer says that it has ${length} bytes.`, other, 'tokenizer');
    scores.push(view.getFloat32(at, true));
    texts.push(String.fromCharCode(...bytes.subarray(at + 8, at + 8 + length)));
    at += 8 + length;
  }
  if (texts.length !== vocabulary)
    throw wrong(`The tokenizer has ${texts.length} tokens; vocab_size of the model is ${vocabulary}.`, other, 'vocab_size');
  return { texts, scores };
}

/** Tokens of a text: its characters, bytes for those that no token stands for (ids from 3), then the pairs with the highest score merged. */
export function llamaTokens(text: string, { texts, scores }: LlamaTokenizer): number[] {
  const ids = new Map<string, number>();
  texts.forEach((one, id) => {
    if (!ids.has(one)) ids.set(one, id);
  });
  const bytes = (one: string): string => String.fromCharCode(...utf8(one));
  // as its tokenizer was trained, a text begins with a space
  const tokens = [...(text === '' ? '' : ` ${text}`)].flatMap((character) => {
    const own = ids.get(bytes(character));
    return own !== undefined ? [own] : [...bytes(character)].map((byte) => byte.charCodeAt(0) + 3);
  });
  for (;;) {
    let [best, place] = [Number.NEGATIVE_INFINITY, -1];
    let merged = 0;
    for (let i = 0; i + 1 < tokens.length; i++) {
      const id = ids.get(`${texts[tokens[i]!] ?? ''}${texts[tokens[i + 1]!] ?? ''}`);
      if (id !== undefined && scores[id]! > best) [best, place, merged] = [scores[id]!, i, id];
    }
    if (place < 0) return tokens;
    tokens.splice(place, 2, merged);
  }
}

/** What a token writes, as bytes in Latin 1: byte tokens are what they stand for, and the first token of a row leaves out its space. */
export function llamaText({ texts }: LlamaTokenizer, id: number, first: boolean): string {
  const text = texts[id] ?? '';
  const byte = /^<0x([\dA-F]{2})>$/.exec(text);
  if (byte !== null) return String.fromCharCode(Number.parseInt(byte[1] ?? '', 16));
  return first && text.startsWith(' ') ? text.slice(1) : text;
}
