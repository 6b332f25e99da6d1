import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseWatchPage } from './watch-page.ts'

const page = (response: object, rest = ''): string =>
  `<html><script>var ytInitialPlayerResponse = ${JSON.stringify(response).replaceAll('</', '<\\/')};var x = {};</script>${rest}`

it('finds duration and texts, also with braces and quotes in the texts', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.string({ unit: 'grapheme' }),
      fc.integer({ min: 1, max: 99_999 }),
      (a, b, n) => {
        const title = `${a}"};{ \\" ${b}`
        const html = page({
          note: title,
          videoDetails: { title, shortDescription: b, lengthSeconds: String(n) },
        })
        expect(parseWatchPage(html)).toMatchObject({ title, description: b, durationMs: n * 1000 })
      },
    ),
  )
})

it('reads the duration from the markup if the player data is missing or broken', () => {
  const meta = '<meta content="PT4M5S" itemprop="duration">'
  expect(parseWatchPage(meta).durationMs).toBe(245_000)
  expect(parseWatchPage(`<script>var ytInitialPlayerResponse = {"a": ;</script>${meta}`).durationMs).toBe(
    245_000,
  )
  expect(parseWatchPage(page({ videoDetails: { lengthSeconds: '0' } }, meta)).durationMs).toBe(245_000)
})

it('returns the playability status and its reason', () => {
  const html = page({
    playabilityStatus: { status: 'LOGIN_REQUIRED', messages: ['This is a private video.'] },
  })
  expect(parseWatchPage(html)).toMatchObject({
    playability: 'LOGIN_REQUIRED',
    reason: 'This is a private video.',
    durationMs: null,
  })
})

it('never throws on arbitrary input', () => {
  fc.assert(
    fc.property(fc.string(), (junk) => {
      parseWatchPage(junk)
      parseWatchPage(`ytInitialPlayerResponse = {${junk}`)
      parseWatchPage(`window["ytInitialPlayerResponse"] = {"videoDetails": "${junk}"}`)
    }),
  )
})
