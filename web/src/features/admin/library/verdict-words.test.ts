import { expect, it } from 'vitest'
import { hintOf, refusedLines, skippedText } from './verdict-words.ts'

const added = { result: 'added', reason: null } as const
const known = { result: 'duplicate', reason: null } as const
const skipped = (reason: 'playlist_not_supported' | 'not_a_video_url') => ({
  result: 'skipped' as const,
  reason,
})

it('says what was not taken and why, each reason once with its number', () => {
  const lines = [added, known, skipped('playlist_not_supported'), skipped('not_a_video_url'), known]
  expect(skippedText(lines)).toBe(
    '1 × playlist: playlist URLs are not supported, please use individual video URLs. ' +
      '1 × not the URL of a video that can be played. 2 × already in the library.',
  )
})

it('says nothing when all were taken', () => {
  expect(skippedText([added, added])).toBe('')
})

const WATCH = 'https://www.youtube.com/watch?v=abcdefghijk'

it('refused lines stay in the box, in their order', () => {
  const lines = [
    { ...skipped('not_a_video_url'), url: 'first', video: null },
    { ...added, url: WATCH, video: null },
    { ...known, url: `${WATCH}x`, video: null },
    { ...skipped('playlist_not_supported'), url: 'last', video: null },
  ]
  expect(refusedLines({ lines })).toEqual(['first', 'last'])
})

it('an accepted video of a playlist comes with a hint to import the playlist, others with none', () => {
  expect(hintOf({ ...added, url: `${WATCH}&list=PL1`, video: null })).toContain(
    'Its playlist can be imported',
  )
  expect(hintOf({ ...added, url: WATCH, video: null })).toBeUndefined()
  expect(
    hintOf({ ...skipped('playlist_not_supported'), url: `${WATCH}&list=PL1`, video: null }),
  ).toBeUndefined()
})
