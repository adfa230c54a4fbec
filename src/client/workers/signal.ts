/** News from a lower service: higher ones listen, in the order in which they began. */
export class Signal<T extends readonly unknown[]> {
  private readonly listeners: ((...news: T) => void)[] = [];

  on(listener: (...news: T) => void): void {
    this.listeners.push(listener);
  }

  readonly emit = (...news: T): void => {
    for (const listener of this.listeners) listener(...news);
  };
}
