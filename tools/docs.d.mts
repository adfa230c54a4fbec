export function writeDocuments(folder: string): Promise<number>;
