import type { HealthReport } from '@looptide/contracts/http/admin'
import type { AirLogEntry, NowState } from '@looptide/contracts/http/channels'
import type { ChatMessage, ChatPage } from '@looptide/contracts/http/chat'
import type { Station } from '@looptide/runner/station'
import { startFakeYoutube } from '@looptide/testkit/fake-youtube/server'
import { startTestStation } from '@looptide/testkit/station'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Chatter, Watcher } from './support/crowd.ts'
import { signUp } from './support/people.ts'

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

async function getJson<T>(path: string): Promise<T> {
  const response = await fetch(`${station.url}${path}`, { signal: AbortSignal.timeout(5000) })
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return (await response.json()) as T
}

/** Every message of the channel as the chat service tells it, oldest first. */
async function chatHistory(): Promise<ChatMessage[]> {
  const all: ChatMessage[] = []
  for (;;) {
    const page = await getJson<ChatPage>(
      `/api/chat/channels/${CHANNEL}/messages?after=${all.at(-1)?.seq ?? 0}&limit=100`,
    )
    all.push(...page.items)
    if (page.items.length < 100) return all
  }
}

/** Every service, asked anew since `sinceMs` (epoch ms), is well and reaches all it depends on. */
async function allHealthy(sinceMs: number): Promise<boolean> {
  const { results } = await getJson<HealthReport>('/api/health')
  return results.length === 7 && results.every((result) => result.healthy && result.checkedAtMs > sinceMs)
}

beforeAll(async () => {
  youtube = await startFakeYoutube()
  station = await startTestStation({ fakeYoutube: youtube.url })
  const people = await Promise.all(
    Array.from({ length: CHATTERS }, (_, index) => signUp(station.url, `chatter-${index}`)),
  )
  before = await until('the channel is on the air', async () => {
    const now = await getJson<NowState>(`/api/channels/${CHANNEL}/now`)
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
      const newest = (await getJson<ChatPage>(`/api/chat/channels/${CHANNEL}/messages?limit=1`)).lastSeq
      await until(
        'the talk reaches every watcher live',
        () => watchers.every((watcher) => watcher.messages.has(newest)),
        { timeoutMs: 60_000 },
      )
    }, 180_000)
  }

  test('nothing acknowledged was lost or doubled, for anybody', async () => {
    await Promise.all(chatters.map((chatter) => chatter.stop()))
    const history = await chatHistory()
    const texts = history.map(({ message }) => message)
    const said = chatters.flatMap((chatter) => chatter.acknowledged)
    expect(new Set(texts).size).toBe(texts.length)
    expect([...texts].sort()).toEqual([...said].sort())
    expect(history.map(({ seq }) => seq)).toEqual(history.map((_, index) => index + 1))
    for (const watcher of watchers) {
      await watcher.catchUp()
      expect(watcher.contradictions).toEqual([])
      expect(watcher.messages.size).toBe(history.length)
    }
  })

  test('the timeline did not jump, and the air log has no gap', async () => {
    const after = await getJson<NowState>(`/api/channels/${CHANNEL}/now`)
    const known = new Map(before.programmes.map((programme) => [programme.seq, programme]))
    const shared = after.programmes.filter(({ seq }) => known.has(seq))
    expect(shared.length).toBeGreaterThan(0)
    for (const programme of shared) {
      expect(programme.startsAtMs).toBe(known.get(programme.seq)?.startsAtMs)
      expect(programme.videoId).toBe(known.get(programme.seq)?.videoId)
    }
    const log = await until('the air log has caught up', async () => {
      const page = await getJson<{ items: AirLogEntry[] }>(`/api/channels/${CHANNEL}/air-log?limit=100`)
      const onAir = after.programmes[0]
      return page.items.some(({ startedAtMs }) => startedAtMs === onAir?.startsAtMs) ? page.items : null
    })
    const inOrder = log.toReversed()
    inOrder.slice(1).forEach((entry, index) => {
      expect(entry.startedAtMs).toBe(inOrder[index]?.endedAtMs)
    })
  })
})
