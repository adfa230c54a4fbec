/**
 * What moving scenes cost the page: script time per frame, up to the last call to the graphics card (median and 90th percentile over
 * 60 frames), and draw calls as the renderer counts them. The scenes alone, in a real Chromium; a graphics card that the processor plays
 * takes cores from the script.
 */
import type { Json } from '#contract/kit/json.ts';
import { openPictures } from '../tools/pictures/open.mjs';

interface Cost {
  readonly calls: number;
  readonly script: readonly number[];
}

const MOST_MS = 4;
const SIZES = [1000, 10_000] as const;

export async function run(options: { readonly quick: boolean; readonly log: (line: string) => void }): Promise<Json> {
  const { page, close } = await openPictures();
  const swarms: { [members: string]: Json } = {};
  try {
    for (const members of SIZES) {
      const rounds: Cost[] = [];
      // The first round compiles shaders and is thrown away.
      for (let round = 0; round < (options.quick ? 2 : 3); round++) {
        const cost = await page.evaluate(
          (count) => (globalThis as unknown as { pictures: { swarmCost(count: number): Cost } }).pictures.swarmCost(count),
          members,
        );
        if (round > 0) rounds.push(cost);
      }
      const times = rounds.flatMap(({ script }) => script).sort((a, b) => a - b);
      const at = (share: number): number => times[Math.floor(share * (times.length - 1))]!;
      const [medianMs, p90Ms] = [at(0.5), at(0.9)];
      swarms[members] = { medianMs, p90Ms, most: MOST_MS, met: p90Ms <= MOST_MS, drawCalls: rounds[0]?.calls ?? 0 };
      options.log(
        `swarm of ${members}: ${medianMs.toFixed(2)} ms a frame, 90 % below ${p90Ms.toFixed(2)} ms (at most ${MOST_MS}), ${rounds[0]?.calls} draw calls`,
      );
    }
  } finally {
    await close();
  }
  return { swarms };
}
