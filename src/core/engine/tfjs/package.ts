/** The door rl-workbench/tfjs: a program that wants tfjs's executors loads them here, so that a bundler meets @tensorflow in no other program. */
import { offerTfjs } from '../offered.ts';
import { createTfjsEngine } from './engine.ts';

/** From here on `executor: 'tfjs-webgpu'` and its siblings work. Needs the @tensorflow packages that are named as optional peers. */
export function useTfjs(): void {
  offerTfjs(createTfjsEngine);
}
