/**
 * `npm run pictures`: one picture per environment preset, drawn by the page's own scenes after some steps of its expert (or at random),
 * into public/pictures/<env>-<preset>.webp with index.json beside them.
 *   node tools/pictures.mjs [--out FOLDER] [--sheet FILE.png] [--across 4] [--theme light|dark] [--frames FILE.json] [ENV | ENV/PRESET ...]
 * With names only those are drawn and the others stay. `--sheet` also lays the new ones side by side, for looking at them. `--frames`
 * draws frames from a file, [{ name, layout, frames }], instead of environments. `--references` rewrites the pictures that
 * e2e/pictures.spec.ts compares with: look at every one before it is committed.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { momentOf } from './pictures/moments.mjs';
import { openPictures } from './pictures/open.mjs';
import { FOLDER, REFERENCES } from './pictures/references.mjs';

const SIZE = { width: 480, height: 300, quality: 0.66 };
const USUAL = { steps: 24, seed: 3, policy: 'expert', camera: 'home', turn: [0, 0, 1] };

const option = (name, fallback) => {
  const at = process.argv.indexOf(name);
  return at > 0 ? process.argv[at + 1] : fallback;
};
const references = process.argv.includes('--references');
const out = option('--out', references ? FOLDER : 'public/pictures');
const sheet = option('--sheet', '');
const across = Number(option('--across', '4'));
const theme = option('--theme', 'light');
const given = option('--frames', '');
const wanted = process.argv.slice(2).filter((word, i, all) => !word.startsWith('--') && !all[i - 1]?.startsWith('--'));

const stage = await openPictures(theme);
const drawn = [];
try {
  const { page } = stage;
  mkdirSync(out, { recursive: true });
  if (given !== '') await drawFrames(page);
  else if (references) await drawReferences(page);
  else await drawPresets(page);
  if (sheet !== '') await drawSheet();
} finally {
  await stage.close();
}

async function drawPresets(page) {
  const all = await page.evaluate(() => globalThis.pictures.list());
  const chosen = all.filter(({ env, preset }) => wanted.length === 0 || wanted.includes(env) || wanted.includes(`${env}/${preset}`));
  for (const { env, preset, title, presetTitle } of chosen) {
    const wish = { ...USUAL, ...SIZE, ...momentOf(env, preset) };
    try {
      const picture = await page.evaluate(([e, p, w]) => globalThis.pictures.draw(e, p, w), [env, preset, wish]);
      save({ env, preset, title, presetTitle, file: `${env}-${preset}.webp`, steps: picture.steps, policy: picture.policy }, picture.image);
    } catch (error) {
      console.error(`${env}/${preset}: ${error.message.split('\n')[0]}`);
      process.exitCode = 1;
    }
  }
  writeIndex(all);
}

async function drawReferences(page) {
  for (const { name, env, preset, wish } of REFERENCES) {
    const { image } = await page.evaluate(([e, p, w]) => globalThis.pictures.draw(e, p, w), [env, preset, wish]);
    save({ env: name, preset, file: `${name}.webp` }, image);
  }
}

async function drawFrames(page) {
  for (const { name, layout, frames, wish } of JSON.parse(readFileSync(given, 'utf8'))) {
    const complete = { ...USUAL, ...SIZE, ...wish };
    const image = await page.evaluate(([l, f, w]) => globalThis.pictures.frames(l, f, w), [layout, frames, complete]);
    save({ env: name, preset: '', file: `${name}.webp` }, image);
  }
}

function save(entry, image) {
  const bytes = Buffer.from(image.slice(image.indexOf(',') + 1), 'base64');
  writeFileSync(`${out}/${entry.file}`, bytes);
  drawn.push({ ...entry, bytes: bytes.length });
}

/** The index keeps what was not drawn this time and forgets what no longer exists. */
function writeIndex(all) {
  const file = `${out}/index.json`;
  let before = [];
  try {
    before = JSON.parse(readFileSync(file, 'utf8')).pictures;
  } catch {
    // There is none yet.
  }
  const key = ({ env, preset }) => `${env}/${preset}`;
  const known = new Map([...before, ...drawn].map((entry) => [key(entry), entry]));
  const exists = new Set(all.map(key));
  for (const [name, entry] of known) if (!exists.has(name)) rmSync(`${out}/${entry.file}`, { force: true });
  const pictures = all
    .flatMap((entry) => known.get(key(entry)) ?? [])
    .map(({ env, preset, file: name, steps, policy, bytes }) => ({ env, preset, file: name, steps, policy, bytes }));
  writeFileSync(file, `${JSON.stringify({ version: 1, width: SIZE.width, height: SIZE.height, pictures }, null, 1)}\n`);
  const total = pictures.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(`${drawn.length} drawn; ${pictures.length} of ${all.length} presets have a picture, ${(total / 1e6).toFixed(2)} MB`);
}

async function drawSheet() {
  const page = await stage.browser.newPage({ viewport: { width: 1480, height: 900 } });
  const cells = drawn.map(({ env, preset, file }) => {
    const data = readFileSync(`${out}/${file}`).toString('base64');
    return `<figure><img src="data:image/webp;base64,${data}"><figcaption>${env} ${preset}</figcaption></figure>`;
  });
  await page.setContent(
    `<style>body{margin:8px;display:grid;grid-template-columns:repeat(${Math.min(across, drawn.length)},1fr);gap:8px;font:12px sans-serif}figure{margin:0}img{width:100%;display:block}</style>${cells.join('')}`,
  );
  await page.screenshot({ path: sheet, fullPage: true });
}
