export function compress(dir: string): Promise<number>;
