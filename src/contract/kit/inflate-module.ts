/** Modules of WebAssembly that stand in the code: base64 of a deflated file, so that nothing is fetched. */
import { fromBase64 } from './bytes.ts';

/** The few parts of the platform's streams that inflating needs: core compiles without DOM types. */
interface Streams {
  readonly Blob: new (parts: readonly Uint8Array[]) => { stream(): { pipeThrough(through: object): object } };
  readonly Response: new (body: object) => { arrayBuffer(): Promise<ArrayBuffer> };
  readonly DecompressionStream: new (format: 'deflate') => object;
}

/** The file's bytes. Throws Error where the text is damaged. */
export async function inflateModule(text: string): Promise<Uint8Array> {
  const deflated = fromBase64(text);
  if (deflated === null) throw new Error('A module of WebAssembly is damaged: its text is not base64.');
  const { Blob, Response, DecompressionStream } = globalThis as unknown as Streams;
  const stream = new Blob([deflated]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
