import type { AuditEntry } from '@looptide/contracts/http/admin'
import { DEFAULT_THEME } from '@looptide/contracts/http/themes'
import { expect, it } from 'vitest'
import { undoOf } from './undo-of.ts'

const [A, B] = ['11111111-2222-4333-8444-555555555555', '22222222-2222-4333-8444-555555555555'] as const
const entry = (facts: Partial<AuditEntry>): AuditEntry => ({
  id: A,
  adminUserId: A,
  action: 'channel.update',
  targetType: 'channel',
  targetId: 'night-jazz',
  targetUserId: null,
  details: null,
  before: null,
  after: null,
  createdAt: '2026-01-01T12:00:00.000Z',
  isPseudonymised: false,
  ...facts,
})
const renamed = (before: string, after: string) =>
  entry({ before: { name: before, position: 1 }, after: { name: after, position: 1 } })

const removal = { itemIds: [A, B], positions: [0, 4], removed: 2 }
const onHome = { videoId: A, sectionType: 'hero', sectionName: null, position: 1, isActive: true }
const ban = { id: A, restrictionType: 'chat_banned', reason: 'loud', expiresAt: null }
const onUser = { targetType: 'user_restriction', targetUserId: B }
const skipped = { details: { editId: A } }

it.each<[string, AuditEntry, AuditEntry]>([
  ['a rename', renamed('Old', 'New'), renamed('New', 'Old')],
  [
    'a theme',
    entry({
      action: 'theme.activate',
      targetId: A,
      before: DEFAULT_THEME,
      after: { ...DEFAULT_THEME, fontSize: 20 },
    }),
    // Services and clients order the fields of a theme differently.
    entry({
      action: 'theme.activate',
      targetId: B,
      before: { ...DEFAULT_THEME, fontSize: 20 },
      after: { fontSize: 16 },
    }),
  ],
  [
    'a removal from the home screen',
    entry({ action: 'home.remove', targetId: A, before: onHome }),
    entry({ action: 'home.add', targetId: B, after: onHome }),
  ],
  [
    'an addition to the home screen',
    entry({ action: 'home.add', targetId: A, after: onHome }),
    entry({ action: 'home.remove', targetId: A, before: onHome }),
  ],
  [
    'a ban',
    entry({ action: 'user.restriction.add', ...onUser, targetId: A, after: ban }),
    entry({ action: 'user.restriction.remove', ...onUser, targetId: A, before: ban }),
  ],
  [
    'a ban that was lifted',
    entry({ action: 'user.restriction.remove', ...onUser, targetId: A, before: ban }),
    entry({ action: 'user.restriction.add', ...onUser, targetId: B, after: { ...ban, id: B } }),
  ],
  [
    'videos removed from a playlist',
    entry({ action: 'playlist.clear', before: { videoIds: [A, B] }, details: removal }),
    entry({ action: 'playlist.add', after: { videoIds: [A, B] }, details: { itemIds: [A, B] } }),
  ],
  [
    'videos added to a playlist',
    entry({ action: 'playlist.add', details: { itemIds: [A, B] } }),
    entry({ action: 'playlist.remove_many', before: { videoIds: [A, B] }, details: removal }),
  ],
  [
    'a new order of a playlist',
    entry({
      action: 'playlist.order',
      before: { playlistVersion: '1' },
      after: { playlistVersion: '2' },
      details: { count: 1, moved: [A], positions: [3] },
    }),
    entry({ action: 'playlist.order', before: { playlistVersion: '2' }, after: { playlistVersion: '1' } }),
  ],
  [
    'an exclusion from requests',
    entry({ action: 'request_exclusion.add', after: { videoId: null, artistName: 'Ann' } }),
    entry({ action: 'request_exclusion.remove', before: { videoId: null, artistName: 'Ann' } }),
  ],
  ['an edit of a log', entry({ action: 'log.skip', ...skipped }), entry({ action: 'log.undo', ...skipped })],
  [
    'a deletion',
    entry({ action: 'video.delete', targetType: 'video', targetId: A, before: [{ id: A }, { id: B }] }),
    entry({ action: 'video.restore', targetType: 'video', targetId: A, before: [{ id: B }, { id: A }] }),
  ],
])('%s can be undone, once', (_, change, undone) => {
  const undo = undoOf(change)
  expect(undo?.isDone([])).toBe(false)
  expect(undo?.isDone([renamed('Other', 'Again')])).toBe(false)
  expect(undo?.isDone([undone])).toBe(true)
})

it('a later change to a third value is not the undo', () => {
  expect(undoOf(renamed('Old', 'New'))?.isDone([renamed('New', 'Newest')])).toBe(false)
})

it('the same change of another channel is not the undo', () => {
  const other = { ...renamed('New', 'Old'), targetId: 'rock' }
  expect(undoOf(renamed('Old', 'New'))?.isDone([other])).toBe(false)
})

it.each<[string, AuditEntry]>([
  ['an action that cannot be undone', entry({ action: 'stream.reset' })],
  ['an action of another release', entry({ action: 'parade.float_add' })],
  ['a save that changed nothing', renamed('Same', 'Same')],
  ['an entry that lost its personal data', { ...renamed('Old', 'New'), isPseudonymised: true }],
  ['a shortened entry', entry({ before: { name: 'Old', leftOut: 1 }, after: { name: 'New' } })],
  [
    'a removal of more videos than its entry names',
    entry({ action: 'playlist.clear', before: { videoIds: [A, B] }, details: { ...removal, removed: 3 } }),
  ],
  [
    'a deletion by a job, which has its own',
    entry({ action: 'video.delete', before: [{ id: A }], details: { jobId: B } }),
  ],
  [
    'a deletion of more videos than its entry names',
    entry({ action: 'video.delete', before: [{ id: A }, { leftOut: 499 }] }),
  ],
  [
    'a removal of an earlier release, without positions',
    entry({ action: 'playlist.remove', before: { itemId: A, videoId: B } }),
  ],
])('%s has no undo', (_, change) => {
  expect(undoOf(change)).toBeUndefined()
})
