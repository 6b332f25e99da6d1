import type { GuideSpecial } from '@looptide/contracts/http/channels'
import { plainText } from '@looptide/service-kit/http/plain-text'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { expect, it } from 'vitest'
import { type CalendarBlock, guideCalendar } from './guide-calendar.ts'

const SITE = 'https://tv.example.org'
const noonMs = Date.UTC(2026, 10, 20, 12)

function programme(title: string, artistName: string, index: number) {
  const video = {
    id: `v${index}`,
    title,
    artistName,
    genre: 'Music',
    description: '',
    duration: '1:00',
    durationMs: 60_000,
    startAtMs: 0,
    mediaDurationMs: 60_000,
    thumbnailUrl: null,
    youtubeId: null,
    mediaUrl: '/a.mp4',
  }
  return { startsAtMs: noonMs + index * 60_000, endsAtMs: noonMs + (index + 1) * 60_000, video }
}

function events(blocks: CalendarBlock[], name = 'Rock', timelineVersion = 7, specials: GuideSpecial[] = []) {
  const channel = { id: 'rock', name, description: null, timelineVersion }
  const calendar = guideCalendar({ channel, blocks, specials, stampMs: noonMs, siteUrl: SITE })
  const component = new ICAL.Component(ICAL.parse(calendar))
  const events = component.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event))
  return { calendar, component, events }
}

/** Unescapes a text value (RFC 5545 §3.3.11), which the parser does not do for `X-` properties. */
const unescaped = (value: unknown): string =>
  String(value ?? '').replace(/\\(.)/g, (_, char: string) => (char.toLowerCase() === 'n' ? '\n' : char))

const text = fc.string({ unit: 'binary', maxLength: 80 })

it('is parsed to the same values for any texts, in lines of at most 75 octets', () => {
  fc.assert(
    fc.property(
      text,
      fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 70 }),
      (name, [first, ...rest]) => {
        const programmes = [
          programme(...first!, 0),
          ...rest.map((it, index) => programme(...it, index + 1)),
        ] as const
        const endsAtMs = noonMs + programmes.length * 60_000
        const read = events([{ id: '42.0', startsAtMs: noonMs, endsAtMs, programmes }], name)
        expect(unescaped(read.component.getFirstPropertyValue('x-wr-calname'))).toBe(plainText(name))
        expect(read.component.getAllProperties()).toHaveLength(7)
        const [event] = read.events
        expect(event!.uid).toBe('rock.42.0@tv.example.org')
        expect(event!.sequence).toBe(7)
        expect(event!.startDate.toJSDate().getTime()).toBe(noonMs)
        expect(event!.endDate.toJSDate().getTime()).toBe(endsAtMs)
        for (const { video } of programmes.slice(0, 60)) {
          expect(event!.description).toContain(plainText(`${video.title} – ${video.artistName} (1:00)`))
        }
        if (programmes.length > 60) expect(event!.description).toContain(`and ${programmes.length - 60} more`)
        for (const line of read.calendar.split('\r\n')) {
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
        }
      },
    ),
  )
})

it("contains no character that reverses the station's words", () => {
  const blocks = [
    {
      id: '1.0',
      startsAtMs: noonMs,
      endsAtMs: noonMs + 60_000,
      programmes: [programme('\u202eOne', 'A\u2067', 0)] as const,
    },
  ]
  const { calendar, component } = events(blocks, '\u202eRock')
  expect(component.getFirstPropertyValue('x-wr-calname')).toBe('Rock')
  expect(calendar).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/)
})

it('summarises an hour by its artists, and a single programme by its title and artist', () => {
  const hour = [programme('One', 'Adele', 0), programme('Two', 'Queen', 1)] as const
  const alone = [programme('A Concert', 'a-ha', 2)] as const
  const span = { startsAtMs: noonMs, endsAtMs: noonMs + 60_000 }
  const read = events([
    { id: '1.0', ...span, programmes: hour },
    { id: '1.1', ...span, programmes: alone },
  ])
  expect(read.events.map(({ summary }) => summary)).toEqual(['Adele, Queen', 'A Concert – a-ha'])
})

it('names blocks of the schedule, describes them before their tracks, and announces specials', () => {
  const span = { startsAtMs: noonMs, endsAtMs: noonMs + 60_000 }
  const gold = { id: 'gold', name: 'Gold Hour', description: 'Forty years; of hits.', colour: '#f59e0b' }
  const show = { ...gold, id: 'show', name: 'The Show', description: null }
  const daysAhead = { startsAtMs: noonMs + 86_400_000, endsAtMs: noonMs + 90_000_000 }
  const read = events(
    [{ id: 'block-gold.20777', ...span, programmes: [programme('One', 'Adele', 0)], block: gold }],
    'Rock',
    7,
    [{ ...show, ...daysAhead }],
  )
  expect(read.events.map(({ summary, description }) => [summary, description])).toEqual([
    ['Gold Hour', 'Forty years; of hits.\n\nOne – Adele (1:00)'],
    ['The Show', ''],
  ])
  const [, announced] = read.events
  expect(announced!.startDate.toJSDate().getTime()).toBe(daysAhead.startsAtMs)
  expect(announced!.endDate.toJSDate().getTime()).toBe(daysAhead.endsAtMs)
  const day = Math.floor(daysAhead.startsAtMs / 86_400_000)
  expect(announced!.uid).toBe(`rock.special-show.${day}@tv.example.org`)
})
