import { withClient } from '@looptide/backing/database/set-up'
import { serviceNames } from '@looptide/backing/service-names'
import type { ViewerReport } from '@looptide/contracts/http/admin'
import type { NowState } from '@looptide/contracts/http/channels'
import type { Station } from '@looptide/runner/station/station'
import { startTestStation, testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { startFakeYoutube } from '@looptide/testkit/fake-youtube/server'
import { until } from '@looptide/testkit/until'
import { acceptedInTurn } from '@looptide/testkit/until-refused'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BareSocket } from '../support/bare-socket.ts'
import { looptide } from '../support/commands.ts'
import { Chatter, Watcher } from '../support/crowd.ts'
import {
  kidOf,
  statusFor,
  tokenVerifyingProcesses,
  whenRefused,
  whenRevoked,
  whenTopicLost,
} from '../support/key-revocation.ts'
import { signIn, signUp } from '../support/people.ts'
import { expectNothingLost, expectTimelineKept, getJson } from '../support/records.ts'

/** Two gateways and two replicas of each service, as on a large station. */
const CHANNEL = 'test-card'
const CHATTERS = 6
const WATCHERS = 24
const BEHIND = serviceNames.filter((name) => name !== 'gateway')
/** Limits are three times the defaults: enough for all viewers, and 180 full guides per minute. */
const LIMIT_FACTOR = 3

let youtube: Awaited<ReturnType<typeof startFakeYoutube>>
let station: Station
let gateways: string[]
let chatters: Chatter[]
let watchers: Watcher[]
let before: NowState
const figures: Record<string, number> = {}

async function viewersAt(gateway: string, channelId = CHANNEL): Promise<number> {
  const { counts } = await getJson<ViewerReport>(station.fleet.urlOf(gateway), '/api/viewers')
  return counts[channelId] ?? 0
}

async function bothCount(expected: number): Promise<void> {
  for (const gateway of gateways)
    await until(`${gateway} counts ${expected}`, async () => (await viewersAt(gateway)) === expected)
}

const sinceMs = (startedAtMs: number): number => Math.round(performance.now() - startedAtMs)

beforeAll(async () => {
  const startedAtMs = performance.now()
  youtube = await startFakeYoutube()
  station = await startTestStation({
    fakeYoutube: youtube.url,
    replicas: Object.fromEntries(serviceNames.map((name) => [name, 2])),
    env: { RATE_LIMIT_FACTOR: String(LIMIT_FACTOR) },
  })
  figures.startedMs = sinceMs(startedAtMs)
  gateways = station.fleet.namesOf('gateway')
  const people = await Promise.all(
    Array.from({ length: CHATTERS }, (_, index) => signUp(station.url, `chatter-${index}`)),
  )
  before = await until('the channel is on the air', async () => {
    const now = await getJson<NowState>(station.url, `/api/channels/${CHANNEL}/now`)
    return now.programmes.length > 0 ? now : null
  })
  chatters = people.map((person) => new Chatter(station.url, CHANNEL, person, 400))
  watchers = Array.from({ length: WATCHERS }, () => new Watcher(station.url, CHANNEL))
  for (const one of [...watchers, ...chatters]) one.start()
  await until('everyone has joined', () => watchers.every((watcher) => watcher.joins > 0))
}, 180_000)

afterAll(async () => {
  const startedAtMs = performance.now()
  await Promise.all((watchers ?? []).map((watcher) => watcher.stop()))
  await station?.stop()
  await youtube?.stop()
  figures.stoppedMs = sinceMs(startedAtMs)
  console.log('two of everything:', JSON.stringify(figures))
})

describe('with six users who chat and twenty-four viewers, on two gateways', () => {
  test('both count all viewers', () => bothCount(WATCHERS))

  test('a ban takes effect at both', async () => {
    const person = await signUp(station.url, 'mallory')
    const token = await signIn(station.url, testAdmin.email, testAdmin.password)
    const sockets = await Promise.all(gateways.map((name) => BareSocket.open(station.fleet.urlOf(name))))
    for (const socket of sockets) await socket.join(`user:${person.id}`, person.accessToken)
    const startedAtMs = performance.now()
    await clientOf(station.url, token).call('POST /api/users/:id/restrictions', {
      params: { id: person.id },
      body: { restrictionType: 'site_banned', reason: 'a test' },
    })
    await until('both sockets are closed', () => sockets.every(({ closeCode }) => closeCode === 4001))
    figures.banFeltMs = sinceMs(startedAtMs)
    for (const gateway of gateways) {
      // Without text, so that no message is stored while a replica of chat does not know of the ban yet.
      const message = { clientId: crypto.randomUUID(), message: '' }
      await until(`messages at ${gateway} are refused`, async () => {
        const refused = await clientOf(station.fleet.urlOf(gateway), person.accessToken).send(
          'POST /api/chat/channels/:id/messages',
          { params: { id: CHANNEL }, body: message },
        )
        return refused.status === 401
      })
    }
  })

  test('requests at both are counted together', async () => {
    const limit = 60 * LIMIT_FACTOR
    const [first = '', second = ''] = gateways.map(
      (gateway) => `${station.fleet.urlOf(gateway)}/api/guide.xml`,
    )
    const accepted = await acceptedInTurn(first, second)
    expect(accepted[0]).toBeGreaterThanOrEqual(limit)
    // With a count of its own, it would accept as many.
    expect(accepted[1]).toBeLessThan(limit)
  })

  test('every channel has one leader, and the replicas share them', async () => {
    await until('every channel has a leader that was seen lately', async () => {
      const { rows } = await withClient(station.databaseUrl, (client) =>
        client.query<{ alive: boolean }>(
          `select r.seen_at > clock_timestamp() - interval '4 s' as alive
           from scheduler.channels c left join scheduler.replicas r on r.id = c.leader where c.status <> 'idle'`,
        ),
      )
      return rows.length > 0 && rows.every(({ alive }) => alive)
    })
  })

  test('the services are restarted, one replica of each after the other', async () => {
    const joined = watchers.map((watcher) => watcher.joins)
    const startedAtMs = performance.now()
    for (const number of [0, 1]) {
      const names = BEHIND.map((service) => station.fleet.namesOf(service)[number] ?? '')
      await Promise.all(names.map((name) => station.restart(name)))
    }
    figures.servicesRestartedMs = sinceMs(startedAtMs)
    // Sockets belong to the gateways, so no viewer was disconnected.
    expect(watchers.map((watcher) => watcher.joins)).toEqual(joined)
  }, 120_000)

  test('the gateways are restarted one after the other: one reconnect for each of their viewers, none for others', async () => {
    let moved = 0
    for (const gateway of gateways) {
      const joined = watchers.map((watcher) => watcher.joins)
      await station.restart(gateway)
      await bothCount(WATCHERS)
      await until('everyone has joined again', () => watchers.every((watcher) => watcher.isJoined))
      const again = watchers.map((watcher, i) => watcher.joins - (joined[i] ?? 0))
      expect(Math.max(...again)).toBe(1)
      moved += again.filter((joins) => joins === 1).length
    }
    figures.reconnectsByRestarts = moved
    // All viewers who were moved to the second one were moved back.
    expect(moved).toBeGreaterThanOrEqual(WATCHERS)
  }, 120_000)

  test('the viewers of a killed gateway are removed from the other’s count', async () => {
    const [survivor = '', victim = ''] = gateways
    const ghosts = await Promise.all(
      Array.from({ length: 5 }, () => BareSocket.open(station.fleet.urlOf(victim))),
    )
    for (const ghost of ghosts) await ghost.join(`stream:${CHANNEL}`)
    await bothCount(WATCHERS + ghosts.length)
    const startedAtMs = performance.now()
    await station.kill(victim, 'SIGKILL')
    // After 6.5 s without a message, provided its viewers have reconnected.
    await until('the five viewers have left', async () => (await viewersAt(survivor)) === WATCHERS)
    figures.killedViewersGoneMs = sinceMs(startedAtMs)
    await until('the killed gateway runs again', () => station.isRunning(victim), { timeoutMs: 30_000 })
    await bothCount(WATCHERS)
  }, 180_000)

  test('no acknowledged write was lost or applied twice', async () => {
    await Promise.all(chatters.map((chatter) => chatter.stop()))
    figures.messages = await expectNothingLost(station.url, CHANNEL, chatters, watchers)
    figures.saidAgain = chatters.reduce((sum, chatter) => sum + chatter.repeats, 0)
  })

  test('the timeline did not jump, and the air log has no gap', () =>
    expectTimelineKept(station.url, CHANNEL, before))
})

describe('a revoked signing key', () => {
  // Their tokens are signed with the revoked key.
  beforeAll(() => Promise.all(chatters.map((chatter) => chatter.stop())))

  test('is refused by every process, and its sockets lose their topics', async () => {
    const token = await signIn(station.url, testAdmin.email, testAdmin.password)
    const kid = kidOf(token)
    const { id: userId } = await clientOf(station.url, token).call('GET /api/me')
    const verifying = tokenVerifyingProcesses(station)
    for (const process of verifying)
      expect([process.name, await statusFor(process, token)]).toEqual([process.name, 200])
    const sockets = await Promise.all(gateways.map((name) => BareSocket.open(station.fleet.urlOf(name))))
    for (const socket of sockets) await socket.join(`user:${userId}`, token)

    const revokedAt = whenRevoked(station.databaseUrl, kid)
    const felt = Promise.all([
      ...verifying.map((process) => whenRefused(process, token)),
      ...sockets.map((socket) => whenTopicLost(socket)),
    ])
    expect(await looptide(station.dataDir, 'keys', 'revoke', kid)).toMatchObject({ code: 0, err: '' })
    const startedAtMs = await revokedAt
    const delays = (await felt).map((atMs) => Math.round(atMs - startedAtMs))
    figures.keyRevokedEverywhereMs = Math.max(...delays)

    for (const socket of sockets)
      expect(await socket.tryJoin(`user:${userId}`, token)).toBe('Unauthorized: invalid token')
    const renewed = await signIn(station.url, testAdmin.email, testAdmin.password)
    for (const process of verifying)
      await until(
        `${process.name} takes the next key's token`,
        async () => (await statusFor(process, renewed)) === 200,
      )
    for (const socket of sockets) expect(await socket.tryJoin(`user:${userId}`, renewed)).toBe('ok')
  })
})
