import { ADMIN_ACTIONS, SECURITY_EVENTS } from '@looptide/contracts/audit-actions'
import type { AuditEntry } from '@looptide/contracts/http/admin'
import { expect, it } from 'vitest'
import type { Names } from './audit-parts.ts'
import { auditSentence } from './audit-sentences.ts'

const ID = '11111111-2222-4333-8444-555555555555'
const entry = (facts: Partial<AuditEntry>): AuditEntry => ({
  id: ID,
  adminUserId: ID,
  action: 'video.add',
  targetType: null,
  targetId: null,
  targetUserId: null,
  details: null,
  before: null,
  after: null,
  createdAt: '2026-01-01T12:00:00.000Z',
  isPseudonymised: false,
  ...facts,
})
const names: Names = {
  handleOf: (id) => (id === ID ? 'roger' : undefined),
  channelName: (id) => (id === 'night-jazz' ? 'Night Jazz' : undefined),
}
const sentence = (facts: Partial<AuditEntry>): string =>
  auditSentence(entry(facts), names)
    .map((part) => (typeof part === 'string' ? part : part.text))
    .join('')

const onChannel = { targetType: 'channel', targetId: 'night-jazz' }
const restriction = { restrictionType: 'chat_banned', reason: 'loud' }

it.each<[Partial<AuditEntry>, string]>([
  [
    {
      action: 'playlist.remove_many',
      ...onChannel,
      before: { videoIds: [ID, ID, ID] },
      details: { removed: 3 },
    },
    'removed 3 videos from Night Jazz',
  ],
  [
    { action: 'playlist.remove', ...onChannel, before: { itemId: ID, videoId: ID } },
    'removed a video from Night Jazz',
  ],
  [
    {
      action: 'playlist.add',
      ...onChannel,
      after: { videoIds: [ID] },
      details: { channelName: 'Late Jazz' },
    },
    'added a video to Late Jazz',
  ],
  [{ action: 'stream.stop', ...onChannel, targetId: 'gone' }, 'stopped the stream of a channel'],
  [
    {
      action: 'dead_letter.drop',
      before: { subject: 'catalogue.video.added.v1' },
      details: { service: 'metadata-worker' },
    },
    'dropped a dead letter of metadata worker about “video added”',
  ],
  [
    { action: 'home.add', after: { sectionType: 'hero', videoId: ID }, details: { videoTitle: 'Song' } },
    'added “Song” to the home screen (Hero)',
  ],
  [
    { action: 'home.remove', before: { sectionType: 'category', sectionName: 'Jazz' } },
    'removed a video from the home screen (Jazz)',
  ],
  [{ action: 'video.delete', isPseudonymised: true }, 'deleted videos'],
  [{ action: 'video.delete', before: [{ id: ID, title: 'Song' }] }, 'deleted “Song”'],
  [{ action: 'video.delete', before: [{ id: ID }, { leftOut: 499 }] }, 'deleted 500 videos'],
  [{ action: 'video.purge', before: [{ id: ID, title: 'Song' }] }, 'permanently deleted “Song”'],
  [
    { action: 'video.edit', details: { videos: [{ id: ID, title: 'Song' }] }, after: { genre: 'Soul' } },
    'edited “Song”',
  ],
  [{ action: 'video.edit_many', before: [{ id: ID }], details: { count: 12 } }, 'edited 12 videos'],
  [{ action: 'video_filter.create', after: { name: 'Live rock' } }, 'saved the library filter “Live rock”'],
  [{ action: 'video_filter.delete', before: { name: 'Old' } }, 'deleted the library filter “Old”'],
  [{ action: 'followed_list.delete', before: { name: 'Mix' } }, 'stopped following the YouTube list “Mix”'],
  [
    { action: 'followed_list.update', before: { isPaused: false }, after: { name: 'Mix', isPaused: true } },
    'paused the followed list “Mix”',
  ],
  [
    { action: 'followed_list.update', before: { isPaused: true }, after: { name: 'Mix', isPaused: true } },
    'changed the followed list “Mix”',
  ],
  [{ action: 'video.move', after: { category: 'Classics', ids: [ID, ID] } }, 'moved 2 videos to Classics'],
  [{ action: 'user.role.set', targetUserId: ID, after: { role: 'moderator' } }, 'made roger a moderator'],
  [{ action: 'personal_token.create', after: { name: 'Backup' } }, 'created the access token “Backup”'],
  [{ action: 'personal_token.revoke', before: { name: 'Backup' } }, 'revoked the access token “Backup”'],
  [{ action: 'user.restriction.add', targetUserId: ID, after: restriction }, 'banned roger from the chat'],
  [
    { action: 'user.restriction.add', targetUserId: ID, before: restriction, after: restriction },
    'replaced the chat ban on roger',
  ],
  [
    { action: 'user.restriction.remove', targetUserId: ID, before: restriction },
    'removed the chat ban on roger',
  ],
  [{ action: 'schedule.withdraw', ...onChannel }, 'returned the schedule of Night Jazz to draft'],
  [
    { action: 'schedule.send_back', ...onChannel, details: { reason: 'Too loud' } },
    'sent back the schedule of Night Jazz, which waited for approval',
  ],
  [
    { action: 'log.undo', ...onChannel, details: { edit: 'skip', title: 'Song' } },
    'undid the skip of “Song” in the log of Night Jazz',
  ],
  [
    { action: 'request_settings.update', ...onChannel, before: { isOpen: true }, after: { isOpen: false } },
    'closed requests on Night Jazz',
  ],
  [
    {
      ...{ action: 'request.refuse', targetType: 'request', targetId: ID, targetUserId: ID },
      details: { channelId: 'night-jazz', videoId: ID, videoTitle: 'Song', reason: 'Too loud' },
    },
    'refused the request of roger for “Song” on Night Jazz',
  ],
  [
    {
      ...{ action: 'request_exclusion.add', ...onChannel, after: { videoId: ID, artistName: null } },
      details: { videoTitle: 'Song' },
    },
    'excluded “Song” from requests on Night Jazz',
  ],
  [
    { action: 'request_exclusion.add', ...onChannel, after: { videoId: null, artistName: 'Ann' } },
    'excluded the artist “Ann” from requests on Night Jazz',
  ],
  [
    { action: 'request_exclusion.remove', ...onChannel, before: { videoId: ID, artistName: null } },
    'allowed a video in requests on Night Jazz again',
  ],
  [{ action: 'poll.create', ...onChannel, after: { question: 'Jazz?' } }, 'asked a poll on Night Jazz'],
  [{ action: 'parade.float_add', targetUserId: null }, 'parade float add'],
  [
    { action: 'user.role.set', targetUserId: ID, isPseudonymised: true },
    'changed the role of a pseudonymised user',
  ],
  [{ action: 'playlist.add', ...onChannel, isPseudonymised: true }, 'added videos to Night Jazz'],
])('%j reads "%s"', (facts, text) => {
  expect(sentence(facts)).toBe(text)
})

it('every action has a readable sentence without ids, even if its entry contains only ids', () => {
  for (const action of [...ADMIN_ACTIONS, ...SECURITY_EVENTS]) {
    for (const facts of [{}, { before: [ID], targetId: ID, targetType: 'video', targetUserId: ID }]) {
      expect(sentence({ action, ...facts }), action).toMatch(/^[a-z].* .*/)
      expect(sentence({ action, ...facts }), action).not.toMatch(/undefined|null|NaN|11111111/)
    }
  }
})

it('a single video and a user are links to their pages', () => {
  const links = (facts: Partial<AuditEntry>) =>
    auditSentence(entry(facts), names).flatMap((part) => (typeof part === 'string' ? [] : [part.to]))
  expect(links({ action: 'video.add', after: [{ id: ID }] })).toEqual([`/videos/${ID}`])
  expect(links({ action: 'user.role.set', targetUserId: ID })).toEqual(['/members/roger'])
})
