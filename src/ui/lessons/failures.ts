/**
 * Failures that a class or a pupil meets, in the reader's language. Where they are thrown they are English sentences with names and numbers in
 * them; here each is found again by its wording.
 */
import type { Failure } from '#contract/kit/errors.ts';
import { msg } from '#text/text.ts';
import { remedy } from '#ui/kit/format/failure.ts';
import { wordings } from '#ui/kit/format/wording.ts';

const SENTENCES: readonly string[] = [
  msg('There is no lesson “{id}”.'),
  msg('Did you mean {names}?'),
  msg('Use one of: {names}.'),
  msg('The link of this lesson is damaged: {why}.'),
  msg('Copy the whole link again.'),
  msg('This lesson has format {n}; this page knows format {here}.'),
  msg('Reload the page.'),
  msg('This is not a result code.'),
  msg('A code begins with RL1: and is copied whole.'),
  msg('This code is damaged: {why}.'),
  msg('Copy the whole code again, or scan it.'),
  msg('its end is missing'),
  msg('its characters were changed on the way'),
  msg('its end is missing or characters were changed on the way'),
  msg('its checksum does not match'),
  msg('its settings cannot be unpacked'),
  msg('its content cannot be unpacked'),
  msg('it is shorter than it says'),
  msg('the lesson has no result at step {n}'),
  msg('it does not hold the runs of its step'),
  msg('it answers what was not asked'),
  msg('it does not hold the settings of its step'),
  msg('This code is of another lesson.'),
  msg('Open the class page of that lesson, or ask for a code of this one.'),
  msg('This code is of version {n} of the lesson; here it is version {here}.'),
  msg('Reload this page.'),
  msg('The pupil reloads the lesson and runs it again.'),
  msg('it names seat {n} and no class'),
  msg('made without the class'),
  msg('handed in for another class'),
  msg('its seeds are not those of seat {n}'),
  msg('claims {claimed}, the run gives {given}'),
  msg('the value is right, what was learned is not'),
];

/** A sentence of a failure in the reader's language; one that is not listed stays as it is. */
export const translated = wordings(SENTENCES);

export const said = (failure: Failure): string => `${translated(failure.message)} ${translated(remedy(failure))}`;
