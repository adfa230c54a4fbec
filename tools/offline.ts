/**
 * What the service worker keeps at the first visit and what it keeps when it is used: large parts that few visits need come later. Writes offline.json,
 * a list of every file of the build with its bytes, from which the page keeps everything where a person asks for it.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';

/**
 * Modules whose chunks are kept at their first use: other executors, three methods for recordings of teams, own worlds, an editor, code of methods, films, charts of one panel, a reader of codes,
 * explainers, the page of own models, the drawing of a network, bodies of MuJoCo, whose own module comes at its first use too, those of Box2D, the little stories, whose model does, cities on
 * graphs, rule grids, three worlds with recorded numbers, players or planners of their own, a kitchen with a planner and its method, a lineage and its world, policies that set themselves goals, the quick world of hazards, lessons, papers and explanations in other languages than English, threads, frames, ideas of papers to touch, and pages beside the laboratory, the worlds and the lessons.
 */
export const LATE = [
  '/node_modules/@tensorflow/',
  '/node_modules/@codemirror/',
  '/node_modules/@lezer/',
  '/node_modules/recharts/',
  '/node_modules/mediabunny/',
  '/node_modules/jsqr/',
  '/src/core/algos/on-policy/policy-set.ts',
  '/src/core/algos/on-policy/shared-trunk.ts',
  '/src/core/algos/games/generations.ts',
  '/src/core/algos/data/history-cql.ts',
  '/src/core/algos/data/cfcql.ts',
  '/src/core/algos/data/marginal-soft-q.ts',
  '/src/core/algos/extensions/levels/level-replay.ts',
  '/src/core/engine/webgpu/',
  '/src/core/envs/mujoco/',
  '/src/core/envs/lib/maze/',
  '/src/core/envs/mazes/',
  '/src/core/algos/goals/',
  '/src/core/algos/lib/goals/',
  '/src/core/envs/box2d/',
  '/src/core/envs/networks/',
  '/src/core/envs/grids/task-choice.ts',
  '/src/core/envs/grids/goal-sequence.ts',
  '/src/core/envs/minigrid/minigrid-maze.ts',
  '/src/core/envs/xland/',
  '/src/core/envs/arenas/',
  '/src/core/envs/vmas/',
  '/src/core/envs/drones/',
  '/src/core/envs/teams/planned-kitchen.ts',
  '/src/core/algos/hierarchy/advantage-filter.ts',
  '/src/core/algos/hierarchy/goal-qmix.ts',
  '/src/core/algos/hierarchy/hiro.ts',
  '/src/core/envs/safety/quick-safety.ts',
  '/src/core/envs/social/population-dilemma.ts',
  '/src/core/envs/teams/lifelong-mapf.ts',
  '/src/core/envs/language/w-stories.ts',
  '/src/core/envs/language/lib/stories/',
  '/src/ui/form/robot/',
  '/src/ui/form/rules/',
  '/src/ui/stage/rules/',
  'virtual:sandbox',
  'virtual:method-code',
  'virtual:env-facts',
  '/src/core/explain/index.ts',
  '/src/ui/explain/network/',
  '/src/ui/runs/pareto/',
  '/src/ui/runs/population/',
  '/src/ui/runs/lineage/',
  '/src/ui/runs/levels/',
  '/src/ui/runs/SeedSelect.tsx',
  '/src/client/compare/papers.ts',
  '/src/ui/claims/PaperPage.tsx',
  '/src/ui/claims/JudgedView.tsx',
  '/src/ui/claims/ideas/',
  '/src/ui/claims/own/',
  '/src/ui/catalogue/methods/MethodPage.tsx',
  '/src/ui/catalogue/scores/',
  '/src/ui/catalogue/zoo/',
  'virtual:zoo-facts',
  '/src/ui/compare/',
  '/src/ui/data/',
  '/src/ui/embed/',
  '/src/ui/own-model/',
  '/src/ui/lessons/class/',
  '/src/ui/lessons/make/',
  '/src/ui/stage/film/FilmDialog.tsx',
  '/src/ui/write/write.page.tsx',
  '/src/text/catalogues/',
];
const LATE_FILES = /^(results|pictures)\/|^assets\/(mujoco|tfjs|kernel\.worker)-|\.film$|^(offline\.json|stories(-\d+)?\.bin)$/;
const NEVER = /^(sw\.js|workbox-[\w]+\.js|online\.txt|offline\.json|docs\/.*)$/;

interface Chunk {
  readonly fileName: string;
  readonly moduleIds: readonly string[];
  readonly isEntry: boolean;
  /** Chunks that must be here before it runs. */
  readonly imports: readonly string[];
  /** Chunks that it may ask for. */
  readonly dynamicImports?: readonly string[];
}

/** These files and all that are reached from them by `next`. */
function closure(files: Iterable<string>, next: (file: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set(files);
  for (const file of found) for (const other of next(file)) found.add(other); // a set gives what is added meanwhile, too
  return found;
}

/** The files of entries, page and workers, and of all that they import before they run. */
function begunWith(chunks: readonly Chunk[]): ReadonlySet<string> {
  const importsOf = new Map(chunks.map(({ fileName, imports }) => [fileName, imports]));
  return closure(
    chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName),
    (file) => importsOf.get(file) ?? [],
  );
}

/** A file of the build and all that must be here before it runs, as far as they are kept at their first use only. */
function lateClosure(chunks: readonly Chunk[]): (file: string) => readonly string[] {
  const late = lateFiles(chunks);
  const importsOf = new Map(chunks.map(({ fileName, imports }) => [fileName, imports]));
  return (file) => [...closure([file], (one) => importsOf.get(one) ?? [])].filter(late);
}

/** Files of trained weights, by the world that methods begin with them in. */
const WEIGHTS: Readonly<Record<string, readonly string[]>> = { 'w-stories': ['stories-2.bin'] };

/**
 * Files that a worker loads for each environment whose code is loaded at its first use, by environment id. The worker that plays for the scene is built
 * with its own copies: watching an environment caches none of those that train in it.
 */
function environmentFiles(chunks: readonly Chunk[], worker: string): Readonly<Record<string, readonly string[]>> {
  const [late, needed] = [lateFiles(chunks), lateClosure(chunks)];
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const entry = chunks.filter(({ isEntry, moduleIds }) => isEntry && moduleIds.some((id) => id.endsWith(`/workers/${worker}.worker.ts`)));
  const asked = closure(
    entry.map(({ fileName }) => fileName),
    (file) => [...(byName.get(file)?.imports ?? []), ...(byName.get(file)?.dynamicImports ?? [])],
  );
  const found: Record<string, readonly string[]> = {};
  for (const file of asked)
    for (const module of byName.get(file)?.moduleIds ?? []) {
      const id = /\/src\/core\/envs\/[\w-]+\/([\w-]+)\.ts$/.exec(module)?.[1];
      if (id === undefined) continue;
      const files = [...(late(file) ? needed(file) : []), ...(worker === 'session' ? (WEIGHTS[id] ?? []) : [])];
      if (files.length > 0) found[id] = files;
    }
  return found;
}

/** Views and texts of the page that are loaded at their first use and belong to a thing that is kept by itself, by the end of their module. */
const PARTS: readonly (readonly [name: string, module: RegExp])[] = [
  ['explainers', /\/src\/core\/explain\/index\.ts$/],
  ['class', /\/src\/ui\/lessons\/class\/class\.page\.tsx$/],
  ['code', /^\0?virtual:sandbox$|\/node_modules\/@codemirror\/view\/dist\/index\.js$/],
  ['paper', /\/src\/(ui\/claims\/PaperPage\.tsx|client\/compare\/papers\.ts)$/],
];
const TEXTS = /\/src\/text\/catalogues\/(?:facts\/|(lessons|why|papers)\/)?([\w-]+)\.po$/;

/** Files of those, and of the texts of each language (`es`, `lessons/es`), by name. */
function partFiles(chunks: readonly Chunk[]): Readonly<Record<string, readonly string[]>> {
  const needed = lateClosure(chunks);
  const found: Record<string, readonly string[]> = {};
  for (const { fileName, moduleIds } of chunks)
    for (const module of moduleIds) {
      const [, part, language] = TEXTS.exec(module) ?? [];
      const name = language === undefined ? PARTS.find(([, end]) => end.test(module))?.[0] : [part, language].filter(Boolean).join('/');
      if (name !== undefined) found[name] = [...new Set([...(found[name] ?? []), ...needed(fileName)])];
    }
  return found;
}

/** Whether a file of the build is kept at its first use only. */
export function lateFiles(chunks: readonly Chunk[]): (url: string) => boolean {
  const first = begunWith(chunks);
  const late = new Set(
    chunks
      .filter(({ fileName, moduleIds }) => !first.has(fileName) && moduleIds.some((id) => LATE.some((part) => id.includes(part))))
      .map(({ fileName }) => fileName),
  );
  return (url) => late.has(url) || LATE_FILES.test(url);
}

/** The chunks of page and workers, as vite.config.ts reports them. */
export const builtChunks = (): readonly Chunk[] =>
  ['chunks', 'workers'].flatMap((name) => JSON.parse(readFileSync(`node_modules/.cache/rl-workbench/${name}.json`, 'utf8')) as Chunk[]);

/** What stands in offline.json. */
export const offlineList = (files: readonly (readonly [string, number])[], chunks: readonly Chunk[]) => ({
  files,
  training: environmentFiles(chunks, 'session'),
  playing: environmentFiles(chunks, 'watch'),
  parts: partFiles(chunks),
});

/** Writes offline.json: every file that a page may ask for, address and bytes, and which of them a world, a paper or a lesson needs. */
export function writeOfflineList(folder: string): void {
  const urls = readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [`${entry.parentPath}/${entry.name}`.slice(folder.length + 1)] : [],
  );
  const files = urls
    .filter((url) => !NEVER.test(url))
    .sort()
    .map((url): readonly [string, number] => [url, statSync(`${folder}/${url}`).size]);
  writeFileSync(`${folder}/offline.json`, JSON.stringify(offlineList(files, builtChunks())));
}
