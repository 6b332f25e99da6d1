import type { Video, VideoPage } from '@looptide/contracts/http/videos'
import { expect, it } from 'vitest'
import { removesUnloaded, withChanges } from './library-pages.ts'

const video = (id: string, title = 'Loading...', createdAt = '2026-11-20T10:00:00Z'): Video => ({
  id,
  title,
  artistName: 'Unknown Artist',
  description: null,
  genre: 'Music',
  category: 'New Video Submissions',
  duration: '4:00',
  durationMs: 240_000,
  durationAssumed: true,
  startAtMs: 0,
  endAtMs: null,
  tags: [],
  thumbnailUrl: null,
  videoUrl: 'https://www.youtube.com/embed/dQw4w9WgXcQ',
  youtubeId: 'dQw4w9WgXcQ',
  isPublic: true,
  metadataStatus: 'pending',
  unavailableReason: null,
  viewCount: 0,
  likeCount: 0,
  createdAt,
})

const at = (second: number): string => `2026-11-20T10:00:${String(second).padStart(2, '0')}Z`

/** A library of four videos, newest first. Three are loaded; the oldest is on the next page. */
const pages: VideoPage[] = [
  { items: [video('d', 'D', at(50)), video('c', 'C', at(40))], nextCursor: 'x', total: 4 },
  { items: [video('b', 'B', at(30))], nextCursor: 'y', total: 4 },
]
const changed = (row: Video) => ({ kind: 'changed', video: row }) as const
const added = (row: Video) => ({ kind: 'added', video: row }) as const
const removed = (videoId: string) => ({ kind: 'removed', videoId }) as const
const ids = (list: readonly VideoPage[]) => list.map(({ items }) => items.map(({ id }) => id))
const titles = (list: readonly VideoPage[]) => list.flatMap(({ items }) => items.map(({ title }) => title))

it('a loaded video is changed in place', () => {
  const after = withChanges(pages, [changed(video('b', 'Known now', at(30)))])
  expect(titles(after)).toEqual(['D', 'C', 'Known now'])
  expect(after[0]?.total).toBe(4)
})

it('a change of a video that is not loaded affects neither rows nor total', () => {
  const after = withChanges(pages, [changed(video('a', 'Known now', at(10)))])
  expect(after).toEqual(pages)
})

it('new videos are inserted in order and counted', () => {
  const after = withChanges(pages, [
    changed(video('e', 'E', at(55))),
    changed(video('f', 'F', at(55))),
    changed(video('g', 'G', at(35))),
  ])
  expect(ids(after)).toEqual([
    ['f', 'e', 'd', 'c'],
    ['g', 'b'],
  ])
  expect(after.map((page) => page.total)).toEqual([7, 7])
})

it('an older video is appended only if the whole library is loaded', () => {
  const whole = pages.map((page, index) => (index === 1 ? { ...page, nextCursor: null } : page))
  expect(ids(withChanges(whole, [changed(video('a', 'A', at(10)))]))).toEqual([
    ['d', 'c'],
    ['b', 'a'],
  ])
  const empty: VideoPage[] = [{ items: [], nextCursor: null, total: 0 }]
  expect(withChanges(empty, [added(video('a'))])).toEqual([
    { items: [video('a')], nextCursor: null, total: 1 },
  ])
})

it('nothing is inserted into a filtered list', () => {
  expect(withChanges(pages, [changed(video('e', 'E', at(55)))], true)).toEqual(pages)
})

it('a state pushed before the response to adding is kept', () => {
  const known = video('e', 'Known now', at(55))
  const after = withChanges(pages, [changed(known), added(video('e', 'Loading...', at(55)))])
  expect(titles(after)[0]).toBe('Known now')
  expect(withChanges(after, [added(video('e', 'Loading...', at(55)))])).toEqual(after)
})

it('a removed video is counted once, however often its removal is pushed', () => {
  const once = withChanges(pages, [removed('c'), removed('c')])
  expect(ids(withChanges(once, [removed('c')]))).toEqual([['d'], ['b']])
  expect(once[0]?.total).toBe(3)
})

it('removal of a video that is not loaded is detected', () => {
  expect(removesUnloaded(pages, [removed('c')])).toBe(false)
  expect(removesUnloaded(pages, [removed('c'), removed('a')])).toBe(true)
  expect(removesUnloaded(pages, [changed(video('a'))])).toBe(false)
})

it('applying the same changes twice has the effect of applying them once', () => {
  const all = [changed(video('e', 'E', at(55))), changed(video('c', 'C2', at(40))), removed('b')]
  const once = withChanges(pages, all)
  expect(withChanges(once, all)).toEqual(once)
})
