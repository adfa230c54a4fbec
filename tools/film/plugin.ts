/**
 * `virtual:first-film`: where the front page's first clip stands, played while the page is built (main.ts), and what it shows; null where there is
 * none (the development server, a first world in which no kept policy plays).
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import { bundle } from '../bundle.mjs';
import type { FrontFacts } from '../facts/front.ts';
import { paperFacts } from '../facts/papers.ts';

const ID = 'virtual:first-film';
const FOLDER = 'node_modules/.cache/rl-workbench/clips';

/** `front`: the front page's facts as they will stand in it. */
export function firstFilmPlugin(front: () => Promise<FrontFacts>): Plugin {
  let building = false;
  return {
    name: 'first-film',
    configResolved: ({ command }) => {
      building = command === 'build';
    },
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    load: async (id) => {
      if (id !== `\0${ID}`) return undefined;
      const { tiles, worlds } = building ? await front() : { tiles: [], worlds: {} };
      const played = worlds[tiles[0]?.id ?? '']?.played ?? null;
      if (played === null) return 'export default null';
      mkdirSync(FOLDER, { recursive: true });
      const file = resolve(FOLDER, 'first.film');
      const policy = `public/results/policies/${paperFacts('.')[played.paper]?.policies[played.arm]}`;
      const shown = execFileSync(process.execPath, [`${await bundle('film')}/main.mjs`, policy, file], { encoding: 'utf8' });
      return `import url from ${JSON.stringify(`${file}?url&no-inline`)};
export default { ...JSON.parse(${JSON.stringify(shown)}), paper: ${JSON.stringify(played.paper)}, arm: ${JSON.stringify(played.arm)}, url };`;
    },
  };
}
