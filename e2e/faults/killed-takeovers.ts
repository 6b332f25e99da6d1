import type { ReturnPolicy } from '@looptide/contracts/http/takeovers'
import type { Station } from '@looptide/runner/station/station'
import { testAdmin } from '@looptide/test-station/station'
import { bearerOf, clientOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { beforeAll, describe, expect, it } from 'vitest'
import { signIn } from '../support/people.ts'
import { sized } from '../support/sizes.ts'
import { attempt, isGood } from '../support/tally.ts'

const CHANNEL = 'test-card'
/** Starting a takeover is a guarded action: ten per hour. */
const TAKEOVERS = sized(2, 4)

let station: Station
let token: string
let videoId: string

const ask = (method: string, body?: object) =>
  attempt(
    `${station.url}/api/channels/${CHANNEL}/takeover`,
    {
      method,
      headers: { ...bearerOf(token), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    },
    15_000,
  )

/** Kills the scheduler and waits until it answers again. */
async function kill(): Promise<void> {
  await station.kill('stream-scheduler', 'SIGKILL')
  const isBack = () =>
    current().then(
      () => true,
      () => false,
    )
  await until('the scheduler answers again', isBack, { timeoutMs: 60_000 })
}
const current = async () =>
  (await clientOf(station.url, token).call('GET /api/channels/:id/takeover', { params: { id: CHANNEL } }))
    .takeover

/** Takeovers survive kills of the scheduler. */
export function describeKilledTakeovers(running: () => Station): void {
  describe('takeovers', () => {
    beforeAll(async () => {
      station = running()
      token = await signIn(station.url, testAdmin.email, testAdmin.password)
      const page = await clientOf(station.url, token).call('GET /api/videos', { query: { limit: 1 } })
      videoId = page.items[0]?.id ?? ''
    })

    it(`${TAKEOVERS} takeovers and their ends survive kills of the scheduler`, async () => {
      for (let number = 0; number < TAKEOVERS; number += 1) {
        const title = `Takeover ${number}`
        const returnPolicy: ReturnPolicy = number % 2 === 0 ? 'continue' : 'join'
        const body = { videoIds: [videoId], until: 'stopped', returnPolicy, title }
        expect(isGood(await ask('POST', body))).toBe(true)
        await kill()
        expect((await current())?.title).toBe(title)
        expect(isGood(await ask('DELETE'))).toBe(true)
        await kill()
        expect(await current()).toBeNull()
        const { programmes } = await clientOf(station.url, token).call('GET /api/channels/:id/guide', {
          params: { id: CHANNEL },
          query: { hours: 2 },
        })
        const gaps = programmes.filter(
          (one, index) => index > 0 && programmes[index - 1]?.endsAtMs !== one.startsAtMs,
        )
        expect(gaps).toEqual([])
      }
    }, 240_000)

    it('each start and end is in the audit log once', async () => {
      const countOf = async (action: string) =>
        (await clientOf(station.url, token).call('GET /api/audit', { query: { action, limit: 100 } })).items
          .length
      await until('all entries have arrived', async () => (await countOf('takeover.stop')) >= TAKEOVERS)
      expect([await countOf('takeover.start'), await countOf('takeover.stop')]).toEqual([
        TAKEOVERS,
        TAKEOVERS,
      ])
    })
  })
}
