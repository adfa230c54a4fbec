import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { withoutEval } from './mujoco-plugin.mjs';

const FILE = 'node_modules/@mujoco/mujoco/mujoco.js';
const text = readFileSync(FILE, 'utf8');
const MODEL = `<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 1"><freejoint/><geom type="capsule" size=".1 .2"/></body></worldbody></mujoco>`;

async function moved(address: string): Promise<readonly number[]> {
  const { default: load } = (await import(address)) as typeof import('@mujoco/mujoco');
  const bindings = await load({ wasmBinary: readFileSync('node_modules/@mujoco/mujoco/mujoco.wasm') });
  const model = bindings.MjModel.from_xml_string(MODEL);
  const data = new bindings.MjData(model);
  for (let i = 0; i < 500; i++) bindings.mj_step(model, data);
  const { opt } = model;
  const found = [...data.qpos, ...data.qvel, opt.timestep, data.contact.size()];
  expect(() => bindings.MjModel.from_xml_string('<mujoco><foo/></mujoco>')).toThrow('foo');
  for (const handle of [opt, data, model]) handle.delete();
  return found;
}

it('the changed loader makes no function from text and moves bodies bit for bit as the package does', async () => {
  const changed = withoutEval(text);
  expect(text).toContain('new Function(');
  expect(changed).not.toContain('new Function(');
  const folder = resolve('node_modules/.cache/rl-workbench/mujoco-plugin');
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/mujoco.mjs`, changed);
  expect(await moved(pathToFileURL(`${folder}/mujoco.mjs`).href)).toEqual(await moved(pathToFileURL(resolve(FILE)).href));
});

it('another loader stops the build', () => {
  expect(() => withoutEval(text.replace('new Function(', 'new  Function('))).toThrow('3.14.0');
  expect(() => withoutEval('')).toThrow('3.14.0');
});
