import { expect, it } from 'vitest'
import { addedText } from './show-add-result.ts'

it('announces metadata only if a video is from YouTube', () => {
  expect(addedText([{ youtubeId: 'dQw4w9WgXcQ' }, { youtubeId: null }])).toBe(
    '2 videos added. Metadata will follow.',
  )
  expect(addedText([{ youtubeId: null }])).toBe('1 video added.')
})
