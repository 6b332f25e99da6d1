import type { Programme, ProgrammeVideo } from '@looptide/contracts/http/channels'
import { plainText } from '@looptide/service-kit/http/plain-text'
import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { expect, it } from 'vitest'
import { xmltv, xmltvProgrammes, xmltvTime } from './xmltv.ts'

/** The children of `programme` that are used, in the order of xmltv.dtd. */
const DTD_ORDER = ['title', 'sub-title', 'desc', 'credits', 'category', 'keyword', 'length', 'icon']
const SITE = 'https://tv.example.org'

interface Element {
  name: string
  attributes: Record<string, string>
  text: string
  children: Element[]
}

/** Parses XML with a parser independent of the builder. Throws if it is not well-formed. */
function parse(xml: string): Element {
  const root: Element = { name: '', attributes: {}, text: '', children: [] }
  const open = [root]
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = {
      name,
      attributes: attributes as Record<string, string>,
      text: '',
      children: [],
    }
    open.at(-1)!.children.push(element)
    open.push(element)
  })
  parser.on('text', (text) => {
    open.at(-1)!.text += text
  })
  parser.on('closetag', () => void open.pop())
  parser.write(xml).close()
  return root.children[0]!
}

const text = fc.string({ unit: 'binary', maxLength: 60 })
const videos = fc.record<ProgrammeVideo>({
  id: fc.uuid(),
  title: text,
  artistName: text,
  genre: text,
  description: text,
  duration: fc.constant('4:00'),
  durationMs: fc.integer({ min: 1000, max: 9_000_000 }),
  startAtMs: fc.nat(),
  mediaDurationMs: fc.integer({ min: 1 }),
  thumbnailUrl: fc.option(fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.constant('/a b&"<.png'))),
  youtubeId: fc.constant(null),
  mediaUrl: fc.constant('/a.mp4'),
})

it('is parsed to the same values for any texts', async () => {
  const property = fc.asyncProperty(text, fc.array(videos, { maxLength: 5 }), async (name, shown) => {
    const programmes = shown.map((video, index) => ({
      startsAtMs: 1_800_000_000_123 + index * 60_000,
      endsAtMs: 1_800_000_060_123 + index * 60_000,
      video,
    }))
    const tv = parse(await xmltv([{ id: 'rock', name, programmes }], SITE))
    const [channel, ...rows] = tv.children
    expect(channel).toMatchObject({ name: 'channel', attributes: { id: 'rock.tv.example.org' } })
    expect(channel!.children[0]).toMatchObject({ name: 'display-name', text: plainText(name) })
    expect(rows).toHaveLength(programmes.length)
    for (const [index, { attributes, children }] of rows.entries()) {
      const { startsAtMs, endsAtMs, video } = programmes[index]!
      expect(attributes).toEqual({
        start: xmltvTime(startsAtMs),
        stop: xmltvTime(endsAtMs),
        channel: 'rock.tv.example.org',
      })
      const places = children.map((child) => DTD_ORDER.indexOf(child.name))
      expect(places).not.toContain(-1)
      expect(places).toEqual(places.toSorted((a, b) => a - b))
      const read = (name: string) => children.find((child) => child.name === name)
      expect(read('title')!.text).toBe(plainText(video.title))
      expect(read('sub-title')!.text).toBe(plainText(video.artistName))
      expect(read('desc')!.text).toBe(plainText(video.description))
      expect(read('credits')!.children).toMatchObject([{ name: 'actor', text: plainText(video.artistName) }])
      expect(children.filter((child) => child.name === 'category')[0]!.text).toBe(plainText(video.genre))
      expect(read('length')).toMatchObject({
        attributes: { units: 'seconds' },
        text: String(Math.round(video.durationMs / 1000)),
      })
      const icon = video.thumbnailUrl === null ? undefined : new URL(video.thumbnailUrl, SITE).href
      expect(read('icon')?.attributes.src).toBe(icon)
    }
  })
  await fc.assert(property)
})

it('writes the block of a video and announced specials, in the order of the DTD', async () => {
  const gold = { id: 'gold', name: 'Gold & more', description: 'Forty years.', colour: null }
  const show = { id: 'show', name: 'The Show', description: 'Live.', colour: null }
  const [shown] = fc.sample(videos, 1)
  const span = { startsAtMs: Date.UTC(2026, 10, 21, 20), endsAtMs: Date.UTC(2026, 10, 21, 21) }
  const ahead = { startsAtMs: Date.UTC(2026, 10, 28, 20), endsAtMs: Date.UTC(2026, 10, 28, 22) }
  const programmes = [
    { ...span, video: shown! },
    { ...span, video: shown!, block: gold },
  ]
  const tv = parse(
    await xmltv([{ id: 'rock', name: 'Rock', programmes, specials: [{ ...show, ...ahead }] }], SITE),
  )
  const [, plain, inBlock, special] = tv.children
  const textOf = (element: Element | undefined, name: string) =>
    element!.children.find((child) => child.name === name)?.text
  expect(textOf(plain, 'keyword')).toBeUndefined()
  expect(textOf(plain, 'desc')).toBe(plainText(shown!.description))
  expect(textOf(inBlock, 'keyword')).toBe('Gold & more')
  expect(textOf(inBlock, 'desc')).toBe(plainText(`${shown!.description}\n\nGold & more: Forty years.`))
  const places = inBlock!.children.map((child) => DTD_ORDER.indexOf(child.name))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(special).toMatchObject({
    attributes: { start: '20261128200000 +0000', stop: '20261128220000 +0000' },
    children: [
      { name: 'title', text: 'The Show' },
      { name: 'desc', text: 'Live.' },
      { name: 'category', text: 'Music' },
    ],
  })
})

it('leaves no holes: short cards extend a video, longer ones are entries with the name of their block or channel', async () => {
  const [shown] = fc.sample(videos, 1)
  const kinds = fc.array(
    fc.tuple(fc.constantFrom('video', 'ident', 'countdown'), fc.integer({ min: 1, max: 100_000 })),
  )
  const planned = (rows: readonly (readonly [string, number])[]): Programme[] => {
    let endsAtMs = 1_800_000_000_000
    return rows.map(([kind, lengthMs]) => {
      const startsAtMs = endsAtMs
      endsAtMs += lengthMs
      return { startsAtMs, endsAtMs, kind, video: kind === 'video' ? shown! : null, block: null } as Programme
    })
  }
  fc.assert(
    fc.property(kinds, (rows) => {
      const programmes = planned(rows)
      const entries = xmltvProgrammes(programmes)
      expect(entries[0]?.startsAtMs).toBe(programmes[0]?.startsAtMs)
      expect(entries.at(-1)?.endsAtMs).toBe(programmes.at(-1)?.endsAtMs)
      for (const [index, entry] of entries.slice(1).entries()) {
        expect(entry.startsAtMs).toBe(entries[index]!.endsAtMs)
        expect(entry.video === null && entries[index]!.video === null).toBe(false)
      }
      expect(entries.filter(({ video }) => video !== null)).toHaveLength(
        programmes.filter(({ kind }) => kind === 'video').length,
      )
    }),
  )
  const pause = xmltvProgrammes(
    planned([
      ['ident', 8000],
      ['video', 180_000],
      ['ident', 17_000],
      ['video', 180_000],
      ['ident', 40_000],
      ['countdown', 40_000],
    ]),
  )
  const tv = parse(await xmltv([{ id: 'rock', name: 'Rock', programmes: pause }], SITE))
  const entries = tv.children.slice(1)
  expect(entries.map(({ attributes: { start, stop } }) => [start!.slice(8, 14), stop!.slice(8, 14)])).toEqual(
    [
      ['080000', '080325'],
      ['080325', '080625'],
      ['080625', '080745'],
    ],
  )
  expect(entries.at(-1)!.children).toMatchObject([
    { name: 'title', text: 'Rock' },
    { name: 'category', text: 'Music' },
  ])
})

it('writes instants in seconds and UTC', () => {
  expect(xmltvTime(Date.UTC(2026, 10, 21, 14, 3, 5, 999))).toBe('20261121140305 +0000')
})
