/**
 * `npm run pictures`: one picture per environment preset, drawn by the page's own scenes after some steps of its expert (or at random),
 * into public/pictures/<env>-<preset>.webp, and the same for the dark theme into public/pictures/dark; with `--theme` one theme only, into the folder itself.
 *   node tools/pictures.mjs [--out FOLDER] [--sheet FILE.png] [--across 4] [--theme light|dark] [--frames FILE.json] [--missing] [ENV | ENV/PRESET ...]
 * With names only those are drawn and the others stay; with `--missing` only those that have no picture yet (a tile without one shows a small sign).
 * Pictures of presets that no longer exist are removed. `--sheet` also lays the new ones side by side, for looking at them. `--frames`
 * draws frames from a file, [{ name, layout, frames }], instead of environments. `--references` rewrites the pictures that
 * e2e/pictures.spec.ts compares with: look at every one before it is committed.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
const themes = process.argv.includes('--theme') ? [option('--theme', 'light')] : ['light', 'dark'];
const given = option('--frames', '');
const missing = process.argv.includes('--missing');
const wanted = process.argv.slice(2).filter((word, i, all) => !word.startsWith('--') && !all[i - 1]?.startsWith('--'));

const stage = await openPictures(themes[0]);
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

/** Where the pictures of each theme lie. */
function folders() {
  return themes.map((_, i) => (i === 0 ? out : `${out}/dark`));
}

async function drawPresets(page) {
  for (const folder of folders()) mkdirSync(folder, { recursive: true });
  const all = await page.evaluate(() => globalThis.pictures.list());
  const fileOf = ({ env, preset }) => `${env}-${preset}.webp`;
  const named = all.filter(({ env, preset }) => wanted.length === 0 || wanted.includes(env) || wanted.includes(`${env}/${preset}`));
  for (const one of missing ? named.filter((entry) => folders().some((folder) => !existsSync(`${folder}/${fileOf(entry)}`))) : named) {
    const { env, preset } = one;
    const wish = { ...USUAL, ...SIZE, ...momentOf(env, preset), themes };
    try {
      const picture = await page.evaluate(([e, p, w]) => globalThis.pictures.draw(e, p, w), [env, preset, wish]);
      folders().forEach((folder, i) => {
        save({ env, preset, file: fileOf(one), folder }, picture.images[i]);
      });
    } catch (error) {
      console.error(`${env}/${preset}: ${error.message.split('\n')[0]}`);
      process.exitCode = 1;
    }
  }
  const kept = new Set(all.map(fileOf));
  for (const folder of folders())
    for (const file of readdirSync(folder)) if (file.endsWith('.webp') && !kept.has(file)) rmSync(`${folder}/${file}`);
  const files = [...kept].filter((file) => existsSync(`${out}/${file}`));
  const total = folders()
    .flatMap((folder) => files.map((file) => `${folder}/${file}`))
    .reduce((sum, file) => sum + statSync(file).size, 0);
  console.log(`${drawn.length} drawn; ${files.length} of ${all.length} presets have a picture, ${(total / 1e6).toFixed(2)} MB`);
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
  writeFileSync(`${entry.folder ?? out}/${entry.file}`, bytes);
  drawn.push(entry);
}

async function drawSheet() {
  const page = await stage.browser.newPage({ viewport: { width: 1480, height: 900 } });
  const cells = drawn.map(({ env, preset, file, folder }) => {
    const data = readFileSync(`${folder ?? out}/${file}`).toString('base64');
    return `<figure><img src="data:image/webp;base64,${data}"><figcaption>${env} ${preset}</figcaption></figure>`;
  });
  await page.setContent(
    `<style>body{margin:8px;display:grid;grid-template-columns:repeat(${Math.min(across, drawn.length)},1fr);gap:8px;font:12px sans-serif}figure{margin:0}img{width:100%;display:block}</style>${cells.join('')}`,
  );
  await page.screenshot({ path: sheet, fullPage: true });
}
