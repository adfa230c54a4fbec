/**
 * One compiled program: its inputs, outputs, constants and commands. `in` and `out` look straight into linear memory and are made
 * anew when it grows; run() walks the commands, synchronously, and allocates nothing.
 */
import { fail, isTrap } from '#contract/kit/errors.ts';
import type { Program } from '../types.ts';
import type { Machine } from './memory.ts';
import type { Command } from './step.ts';

export interface Block {
  readonly address: number;
  readonly floats: number;
}

export interface ProgramParts {
  readonly inputs: ReadonlyMap<string, Block>;
  readonly outputs: ReadonlyMap<string, Block>;
  /** Blocks to free with the program. */
  readonly owned: readonly Block[];
  readonly commands: readonly Command[];
  readonly stats: Program['stats'];
  readonly derive: Program['derive'];
}

const brokeDown = ({ trap }: Machine): Error =>
  fail(
    'engine-unready',
    `The kernels broke down (${trap.text}), and nothing more is computed with their memory.`,
    'Begin again from the newest kept state, which makes new ones; if it happens again, report it with this message.',
  );

type Views = { [name: string]: Float32Array };

export class WasmProgram implements Program {
  readonly in: Views = {};
  readonly out: Views = {};
  readonly stats: Program['stats'];
  readonly derive: Program['derive'];
  private commands: readonly Command[];
  private readonly machine: Machine;
  private readonly parts: ProgramParts;
  private readonly forget: () => void;
  private disposed = false;

  constructor(machine: Machine, parts: ProgramParts) {
    this.machine = machine;
    this.parts = parts;
    this.commands = parts.commands;
    this.stats = parts.stats;
    this.derive = parts.derive;
    this.rebuild();
    this.forget = machine.memory.onGrow(() => this.rebuild());
  }

  private rebuild(): void {
    const { memory } = this.machine;
    for (const [name, b] of this.parts.inputs) this.in[name] = memory.view(b.address, b.floats);
    for (const [name, b] of this.parts.outputs) this.out[name] = memory.view(b.address, b.floats);
  }

  /** Throws LabError('engine-unready') where a kernel trapped, in this program or in another of the same memory, which is in any state then. */
  run(): undefined {
    const { commands, machine } = this;
    if (machine.trap.text !== '') throw brokeDown(machine);
    try {
      for (let i = 0; i < commands.length; i++) commands[i]!();
    } catch (error) {
      if (!isTrap(error)) throw error;
      machine.trap.text = error.message;
      throw brokeDown(machine);
    }
  }

  read(): undefined {
    // out looks into the executor's memory
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.forget();
    this.commands = [
      () => {
        throw new Error('this program was disposed');
      },
    ];
    for (const b of this.parts.owned) this.machine.memory.free(b.address, b.floats * 4);
  }
}
