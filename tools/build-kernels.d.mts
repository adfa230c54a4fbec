export function sourceHash(): string;
export function compile(): Promise<Uint8Array>;
