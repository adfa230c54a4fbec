/**
 * A view whose code is loaded when it is first drawn. React keeps the failure of its own `lazy` for ever; here a view that could not be fetched is
 * asked for again once `tryAgain` was called: the network may be back. Boundary.tsx says what is missing and offers it.
 */
import { type ComponentType, lazy, type ReactNode } from 'react';
import { createStore } from 'zustand/vanilla';

let tries = 0;

/**
 * How many views have been fetched. What draws them inside a `Suspense` follows it: React lets a view that was waited for appear only 300 ms after the
 * last placeholder, unless something else asks for the same drawing.
 */
export const viewsFetched = createStore<number>(() => 0);

/** Failures that the page shows, or that need no word. */
const handled = new WeakSet<object>();

/** Notes that nothing more need be said of this failure; answers it. */
export function handle(error: unknown): unknown {
  if (error instanceof Error) handled.add(error);
  return error;
}

export const isHandled = (error: unknown): boolean => error instanceof Error && handled.has(error);

/** Views that could not be fetched are fetched again when they are drawn next. */
export function tryAgain(): void {
  tries++;
}

type Draws<Props> = (props: Props) => ReactNode;
type PropsOf<View> = View extends (props: infer Props) => ReactNode ? (Props extends object ? Props : object) : never;

export function late<View extends Draws<never>>(load: () => Promise<{ readonly default: View }>): Draws<PropsOf<View>> {
  /** The value of `tries` at which it could not be fetched. */
  let failedAt: number | null = null;
  const fetched = async (): Promise<{ readonly default: ComponentType<object> }> => {
    try {
      const { default: view } = await load();
      viewsFetched.setState((count) => count + 1, true);
      return { default: view as unknown as ComponentType<object> };
    } catch (error) {
      failedAt = tries;
      throw handle(error); // the boundary around it says so
    }
  };
  let Shown = lazy(fetched);
  return function Late(props: object) {
    if (failedAt !== null && failedAt !== tries) {
      failedAt = null;
      Shown = lazy(fetched);
    }
    return <Shown {...props} />;
  };
}
