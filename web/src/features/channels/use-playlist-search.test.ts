import { expect, test } from 'vitest'
import type { Entry } from './draft.ts'
import { matchesOf } from './use-playlist-search.ts'

const entry = (title: string, artistName: string): Entry => ({
  id: title,
  videoId: title,
  video: { title, artistName, duration: '3:00', thumbnailUrl: null },
})
const entries: Entry[] = [
  entry('Blue Hour', 'Bert'),
  { id: 'x', videoId: 'x', video: null },
  entry('Copper Sky', 'Cleo Blue'),
]

test('a search matches titles and artists case-insensitively, and a blank one matches nothing', () => {
  expect(matchesOf(entries, ' BLUE ')).toEqual([0, 2])
  expect(matchesOf(entries, 'copper')).toEqual([2])
  expect(matchesOf(entries, 'unknown title')).toEqual([1])
  expect(matchesOf(entries, 'Hour Bert')).toEqual([])
  expect(matchesOf(entries, '  ')).toEqual([])
})
