/** Latest request wins: of several requests only the newest may change what is shown. The page's one way to drop late answers. */

/** Whether the request is still the newest one. */
export type Turn = () => boolean;

export class Latest {
  private newest = 0;

  /** Begins a request. Every earlier one is outdated from then on. */
  readonly begin = (): Turn => {
    const mine = ++this.newest;
    return () => mine === this.newest;
  };
}
