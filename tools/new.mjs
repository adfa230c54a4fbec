/**
 * A new algorithm, environment, explainer, paper, experiment, page, panel or lesson as a working skeleton, listed in its index:
 *   npm run new -- algo ID [--family FOLDER] [--like NAME]   src/core/algos/FOLDER/ID.ts
 *   npm run new -- env ID [--family FOLDER] [--like NAME]    src/core/envs/FOLDER/ID.ts; --like NAME copies that algorithm or environment,
 *                                                    --family alone the shortest of the family, neither the code of docs/adding-an-*.md
 *   npm run new -- explainer ID                      src/core/explain/ID.ts, the code of docs/adding-an-explainer.md
 *   npm run new -- paper pNNN-NAME                   src/claims/papers/pNNN-NAME.ts, the code of docs/adding-a-paper.md, for paper NNN of the list
 *   npm run new -- experiment ID                     src/claims/experiments/ID.ts, the card of docs/adding-an-experiment.md
 *   npm run new -- page NAME [--door DOOR]           src/ui/ROOM/NAME/, the code of docs/adding-to-the-page.md; DOOR: worlds, learn, papers, runs
 *   npm run new -- panel ID                          src/ui/explain/ID/, beside the scene
 *   npm run new -- lesson ID [--in LESSON]           src/lessons/ID.ts with a step whose view is src/ui/lessons/views/ID/; --in: only that step, in LESSON
 * --new-family FOLDER in place of --family begins a family.
 * Afterwards edit that file; `npm run test:push` says whether it holds what all others hold.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { NewError } from './new-error.mjs';
import { isOfPage, NEXT, planForPage } from './new-page.mjs';
import { codeOf } from './page-code.mjs';

export { NewError };

const KINDS = {
  algo: {
    page: 'docs/adding-an-algorithm.md',
    index: 'src/core/algos/index.ts',
    room: 'src/core/algos',
    members: 'algos',
    model: { id: 'policy-gradient', title: 'Policy gradient' },
    check: 'src/core/algos/algos.test.ts',
  },
  env: {
    page: 'docs/adding-an-environment.md',
    index: 'src/core/envs/index.ts',
    room: 'src/core/envs',
    members: 'envs',
    model: { id: 'windy-pier', title: 'Windy pier' },
    check: 'src/core/envs/registry.test.ts',
    next: 'npm run pictures -- --missing      its picture, when it is drawn with those of others',
  },
  explainer: {
    page: 'docs/adding-an-explainer.md',
    index: 'src/core/explain/index.ts',
    room: 'src/core/explain',
    model: { id: 'leave-one-out', title: 'Leave one out' },
    check: 'src/core/explain/registry.test.ts',
  },
  paper: {
    page: 'docs/adding-a-paper.md',
    index: 'src/claims/papers/index.ts',
    room: 'src/claims/papers',
    model: { id: 'p045-search' },
    check: 'src/claims',
    next: 'npm run claims -- PNNN --quick      whether the direction shows',
  },
  experiment: {
    page: 'docs/adding-an-experiment.md',
    index: 'src/claims/experiments/index.ts',
    room: 'src/claims/experiments',
    model: { id: 'ppo-cartpole', title: 'PPO on CartPole' },
    check: 'src/claims/experiments',
  },
};

const USAGE =
  'npm run new -- algo ID [--family FOLDER] [--like NAME] | env ID [--family FOLDER] [--like NAME] | explainer ID | paper pNNN-NAME | experiment ID | page NAME [--door DOOR] | panel ID | lesson ID [--in LESSON]';

const camel = (id) => id.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
const titled = (id) => id[0].toUpperCase() + id.slice(1).replaceAll('-', ' ');

/** Adds an import, sorted by its path, to those that the index has. */
function withImport(index, name, path) {
  const lines = index.split('\n');
  const isMember = (line) => /^import \{ \w+ \} from '\.\/(?!api\/)/.test(line);
  const pathOf = (line) => /'([^']+)'/.exec(line)?.[1] ?? '';
  const members = lines.flatMap((line, i) => (isMember(line) ? [i] : []));
  const place = members.find((i) => pathOf(lines[i]).replace(/\.ts$/, '') > path.replace(/\.ts$/, '')) ?? (members.at(-1) ?? -1) + 1;
  return lines.toSpliced(place, 0, `import { ${name} } from '${path}';`).join('\n');
}

/** Adds a line to the first list with a member of the same folder, which is its plainest; a folder without members gets a list of its own. */
function withMember(index, members, name, id, family) {
  const line = `'${id}': async () => (await import('./${family}/${id}.ts')).${name},`;
  const lists = [...index.matchAll(new RegExp(`\\b${members}: \\{([^{}]*)\\}`, 'g'))];
  const best = lists.find((list) => list[1].includes(`import('./${family}/`));
  if (best === undefined) {
    if (lists[0] === undefined) throw new Error(`No lists of ${members} in the index.`);
    const end = index.indexOf('\n];', lists[0].index);
    return `${index.slice(0, end)}\n  { title: '${titled(family)}', ${members}: { ${line} } },${index.slice(end)}`;
  }
  const end = best.index + best[0].length - 1;
  return `${index.slice(0, end)}  ${line}\n    ${index.slice(end)}`;
}

/** An index with one list: import and name. */
const inList = (index, name, id) => withImport(index, name, `./${id}.ts`).replace(/,?\n\];/, `,\n  ${name},\n];`);

/** The file of a paper of the list, with its number and title; throws NewError for one that the list has not or that is built. */
function newPaper(what, id, index, read) {
  const number = /^p(\d{3})-/.exec(id)?.[1];
  const paper = JSON.parse(read('src/claims/list.json')).papers.find((listed) => listed.id === `P${number}`);
  if (paper === undefined) throw new NewError(`A paper is pNNN-name, with its number in src/claims/list.json, not "${id}". ${USAGE}`);
  const built = new RegExp(`'\\./(p${number}-[\\w-]+\\.ts)'`).exec(index)?.[1];
  if (built !== undefined) throw new NewError(`${paper.id} is built already: ${what.room}/${built}.`);
  const name = camel(id.slice(5));
  const [code] = codeOf(read(what.page)).values();
  const quoted = `'${paper.title.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const text = code
    .replace(/\/\*\*.*\*\//, `/** ${paper.id}: ${paper.name}. */`)
    .replace('export const search =', `export const ${name} =`)
    .replace(/\bid: 'P\d{3}'/, `id: '${paper.id}'`)
    .replace(/\btitle: '.*'/, () => `title: ${quoted}`);
  const imported = withImport(index, name, `./${id}.ts`);
  const names = [...imported.matchAll(/^import \{ (\w+) \} from '\.\/p\d{3}-/gm)].map((match) => match[1]); // by number, as their imports
  const listed = imported.replace(/(export const papers: [^=]*= )\[[^\]]*\]/, (_, head) => `${head}[${names.join(', ')}]`);
  return new Map([
    [`${what.room}/${id}.ts`, text],
    [what.index, listed],
  ]);
}

/** Folders that have members in an index. */
const familiesOf = (index) => [...new Set([...index.matchAll(/import\('\.\/([\w-]+)\/[\w-]+\.ts'\)/g)].map((match) => match[1]))];

/** Whether a name may be declared in this code: it is no word of the language, and the code uses it neither as its own nor as an import. */
function isFree(name, codes) {
  try {
    new Function(`const ${name} = 0;`);
  } catch {
    return false;
  }
  const bare = codes.map((code) => code.replace(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'/g, ''));
  return !bare.some((code) => new RegExp(`\\b${name}\\b`).test(code));
}

/** The lines of an index: id, folder and exported name of every member. */
const membersOf = (index) =>
  [...index.matchAll(/import\('\.\/([\w-]+)\/([\w-]+)\.ts'\)\)\.(\w+)/g)].map(([, folder, id, name]) => ({ folder, id, name }));

/** Code without a list of changes of earlier versions, and without imports that only that list used. */
function withoutChanges(code) {
  const at = /^\s*changes: \[/m.exec(code);
  if (at === null) return code;
  let end = at.index + at[0].length;
  for (let open = 1; open > 0; end++) open += code[end] === '[' ? 1 : code[end] === ']' ? -1 : 0;
  const rest = code.slice(0, at.index) + code.slice(end).replace(/^,/, '');
  return rest.replace(/^import \{([^}]*)\} from '[^']+';\n/gm, (line, names) => {
    const used = names.split(',').filter((part) => {
      const name = /(\w+)\s*$/.exec(part)?.[1];
      return name !== undefined && rest.split(new RegExp(`\\b${name}\\b`)).length > 2;
    });
    return used.length === 0 ? '' : line.replace(names, `${used.join(',')} `);
  });
}

/** A member's code as a new one: its id, title and exported name are new, it is in its first version, and its head says what to write there. */
function copyOf({ folder, id: old, name: oldName }, id, name, code) {
  const head = `/**\n * ${titled(id)}: a copy of ${old}.ts. Write here what it is, its source, its equations and where it differs, in place of what follows.`;
  const text = withoutChanges(code)
    .replace(/^export (?=(async )?(function|const|class)\b)/gm, '')
    .replaceAll(new RegExp(`\\b${oldName}\\b`, 'g'), name)
    .replace(new RegExp(`^const ${name}\\b`, 'm'), `export const ${name}`)
    .replaceAll(`'${old}'`, `'${id}'`)
    .replace(new RegExp(`(\\bid: '${id}',[^]*?\\bversion: )\\d+`), '$11')
    .replace(new RegExp(`(\\bid: '${id}',[^]*?\\btitle: )(['"]).*?\\2`), `$1'${titled(id)}'`)
    .replace(/^\/\*\*(?:\n \*)?/, () => `${head}\n *`);
  if (!text.includes(`export const ${name}`))
    throw new NewError(`${folder}/${old}.ts does not define ${oldName} itself: name another one.`);
  return text;
}

/**
 * What the command writes: path -> text. `read` gives the text of a file of the project.
 * Throws NewError for an id or a family that cannot be; a family without members has to be asked for by `isNew`. `like` names the member that is
 * copied. `door` is for pages, `into` for lessons.
 */
export function plan(kind, id, { family, isNew = false, like, door, into, read = (path) => readFileSync(path, 'utf8') } = {}) {
  const what = KINDS[kind];
  if (what === undefined && !isOfPage(kind)) throw new NewError(`There is no "${kind}". ${USAGE}`);
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id ?? ''))
    throw new NewError(`An id is lower-case words joined by "-", not "${id ?? ''}". ${USAGE}`);
  if (isOfPage(kind)) {
    if (family !== undefined) throw new NewError(`A ${kind} has no family. ${USAGE}`);
    if (like !== undefined) throw new NewError(`--like is for an algorithm or an environment. ${USAGE}`);
    return planForPage(kind, id, { door, into, read });
  }
  if (door !== undefined || into !== undefined) throw new NewError(`--door is for a page, --in for a lesson. ${USAGE}`);
  if (family !== undefined && what.members === undefined) throw new NewError(`An ${kind} has no family. ${USAGE}`);
  if (like !== undefined && what.members === undefined) throw new NewError(`--like is for an algorithm or an environment. ${USAGE}`);
  if (family !== undefined && !/^[a-z][a-z-]*$/.test(family)) throw new NewError(`A family is a folder name, not "${family}".`);
  const index = read(what.index);
  if (new RegExp(`/${id}\\.ts'`).test(index)) throw new NewError(`${what.index} has ${id} already.`);
  const known = familiesOf(index).filter((folder) => folder !== 'api');
  if (family !== undefined && known.includes(family) === isNew)
    throw new NewError(
      isNew
        ? `The family ${family} is there already: use --family.`
        : `There is no family "${family}": use one of ${known.join(', ')}, or --new-family.`,
    );
  if (kind === 'paper') return newPaper(what, id, index, read);
  const { model } = what;
  const name = camel(id);
  if (new RegExp(`\\b${name}\\b`).test(index)) throw new NewError(`${what.index} uses the name ${name} already.`);
  const own = (text) =>
    text
      .replaceAll(model.id, id)
      .replaceAll(camel(model.id), name)
      .replaceAll(model.title, titled(id))
      .replaceAll(what.page, `${what.page} (its skeleton)`);
  if (kind === 'experiment') {
    const card = /^```ts\n([\s\S]*?)^```$/m.exec(read(what.page))?.[1] ?? '';
    // A claim needs a suite and a rule of its own; the skeleton is a benchmark until it has them.
    const plain = card
      .replace(/^ {2}(suites|expect): .*\n/gm, '')
      .replace(/kind: 'claim',.*/, "kind: 'benchmark',")
      .replace(/,? \/\/ = file name/, ',');
    const text = `/** ${titled(id)}: what is run, and what a run can refute. */\nimport type { ExperimentCard } from '#contract/catalog/catalog.ts';\n\n${own(plain)}`;
    return new Map([
      [`${what.room}/${id}.ts`, text],
      [what.index, inList(index, name, id)],
    ]);
  }
  const members = membersOf(index);
  const pathOf = (member) => `${what.room}/${member.folder}/${member.id}.ts`;
  const near = members.filter((member) => member.folder === family).toSorted((a, b) => read(pathOf(a)).length - read(pathOf(b)).length);
  const copied = like === undefined ? near[0] : members.find((member) => member.id === like);
  if (like !== undefined && copied === undefined) throw new NewError(`${what.index} has no ${like} to copy.`);
  if (copied !== undefined) {
    const folder = family ?? copied.folder;
    const text = copyOf(copied, id, name, read(pathOf(copied))).replaceAll(/(from |import\()'(\.\/[^']+)'/g, (all, word, path) =>
      folder === copied.folder ? all : `${word}'../${copied.folder}/${path.slice(2)}'`,
    );
    return new Map([
      [`${what.room}/${folder}/${id}.ts`, text],
      [what.index, withMember(index, what.members, name, id, folder)],
    ]);
  }
  const files = new Map();
  const skeleton = codeOf(read(what.page));
  if (!isFree(name, [...skeleton.values()])) throw new NewError(`The skeleton uses the name ${name} itself: choose another id.`);
  if (what.members === undefined) {
    for (const [path, code] of skeleton) files.set(path.replace(model.id, id), own(code));
    return files.set(what.index, inList(index, name, id));
  }
  let folder = family;
  for (const [path, code] of skeleton) {
    folder ??= path.split('/').at(-2);
    files.set(`${what.room}/${folder}/${path.split('/').at(-1).replace(model.id, id)}`, own(code));
  }
  files.set(what.index, withMember(index, what.members, name, id, folder));
  return files;
}

/** Options and what stands before them; throws NewError for one that is not known or has no value. */
function optionsOf(args) {
  const names = ['family', 'new-family', 'like', 'door', 'in'];
  try {
    return parseArgs({ args, allowPositionals: true, options: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) });
  } catch (error) {
    throw new NewError(`${error.message} ${USAGE}`);
  }
}

function main(args) {
  const { values, positionals } = optionsOf(args);
  const isNew = values['new-family'] !== undefined;
  const family = values['new-family'] ?? values.family;
  const [kind, id, ...more] = positionals;
  if (kind === undefined) {
    console.log(
      readFileSync('tools/new.mjs', 'utf8')
        .split('\n')
        .slice(1, 14)
        .map((line) => line.replace(/^ \* ?/, ''))
        .join('\n'),
    );
    return 0;
  }
  if (more.length > 0) throw new NewError(`Too many arguments. ${USAGE}`);
  const files = plan(kind, id, { family, isNew, like: values.like, door: values.door, into: values.in });
  for (const [path, text] of files) {
    const isNew = !existsSync(path);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    console.log(`${isNew ? 'written' : 'changed'} ${path}`);
  }
  const command = ['node_modules/@biomejs/biome/bin/biome', 'check', '--write', ...files.keys()];
  const run = spawnSync(process.execPath, command, { encoding: 'utf8' });
  if (run.status !== 0) {
    console.error(`${run.stdout}${run.stderr}\nFailed: node ${command.join(' ')}`);
    return 1;
  }
  if (isOfPage(kind)) {
    const written = [...files.keys()].slice(0, -1);
    console.log(`
Now edit ${written.filter((path) => !path.includes('.test.')).join(', ')}, then
  npx vitest run ${written.find((path) => path.includes('.test.'))}
  ${NEXT[kind]}
  npm run test:push      everything but what is slow`);
    return 0;
  }
  const { check, next } = KINDS[kind];
  console.log(`
Now edit ${[...files.keys()].slice(0, -1).join(' and ')}, then
  npx vitest run ${check}${kind === 'experiment' || kind === 'paper' ? '' : ` -t ${id}`}      what all others hold, of this one${next === undefined ? '' : `\n  ${next}`}
  npm run test:push      everything but what is slow`);
  return 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    process.exitCode = main(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof NewError)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}
