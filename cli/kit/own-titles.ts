/** Titles of what a person wrote, by their ids: apart from those of the catalogue, which load all of it. */
const titles = new Map<string, string>();

export const giveTitle = (id: string, title: string): void => void titles.set(id, title);
/** What a person wrote by its title, everything else by its id. */
export const nameOf = (id: string): string => titles.get(id) ?? id;
