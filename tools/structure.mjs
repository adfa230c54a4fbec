/**
 * How the code hangs together, measured from its imports and checked against the limits below:
 *   npm run structure                       prints the figures; exit code 1 where a limit is passed
 *   npm run structure -- --root DIR --json  measures another checkout, such as a worktree of an old commit
 *   npm run structure -- --table JSON       prints the table of docs/adr/0012 from another measurement (before) and this one (after)
 *
 * What is counted:
 *   files     of core/algos, core/envs or core/explain that a method, world or explainer reaches by imports of values, its own included;
 *             what stands in api/ is not counted and not followed, since it is known before any of them is read; nor are extensions
 *             (algos/extensions), which a method does not know, and tests
 *   lines     of code per room: neither blank lines, comments nor tests
 *   arrows    pairs of rooms of which one imports the other, types included; upward: from a lower room to a higher one by tools/rooms.json
 *   casts     `x!` and `x as number` outside tests; reads: `a[i]!`, the idiom of array reads, not limited; readsAsNumber: `a[i] as number`
 *   lists     source files that name at least 60 % of the ids of a registry: what an addition must touch beside its own file
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync } from '@swc/core';

/** Rooms from the lowest to the highest; those of one level are equals and may import each other. */
const { levels: LEVELS } = JSON.parse(readFileSync(new URL('./rooms.json', import.meta.url), 'utf8'));

const KINDS = [
  { kind: 'algos', room: 'src/core/algos', one: 'method' },
  { kind: 'envs', room: 'src/core/envs', one: 'world' },
  { kind: 'explain', room: 'src/core/explain', one: 'explainer' },
];

/** What no change may pass. Files: those of the largest method, world and explainer; casts: all that are no array reads. No import goes upwards. */
export const LIMITS = { files: { algos: 10, envs: 44, explain: 7 }, casts: { readsAsNumber: 2, others: 75 } };

const isTest = (file) => /\.test\.tsx?$/.test(file);
/** Before families had folders, these stood beside the methods. */
const isApi = (file) =>
  /\/(api|algos\/extensions)\//.test(file) || /^src\/core\/(algos|envs)\/(types|define|guards|metrics)\.ts$/.test(file);

function filesBelow(root, folder) {
  const at = join(root, folder);
  if (!statSync(at, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(at, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts') && !file.includes('/assembly/') && !file.includes('node_modules'));
}

const INSIDE = ['src/contract', 'src/client', 'src/ui'];

/** 'src/core/algos/value', 'src/core/envs', 'src/ui/kit' ...; a file beside the rooms of src/ui counts to 'src/ui'. */
function roomOf(file) {
  const parts = dirname(file).split('/');
  if (parts[0] === 'tools') return parts[1] === 'facts' ? 'tools/facts' : 'tools';
  if (parts[0] === 'cli') return parts.slice(0, 2).join('/');
  if (parts[0] !== 'src') return parts[0];
  if (parts[1] !== 'core') return parts.slice(0, INSIDE.includes(`src/${parts[1]}`) ? 3 : 2).join('/');
  if (parts[2] === 'explain') return parts.slice(0, 4).join('/');
  return parts.slice(0, parts[2] === 'algos' || parts[2] === 'envs' ? 4 : 3).join('/');
}

function rankOf(room) {
  const exact = LEVELS.findIndex((level) => level.includes(room));
  if (exact >= 0) return exact;
  return LEVELS.findIndex((level) => level.includes(`${dirname(room)}/*`));
}

function codeLines(text) {
  let inside = false;
  let count = 0;
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (inside) {
      inside = !line.includes('*/');
      continue;
    }
    if (line.startsWith('/*')) {
      inside = !line.includes('*/');
      continue;
    }
    if (line !== '' && !line.startsWith('//') && !line.startsWith('{/*')) count++;
  }
  return count;
}

const isRead = (expression) => expression?.type === 'MemberExpression' && expression.property.type === 'Computed';
const bare = (expression) => (expression?.type === 'ParenthesisExpression' ? bare(expression.expression) : expression);

/** Imports and casts of one file. */
function read(root, file, aliases) {
  const text = readFileSync(join(root, file), 'utf8');
  const tree = parseSync(text, { syntax: 'typescript', tsx: file.endsWith('.tsx'), target: 'es2022', decorators: true });
  const imports = [];
  const casts = { reads: 0, readsAsNumber: 0, others: 0 };
  const add = (name, typeOnly) => {
    const alias = aliases.find(([from]) => name.startsWith(from));
    const to = alias === undefined ? (name.startsWith('.') ? join(dirname(file), name) : null) : alias[1] + name.slice(alias[0].length);
    if (to !== null) imports.push({ to: to.replaceAll('\\', '/').replace(/\?.*$/, ''), typeOnly });
  };
  const visit = (node) => {
    if (node === null || typeof node !== 'object') return;
    if (Array.isArray(node)) {
      for (const item of node) visit(item);
      return;
    }
    if (node.type === 'ImportDeclaration') {
      const values = node.specifiers.some((one) => one.isTypeOnly !== true) || node.specifiers.length === 0;
      add(node.source.value, node.typeOnly === true || !values);
    } else if (node.type === 'ExportNamedDeclaration' && node.source) add(node.source.value, node.typeOnly === true);
    else if (node.type === 'ExportAllDeclaration') add(node.source.value, node.typeOnly === true);
    else if (node.type === 'CallExpression' && node.callee.type === 'Import' && node.arguments[0]?.expression.type === 'StringLiteral')
      add(node.arguments[0].expression.value, false);
    else if (node.type === 'TsNonNullExpression') casts[isRead(bare(node.expression)) ? 'reads' : 'others']++;
    else if (node.type === 'TsAsExpression' && node.typeAnnotation.type === 'TsKeywordType' && node.typeAnnotation.kind === 'number')
      casts[isRead(bare(node.expression)) ? 'readsAsNumber' : 'others']++;
    for (const key in node) if (key !== 'span') visit(node[key]);
  };
  visit(tree.body);
  return { file, text, lines: codeLines(text), imports, casts };
}

/** Modules that the index of a registry lists: [path, id]. Where there is no index, the files on top of the room. */
function members(modules, room) {
  const index = modules.get(`${room}/index.ts`);
  const listed = index?.imports.filter(({ to, typeOnly }) => !typeOnly && to.startsWith(`${room}/`) && !isApi(to) && !to.includes('/lib/'));
  const files = listed?.map(({ to }) => to) ?? [...modules.keys()].filter((file) => dirname(file) === room);
  return files
    .filter((file) => modules.has(file) && !isTest(file))
    .map((file) => [
      file,
      file
        .split('/')
        .at(-1)
        .replace(/\.tsx?$/, ''),
    ]);
}

export function measure(root = '.') {
  const { imports = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const aliases = Object.entries(imports).flatMap(([name, to]) =>
    typeof to === 'string' && name.endsWith('*') ? [[name.slice(0, -1), to.slice(2, -1)]] : [],
  );
  const modules = new Map();
  for (const folder of ['src', 'workers', 'cli', 'bench', 'tools', 'e2e'])
    for (const file of filesBelow(root, folder)) modules.set(file, read(root, file, aliases));

  const reached = (start, room) => {
    const seen = new Set([start]);
    for (const file of seen)
      for (const { to, typeOnly } of modules.get(file).imports)
        if (!typeOnly && to.startsWith(`${room}/`) && !isApi(to) && modules.has(to)) seen.add(to);
    return seen.size;
  };
  const files = {};
  const lists = {};
  for (const { kind, room } of KINDS) {
    const all = members(modules, room);
    files[kind] = Object.fromEntries(all.map(([file, id]) => [id, reached(file, room)]).sort(([a], [b]) => (a < b ? -1 : 1)));
    const names = (text) => all.filter(([, id]) => text.includes(`/${id}.ts'`) || text.includes(`'${id}'`) || text.includes(`  ${id}: `));
    lists[kind] = [...modules.values()].filter(({ text }) => names(text).length >= Math.max(3, 0.6 * all.length)).map(({ file }) => file);
  }

  const rooms = {};
  const casts = { reads: 0, readsAsNumber: 0, others: 0 };
  const arrows = new Map();
  for (const { file, lines, imports: out, casts: found } of modules.values()) {
    if (isTest(file)) continue;
    const room = roomOf(file);
    rooms[room] = (rooms[room] ?? 0) + lines;
    for (const name of Object.keys(casts)) casts[name] += found[name];
    for (const { to } of out) {
      const other = modules.has(to) ? roomOf(to) : room;
      if (other !== room) arrows.set(`${room} -> ${other}`, (arrows.get(`${room} -> ${other}`) ?? 0) + 1);
    }
  }
  const unknown = Object.keys(rooms).filter((room) => rankOf(room) < 0);
  if (unknown.length > 0) throw new Error(`No place in the levels of tools/rooms.json for: ${unknown.join(', ')}`);
  const upward = {};
  for (const [arrow, count] of arrows) {
    const [from, to] = arrow.split(' -> ');
    if (rankOf(from) < rankOf(to)) upward[arrow] = count;
  }
  const sorted = (object) => Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { files, rooms: sorted(rooms), casts, arrows: arrows.size, arrowsOf: [...arrows.keys()].sort(), upward: sorted(upward), lists };
}

/** For the picture of the rooms: lines and imports of values and types, with all families of a registry as one room, and src/client and src/ui as one each; lowest first. */
export function measureRooms(root = '.') {
  const { rooms, arrowsOf } = measure(root);
  const whole = (room) => /^src\/(core\/\w+|client|ui)/.exec(room)?.[0] ?? room;
  const lines = {};
  const imports = {};
  for (const [room, count] of Object.entries(rooms)) lines[whole(room)] = (lines[whole(room)] ?? 0) + count;
  for (const arrow of arrowsOf) {
    const [from, to] = arrow.split(' -> ').map(whole);
    imports[from] ??= new Set();
    imports[from].add(to);
  }
  return { rooms: lines, imports, order: [...new Set(LEVELS.flat().map(whole))] };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;

/** What passes its limit, one line each. */
export function violations(found, limits) {
  const out = [];
  for (const { kind, room, one } of KINDS) {
    const most = limits.files[kind];
    for (const [id, count] of Object.entries(found.files[kind]))
      if (count > most) out.push(`${one} ${id} reaches ${count} files of its room, at most ${most}`);
    const more = found.lists[kind].filter((file) => file !== `${room}/index.ts`);
    if (more.length > 0) out.push(`${more.join(', ')} lists every ${one} again: let the ${one} declare what is needed`);
  }
  for (const [arrow, count] of Object.entries(found.upward)) out.push(`${arrow}: ${count} imports upwards`);
  for (const [name, most] of Object.entries(limits.casts))
    if (found.casts[name] > most) out.push(`${found.casts[name]} casts (${name}), at most ${most}`);
  return out;
}

function table(before, after) {
  const rows = [['', 'before', 'after']];
  const counts = (figures, kind) => Object.values(figures.files[kind]);
  for (const { kind, one } of KINDS) {
    rows.push([`files to open per ${one}: median`, median(counts(before, kind)), median(counts(after, kind))]);
    rows.push([`files to open per ${one}: most`, Math.max(0, ...counts(before, kind)), Math.max(0, ...counts(after, kind))]);
    rows.push([
      `lists that name every ${one}`,
      ...[before, after].map(({ lists }) => lists[kind].map((file) => `\`${file}\``).join(', ') || 'none'),
    ]);
  }
  const total = ({ rooms }, of) => Object.entries(rooms).reduce((sum, [room, lines]) => (of(room) ? sum + lines : sum), 0);
  rows.push(['lines of code in src', total(before, (room) => room.startsWith('src')), total(after, (room) => room.startsWith('src'))]);
  rows.push(['rooms', Object.keys(before.rooms).length, Object.keys(after.rooms).length]);
  rows.push(['arrows between rooms', before.arrows, after.arrows]);
  const upward = ({ upward: up }) => `${Object.keys(up).length} (${Object.values(up).reduce((a, b) => a + b, 0)} imports)`;
  rows.push(['of these upward', upward(before), upward(after)]);
  rows.push(['array reads `a[i]!`', before.casts.reads, after.casts.reads]);
  rows.push(['array reads `a[i] as number`', before.casts.readsAsNumber, after.casts.readsAsNumber]);
  rows.push(['other `!` and `as number`', before.casts.others, after.casts.others]);
  const list = (head, body) => [
    `| ${head.join(' | ')} |`,
    `| ${head.map(() => '---').join(' | ')} |`,
    ...body.map((row) => `| ${row.join(' | ')} |`),
  ];
  const both = (kind) => [...new Set([...Object.keys(before.files[kind]), ...Object.keys(after.files[kind])])].sort();
  const perMethod = both('algos').map((id) => [`\`${id}\``, before.files.algos[id] ?? '–', after.files.algos[id] ?? '–']);
  const rooms = [...new Set([...Object.keys(before.rooms), ...Object.keys(after.rooms)])].sort();
  const perRoom = rooms.map((room) => [`\`${room}\``, before.rooms[room] ?? '–', after.rooms[room] ?? '–']);
  return [
    ...list(rows[0], rows.slice(1)),
    '',
    'Files of `core/algos` to open per method, `api/` not counted:',
    '',
    ...list(['method', 'before', 'after'], perMethod),
    '',
    'Lines of code per room, without blank lines, comments and tests:',
    '',
    ...list(['room', 'before', 'after'], perRoom),
    '',
  ].join('\n');
}

function summary(found) {
  for (const { kind, one } of KINDS) {
    const counts = Object.values(found.files[kind]);
    if (counts.length === 0) continue;
    console.log(
      `${counts.length} ${one}s: median ${median(counts)} files, most ${Math.max(...counts)}; named by ${found.lists[kind].join(', ') || 'no list'}`,
    );
  }
  const lines = Object.values(found.rooms).reduce((a, b) => a + b, 0);
  console.log(
    `${Object.keys(found.rooms).length} rooms, ${lines} lines of code, ${found.arrows} arrows, ${Object.keys(found.upward).length} upward`,
  );
  console.log(
    `array reads: ${found.casts.reads} a[i]!, ${found.casts.readsAsNumber} a[i] as number; other ! and as number: ${found.casts.others}`,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const args = process.argv.slice(2);
  const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const found = measure(option('--root') ?? '.');
  const before = option('--table');
  if (args.includes('--json')) console.log(JSON.stringify(found, null, 1));
  else if (before !== undefined) console.log(table(JSON.parse(readFileSync(before, 'utf8')), found));
  else {
    summary(found);
    const wrong = violations(found, LIMITS);
    for (const line of wrong) console.log(`LIMIT: ${line}`);
    process.exit(wrong.length > 0 ? 1 : 0);
  }
}
