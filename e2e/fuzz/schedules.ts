import type { NowState } from '@looptide/contracts/http/channels'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FuzzFixture } from '../support/fuzz/fixture.ts'
import type { HostileRequest } from '../support/fuzz/requests.ts'
import { faultsOf } from '../support/fuzz/response-faults.ts'
import { count } from '../support/fuzz/seed.ts'

/** A schedule must not keep the scheduler from other requests for longer than this (ms). */
const MAX_ANSWER_MS = 2000
/** Number of attempts: a busy machine can delay a response. */
const MOST_TIMES = 5
const CHANNEL = 'test-card'
const WORKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

const source = { kind: 'smart', where: {} }
const valid = { timeZone: 'UTC', defaultSource: 'all', sources: { all: source } }
const many = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index))
const named = <T>(length: number, make: (index: number) => T) =>
  Object.fromEntries(many(length, (index) => [`name-${index}`, make(index)]))
const time = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
const block = (index: number, more: object = {}) => ({
  id: `block-${index}`,
  name: `Block ${index}`,
  days: [WORKDAYS[Math.floor(index / 72)]],
  from: time((index % 72) * 20),
  to: time((index % 72) * 20 + 20),
  source: 'all',
  ...more,
})
const hard = (value: number) => ({ value, strength: 'hard' })
const strict = {
  artistSeparationMinutes: hard(1440),
  videoSeparationHours: hard(720),
  maxAiringsPerDay: hard(1),
  maxDurationMinutes: hard(0.001),
}

/** Documents as JSON text: it can contain numbers and duplicate names that objects cannot. */
const DOCUMENTS: Record<string, string> = {
  nothing: 'null',
  'a list': '[]',
  'a text': '"schedule"',
  'deep lists': `{"sources":${'['.repeat(5000)}${']'.repeat(5000)}}`,
  'deep objects': `{"clocks":{"a":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}}`,
  'huge numbers': JSON.stringify({ ...valid, rules: { maxAiringsPerDay: hard(7) } }).replace('7', '1e308'),
  'infinite numbers': JSON.stringify({ ...valid, freezeMinutes: 77 }).replace('77', '1e999'),
  'negative numbers': JSON.stringify({ ...valid, freezeMinutes: -1 }),
  'names of prototype properties': `{"timeZone":"UTC","defaultSource":"constructor","sources":{"__proto__":{"kind":"smart","where":{}},"constructor":{"kind":"smart","where":{}},"toString":{"kind":"playlist"}}}`,
  'unknown names of prototype properties': JSON.stringify({
    ...valid,
    defaultSource: 'toString',
    blocks: [block(1, { source: undefined, clock: 'valueOf' })],
  }),
  NUL: JSON.stringify({ ...valid, blocks: [block(1, { name: 'a\0b' })] }),
  'a lone surrogate': JSON.stringify({ ...valid, blocks: [block(1, { name: '\ud800' })] }),
  'unknown time zones': JSON.stringify({ ...valid, timeZone: 'Etc/GMT+99' }),
  'a path as time zone': JSON.stringify({ ...valid, timeZone: '../../../../etc/passwd' }),
  'times that do not exist': JSON.stringify({
    ...valid,
    blocks: [block(1, { from: '24:00', to: '24:00' })],
    specials: [{ id: 's', name: 'S', at: '9999-02-30T25:61', durationMs: 1e12, source: 'all' }],
  }),
  'the largest dates': JSON.stringify({
    ...valid,
    overrides: many(200, (index) => ({ id: `o-${index}`, from: '0001-01-01', to: '9999-12-31', blocks: [] })),
  }),
  'ids that are used twice': JSON.stringify({ ...valid, blocks: many(500, () => block(1)) }),
  'five hundred blocks': JSON.stringify({
    ...valid,
    blocks: many(500, (index) => block(index, { start: 'hard', rules: strict })),
  }),
  'five hundred blocks of every day': JSON.stringify({
    ...valid,
    blocks: many(500, (index) => block(index, { days: WORKDAYS, from: '00:00', to: '24:00' })),
  }),
  'five hundred specials': JSON.stringify({
    ...valid,
    specials: many(500, (index) => ({
      id: `s-${index}`,
      name: 'S',
      at: `2027-01-0${1 + Math.floor(index / 400)}T${time((index * 2) % 1440)}`,
      durationMs: 60_000,
      start: 'hard',
      source: 'all',
    })),
  }),
  'every source, clock and rule': JSON.stringify({
    timeZone: 'America/New_York',
    defaultSource: 'name-0',
    sources: named(200, (index) => ({
      kind: 'smart',
      where: { genres: many(index % 20, (at) => `genre ${at}`) },
    })),
    clocks: named(100, (index) => many(40, (at) => ({ source: `name-${(index + at) % 200}`, count: 100 }))),
    blocks: many(400, (index) =>
      block(index, { source: undefined, clock: `name-${index % 100}`, start: 'hard', rules: strict }),
    ),
    rules: strict,
  }),
  'rules that forbid every video': JSON.stringify({
    ...valid,
    rules: {
      ...strict,
      excludedArtists: many(50, (index) => `Artist ${index}`),
      tagWindows: many(20, (index) => ({ tag: 'all', from: time(index), to: time(index) })),
    },
  }),
  'too many bytes': JSON.stringify({ ...valid, comment: 'x'.repeat(600_000) }),
}

/** Hostile schedules, sent by an admin to every route that accepts a schedule. */
export function describeSchedules(fixture: () => FuzzFixture): void {
  describe('a schedule', () => {
    const path = (rest: string) => `/api/channels/${CHANNEL}/schedule${rest}`
    const request = (method: string, rest: string, body: string): HostileRequest => ({
      requester: 'admin',
      method,
      path: path(rest),
      headers: { 'content-type': 'application/json' },
      body,
    })
    const control = (action: string) =>
      fixture().sender.send({
        requester: 'admin',
        method: 'POST',
        path: `/api/channels/${CHANNEL}/stream`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ action }),
      })

    const now = async (): Promise<NowState> => {
      const path = `/api/channels/${CHANNEL}/now`
      const answer = await fixture().sender.send({ ...request('GET', '', ''), path, body: undefined })
      return JSON.parse(answer.text) as NowState
    }

    beforeAll(async () => {
      expect((await control('start')).status).toBe(200)
      await until('the channel is on the air', async () => (await now()).status === 'live')
    })
    afterAll(async () => {
      await fixture().sender.send(request('DELETE', '', '{}'))
      await control('stop')
    })

    it.each(Object.keys(DOCUMENTS))(
      'with %s is answered in time, and the channel stays on the air',
      async (name) => {
        const text = DOCUMENTS[name] ?? ''
        const from = new Date().toISOString()
        const to = new Date(Date.now() + 86_400_000).toISOString()
        const requests = [
          request('PUT', '/draft', text),
          request('POST', '/preview', `{"from":"${from}","to":"${to}","document":${text}}`),
          request('POST', '/publish/preview', `{"document":${text}}`),
          request('POST', '/publish', ''),
        ]
        for (const one of requests) {
          let tookMs = Number.POSITIVE_INFINITY
          for (let time = 0; time < MOST_TIMES && tookMs > MAX_ANSWER_MS; time += 1) {
            const startedAtMs = performance.now()
            const answer = await fixture().sender.send(one)
            expect([one.path, faultsOf(one, answer)]).toEqual([one.path, []])
            tookMs = performance.now() - startedAtMs
          }
          expect(tookMs).toBeLessThan(MAX_ANSWER_MS)
        }
        count('schedules', requests.length)
        const { status, programmes, serverNowMs } = await now()
        expect(status).toBe('live')
        expect(
          programmes.some(({ startsAtMs, endsAtMs }) => startsAtMs <= serverNowMs && serverNowMs < endsAtMs),
        ).toBe(true)
      },
    )
  })
}
