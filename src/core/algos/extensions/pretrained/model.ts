/**
 * Files of trained weights: the parameters of a transformer in the order of `transformerParameters`, 16 bits each, the low byte first. What a
 * file must be stands here beside it, so that another one is refused before it is used.
 */
import { fail } from '#contract/kit/errors.ts';
import { sizeOf } from '#core/engine/shapes.ts';
import { fromHalf } from '#core/nets/half.ts';
import { familyShape, transformerParameters } from '#core/nets/transformer.ts';
import { hashBytes } from '#math/hash.ts';

/** A trained model that is shipped. */
export interface TrainedModel {
  readonly title: string;
  /** In public/. */
  readonly file: string;
  /** Of its bytes (FNV-1a, 64 bits): whether it is the file that was meant. */
  readonly hash: string;
  /** Of the world whose tokens it writes. */
  readonly vocabulary: number;
  readonly places: number;
  readonly width: number;
  readonly layers: number;
  readonly heads: number;
}

/** Its vocabulary and places are those of the world, which is loaded at its first use alone. */
const stories = { vocabulary: 389, places: 48, width: 96, layers: 4, heads: 4 } as const;

/** The first model of the little stories, of 1.3 million tokens: runs and links that name it begin with it as ever. */
const FIRST_STORIES: TrainedModel = {
  title: 'The first model of the little stories',
  file: 'stories.bin',
  hash: '855ee98e306abc29',
  ...stories,
};

/** The model of the little stories: tools/stories/train.ts. */
export const STORIES: TrainedModel = {
  title: 'The model of the little stories',
  file: 'stories-2.bin',
  hash: 'f2cda4c433d9558a',
  ...stories,
};

/** By their kind in settings. What a kind names never changes: another file is another kind. */
export const MODELS: Readonly<Record<string, TrainedModel>> = { stories: FIRST_STORIES, 'stories-2': STORIES };

/** Parameters by name. Throws LabError('file-invalid') where the bytes are not those of the model. */
export function weightsIn(bytes: Uint8Array, { title, hash, places, ...size }: TrainedModel): ReadonlyMap<string, Float32Array> {
  const parameters = transformerParameters(familyShape('a', { ...size, context: places }));
  const count = parameters.reduce((sum, { shape }) => sum + sizeOf(shape), 0);
  if (bytes.length !== 2 * count || hashBytes(bytes) !== hash)
    throw fail(
      'file-invalid',
      `${title} is not the file that this version was made with (${bytes.length} of ${2 * count} bytes).`,
      'Reload the page; if it stays so, its copy is incomplete or of another version.',
      'algo.pretrained.kind',
    );
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  return new Map(
    parameters.map(({ name, shape }) => {
      const numbers = new Float32Array(sizeOf(shape));
      for (let i = 0; i < numbers.length; i++, at += 2) numbers[i] = fromHalf(view.getUint16(at, true));
      return [name, numbers];
    }),
  );
}
