/** What the page may ask about messages and attacks on the stage (client/talk.ts answers). */
import type { AttackQuestion, AttackTest } from '#contract/attack.ts';
import type { MuteTest, Talk } from '#contract/talk.ts';

export interface TalkActions {
  /** What the agents on the stage tell each other in the shown frame; null: nothing. */
  talk(): Promise<Talk | null>;
  /** What their talking is worth, over whole episodes; null where nothing learned is shown. Rejects with LabError. */
  muteTest(episodes: number): Promise<MuteTest | null>;
  /** What attacks on its observations cost; null where nothing learned is shown. Rejects with LabError. */
  attackTest(question: AttackQuestion): Promise<AttackTest | null>;
}
