import type { AuditEntry } from '@looptide/contracts/http/admin'
import { expect, it } from 'vitest'
import { foldAutosaves } from './fold-autosaves.ts'

let minute = 60
/** An entry that is a minute older than the one before. */
const entry = (action: AuditEntry['action'], adminUserId = 'ann', targetId = 'night'): AuditEntry => {
  minute -= 1
  return {
    id: `${minute}`,
    action,
    adminUserId,
    targetType: 'channel',
    targetId,
    targetUserId: null,
    before: null,
    after: null,
    details: null,
    isPseudonymised: false,
    createdAt: `2026-11-27T10:${String(minute).padStart(2, '0')}:00.000Z`,
  }
}

it('folds the saves of one person on one channel into the newest, also between other entries', () => {
  const [newest, imported, second, other, oldest] = [
    entry('schedule.save_draft'),
    entry('video.add', 'bob', 'song'),
    entry('schedule.save_draft'),
    entry('schedule.save_draft', 'bob'),
    entry('schedule.save_draft'),
  ] as const
  expect(foldAutosaves([newest, imported, second, other, oldest])).toEqual([
    { entry: newest, saves: 3, sinceInstant: oldest.createdAt },
    { entry: imported, saves: 1, sinceInstant: imported.createdAt },
    { entry: other, saves: 1, sinceInstant: other.createdAt },
  ])
})

it('keeps saves apart that another action of the person separates, and those of another channel', () => {
  const entries = [
    entry('schedule.save_draft'),
    entry('schedule.publish'),
    entry('schedule.save_draft'),
    entry('schedule.save_draft', 'ann', 'day'),
  ]
  expect(foldAutosaves(entries).map(({ saves }) => saves)).toEqual([1, 1, 1, 1])
})
