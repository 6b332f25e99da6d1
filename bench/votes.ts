/**
 * Votes for requests: the time from a vote to its number at another viewer, beside the time until the vote is acknowledged.
 * Through the whole station: HTTP → gateway → audience → Postgres → NATS → gateway → socket. Method: bench/README.md.
 *
 *   node bench/votes.ts [votes …] [--json FILE]      default 100
 */
import { setTimeout as pause } from 'node:timers/promises'
import { PUBLIC_API_KEY } from '@looptide/contracts/realtime'
import { startTestStation } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { startFakeYoutube } from '@looptide/testkit/fake-youtube/server'
import { until } from '@looptide/testkit/until'
import { RealtimeClient } from '@supabase/realtime-js'
import { adminToken, importVideos, signInAdmin } from './import/import-videos.ts'
import { quantile } from './quantile.ts'
import { type BenchRow, measureSizes, rounded } from './report.ts'
import { signUpMany } from './sockets/accounts.ts'

/** The channel of every station that plays without YouTube. */
const CHANNEL = 'test-card'
/** Longest pause before a vote, in ms: votes come at any time of the interval at which they are counted. */
const MAX_PAUSE_MS = 1500

/** The numbers of votes of a request, as a viewer's client receives them. */
async function watchVotes(
  url: string,
  requestId: string,
): Promise<{ next: () => Promise<number>; close: () => Promise<unknown> }> {
  const client = new RealtimeClient(`${url.replace(/^http/, 'ws')}/realtime/v1`, {
    params: { apikey: PUBLIC_API_KEY },
  })
  let waiting = Promise.withResolvers<number>()
  const channel = client.channel(`stream:${CHANNEL}`)
  channel.on(
    'broadcast',
    { event: 'votes' },
    ({ payload }: { payload: { votes: Record<string, number> } }) => {
      const votes = payload.votes[requestId]
      if (votes !== undefined) waiting.resolve(votes)
    },
  )
  const joined = Promise.withResolvers<void>()
  channel.subscribe((state, error) => {
    if (state === 'SUBSCRIBED') return joined.resolve()
    const lost = new Error(`the channel of the viewer is ${state}`, { cause: error })
    joined.reject(lost)
    waiting.reject(lost)
  })
  await joined.promise
  return {
    next: () => {
      waiting = Promise.withResolvers<number>()
      return waiting.promise
    },
    close: () => {
      void waiting.promise.catch(() => undefined)
      return client.disconnect()
    },
  }
}

async function measure(votes: number): Promise<BenchRow> {
  const youtube = await startFakeYoutube()
  const env = { LOG_LEVEL: 'warn', REQUESTS_MIN_ACCOUNT_AGE_HOURS: '0', VOTES_MIN_WATCH_MINUTES: '0' }
  const station = await startTestStation({ fakeYoutube: youtube.url, env })
  try {
    const { url } = station
    const admin = clientOf(url, await adminToken(url))
    await admin.call('PATCH /api/channels/:id', { params: { id: CHANNEL }, body: { requestEvery: 100 } })
    const [videoId = ''] = await importVideos(await signInAdmin(url), 1)
    const [requester = '', voter = ''] = await signUpMany(url, 2)
    const { id: requestId } = await until('the request is accepted', () =>
      clientOf(url, requester).call('POST /api/channels/:id/requests', {
        ...{ params: { id: CHANNEL }, body: { videoId } },
      }),
    )
    const client = clientOf(url, voter)
    const viewer = await watchVotes(url, requestId)
    const [acknowledged, seen]: [number[], number[]] = [[], []]
    for (let vote = 0; vote < votes; vote += 1) {
      await pause(Math.random() * MAX_PAUSE_MS)
      const counted = viewer.next()
      const startMs = performance.now()
      const call =
        vote % 2 === 0 ? 'PUT /api/requests/:requestId/vote' : 'DELETE /api/requests/:requestId/vote'
      await client.call(call, { params: { requestId } })
      acknowledged.push(performance.now() - startMs)
      await counted
      seen.push(performance.now() - startMs)
    }
    await viewer.close()
    for (const list of [acknowledged, seen]) list.sort((a, b) => a - b)
    return {
      bench: 'votes',
      input: { votes },
      figures: {
        acknowledgedP50Ms: rounded(quantile(acknowledged, 0.5)),
        seenP50Ms: rounded(quantile(seen, 0.5)),
        seenP95Ms: rounded(quantile(seen, 0.95)),
        slowestMs: rounded(seen.at(-1) ?? Number.NaN),
      },
    }
  } finally {
    await station.stop()
    await youtube.stop()
  }
}

await measureSizes([100], measure)
