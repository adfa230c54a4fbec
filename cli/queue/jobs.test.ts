/** What a worker takes for a job of this version. */
import { expect, test } from 'vitest';
import { completeRun } from '#core/run/loaded.ts';
import { jobData, runOfJob } from './jobs.ts';

const config = completeRun({ env: { id: 'frozen-lake' }, algo: { id: 'q-learning' }, run: { steps: 1000 } });

test('a job comes back with its config and its seed, and one of another seed, version or config is refused in words', async () => {
  const job = JSON.parse(JSON.stringify(jobData(config, 7))) as ReturnType<typeof jobData>;
  expect(await runOfJob(job)).toMatchObject({ config, seed: 7, id: `${job.hash}-7` });
  expect((await runOfJob({ ...job, seed: 0xffff_ffff })).seed).toBe(0xffff_ffff);
  for (const seed of [-1, 2 ** 32, 2 ** 40, 0.5])
    await expect(runOfJob({ ...job, seed }), String(seed)).rejects.toThrow(`Its seed is ${seed}`);
  for (const wrong of [null, [], {}, { ...job, version: 2 }, { ...job, seed: '7' }])
    await expect(runOfJob(wrong)).rejects.toThrow('not put into the queue');
  await expect(runOfJob({ ...job, hash: 'f'.repeat(64) })).rejects.toThrow('different versions');
  // The whole hash names the job: of twelve digits another config can be made in hours, and its result would be taken for this one's.
  expect(job.hash).toMatch(/^[0-9a-f]{64}$/);
  await expect(runOfJob({ ...job, hash: job.hash.slice(0, 12) })).rejects.toThrow('different versions');
});
