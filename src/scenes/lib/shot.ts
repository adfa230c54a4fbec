/**
 * What the camera frames while an episode runs: the view's own bounds, grown as far as agents, goals and things stray, up to a limit. What
 * strays farther gets an arrow at the edge; where all agents do, the frame goes with them. Scene units.
 */
import { Box3, Vector3 } from 'three';
import type { Subject, View } from './view.ts';

/** The frame grows to so many times the diagonal of the view's bounds at most. */
const MOST = 2.4;
/** What leaves the frame widens it by this share of the bounds' diagonal beyond itself, so that the camera rests again. */
const SPARE = 0.05;

export type Seen = Pick<Subject, 'kind' | 'radius' | 'tint'> & { readonly at: Vector3 };

/** What an arrow leads to; `name` where colour does not say it. */
export interface Lost {
  readonly at: Vector3;
  /** null: no agent's. */
  readonly tint: Subject['tint'] | null;
  readonly name: string;
}

export class Shot {
  /** What to frame now. */
  readonly box = new Box3();
  /** Agents and goals that are not in it, and where it came from where it goes with the agents. */
  lost: readonly Lost[] = [];
  /** Of the view's own bounds. */
  readonly middle: Vector3;
  private readonly base: Box3;
  private readonly size: number;
  private along = false;
  private readonly before = new Box3();
  private readonly one = new Box3();
  private readonly wider = new Box3();
  private readonly span = new Vector3();

  constructor(bounds: Box3) {
    this.base = bounds.clone();
    this.middle = bounds.getCenter(new Vector3());
    this.size = bounds.getSize(this.span).length();
    this.box.copy(this.base);
  }

  /** Takes what is to be seen now; `anew`: an episode begins, with the view's own bounds. True where the frame is another one than before. */
  take(view: Pick<View, 'subjects'>, anew: boolean): boolean {
    this.before.copy(this.box);
    if (anew) {
      this.box.copy(this.base);
      this.along = false;
    }
    const all: Seen[] = [];
    view.subjects?.(({ kind, at, radius, tint }) => void all.push({ kind, at: at.clone(), radius, tint }));
    const agents = all.filter(({ kind }) => kind === 'agent');
    if (this.along) this.follow(agents);
    else this.widen(all, agents);
    this.lost = [
      ...all.filter(({ kind, at }) => kind !== 'thing' && !this.box.containsPoint(at)).map(({ at, tint }) => ({ at, tint, name: '' })),
      ...(this.along ? [{ at: this.middle, tint: null, name: 'start' }] : []),
    ];
    return !this.before.equals(this.box);
  }

  /** Goals first, then the nearest: what is far does not push out what is near. */
  private widen(all: readonly Seen[], agents: readonly Seen[]): void {
    const far = ({ at }: Seen): number => at.distanceToSquared(this.middle);
    const goal = ({ kind }: Seen): number => (kind === 'goal' ? 0 : 1);
    for (const one of [...all].sort((a, b) => goal(a) - goal(b) || far(a) - far(b))) this.hold(one);
    if (agents.length === 0 || agents.some(({ at }) => this.box.containsPoint(at))) return;
    this.along = true;
    this.follow(agents);
  }

  /** A frame of the bounds' own size round the first agent, and the others as far as they fit. */
  private follow(agents: readonly Seen[]): void {
    const [first] = agents;
    if (first === undefined || this.box.containsPoint(first.at)) return;
    this.box.setFromCenterAndSize(first.at, this.base.getSize(this.span));
    for (const agent of agents) this.hold(agent);
  }

  /** Grows the frame round a subject where it may. */
  private hold({ at, radius }: Seen): void {
    const { box, wider } = this;
    this.one.setFromCenterAndSize(at, this.span.setScalar(2 * radius));
    if (box.containsBox(this.one)) return;
    wider.copy(box).union(this.one);
    if (wider.getSize(this.span).length() > MOST * this.size) return;
    const spare = SPARE * this.size;
    for (const axis of ['x', 'y', 'z'] as const) {
      if (wider.min[axis] < box.min[axis]) wider.min[axis] -= spare;
      if (wider.max[axis] > box.max[axis]) wider.max[axis] += spare;
    }
    box.copy(wider);
  }
}
