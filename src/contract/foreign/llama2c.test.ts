/** Models in the form of llama2.c: what is read, what is refused and how it is said; logits and tokens as run.c has them. */
import { expect, test } from 'vitest';
import { llamaReader } from '#math/llama.ts';
import { checkLlama, LARGEST_MODEL, llamaText, llamaTokens, mayBeLlama, mayBeTokenizer, readLlama, readTokenizer } from './llama2c.ts';

const GOLDEN = [
  -0.043387, 0.094066, -0.002609, 0.019732, 0.367208, -0.20423, -0.21505, -0.223176, 0.035927, 0.005188, -0.050834, -0.142775, 0.341082,
  0.624349, 0.187845, -0.249934, -0.13845, -0.156258, 0.406929, -0.068941,
];
const SHAPE = [16, 24, 2, 4, 2, 20, 12] as const;

/** A checkpoint of drawn numbers. */
function checkpoint(shape: readonly number[] = SHAPE, more = 0): Uint8Array {
  const [dim = 0, hidden = 0, layers = 0, heads = 1, kvHeads = 1, vocabulary = 0, places = 0] = shape;
  const keys = (dim / heads) * kvHeads;
  const floats =
    Math.abs(vocabulary) * dim * (vocabulary < 0 ? 2 : 1) +
    2 * layers * dim +
    2 * layers * dim * dim +
    2 * layers * dim * keys +
    3 * layers * dim * hidden +
    dim +
    places * (dim / heads);
  const bytes = new Uint8Array(28 + 4 * floats + more);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of shape.entries()) view.setInt32(4 * i, value, true);
  let x = 7;
  for (let i = 0; i < floats; i++) {
    x = Number((BigInt(x) * 1103515245n + 12345n) % 2147483648n);
    view.setFloat32(28 + 4 * i, (x / 2147483648 - 0.5) * 0.8, true);
  }
  return bytes;
}

test('logits behind five tokens are those of run.c, whose heads share keys and values', () => {
  const model = readLlama(checkpoint());
  expect(model.parameters).toBe(4240);
  const reader = llamaReader(model);
  let logits = new Float32Array(0);
  for (const id of [1, 5, 7, 3, 19]) logits = reader.read(id) as Float32Array<ArrayBuffer>;
  // run.c of llama2.c at 350e04f, compiled by gcc, on the same file
  for (const [i, wanted] of GOLDEN.entries()) expect(logits[i]).toBeCloseTo(wanted, 4);
  expect(reader.length).toBe(5);
});

test('a row that is full is not read further', () => {
  const reader = llamaReader(readLlama(checkpoint()));
  for (let i = 0; i < 12; i++) reader.read(1);
  expect(() => reader.read(1)).toThrow('12 places');
});

test.each([
  ['dim', [4096, 24, 2, 4, 2, 20, 12], 'dim is 4096'],
  ['n_heads', [16, 24, 2, 3, 3, 20, 12], 'n_heads is 3'],
  ['n_heads', [16, 24, 2, 16, 4, 20, 12], 'heads of an even width'],
  ['n_kv_heads', [16, 24, 2, 4, 3, 20, 12], 'n_kv_heads is 3'],
  ['vocab_size', [16, 24, 2, 4, 2, 1, 12], 'vocab_size is 1'],
  ['seq_len', [16, 24, 2, 4, 2, 20, 0], 'seq_len is 0'],
  ['n_layers', [16, 24, -2, 4, 2, 20, 12], 'n_layers is -2'],
] as const)('names %s', (field, shape, message) => {
  const header = checkpoint([...SHAPE]);
  const view = new DataView(header.buffer);
  for (const [i, value] of shape.entries()) view.setInt32(4 * i, value, true);
  expect(() => readLlama(header)).toThrow(message);
  try {
    readLlama(header);
  } catch (error) {
    expect(error).toMatchObject({ failure: { id: 'file-invalid', field } });
  }
});

test('what is too large is refused by its size, before it is read', () => {
  expect(() => checkLlama(new Uint8Array(0), LARGEST_MODEL + 1)).toThrow('The model has 16.8 MB; up to 16.8 MB');
  expect(() => checkLlama(checkpoint(), 60_816_028)).toThrow('The model has 60.8 MB');
});

test('a file that is cut, longer, not finite or of a later form is refused', () => {
  const whole = checkpoint();
  expect(() => readLlama(whole.subarray(0, whole.length - 4))).toThrow('should have');
  expect(() => readLlama(checkpoint(SHAPE, 4))).toThrow('should have');
  expect(() => readLlama(whole.subarray(0, 10))).toThrow('fewer than a header');
  const broken = checkpoint();
  new DataView(broken.buffer).setFloat32(28 + 4 * 400, Number.NaN, true);
  expect(() => readLlama(broken)).toThrow('not finite');
  const later = checkpoint();
  new DataView(later.buffer).setUint32(0, 0x616b3432, true);
  new DataView(later.buffer).setInt32(4, 2, true);
  expect(mayBeLlama('model.bin', later)).toBe(true);
  expect(() => readLlama(later)).toThrow('version 2');
});

test('a classifier of its own is read where vocab_size is negative', () => {
  const model = readLlama(checkpoint([16, 24, 2, 4, 2, -20, 12]));
  expect(model.shape).toMatchObject({ vocabulary: 20, shared: false });
  expect(model.classifier).not.toBe(model.embedding);
});

const TEXTS = [
  '<unk>',
  '<s>',
  '</s>',
  ...Array.from({ length: 256 }, (_, i) => `<0x${i.toString(16).toUpperCase().padStart(2, '0')}>`),
  ' ',
  'o',
  'n',
  'c',
  'e',
  ' o',
  'nc',
  'once',
];

function tokenizer(texts: readonly string[] = TEXTS): Uint8Array {
  const bytes = [8, 0, 0, 0];
  texts.forEach((text, i) => {
    const head = new DataView(new ArrayBuffer(8));
    head.setFloat32(0, i, true);
    head.setInt32(4, text.length, true);
    bytes.push(...new Uint8Array(head.buffer), ...[...text].map((one) => one.charCodeAt(0)));
  });
  return Uint8Array.from(bytes);
}

test('a text becomes tokens as in run.c: a space before it, pairs of the highest score first, bytes where no token stands for a character', () => {
  const words = readTokenizer(tokenizer(), TEXTS.length);
  const names = (text: string): string[] => llamaTokens(text, words).map((id) => words.texts[id] ?? '');
  expect(names('once')).toEqual([' o', 'nc', 'e']);
  expect(names('é')).toEqual([' ', '<0xC3>', '<0xA9>']);
  expect(names('')).toEqual([]);
  expect(llamaText(words, TEXTS.indexOf(' o'), true)).toBe('o');
  expect(llamaText(words, TEXTS.indexOf('<0x0A>'), false)).toBe('\n');
});

test('a tokenizer of another model, or none, is refused', () => {
  expect(() => readTokenizer(tokenizer(), 32)).toThrow(`has ${TEXTS.length} tokens; vocab_size of the model is 32`);
  expect(() => readTokenizer(Uint8Array.of(8, 0, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0), 1)).toThrow('Token 0');
  expect(mayBeTokenizer('tok512.bin', tokenizer())).toBe(true);
  expect(mayBeTokenizer('tok512.bin', checkpoint())).toBe(false);
  expect(mayBeLlama('stories.bin', checkpoint())).toBe(true);
  expect(mayBeLlama('stories.txt', checkpoint())).toBe(false);
  expect(mayBeLlama('points.bin', tokenizer())).toBe(false);
});
