import { chromium } from '@playwright/test';
import { BROWSER_FLAGS, findBrowser } from './tools/browser.mjs';
import { serve } from './tools/serve.mjs';
const { server, url } = await serve({ port: 4341, dir: '/tmp/kk/b6' });
const browser = await chromium.launch({ executablePath: await findBrowser(), args: [...BROWSER_FLAGS] });
const FAM = [['taxi', '', 40000], ['acrobot', '', 60000], ['snake', '', 30000], ['minatar-asterix', '', 20000], ['mpe-simple-tag', '', 20000], ['connect-four', '', 8000], ['matrix', '', 10000], ['umbrella-chain', '', 20000], ['vmas-balance', '', 20000], ['t-lookup', '', 4000], ['cliff-walking', '', 20000], ['boids', '', 0], ['cleanup', '', 10000], ['pathfinding', '', 20000]];
const only = process.argv.slice(2);
for (const [env, , steps] of FAM.filter(([id]) => only.length === 0 || only.includes(id))) {
  for (const kind of ['done', 'stuck', 'diverged']) {
    const ctx = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
    const page = await ctx.newPage();
    const n = kind === 'stuck' ? Math.min(1500, steps) : steps;
    const extra = kind === 'diverged' ? '&algo.lr=1' : '';
    await page.goto(`${url}#env=${env}&depth=teach&seeds=2${n ? `&steps=${n}` : ''}${extra}`);
    const read = (label) => page.evaluate((label) => {
      const grab = (sel) => [...document.querySelectorAll(sel)].map((e) => e.innerText.replace(/\s+/g, ' ').trim()).filter(Boolean).join(' / ');
      const r = window.__lab?.activeRun;
      const fig = r ? r.seeds.map((s) => { const c = window.__lab.curve(r.id, s.seed, 'episodicReturn'); const v = c?.values ?? []; const k = Math.max(1, Math.floor(v.length / 5)); const m = (a) => a.length ? (a.reduce((x, y) => x + y, 0) / a.length).toFixed(3) : '-'; return `${s.state}@${s.step} n${v.length} first ${m([...v].slice(0, k))} last ${m([...v].slice(-k))}`; }).join('; ') : '';
      return `  ${label} | SCENE ${grab('[class*=_welcome_] p, [class*=_message_]').slice(0, 330)} | MOMENT ${grab('[class*=_moment_]').slice(0, 400)} | CURVES ${grab('#panel-curves [class*=_empty_], #panel-curves [class*=inding]').slice(0, 300)} | WHY ${grab('#panel-why [class*=_sentence_], #panel-why [class*=_empty_], #panel-why p').slice(0, 260)} | FIG ${fig}`;
    }, label).catch((e) => `  ${label} ERR ${e.message.slice(0, 80)}`);
    try {
      await page.waitForFunction(() => (window.__lab?.stage.length ?? 0) > 0 || document.querySelector('[role=dialog]'), undefined, { timeout: 30000 });
      await page.waitForTimeout(600);
      console.log(`## ${env} ${kind} ${await page.title()}`);
      if (kind === 'done') console.log(await read('before'));
      const train = page.getByRole('group', { name: 'Training' }).getByRole('button', { name: 'Train', exact: true });
      if (await train.count() === 0) { console.log('  no Train'); await ctx.close(); continue; }
      await train.click();
      if (kind === 'done') { await page.waitForFunction((n) => { const s = window.__lab?.activeRun?.seeds; return s && (s[0].step > 0.3 * n || s.every((x) => ['done','failed'].includes(x.state))); }, steps, { timeout: 60000 }).catch(() => {}); await page.waitForTimeout(300); console.log(await read('learning')); }
      await page.waitForFunction(() => { const s = window.__lab?.activeRun?.seeds; return s && s.every((x) => ['done', 'failed', 'diverged', 'stopped'].includes(x.state)); }, undefined, { timeout: 75000 }).catch(() => console.log('  (not ended)'));
      await page.waitForTimeout(2500);
      console.log(await read(kind));
    } catch (e) { console.log(`## ${env} ${kind} ERR ${e.message.slice(0, 200)}`); }
    await ctx.close();
  }
}
await browser.close(); server.close();
