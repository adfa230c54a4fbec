/** What the numbers of an encoded observation row are called (encoder.ts), for views of a network. */
import type { ObsSpace } from '#contract/game/spaces.ts';
import { obsSize } from '#contract/game/spaces.ts';

/** More are left without names: they are numbered. */
const MOST = 8192;

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** Columns of the picture in front of a row, 0 where there is none. */
function imageSize(space: ObsSpace): number {
  if (space.kind === 'grid') return space.shape[0] * space.shape[1] * space.codes.reduce((a, b) => a + b, 0);
  return space.kind === 'box' && space.shape.length === 3 ? obsSize(space) : 0;
}

function namesOf(space: ObsSpace): string[] {
  if (space.kind === 'discrete') return range(space.n).map((i) => `state ${i}`);
  if (space.kind === 'grid') {
    const [height, width] = space.shape;
    const channels = space.codes.length;
    const cells = range(height * width).flatMap((cell) =>
      space.codes.flatMap((codes, channel) =>
        range(codes).map((code) => {
          const what = channels === 1 ? `code ${code}` : `channel ${channel} is ${code}`;
          return `row ${Math.floor(cell / width)}, column ${cell % width}: ${what}`;
        }),
      ),
    );
    return [...cells, ...range(space.extra).map((i) => `number ${i}`)];
  }
  if (space.shape.length === 3) {
    const [, width = 1, channels = 1] = space.shape;
    return range(obsSize(space)).map((i) => {
      const cell = Math.floor(i / channels);
      return `row ${Math.floor(cell / width)}, column ${cell % width}: channel ${i % channels}`;
    });
  }
  return range(obsSize(space)).map((i) => space.labels?.[i] ?? `observation ${i}`);
}

/**
 * Names of `count` numbers that a network reads of a row: all of it, its picture alone, or what stands beside the picture; with or without
 * the agent's one-hot number of `agents` columns behind it. Empty where no such part has that many, or too many to name.
 */
export function inputNames(space: ObsSpace, agents: number, count: number): readonly string[] {
  if (count > MOST) return [];
  const own = namesOf(space);
  const all = [...own, ...range(agents).map((i) => `agent number ${i}`)];
  const image = imageSize(space);
  const parts = [all, own, all.slice(0, image), all.slice(image), own.slice(image), all.slice(own.length)];
  return parts.find((part) => part.length === count) ?? [];
}
