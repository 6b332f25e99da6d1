import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Card } from './card.ts'
import { CardPainter } from './card-painter.ts'

let painter: CardPainter
beforeEach(() => {
  painter = new CardPainter({ logger: createLogger('test', 'silent'), now: Date.now })
})
afterEach(async () => {
  vi.useRealTimers()
  await painter.close()
})

const card = (title: string): Card => ({
  ...{ label: 'Live TV', isLive: true, title, detail: 'Artist', stationName: 'Station' },
})
/** Width and height of a PNG. */
const sizeOf = (png: Buffer): number[] => [png.readUInt32BE(16), png.readUInt32BE(20)]

it('draws a picture of the size of link previews once, in a thread that costs the event loop next to nothing', async () => {
  const [first, same] = await Promise.all([painter.paint(card('One')), painter.paint(card('One'))])
  expect(first?.subarray(1, 4).toString()).toBe('PNG')
  expect(first && sizeOf(first)).toEqual([1200, 630])
  expect(same).toBe(first)

  const before = { own: process.threadCpuUsage(), all: process.cpuUsage() }
  const second = await painter.paint(card('Two'))
  const [own, all] = [process.threadCpuUsage(before.own), process.cpuUsage(before.all)]
  expect(second).not.toEqual(first)
  // A share, because a busy machine makes both slower.
  const share = (own.user + own.system) / (all.user + all.system)
  expect(share, 'share of this thread in the processor time').toBeLessThan(0.25)
})

it('draws markup in a title as letters', async () => {
  const [markup, plain] = await Promise.all([
    painter.paint(card('<image href="file:///etc/passwd"/>')),
    painter.paint(card('')),
  ])
  expect(markup && sizeOf(markup)).toEqual([1200, 630])
  expect(markup?.length).toBeGreaterThan(plain?.length ?? Number.NaN)
})

it('refuses cards while too many wait, and gives those that wait nothing when it is closed', async () => {
  const many = Array.from({ length: 20 }, (_, index) => painter.paint(card(`Number ${index}`)))
  expect(await Promise.all(many.slice(16))).toEqual([undefined, undefined, undefined, undefined])
  await painter.close()
  expect(await Promise.all(many)).toContain(undefined)
})

it('gives each card its time from its turn on, and a new worker after one that took too long', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const pictures = ['One', 'Two', 'Three'].map((title) => painter.paint(card(title)))
  for (const picture of pictures) {
    expect(await picture).toBeDefined()
    vi.advanceTimersByTime(9000)
  }

  const [slow, next] = [painter.paint(card('Slow')), painter.paint(card('Next'))]
  vi.advanceTimersByTime(10_000)
  expect(await slow).toBeUndefined()
  expect(await next).toBeDefined()
})

it('draws titles of many scripts, in fonts that it has opened before or not', async () => {
  const titles = [
    'Ђурђевдан',
    'أغنية (Live) 2024',
    'שיר',
    'เพลงที่รัก',
    'हिन्दी गीत',
    '夜に駆ける',
    '봄날',
    '🎉',
    '🎵 Ω',
  ]
  const pictures = await Promise.all([...titles, ...titles].map((title) => painter.paint(card(title))))
  expect(pictures.map((png) => png && sizeOf(png))).toEqual(pictures.map(() => [1200, 630]))
})

it('draws no picture with a letter that no font has', async () => {
  expect(await painter.paint(card('ᚠ'))).toBeUndefined()
})

it.each([
  ['the start of a text that is longer than a card', 'l'.repeat(10_000), 'l'.repeat(300)],
  [
    'four marks of a letter, which reach no other text',
    `ก${'\u0e49'.repeat(3300)}`,
    `ก${'\u0e49'.repeat(4)}`,
  ],
])('draws %s', async (_what, hostile, shown) => {
  const [first, second] = await Promise.all([hostile, shown].map((title) => painter.paint(card(title))))
  expect(first && sizeOf(first)).toEqual([1200, 630])
  expect(first?.equals(second ?? Buffer.alloc(0))).toBe(true)
})
