/**
 * Whether the draft came by a link made elsewhere. Then nothing of this profile is touched: what is trained is kept only if the person
 * says so, or changes the draft, which makes it their own. Reloading one's own page is no visit.
 */
import { draftStore } from '#stores/draft.ts';

export class Visits {
  private readonly key: string;
  private visited: string | null = null;

  constructor(namespace: string) {
    this.key = `rl-workbench:draft:${namespace}`;
  }

  get visiting(): boolean {
    return this.visited !== null;
  }

  /** A link to the config of this hash is about to open: somebody else's, unless this profile left off with it. */
  arrive(hash: string): void {
    this.visited = this.isOwn(hash) ? null : hash;
  }

  private isOwn(hash: string): boolean {
    try {
      return localStorage.getItem(this.key) === hash;
    } catch {
      return false; // storage is blocked: every visit is a first one
    }
  }

  /** From now on the newest own draft is remembered. */
  follow(): void {
    const remember = (): void => {
      const { hash } = draftStore.getState();
      if (hash === this.visited) return;
      this.visited = null;
      try {
        localStorage.setItem(this.key, hash);
      } catch {
        // Storage is blocked.
      }
    };
    draftStore.subscribe((state, before) => {
      if (state.hash !== before.hash) remember();
    });
    remember();
  }
}
