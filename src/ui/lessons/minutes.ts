/** How long a lesson takes with a class: the minutes that stand at the head of the parts of its plan, in whatever language. */
export const classMinutes = (plan: readonly string[]): number => plan.reduce((sum, part) => sum + (Number.parseInt(part, 10) || 0), 0);
