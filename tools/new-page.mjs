/** What `npm run new` writes for the page: a page, a panel, a lesson and a step with a custom view. The code stands in docs/adding-to-the-page.md. */
import { NewError } from './new-error.mjs';
import { codeOf } from './page-code.mjs';

const DOCUMENT = 'docs/adding-to-the-page.md';
const PAGES = 'src/stores/pages.ts';
const PANELS = 'src/ui/explain/panels.ts';
const LESSONS = 'src/lessons';
const VIEWS = 'src/ui/lessons/views';
const MOST_STEPS = 7;

/** The room of src/ui in which a page of each door begins. */
const ROOMS = { worlds: 'home', learn: 'lessons', papers: 'claims', runs: 'compare' };

const MODELS = {
  page: { id: 'tally', folder: 'src/ui/compare/tally' },
  panel: { id: 'reward-parts', folder: 'src/ui/explain/reward-parts' },
  lesson: { id: 'two-rates', folder: `${VIEWS}/two-rates` },
};

const camel = (id) => id.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
const pascal = (id) => camel(id[0].toUpperCase() + id.slice(1));
const titled = (id) => id[0].toUpperCase() + id.slice(1).replaceAll('-', ' ');

/** The files of a model in another folder, with the new id, name and title in place of the model's. */
function filesOf(kind, id, folder, code) {
  const model = MODELS[kind];
  const rename = (text) =>
    text
      .replaceAll(titled(model.id), titled(id))
      .replaceAll(pascal(model.id), pascal(id))
      .replaceAll(camel(model.id), camel(id))
      .replaceAll(model.id, id);
  const files = new Map();
  for (const [path, text] of code) {
    if (!path.startsWith(`${model.folder}/`)) continue;
    files.set(`${folder}/${rename(path.slice(model.folder.length + 1))}`, rename(text));
  }
  return { files, rename };
}

/** Text with a line put in after the last line that matches; throws where none does. */
function after(text, pattern, line, where) {
  const lines = text.split('\n');
  const at = lines.findLastIndex((one) => pattern.test(one));
  if (at < 0) throw new Error(`${where} has no line like ${pattern}.`);
  return lines.toSpliced(at + 1, 0, line).join('\n');
}

function newPage(id, { door = 'runs', read }) {
  if (!/^[a-z]+$/.test(id)) throw new NewError(`A page has a name of one word, lower case, for its address: not "${id}".`);
  const room = ROOMS[door];
  if (room === undefined) throw new NewError(`There is no door "${door}": use one of ${Object.keys(ROOMS).join(', ')}.`);
  const pages = read(PAGES);
  if (id === 'lab' || new RegExp(`^ {2}${id}: \\{`, 'm').test(pages)) throw new NewError(`${PAGES} has ${id} already.`);
  const { files } = filesOf('page', id, `src/ui/${room}/${id}`, codeOf(read(DOCUMENT)));
  const line = `  ${id}: { door: '${door}', title: '${titled(id)}', words: '${id}' },`;
  return files.set(PAGES, after(pages, new RegExp(`^ {2}\\w+: \\{ door: '${door}'`), line, PAGES));
}

function newPanel(id, { read }) {
  const panels = read(PANELS);
  if (new RegExp(`\\bid: '${id}'`).test(panels)) throw new NewError(`${PANELS} has ${id} already.`);
  const { files } = filesOf('panel', id, `src/ui/explain/${id}`, codeOf(read(DOCUMENT)));
  const view = `late(async () => ({ default: (await import('./${id}/${pascal(id)}Panel.tsx')).${pascal(id)}Panel }))`;
  const line = `  { id: '${id}', label: msg('${titled(id)}'), View: ${view} },`;
  return files.set(
    PANELS,
    panels.replace(/^ {2}\{ id: 'all',/m, (last) => `${line}\n${last}`),
  );
}

function newLesson(id, { into, read }) {
  const code = codeOf(read(DOCUMENT));
  const { files, rename } = filesOf('lesson', id, `${VIEWS}/${id}`, code);
  const index = read(`${LESSONS}/index.ts`);
  const known = [...index.matchAll(/from '\.\/([\w-]+)\.ts'/g)].map(([, name]) => name).filter((name) => name !== 'define');
  if (into !== undefined) {
    if (!known.includes(into)) throw new NewError(`There is no lesson "${into}": use one of ${known.join(', ')}.`);
    const path = `${LESSONS}/${into}.ts`;
    const lesson = read(path);
    if (lesson.includes(`view: '${id}'`)) throw new NewError(`${path} has the view ${id} already.`);
    const steps = /^ {2}steps: \[\n[\s\S]*?^ {2}\],$/m.exec(lesson)?.[0] ?? '';
    if ((steps.match(/^ {4}\{/gm) ?? []).length >= MOST_STEPS)
      throw new NewError(`${path} has ${MOST_STEPS} steps, as many as a lesson may have.`);
    const line = `    { title: '${titled(id)}', say: 'What is seen here, in two or three sentences.', show: [], view: '${id}' },`;
    return files.set(
      path,
      lesson.replace(steps, () => steps.replace(/ {2}\],$/, `${line}\n  ],`)),
    );
  }
  if (known.includes(id)) throw new NewError(`${LESSONS}/index.ts has ${id} already.`);
  const lines = index.split('\n');
  const place = lines.findIndex((line) => (/from '\.\/([\w-]+)\.ts'/.exec(line)?.[1] ?? '') > id);
  const at = place < 0 ? lines.findLastIndex((line) => line.startsWith('import ')) + 1 : place;
  const imported = lines.toSpliced(at, 0, `import { ${camel(id)} } from './${id}.ts';`).join('\n');
  files.set(`${LESSONS}/${id}.ts`, rename(code.get(`${LESSONS}/${MODELS.lesson.id}.ts`) ?? ''));
  return files.set(
    `${LESSONS}/index.ts`,
    imported.replace(/(lessons: readonly Lesson\[\] = \[[^\]]*?),?\s*\];/, (_, list) => `${list}, ${camel(id)}];`),
  );
}

const PLANS = { page: newPage, panel: newPanel, lesson: newLesson };

/** Kinds that stand in the page, not in the core. */
export const isOfPage = (kind) => Object.hasOwn(PLANS, kind);

/**
 * What the command writes for a page, a panel or a lesson: path -> text, the list last. `door`: of a page; `into`: the lesson that gets a step with
 * the view in place of a new lesson. Throws NewError for an id that cannot be.
 */
export function planForPage(kind, id, { door, into, read }) {
  if (door !== undefined && kind !== 'page') throw new NewError(`Only a page has a door, a ${kind} has none.`);
  if (into !== undefined && kind !== 'lesson') throw new NewError(`--in names the lesson of a step with a view, a ${kind} has none.`);
  return PLANS[kind](id, { door, into, read });
}

/** What to run and to do afterwards. */
export const NEXT = {
  page: 'npx vitest run tools/languages.test.ts      which languages lack its title',
  panel: 'npx vitest run tools/languages.test.ts      which languages lack its texts',
  lesson: 'npx vitest run tools/languages.test.ts      which languages lack its title and goal',
};
