/**
 * Draws the install icons from public/icon.svg: `node tools/icons.mjs`. The maskable one fills its square and keeps the mark inside
 * the safe circle (80 %). Needs a browser, see browser.mjs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { findBrowser } from './browser.mjs';

const svg = readFileSync('public/icon.svg', 'utf8');
const SIZES = [
  { file: 'icon-192.png', size: 192, maskable: false },
  { file: 'icon-512.png', size: 512, maskable: false },
  { file: 'icon-maskable-512.png', size: 512, maskable: true },
];

const browser = await chromium.launch({ executablePath: await findBrowser(), args: ['--no-sandbox'] });
const page = await browser.newPage();
for (const { file, size, maskable } of SIZES) {
  const inner = maskable ? Math.round(size * 0.78) : size;
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(
    `<style>body{margin:0;display:grid;place-items:center;height:${size}px;background:${maskable ? '#2c57cd' : 'transparent'}}
     svg{width:${inner}px;height:${inner}px}</style>${svg}`,
  );
  writeFileSync(`public/${file}`, await page.screenshot({ omitBackground: !maskable }));
}
await browser.close();
