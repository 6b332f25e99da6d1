import type { ChannelLoop } from '@looptide/contracts/http/loops'
import { expect, it } from 'vitest'
import { liveChangeText, unplayableText } from './live-playlist-text.ts'

const library = (videosCount: number): ChannelLoop => ({
  source: 'library',
  videosCount,
  durationMs: videosCount * 240_000,
})
const playlist = (videosCount: number, durationMs: number): ChannelLoop => ({
  source: 'playlist',
  videosCount,
  durationMs,
})

it('the text says that the selected videos replace all public ones', () => {
  expect(liveChangeText({ before: library(20), after: playlist(1, 213_000) })).toBe(
    'The live channel will play only this video (3:33) in a loop instead of all 20 public videos.',
  )
  expect(liveChangeText({ before: library(1), after: playlist(2, 426_000) })).toBe(
    'The live channel will play only these 2 videos (7:06) in a loop instead of the only public video.',
  )
  expect(liveChangeText({ before: library(0), after: playlist(1, 213_000) })).toBe(
    'The live channel will play only this video (3:33) in a loop.',
  )
})

it('the text compares the playlist before and after', () => {
  expect(liveChangeText({ before: playlist(1, 60_000), after: playlist(3, 200_000) })).toBe(
    'The live channel will play 3 videos (3:20) in a loop instead of 1 video (1:00).',
  )
})

it('the text says that nothing changes if no selected video can be played', () => {
  expect(liveChangeText({ before: library(20), after: library(20) })).toBe(
    'None of the selected videos can be played. The live channel keeps playing all 20 public videos.',
  )
  expect(liveChangeText({ before: library(0), after: library(0) })).toBe(
    'None of the selected videos can be played. The live channel has nothing to play.',
  )
})

it('unplayable videos of the selection are counted', () => {
  expect(unplayableText({ before: library(20), after: playlist(2, 1) }, 3)).toBe(
    '1 of the selected videos cannot be played and will be left out.',
  )
  expect(unplayableText({ before: playlist(4, 1), after: playlist(6, 1) }, 2)).toBeNull()
  expect(unplayableText({ before: library(20), after: library(20) }, 2)).toBeNull()
})
