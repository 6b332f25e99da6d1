import type { ChannelLoop } from '@looptide/contracts/http/loops'
import { describe, expect, it } from 'vitest'
import { liveChangeText, scheduledChangeText, unplayableText } from './live-playlist-text.ts'

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

describe('on a channel with a schedule', () => {
  const at = (time: string) => new Date(`2026-11-27T${time}:00`).getTime()
  const schedule = {
    usesPlaylist: true,
    airings: 4,
    airingsBefore: 0,
    firstAiringMs: at('20:14'),
    plannedUntilMs: at('23:30'),
  }

  it('the text says how often the videos air', () => {
    expect(scheduledChangeText('Night Jazz', 1, schedule)).toMatch(
      /^Night Jazz follows its schedule\. This video airs 4 times until Fri .+, first at Fri .+; without the change, not at all\.$/,
    )
    expect(scheduledChangeText('Night Jazz', 2, { ...schedule, airingsBefore: 4 })).toMatch(
      /^Night Jazz follows its schedule\. These 2 videos air 4 times until Fri .+, first at Fri [^;]+\.$/,
    )
  })

  it('the text says that they do not air as far as it is planned', () => {
    const text = scheduledChangeText('Night Jazz', 1, { ...schedule, airings: 0, firstAiringMs: null })
    expect(text).toMatch(/This video will not air until Fri .+, as far as it is planned\.$/)
  })

  it('the text says that the schedule does not use the playlist', () => {
    expect(scheduledChangeText('Night Jazz', 1, { ...schedule, usesPlaylist: false })).toBe(
      'Night Jazz follows its schedule, which does not use this playlist. Nothing changes on the air.',
    )
  })
})
