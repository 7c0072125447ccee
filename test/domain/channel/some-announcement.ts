/** Announcements for tests. */
import type {
  Announced,
  Announcement,
  Subject,
} from '../../../src/domain/channel/announce/announcement.ts';

export function aSubject(more: Partial<Subject> = {}): Subject {
  return {
    repositoryId: 7,
    repository: 'octo/shop',
    isPrivate: false,
    number: 12,
    title: 'Orders are lost',
    url: 'https://github.com/octo/shop/issues/12',
    ...more,
  };
}

export function anAnnouncement(
  announced: Announced = { event: 'verdict', verdict: 'accept', details: 'Two of three agree.' },
  more: Partial<Subject> & { isAsked?: true } = {},
): Announcement {
  const { isAsked, ...subject } = more;
  return { ...announced, subject: aSubject(subject), ...(isAsked === true && { isAsked }) };
}
