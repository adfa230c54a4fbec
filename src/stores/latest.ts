/** Of several things that are asked for one after another only the newest may change what is shown: the page's one way to drop late answers. */

/** Whether what was begun with it is still the newest. */
export type Turn = () => boolean;

export class Latest {
  private newest = 0;

  /** Begins a turn. Every earlier one is over. */
  readonly begin = (): Turn => {
    const mine = ++this.newest;
    return () => mine === this.newest;
  };
}
