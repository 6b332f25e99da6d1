import type { ScheduleDocument } from '@looptide/contracts/schedule'
import type { Station } from '@looptide/runner/station/station'
import { testAdmin } from '@looptide/test-station/station'
import { bearerOf, clientOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { beforeAll, describe, expect, it } from 'vitest'
import { signIn } from '../support/people.ts'
import { sized } from '../support/sizes.ts'
import { attempt, isGood } from '../support/tally.ts'

/** The demo channel with a schedule. */
const CHANNEL = 'night-and-day'
const KILLS = sized(2, 30)
const MINUTE_MS = 60_000
const SOURCES = ['clips', 'everything'] as const

/** Version n plays one source all day, and the next version the other one, so that every programme shows its version. */
const documentOf = (number: number): ScheduleDocument => ({
  timeZone: 'UTC',
  defaultSource: SOURCES[number % 2] ?? 'clips',
  freezeMinutes: 0,
  sources: { clips: { kind: 'playlist' }, everything: { kind: 'smart', where: {} } },
  specials: [
    {
      id: 'mark',
      name: `Publication ${number}`,
      at: '2099-01-01T00:00',
      durationMs: 60_000,
      source: 'clips',
    },
  ],
})

let station: Station
let token: string
/** Document numbers by acknowledged version. */
const acknowledged = new Map<number, number>()
let isOver = false
let count = 0

const ask = (method: string, rest: string, body?: object) =>
  attempt(
    `${station.url}/api/channels/${CHANNEL}/schedule${rest}`,
    {
      method,
      headers: { ...bearerOf(token), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    },
    15_000,
  )

/** Publishes one document after another. Unacknowledged ones are not repeated: they may have been published. */
async function publishAll(): Promise<void> {
  while (!isOver) {
    count += 1
    if (!isGood(await ask('PUT', '/draft', documentOf(count)))) continue
    const answer = await ask('POST', '/publish')
    if (isGood(answer)) acknowledged.set((answer.body as { version: number }).version, count)
  }
}

const numberOf = ({ specials }: ScheduleDocument): number => Number(specials?.[0]?.name.split(' ')[1])

/** Acknowledged publications survive kills of the scheduler. */
export function describeKilledPublications(running: () => Station): void {
  describe(`the scheduler is killed ${KILLS} times while schedules are published`, () => {
    beforeAll(async () => {
      station = running()
      token = await signIn(station.url, testAdmin.email, testAdmin.password)
    })

    it(
      'recovers each time',
      async () => {
        const publishing = publishAll()
        for (let kill = 0; kill < KILLS; kill += 1) {
          const known = acknowledged.size
          await until('publications are acknowledged', () => acknowledged.size >= known + 3, {
            timeoutMs: 90_000,
          })
          await station.kill('stream-scheduler', 'SIGKILL')
        }
        const known = acknowledged.size
        await until('publications continue', () => acknowledged.size > known, { timeoutMs: 90_000 })
        isOver = true
        await publishing
      },
      sized(400_000, 3_000_000),
    )

    it('has each acknowledged version with its document', async () => {
      for (const [version, number] of acknowledged) {
        const { document } = await clientOf(station.url, token).call(
          'GET /api/channels/:id/schedule/versions/:version',
          { params: { id: CHANNEL, version } },
        )
        expect([version, numberOf(document)]).toEqual([version, number])
      }
    })

    it('plays the sources of the current version, without a gap', async () => {
      const { document, version } = await clientOf(station.url, token).call(
        'GET /api/channels/:id/schedule',
        {
          params: { id: CHANNEL },
        },
      )
      expect(version).toBeGreaterThanOrEqual(Math.max(...acknowledged.keys()))
      const { programmes } = await clientOf(station.url).call('GET /api/channels/:id/guide', {
        params: { id: CHANNEL },
        query: { hours: 26 },
      })
      const fromMs = Date.now() + 15 * MINUTE_MS
      const later = programmes.filter(({ startsAtMs }) => startsAtMs > fromMs)
      expect(later.length).toBeGreaterThan(100)
      const sources = later.map((programme) => (programme.kind === 'video' ? programme.reason?.source : null))
      expect(new Set(sources)).toEqual(new Set([document?.defaultSource]))
      const gaps = programmes.filter(
        (one, index) => index > 0 && programmes[index - 1]?.endsAtMs !== one.startsAtMs,
      )
      expect(gaps).toEqual([])
    })
  })
}
