import type {
  CardProgramme,
  Programme,
  ProgrammeVideo,
  VideoProgramme,
} from '@looptide/contracts/http/channels'
import { DEFAULT_CARD_TEXTS } from '@looptide/contracts/http/themes'
import { describe, expect, test } from 'vitest'
import { cardInfo, startingName, videosAfter } from './card-content.ts'

const texts = { ...DEFAULT_CARD_TEXTS, cardStationName: 'Looptide TV' }
const gold = { id: 'gold', name: 'Gold Hour', description: null, colour: null }

const video = (title: string): ProgrammeVideo => ({
  id: title,
  title,
  artistName: `Artist of ${title}`,
  genre: 'Music',
  description: '',
  duration: '1:00',
  durationMs: 60_000,
  startAtMs: 0,
  mediaDurationMs: 200_000,
  thumbnailUrl: null,
  youtubeId: null,
  mediaUrl: '/a.mp4',
})
const placed = (seq: number, startsAtMs: number, endsAtMs: number) => ({
  id: `p${seq}`,
  channelId: 'one',
  seq,
  startsAtMs,
  endsAtMs,
  block: null,
})
const card = (fields: Partial<CardProgramme>): CardProgramme => ({
  ...placed(1, 0, 8_000),
  kind: 'ident',
  ident: 'station',
  previous: null,
  videoId: null,
  video: null,
  ...fields,
})
const onAir = (seq: number, title: string): VideoProgramme => ({
  ...placed(seq, 8_000 + (seq - 3) * 60_000, 8_000 + (seq - 2) * 60_000),
  kind: 'video',
  videoId: title,
  video: video(title),
  reason: null,
})
const timeline = (own: CardProgramme): Programme[] => [own, onAir(3, 'One'), onAir(4, 'Two')]

describe('what a card shows', () => {
  test('the next videos, without the card itself and other cards', () => {
    const own = card({})
    const other = card({ ...placed(2, 8_000, 8_000) })
    const titles = videosAfter([own, other, onAir(3, 'One'), onAir(4, 'Two')], own, 3).map(
      (programme) => programme.video.title,
    )
    expect(titles).toEqual(['One', 'Two'])
    expect(videosAfter(timeline(own), own, 1)).toHaveLength(1)
  })

  test('the block that a countdown leads to; outside blocks the next video', () => {
    const own = card({ kind: 'countdown', ident: null })
    const [, first, ...rest] = timeline(own)
    expect(startingName([own, { ...first!, block: gold }, ...rest], own)).toBe('Gold Hour')
    expect(startingName(timeline(own), own)).toBe('One')
    expect(startingName([own], own)).toBeUndefined()
  })
})

describe('the texts beside a card', () => {
  const info = (own: CardProgramme) => cardInfo(own, timeline(own), texts)

  test.each([
    [card({}), 'Looptide TV', 'Coming up next: One – Artist of One'],
    [card({ ident: 'next' }), 'One', 'Artist of One'],
    [card({ ident: 'previous', previous: video('Zero') }), 'Zero', 'Artist of Zero'],
    [card({ ident: 'previous' }), 'Looptide TV', 'Coming up next: One – Artist of One'],
    [card({ kind: 'countdown', ident: null }), 'One', 'Looptide TV'],
  ])('name what the card is about (%#)', (own, title, detail) => {
    expect(info(own)).toMatchObject({ title, detail })
  })

  test('are those of the theme', () => {
    expect(info(card({ ident: 'next' })).note).toBe('Coming up next')
    expect(info(card({})).note).toBe('24/7 • HD Quality')
  })

  test('a channel whose timeline ends with a card has a complete text', () => {
    const own = card({ ident: 'next' })
    expect(cardInfo(own, [own], texts)).toEqual({
      title: 'Looptide TV',
      detail: 'Continuous Live Stream',
      note: '24/7 • HD Quality',
    })
  })
})
