/** The map of the field: topics of the list of papers, those that are near each other together. The way into the gallery. */

export interface TopicGroup {
  readonly title: string;
  /** As they stand in list.json. */
  readonly topics: readonly string[];
}

export const topicMap: readonly TopicGroup[] = [
  { title: 'Many agents', topics: ['multi-agent', 'communication', 'games and self-play', 'swarms and populations'] },
  {
    title: 'How one agent learns',
    topics: [
      'exploration and curricula',
      'credit and rewards',
      'hierarchy and skills',
      'memory',
      'continual learning',
      'several objectives',
    ],
  },
  { title: 'From models, data and people', topics: ['planning and world models', 'offline learning and imitation', 'preferences'] },
  { title: 'Language models', topics: ['language-model agents'] },
  { title: 'In the world', topics: ['control and robots', 'applications'] },
  { title: 'Why, and how sure', topics: ['explanation', 'robustness and safety', 'theory and tables', 'surveys and theory'] },
];
