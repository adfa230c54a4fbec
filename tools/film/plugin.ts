/**
 * `virtual:front-films`: clips of the front page, played while the page is built (main.ts), and what they show: that of the first tile, where a kept
 * policy plays, and those of bodies. The development server has none.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import { bundle } from '../bundle.mjs';
import type { FrontFacts } from '../facts/front.ts';
import { paperFacts } from '../facts/papers.ts';
import type { ToPlay } from './main.ts';

const ID = 'virtual:front-films';
const FOLDER = 'node_modules/.cache/rl-workbench/clips';
const RESULTS = 'public/results';
/** What the simulator of bodies plays. */
const BODY = /^mujoco-/;

/** A clip and who plays in it. */
interface Clip {
  readonly clip: string;
  readonly player: ToPlay;
}

/** Who plays in which clip, by the names that the page asks for (src/ui/home/home.page.tsx). `kept`: worlds whose trained policy lies beside the page. */
export function clipsToPlay({ tiles, worlds }: FrontFacts, kept: readonly string[]): readonly Clip[] {
  return tiles.flatMap(({ id, script }, tile): readonly Clip[] => {
    if (kept.includes(id)) return [{ clip: `kept ${id}`, player: { policy: `${RESULTS}/worlds/${id}.policy` } }];
    const played = worlds[id]?.played ?? null;
    if (played !== null) {
      const { paper, arm } = played;
      const file = paperFacts('.')[paper]?.policies[arm];
      return tile === 0 || BODY.test(id) ? [{ clip: `${paper} ${arm}`, player: { policy: `${RESULTS}/policies/${file}` } }] : [];
    }
    if (script === null || !BODY.test(id)) return [];
    return [{ clip: `world ${id}`, player: { env: { id, config: script.config }, script: script.name } }];
  });
}

/** `front`: the front page's facts as they will stand in it. */
export function frontFilmsPlugin(front: () => Promise<FrontFacts>, kept: readonly string[]): Plugin {
  let building = false;
  return {
    name: 'front-films',
    configResolved: ({ command }) => {
      building = command === 'build';
    },
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    load: async (id) => {
      if (id !== `\0${ID}`) return undefined;
      const wanted = building ? clipsToPlay(await front(), kept) : [];
      if (wanted.length === 0) return 'export default {}';
      mkdirSync(FOLDER, { recursive: true });
      const files = wanted.map(({ clip }) => resolve(FOLDER, `${clip.replaceAll(' ', '-')}.film`));
      const asked = JSON.stringify(wanted.map(({ player }, at) => [player, files[at]]));
      const shown = JSON.parse(
        execFileSync(process.execPath, [`${await bundle('film')}/main.mjs`, asked], { encoding: 'utf8' }),
      ) as object[];
      const imports = files.map((file, at) => `import url${at} from ${JSON.stringify(`${file}?url&no-inline`)};`);
      const entries = wanted.map(({ clip }, at) => `${JSON.stringify(clip)}: { ...films[${at}], url: url${at} },`);
      return `${imports.join('\n')}
const films = JSON.parse(${JSON.stringify(JSON.stringify(shown))});
export default { ${entries.join(' ')} };`;
    },
  };
}
