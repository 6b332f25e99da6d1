import { expect, it } from 'vitest'
import { addedText, hintOf, skippedText, skippedUrls } from './add-result.ts'

const added = { result: 'added', reason: null } as const
const known = { result: 'duplicate', reason: null } as const
const skipped = (reason: 'playlist_not_supported' | 'not_a_video_url') => ({
  result: 'skipped' as const,
  reason,
})

it('skipped lines are counted by reason', () => {
  const lines = [added, known, skipped('playlist_not_supported'), skipped('not_a_video_url'), known]
  expect(skippedText(lines)).toBe(
    '1 skipped: playlist URLs are not supported, please use individual video URLs. ' +
      '1 skipped: not the URL of a playable video. 2 skipped: already in the library.',
  )
})

it('the text is empty if all lines were added', () => {
  expect(skippedText([added, added])).toBe('')
})

const WATCH = 'https://www.youtube.com/watch?v=abcdefghijk'

it('the skipped URLs are returned in order', () => {
  const lines = [
    { ...skipped('not_a_video_url'), url: 'first', video: null },
    { ...added, url: WATCH, video: null },
    { ...known, url: `${WATCH}x`, video: null },
    { ...skipped('playlist_not_supported'), url: 'last', video: null },
  ]
  expect(skippedUrls({ lines })).toEqual(['first', 'last'])
})

it('an added video URL with a playlist has a hint to import the playlist, others have none', () => {
  expect(hintOf({ ...added, url: `${WATCH}&list=PL1`, video: null })).toContain('To add the whole playlist')
  expect(hintOf({ ...added, url: WATCH, video: null })).toBeUndefined()
  expect(
    hintOf({ ...skipped('playlist_not_supported'), url: `${WATCH}&list=PL1`, video: null }),
  ).toBeUndefined()
})

it('announces metadata only if a video is from YouTube', () => {
  expect(addedText([{ youtubeId: 'dQw4w9WgXcQ' }, { youtubeId: null }])).toBe(
    '2 videos added. Metadata will follow.',
  )
  expect(addedText([{ youtubeId: null }])).toBe('1 video added.')
})
