/** A way in: ten papers, each by a question in plain words. All of them can be touched, run or read at once. */
export const WAYS: readonly { readonly id: string; readonly ask: string }[] = [
  { id: 'P101', ask: 'Can a network do with weights of -1, 0 and 1?' },
  { id: 'P145', ask: 'Plan once, or plan anew each time?' },
  { id: 'P061', ask: 'Who learns to ask: the one who is told, or the one who is not?' },
  { id: 'P059', ask: 'How much longer do more learners take?' },
  { id: 'P113', ask: 'How does a network keep what it has learned?' },
  { id: 'P119', ask: 'What does holding on to old tasks cost?' },
  { id: 'P015', ask: 'What flies a drone, and after how much practice?' },
  { id: 'P033', ask: 'When is a central learner worth its price?' },
  { id: 'P021', ask: 'Which step of a long task earned the reward?' },
  { id: 'P005', ask: 'How does one bought player mislead a team?' },
];
