import { serviceNames } from '@looptide/runner/processes/service-names'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FuzzFixture, untilQuiet } from '../support/fuzz/fixture.ts'
import { faultsOf, faultsOfRefusal } from '../support/fuzz/judge.ts'
import {
  ASKERS,
  type Asker,
  anyRequests,
  badRequests,
  type HostileRequest,
} from '../support/fuzz/requests.ts'
import type { Route } from '../support/fuzz/routes.ts'
import { count, seed } from '../support/fuzz/seed.ts'
import { sized } from '../support/sizes.ts'

const BAD_PER_ROUTE = sized(10, 420)
const ANY_PER_ROUTE = sized(10, 420)
const LONG = { timeout: sized(60_000, 1_500_000) }

/** Requests that would break the fixture if they succeeded: only unauthorised askers send them. */
const FINAL = new Set([
  'POST /auth/v1/logout',
  'PUT /auth/v1/user',
  'PUT /auth/v1/admin/users/{id}',
  'DELETE /auth/v1/admin/users/{id}',
  'POST /api/users/end-sessions',
  'DELETE /api/me',
  'DELETE /api/playlists/{id}',
  'DELETE /api/videos',
  'DELETE /api/videos/deleted',
  'DELETE /api/channels/{id}',
  'DELETE /api/live-playlist',
  'DELETE /api/channels/{id}/schedule',
  'POST /api/channels/{id}/stream',
])

const askersOf = ({ name }: Route): readonly Asker[] => (FINAL.has(name) ? ['nobody'] : ASKERS)

/** Every route, from its own description. */
export function describeRoutes(fixture: () => FuzzFixture): void {
  const of = (owner: string): Route[] => fixture().routes.filter((route) => route.owner === owner)
  const draw = (arbitrary: fc.Arbitrary<HostileRequest>, numRuns: number) =>
    fc.sample(arbitrary, { numRuns, seed })

  describe('what does not fit its description', () => {
    let before: Record<string, string>

    it('starts from an idle station', async () => {
      before = await untilQuiet(fixture())
    })

    it.each(serviceNames)('is refused by %s, without internals in the answer', LONG, async (owner) => {
      const { sender, from } = fixture()
      for (const route of of(owner)) {
        const arbitrary = badRequests(route, ASKERS, from)
        if (arbitrary === undefined) continue
        const requests = draw(arbitrary, BAD_PER_ROUTE)
        expect(await sender.findFaults(requests, faultsOfRefusal)).toEqual([])
        count('requests to be refused', requests.length)
      }
    })

    it('has changed nothing', async () => {
      expect(await untilQuiet(fixture())).toEqual(before)
    })
  })

  describe('anything at all', () => {
    it.each(serviceNames)('is answered by %s, and never with 5xx', LONG, async (owner) => {
      const { sender, from } = fixture()
      for (const route of of(owner)) {
        const requests = draw(anyRequests(route, askersOf(route), from), ANY_PER_ROUTE)
        expect(await sender.findFaults(requests, faultsOf)).toEqual([])
        count('requests of any kind', requests.length)
      }
    })
  })
}
