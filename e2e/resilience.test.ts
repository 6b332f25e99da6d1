import type { HealthReport } from '@looptide/contracts/http/admin'
import type { NowState } from '@looptide/contracts/http/channels'
import type { ChatPage } from '@looptide/contracts/http/chat'
import type { Station } from '@looptide/runner/station'
import { startFakeYoutube } from '@looptide/testkit/fake-youtube/server'
import { startTestStation } from '@looptide/testkit/station'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { Chatter, Watcher } from './support/crowd.ts'
import { signUp } from './support/people.ts'
import { expectNothingLost, expectTimelineKept, getJson } from './support/records.ts'

const CHANNEL = 'test-card'
const CHATTERS = 10
const WATCHERS = 20
const PROCESSES = [
  'auth',
  'catalogue',
  'stream-scheduler',
  'chat',
  'admin-audit',
  'metadata-worker',
  'gateway',
  'postgres',
  'redis',
  'nats',
] as const

let youtube: Awaited<ReturnType<typeof startFakeYoutube>>
let station: Station
let chatters: Chatter[]
let watchers: Watcher[]
let before: NowState

/** Every service, asked anew since `sinceMs` (epoch ms), is well and reaches all it depends on. */
async function allHealthy(sinceMs: number): Promise<boolean> {
  const { results } = await getJson<HealthReport>(station.url, '/api/health')
  return results.length === 7 && results.every((result) => result.healthy && result.checkedAtMs > sinceMs)
}

beforeAll(async () => {
  youtube = await startFakeYoutube()
  station = await startTestStation({ fakeYoutube: youtube.url })
  const people = await Promise.all(
    Array.from({ length: CHATTERS }, (_, index) => signUp(station.url, `chatter-${index}`)),
  )
  before = await until('the channel is on the air', async () => {
    const now = await getJson<NowState>(station.url, `/api/channels/${CHANNEL}/now`)
    return now.programmes.length > 0 ? now : null
  })
  chatters = people.map((person) => new Chatter(station.url, CHANNEL, person, 250))
  watchers = Array.from({ length: WATCHERS }, () => new Watcher(station.url, CHANNEL))
  for (const one of [...watchers, ...chatters]) one.start()
  await until('everybody has joined', () => watchers.every((watcher) => watcher.joins > 0))
}, 180_000)

afterAll(async () => {
  await Promise.all((watchers ?? []).map((watcher) => watcher.stop()))
  await station?.stop()
  await youtube?.stop()
})

describe('while ten chat and twenty watch', () => {
  for (const name of PROCESSES) {
    test(`${name} is killed, and everything is back without a hand`, async () => {
      const spoken = () => chatters.reduce((sum, chatter) => sum + chatter.acknowledged.length, 0)
      const said = spoken()
      const pid = station.pids[name]
      station.kill(name, 'SIGKILL')
      await until(`${name} runs again`, () => station.pids[name] !== pid && station.pids[name], {
        timeoutMs: 60_000,
      })
      const sinceMs = Date.now()
      await until('all are healthy', () => allHealthy(sinceMs).catch(() => false), { timeoutMs: 60_000 })
      await until('chat is acknowledged again', () => spoken() > said + CHATTERS, { timeoutMs: 30_000 })
      const newest = (await getJson<ChatPage>(station.url, `/api/chat/channels/${CHANNEL}/messages?limit=1`))
        .lastSeq
      await until(
        'the talk reaches every watcher live',
        () => watchers.every((watcher) => watcher.messages.has(newest)),
        { timeoutMs: 60_000 },
      )
    }, 180_000)
  }

  test('nothing acknowledged was lost or doubled, for anybody', async () => {
    await Promise.all(chatters.map((chatter) => chatter.stop()))
    await expectNothingLost(station.url, CHANNEL, chatters, watchers)
  })

  test('the timeline did not jump, and the air log has no gap', () =>
    expectTimelineKept(station.url, CHANNEL, before))
})
