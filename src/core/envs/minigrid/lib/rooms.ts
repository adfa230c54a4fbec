/**
 * Rooms of equal size in a grid, sharing walls (Minigrid `core/roomgrid.py`): every wall between two rooms has one place where a
 * door or gap may come, drawn at the start. Things are never placed next to where the agent stood when they were placed; the agent
 * never starts right in front of a thing.
 */
import { badConfig } from '../../api/parse.ts';
import type { Builder } from './builder.ts';
import { CLOSED, cell, DOOR, EMPTY, EMPTY_CELL, LOCKED, objectOf, WALL } from './cells.ts';
import { DX, DY } from './view.ts';

const TRIES = 1000;
const ANY_COLOUR = [0, 1, 2, 3, 4, 5];

/** Sides: 0 right, 1 bottom, 2 left, 3 top. */
export class Rooms {
  readonly columns: number;
  readonly rows: number;
  protected readonly b: Builder;
  protected readonly size: number;
  private readonly gates: Int32Array; // [rooms, 4] cell of the gate on that side, -1 none
  private readonly joined: Uint8Array; // [rooms, 4] a door or gap is there
  private readonly locked: Uint8Array; // [rooms]

  constructor(b: Builder, size: number) {
    this.b = b;
    this.size = size;
    this.columns = (b.width - 1) / (size - 1);
    this.rows = (b.height - 1) / (size - 1);
    const count = this.columns * this.rows;
    this.gates = new Int32Array(count * 4).fill(-1);
    this.joined = new Uint8Array(count * 4);
    this.locked = new Uint8Array(count);
    const step = size - 1;
    for (let i = 0; i <= this.columns; i++) b.vertical(i * step, 0, b.height);
    for (let j = 0; j <= this.rows; j++) b.horizontal(0, j * step, b.width);
    for (let j = 0; j < this.rows; j++)
      for (let i = 0; i < this.columns; i++) {
        const room = this.room(i, j);
        if (i < this.columns - 1) {
          const at = b.index((i + 1) * step, b.int(j * step + 1, (j + 1) * step - 1, 'gate'));
          this.gates[room * 4] = at;
          this.gates[this.room(i + 1, j) * 4 + 2] = at;
        }
        if (j < this.rows - 1) {
          const at = b.index(b.int(i * step + 1, (i + 1) * step - 1, 'gate'), (j + 1) * step);
          this.gates[room * 4 + 1] = at;
          this.gates[this.room(i, j + 1) * 4 + 3] = at;
        }
      }
    // where the reference's agent stands while things are placed
    b.agent(Math.floor(this.columns / 2) * step + Math.floor(size / 2), Math.floor(this.rows / 2) * step + Math.floor(size / 2), 0);
  }

  protected room(i: number, j: number): number {
    return j * this.columns + i;
  }

  hasNeighbour(i: number, j: number, side: number): boolean {
    return this.gates[this.room(i, j) * 4 + side]! >= 0;
  }

  /** Whether there is a room on that side, and neither door nor gap yet. */
  protected isShut(room: number, side: number): boolean {
    return this.gates[room * 4 + side]! >= 0 && this.joined[room * 4 + side] === 0;
  }

  private join(i: number, j: number, side: number): number {
    const room = this.room(i, j);
    const at = this.gates[room * 4 + side]!;
    if (at < 0) throw new Error('there is no room on that side');
    const other = this.room(i + DX[side]!, j + DY[side]!);
    this.joined[room * 4 + side] = 1;
    this.joined[other * 4 + ((side + 2) % 4)] = 1;
    return at;
  }

  /** A door in that wall; returns its cell. A locked door locks the room it was given for. */
  door(i: number, j: number, side: number, colour: number, locked: boolean): number {
    const at = this.join(i, j, side);
    this.locked[this.room(i, j)] = locked ? 1 : 0; // as the reference: a later door that is not locked takes the mark away
    this.b.set(at % this.b.width, Math.floor(at / this.b.width), cell(DOOR, colour, locked ? LOCKED : CLOSED));
    return at;
  }

  /** Takes the whole wall on that side away. */
  open(i: number, j: number, side: number): void {
    this.join(i, j, side);
    const step = this.size - 1;
    for (let k = 1; k < step; k++) {
      if (side === 0 || side === 2) this.b.set((i + (side === 0 ? 1 : 0)) * step, j * step + k, EMPTY_CELL);
      else this.b.set(i * step + k, (j + (side === 1 ? 1 : 0)) * step, EMPTY_CELL);
    }
  }

  place(word: number, i: number, j: number, name: string): number {
    const { b, size } = this;
    const away = (x: number, y: number) => Math.abs(x - b.agentX) + Math.abs(y - b.agentY) >= 2;
    return b.place(word, name, i * (size - 1), j * (size - 1), size, size, away);
  }

  placeAgent(i: number, j: number): void {
    const { b, size } = this;
    for (let attempt = 0; attempt < TRIES; attempt++) {
      b.placeAgent(i * (size - 1), j * (size - 1), size, size);
      const front = objectOf(b.get(b.agentX + DX[b.agentDir]!, b.agentY + DY[b.agentDir]!));
      if (front === EMPTY || front === WALL) return;
    }
    throw badConfig('layout', 'There is no place for the agent.', 'Make the rooms larger.');
  }

  /** Adds doors of random colours until every room is joined to the agent's; locked rooms get no second door. */
  connect(colours: readonly number[] = ANY_COLOUR): void {
    const { b, size } = this;
    const start = this.room(Math.floor(b.agentX / (size - 1)), Math.floor(b.agentY / (size - 1)));
    for (let attempt = 0; attempt < 5 * TRIES; attempt++) {
      if (this.reached(start) === this.columns * this.rows) return;
      const i = b.int(0, this.columns - 1, 'join column');
      const j = b.int(0, this.rows - 1, 'join row');
      const side = b.int(0, 3, 'join side');
      const room = this.room(i, j);
      if (!this.isShut(room, side)) continue;
      const other = this.room(i + DX[side]!, j + DY[side]!);
      if (this.locked[room] === 1 || this.locked[other] === 1) continue;
      this.door(i, j, side, b.pick(colours, 'door colour'), false);
    }
    throw badConfig('width', 'The rooms could not be joined.', 'Change the size.');
  }

  private reached(start: number): number {
    const seen = new Set([start]);
    const queue = [start];
    for (let room = queue.pop(); room !== undefined; room = queue.pop())
      for (let side = 0; side < 4; side++) {
        if (this.joined[room * 4 + side] === 0) continue;
        const next = room + DX[side]! + DY[side]! * this.columns;
        if (!seen.has(next)) {
          seen.add(next);
          queue.push(next);
        }
      }
    return seen.size;
  }
}

/** Two rooms of size 6 side by side: the setting of the Unlock family. */
export function checkTwoRooms(c: { readonly width: number; readonly height: number }): void {
  if (c.width !== 2 * c.height - 1 || c.height < 4)
    throw badConfig('width', 'Two square rooms share a wall here.', 'Width 2 x height - 1, height 4 or more, e.g. 11 x 6.');
}
