/** The papers, for pages that are loaded when they are opened: nothing of this is in the first load. */
import { listed, paperOf } from '#papers/index.ts';
import { type TopicGroup, topicMap } from '#papers/topics.ts';

export { listed, paperOf, type TopicGroup, topicMap };
