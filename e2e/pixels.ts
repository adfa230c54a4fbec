/**
 * Compares pictures inside a browser. A pixel counts as different when one of its channels differs by more than CHANNEL of 255: rounding
 * of another processor's floats and a shifted grey of an antialiased edge stay below it, a thing of another colour does not.
 */
import type { Page } from '@playwright/test';

const CHANNEL = 24;

/** Share of pixels that differ, 0..1; throws where the sizes differ. Pictures are data URLs. */
export function differing(page: Page, one: string, other: string): Promise<number> {
  return page.evaluate(
    async ([first, second, limit]) => {
      const read = async (url: string): Promise<ImageData> => {
        const image = new Image();
        image.src = url;
        await image.decode();
        const canvas = document.createElement('canvas');
        canvas.width = image.naturalWidth;
        canvas.height = image.naturalHeight;
        const g = canvas.getContext('2d', { willReadFrequently: true });
        if (g === null) throw new Error('no 2D canvas');
        g.drawImage(image, 0, 0);
        return g.getImageData(0, 0, canvas.width, canvas.height);
      };
      const [a, b] = [await read(first), await read(second)];
      if (a.width !== b.width || a.height !== b.height) throw new Error(`${a.width} x ${a.height} and ${b.width} x ${b.height} pixels`);
      let different = 0;
      for (let at = 0; at < a.data.length; at += 4) {
        for (let c = 0; c < 3; c++) {
          if (Math.abs((a.data[at + c] ?? 0) - (b.data[at + c] ?? 0)) <= limit) continue;
          different++;
          break;
        }
      }
      return different / (a.width * a.height);
    },
    [one, other, CHANNEL] as const,
  );
}

export const png = (bytes: Buffer): string => `data:image/png;base64,${bytes.toString('base64')}`;

/** Share of a picture's pixels, 0..1, in which one of red, green and blue stands out from both others by half the range. */
export function coloured(page: Page, picture: string, channel: 'red' | 'green' | 'blue'): Promise<number> {
  return page.evaluate(
    async ([url, strong]) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = image.naturalWidth;
      canvas.height = image.naturalHeight;
      const g = canvas.getContext('2d', { willReadFrequently: true });
      if (g === null) throw new Error('no 2D canvas');
      g.drawImage(image, 0, 0);
      const { data } = g.getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let at = 0; at < data.length; at += 4) {
        const [own = 0, ...others] = [0, 1, 2].map((i) => data[at + ((strong + i) % 3)] ?? 0);
        if (own - Math.max(...others) > 127) count++;
      }
      return count / (canvas.width * canvas.height);
    },
    [picture, ['red', 'green', 'blue'].indexOf(channel)] as const,
  );
}
