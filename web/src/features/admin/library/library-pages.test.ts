import type { Video, VideoPage } from '@looptide/contracts/http/videos'
import { expect, it } from 'vitest'
import { withAddedVideo, withoutVideo, withVideo } from './library-pages.ts'

const video = (id: string, title = 'Loading...'): Video => ({
  id,
  title,
  artistName: 'Unknown Artist',
  description: null,
  genre: 'Music',
  category: 'New Video Submissions',
  duration: '4:00',
  durationMs: 240_000,
  durationAssumed: true,
  thumbnailUrl: null,
  videoUrl: 'https://www.youtube.com/embed/dQw4w9WgXcQ',
  youtubeId: 'dQw4w9WgXcQ',
  isPublic: true,
  metadataStatus: 'pending',
  unavailableReason: null,
  viewCount: 0,
  createdAt: '2026-11-20T10:00:00Z',
})

const pages: VideoPage[] = [
  { items: [video('a'), video('b')], nextCursor: 'x', total: 3 },
  { items: [video('c')], nextCursor: null, total: 3 },
]

it('changes a known video where it stands', () => {
  const after = withVideo(pages, video('c', 'Known now'))
  expect(after.flatMap((page) => page.items.map(({ title }) => title))).toEqual([
    'Loading...',
    'Loading...',
    'Known now',
  ])
  expect(after[0]?.total).toBe(3)
})

it('puts a new video in front and counts it', () => {
  const after = withVideo(pages, video('d'))
  expect(after[0]?.items.map(({ id }) => id)).toEqual(['d', 'a', 'b'])
  expect(after.map((page) => page.total)).toEqual([4, 4])
})

it('keeps what the worker told before the answer to adding came', () => {
  const told = withVideo(pages, video('d', 'Known now'))
  expect(withAddedVideo(told, video('d'))).toEqual(told)
  expect(withAddedVideo(pages, video('d'))).toEqual(withVideo(pages, video('d')))
})

it('takes a video away once, however often it is told', () => {
  const after = withoutVideo(withoutVideo(pages, 'b'), 'b')
  expect(after.flatMap((page) => page.items.map(({ id }) => id))).toEqual(['a', 'c'])
  expect(after[0]?.total).toBe(2)
})
