import { serviceNames } from '@looptide/backing/service-names'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FuzzFixture, untilQuiet } from '../support/fuzz/fixture.ts'
import {
  anyRequests,
  badRequests,
  type HostileRequest,
  REQUESTERS,
  type Requester,
} from '../support/fuzz/requests.ts'
import { faultsOf, faultsOfRefusal } from '../support/fuzz/response-faults.ts'
import type { Route } from '../support/fuzz/routes.ts'
import { count, seed } from '../support/fuzz/seed.ts'
import { sized } from '../support/sizes.ts'

const BAD_PER_ROUTE = sized(10, 420)
const ANY_PER_ROUTE = sized(10, 420)
const LONG = { timeout: sized(60_000, 1_500_000) }

/** Requests that would break the fixture if they succeeded: only unauthorised senders send them. */
const FINAL = new Set([
  'POST /auth/v1/logout',
  'PUT /auth/v1/user',
  'PUT /auth/v1/admin/users/{id}',
  'DELETE /auth/v1/admin/users/{id}',
  'POST /api/users/end-sessions',
  'DELETE /api/me',
  'DELETE /api/playlists/{id}',
  'DELETE /api/videos',
  'POST /api/videos/jobs/delete',
  'DELETE /api/videos/deleted',
  'DELETE /api/channels/{id}',
  'DELETE /api/live-playlist',
  'DELETE /api/channels/{id}/schedule',
  'POST /api/channels/{id}/stream',
])

const requestersOf = ({ name }: Route): readonly Requester[] => (FINAL.has(name) ? ['nobody'] : REQUESTERS)

const routesOf = ({ routes }: FuzzFixture, owner: string): Route[] =>
  routes.filter((route) => route.owner === owner)

const draw = (arbitrary: fc.Arbitrary<HostileRequest>, numRuns: number) =>
  fc.sample(arbitrary, { numRuns, seed })

/** Requests that violate the OpenAPI description of their route. Nothing else may change data meanwhile. */
export function describeBadRequests(fixture: () => FuzzFixture): void {
  describe('a request that violates its description', () => {
    let before: Record<string, string>

    it('starts from an idle station', async () => {
      before = await untilQuiet(fixture())
    })

    it.each(serviceNames)('is refused by %s, without internals in the response', LONG, async (owner) => {
      const { sender, from } = fixture()
      for (const route of routesOf(fixture(), owner)) {
        const arbitrary = badRequests(route, REQUESTERS, from)
        if (arbitrary === undefined) continue
        const requests = draw(arbitrary, BAD_PER_ROUTE)
        expect(await sender.findFaults(requests, faultsOfRefusal)).toEqual([])
        count('requests to be refused', requests.length)
      }
    })

    it('does not change any data', async () => {
      expect(await untilQuiet(fixture())).toEqual(before)
    })
  })
}

/** Requests to every route, of which some are accepted: afterwards any data may be gone. */
export function describeAnyRequests(fixture: () => FuzzFixture): void {
  describe('any request', () => {
    it.each(serviceNames)('never gets a 5xx response from %s', LONG, async (owner) => {
      const { sender, from } = fixture()
      for (const route of routesOf(fixture(), owner)) {
        const requests = draw(anyRequests(route, requestersOf(route), from), ANY_PER_ROUTE)
        expect(await sender.findFaults(requests, faultsOf)).toEqual([])
        count('requests of any kind', requests.length)
      }
    })
  })
}
