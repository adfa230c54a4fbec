/** What the pages of Playwright and of puppeteer-core have in common, as far as a road needs it. */
interface Walked {
  readonly keyboard: {
    press(key: string): Promise<void>;
    down(key: string): Promise<void>;
    up(key: string): Promise<void>;
    type(text: string): Promise<void>;
  };
  evaluate(expression: string): Promise<unknown>;
  goto(address: string): Promise<unknown>;
}

/** By name. `url`: of the built page, with a slash at its end. Each rejects with what is wrong. */
export const ROADS: { readonly [name: string]: (page: Walked, url: string) => Promise<void> };
