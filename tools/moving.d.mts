export function movingWebp(
  pictures: readonly Buffer[],
  options: { readonly width: number; readonly height: number; readonly ms: number; readonly lastMs?: number },
): Buffer;
