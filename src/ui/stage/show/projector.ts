/**
 * Draws the small scenes of a page, those in sight, in animation frames only while something moves or waits to be drawn. Scenes take turns: what
 * does not fit into one frame is drawn in the next, so that a page of many scenes stays smooth and each gets its share.
 */
import type { Clip } from '#client/stage/clips.ts';
import type { SmallScene } from '#scenes/types.ts';
import type { Reel } from './reel.ts';

/** ms of an animation frame that pictures may take. */
const BUDGET_MS = 7;

export interface Shown {
  readonly scene: SmallScene;
  readonly clip: Clip;
  readonly reel: Reel;
  inSight: boolean;
  /** Its canvas or its colours changed: it is drawn even if it stands still. */
  stale: boolean;
  /** Called after it was drawn, with its frame. */
  readonly drawn: (t: number) => void;
}

interface Member {
  readonly shown: Shown;
  t: number;
  alpha: number;
}

export class Projector {
  private readonly ready: (now: number) => boolean;
  private members: Member[] = [];
  private request = 0;
  private before = 0;

  /** `ready`: whether the renderer can take another picture now. */
  constructor(ready: (now: number) => boolean) {
    this.ready = ready;
  }

  /** Answers what takes it away again. */
  add(shown: Shown): () => void {
    const member: Member = { shown, t: -1, alpha: -1 };
    this.members.push(member);
    shown.reel.enter(shown.clip);
    this.wake();
    return () => {
      this.members = this.members.filter((other) => other !== member);
      shown.reel.leave(shown.clip);
    };
  }

  /** Something may have to be drawn: a reel runs, a scene came into sight, a canvas has another size. */
  wake(): void {
    if (this.request === 0) this.request = requestAnimationFrame((now) => this.frame(now));
  }

  private frame(now: number): void {
    this.request = 0;
    const seconds = this.before === 0 ? 0 : (now - this.before) / 1000;
    const seen = this.members.filter(({ shown }) => shown.inSight);
    const reels = new Set(seen.map(({ shown }) => shown.reel));
    for (const reel of reels) {
      reel.tick(seconds);
      if (reel.behind && this.isSettled(reel)) reel.nextRound();
    }
    const due = seen.filter((member) => this.isDue(member));
    const until = performance.now() + BUDGET_MS;
    for (const member of due) {
      const time = performance.now();
      // A first frame is what people wait for, and the rest of a round what the others wait for: it takes no turn.
      const first = member.t < 0 || (member.shown.reel.together && member.shown.reel.begun);
      if (time > until || (!first && !this.ready(time))) break;
      this.draw(member);
    }
    // Scenes together finish their round, and go where their clock was put by hand, even if it stands still.
    const late = due.some((member) => (member.shown.reel.together ? this.isDue(member) : member.shown.stale));
    const more = late || [...reels].some(({ playing, behind }) => playing || behind);
    this.before = more ? now : 0;
    if (more) this.wake();
  }

  private isDue({ shown, t, alpha }: Member): boolean {
    const moment = shown.reel.momentOf(shown.clip);
    return shown.stale || moment.t !== t || moment.alpha !== alpha;
  }

  /** All its scenes in sight stand at its moment. */
  private isSettled(reel: Reel): boolean {
    return this.members.every((member) => member.shown.reel !== reel || !member.shown.inSight || !this.isDue(member));
  }

  private draw(member: Member): void {
    const { shown } = member;
    const { t, alpha } = shown.reel.momentOf(shown.clip);
    if (!shown.scene.show(t, alpha)) return;
    Object.assign(member, { t, alpha });
    shown.stale = false;
    shown.reel.begun = true;
    if (!shown.reel.together) shown.drawn(t);
    else if (this.isSettled(shown.reel)) {
      for (const other of this.members) if (other.shown.reel === shown.reel && other.shown.inSight) other.shown.drawn(other.t);
    }
    // To the end of the line.
    this.members = [...this.members.filter((other) => other !== member), member];
  }
}
