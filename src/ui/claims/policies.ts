/** The policies that arms of papers learned: files beside the page, same origin, fetched when they are watched and kept for offline. */
import facts from 'virtual:paper-facts';
import { policyAt } from '#ui/kit/policy-file.ts';

/** The file beside the page with the policy that an arm learned, which arms of the same runs share; null: none is kept. */
export const policyFile = (id: string, arm: string): string | null => facts[id]?.policies[arm] ?? null;

/** Whether the policy that an arm learned is kept beside the page. */
export const hasPolicy = (id: string, arm: string): boolean => policyFile(id, arm) !== null;

/** Whether its weights are rounded, so that there is room for more arms. */
export const isRounded = (id: string, arm: string): boolean => facts[id]?.policies[arm]?.endsWith('.rounded.policy') ?? false;

/** The policy file of an arm, kept for offline from then on. Rejects with Error in words where it cannot be had. */
export const policyOf = (id: string, arm: string): Promise<Blob> => policyAt(`./results/policies/${facts[id]?.policies[arm] ?? ''}`);
