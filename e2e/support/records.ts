import type { AirLogEntry, NowState } from '@looptide/contracts/http/channels'
import type { ChatMessage, ChatPage } from '@looptide/contracts/http/chat'
import { until } from '@looptide/testkit/until'
import { expect } from 'vitest'
import type { Chatter, Watcher } from './crowd.ts'

/** Reads JSON from a station; throws unless it responds with success within fifteen seconds. */
export async function getJson<T>(stationUrl: string, path: string): Promise<T> {
  const response = await fetch(`${stationUrl}${path}`, { signal: AbortSignal.timeout(15_000) })
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return (await response.json()) as T
}

/** The messages of the channel after a sequence number, oldest first. */
export async function chatHistory(
  stationUrl: string,
  channelId: string,
  afterSeq = 0,
): Promise<ChatMessage[]> {
  const all: ChatMessage[] = []
  for (;;) {
    const after = all.at(-1)?.seq ?? afterSeq
    const page = await getJson<ChatPage>(
      stationUrl,
      `/api/chat/channels/${channelId}/messages?after=${after}&limit=100`,
    )
    all.push(...page.items)
    if (page.items.length < 100) return all
  }
}

/**
 * Verifies that each acknowledged message is stored once, without gaps in the numbering, that nothing else is stored, and
 * that every watcher has received all of it. Chatters must have stopped. Returns the number of messages.
 */
export async function expectNothingLost(
  stationUrl: string,
  channelId: string,
  chatters: readonly Chatter[],
  watchers: readonly Watcher[],
): Promise<number> {
  const history = await chatHistory(stationUrl, channelId)
  const texts = history.map(({ message }) => message)
  const said = chatters.flatMap(({ acknowledged }) => acknowledged.map(({ message }) => message))
  expect(new Set(texts).size).toBe(texts.length)
  expect([...texts].sort()).toEqual([...said].sort())
  expect(history.map(({ seq }) => seq)).toEqual(history.map((_, index) => index + 1))
  for (const watcher of watchers) {
    await watcher.catchUp()
    expect(watcher.contradictions).toEqual([])
    expect(watcher.messages.size).toBe(history.length)
  }
  return history.length
}

/** Verifies that the programmes of `before` have not moved, and that later ones follow without a gap. */
export async function expectTimelineKept(
  stationUrl: string,
  channelId: string,
  before: NowState,
): Promise<void> {
  const after = await getJson<NowState>(stationUrl, `/api/channels/${channelId}/now`)
  const known = new Map(before.programmes.map((programme) => [programme.seq, programme]))
  const shared = after.programmes.filter(({ seq }) => known.has(seq))
  expect(shared.length).toBeGreaterThan(0)
  for (const programme of shared) {
    expect(programme.startsAtMs).toBe(known.get(programme.seq)?.startsAtMs)
    expect(programme.videoId).toBe(known.get(programme.seq)?.videoId)
  }
  const log = await until('the air log has caught up', async () => {
    const page = await getJson<{ items: AirLogEntry[] }>(
      stationUrl,
      `/api/channels/${channelId}/air-log?limit=100`,
    )
    const onAir = after.programmes[0]
    return page.items.some(({ startedAtMs }) => startedAtMs === onAir?.startsAtMs) ? page.items : null
  })
  const inOrder = log.toReversed()
  inOrder.slice(1).forEach((entry, index) => {
    expect(entry.startedAtMs).toBe(inOrder[index]?.endedAtMs)
  })
}
