/** FNV-1a 64 over bytes, 16 hex digits: whether two runs ended with the same bits. */
export function hashBytes(array: { readonly buffer: ArrayBufferLike; readonly byteOffset: number; readonly byteLength: number }): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
    hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return hash.toString(16).padStart(16, '0');
}
