/** What is announced about the work, in the words of the persona that does it (spec TG-19). */
import type { Persona } from '../../persona/persona.ts';
import { renderPhrase } from '../../persona/phrases.ts';
import { findLead, PRODUCT_MANAGER, resolvePersona } from '../../persona/roster.ts';
import { parsePlan } from '../../plan/body/parse-plan.ts';
import type { Speaker } from '../chat-thread.ts';
import type { Announced, Announcement, Speaks } from './announcement.ts';

/** The announcement with its sentence; unchanged where nobody of the team has one to say. `body` is the plan's text. */
export function speakAnnouncement(
  announcement: Announcement,
  { personas, body }: { personas: readonly Persona[]; body: string },
): Announcement {
  const { speaks, subject } = announcement;
  if (speaks === undefined) return announcement;
  const speaker = findSpeaker(speaks, personas);
  const title = titleOf(speaks, announcement, body);
  if (speaker === undefined || title === undefined) return announcement;
  const number = speaks.task === undefined ? undefined : String(speaks.task);
  const values = {
    title,
    url: subject.url,
    ...(number !== undefined && { number }),
    ...(speaks.details !== undefined && { details: speaks.details }),
  };
  return {
    ...announcement,
    said: { by: speaker.name, text: renderPhrase(speaker.phrases, speaks.phrase, values) },
  };
}

/** The persona that did what is announced; undefined where a person did it, several did, or nobody of the team. */
export function findAnnouncer(
  announced: Announced,
  personas: readonly Persona[],
): Persona | undefined {
  if (announced.speaks !== undefined) return findSpeaker(announced.speaks, personas);
  const { event } = announced;
  if (event === 'needs-human' && announced.by !== undefined)
    return resolvePersona(personas, announced.by);
  const isOfRun = event === 'run-started' || event === 'verdict' || event === 'needs-human';
  return isOfRun ? findLead(personas, 'pr_review') : undefined;
}

export function toSpeaker({ name, role, avatar }: Persona): Speaker {
  return { name, role, ...(avatar !== undefined && { avatarUrl: avatar }) };
}

function findSpeaker({ persona }: Speaks, personas: readonly Persona[]): Persona | undefined {
  return persona === undefined ? findPlanner(personas) : resolvePersona(personas, persona);
}

function findPlanner(personas: readonly Persona[]): Persona | undefined {
  return resolvePersona(personas, PRODUCT_MANAGER) ?? findLead(personas, 'plan');
}

/** Who speaks in a comment, as the team is now: the persona of that handle, or the product manager. */
export function findVoice(voice: string, personas: readonly Persona[]): Persona | undefined {
  if (voice === PRODUCT_MANAGER) return findPlanner(personas);
  return personas.find(({ handle }) => handle === voice);
}

/** Of the task in the plan's text as it is now, or of the plan itself. */
function titleOf({ task }: Speaks, { subject }: Announcement, body: string): string | undefined {
  const { title, tasks } = parsePlan(body);
  if (task === undefined) return title === '' ? subject.title : title;
  return tasks.find(({ number }) => number === task)?.title;
}
