/** Agents are alike by the part of their name before its number: 'adversary_2' is of the kind 'adversary'. */
export const kindOf = (name: string): string => name.replace(/[ _-]?\d+$/, '');
