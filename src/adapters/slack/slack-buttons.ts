/** Buttons as blocks of Slack. Each carries what it stands for, sealed: Slack hands the value back as we wrote it. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import {
  APPROVAL_VERBS,
  verbsFor,
  type Approvable,
  type ApprovalClick,
  type ApprovalVerb,
} from '../../domain/channel/approval-click.ts';

const ACTION = 'quorum-plan-';
export const BUTTONS_BLOCK = 'quorum-plan';

/** Longest text of a section. */
const MAX_SECTION = 3_000;

const Value = z.strictObject({
  repository: z.int().positive(),
  number: z.int().positive(),
  digest: z.string().regex(/^[0-9a-f]{40}$/),
  of: z.literal('head').optional(),
});
const SEALED = /^([\w-]{1,400})\.([\w-]{43})$/;

/** Where a button is: its seal holds nowhere else. */
interface ButtonPlace {
  channel: string;
  thread: string;
}

/** The text, with a button for each verb below it. */
export function approvalBlocks(
  text: string,
  shown: Approvable,
  { key, place }: { key: string; place: ButtonPlace },
): object[] {
  const elements = verbsFor(shown).map((verb) => ({
    type: 'button',
    action_id: `${ACTION}${verb}`,
    text: { type: 'plain_text', text: verb === 'approve' ? 'Approve' : 'Reject' },
    style: verb === 'approve' ? 'primary' : 'danger',
    value: sealValue({ ...shown, verb }, { key, place }),
  }));
  return [
    { type: 'section', text: { type: 'mrkdwn', text: text.slice(0, MAX_SECTION).toWellFormed() } },
    { type: 'actions', block_id: BUTTONS_BLOCK, elements },
  ];
}

function sealValue(
  { verb, repositoryId: repository, number, digest, of }: ApprovalClick,
  { key, place }: { key: string; place: ButtonPlace },
): string {
  const value = Buffer.from(JSON.stringify({ repository, number, digest, of })).toString(
    'base64url',
  );
  return `${value}.${sealOf(value, { key, place, verb })}`;
}

function sealOf(
  value: string,
  { key, place, verb }: { key: string; place: ButtonPlace; verb: ApprovalVerb },
): string {
  const what = ['quorum-button', place.channel, place.thread, verb, value].join('\n');
  return createHmac('sha256', key).update(what).digest('base64url');
}

/** What a pressed button stands for; undefined unless we made this very button for this very thread. */
export function openButton(
  { actionId, value }: { actionId: string; value: string },
  { key, place }: { key: string; place: ButtonPlace },
): ApprovalClick | undefined {
  const verb = APPROVAL_VERBS.find((each) => actionId === `${ACTION}${each}`);
  const [, text, seal] = SEALED.exec(value) ?? [];
  if (verb === undefined || text === undefined || seal === undefined) return undefined;
  const wanted = sealOf(text, { key, place, verb });
  if (!timingSafeEqual(Buffer.from(wanted), Buffer.from(seal))) return undefined;
  const { data } = Value.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  if (data === undefined) return undefined;
  const { repository: repositoryId, number, digest, of } = data;
  return { verb, repositoryId, number, digest, ...(of && { of }) };
}
