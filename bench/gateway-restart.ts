/**
 * A gateway is killed or restarted under its viewers: time until all are connected again, and requests that reach
 * the services meanwhile. Viewers reconnect with the web app's own delays and request over HTTP what the live page
 * requests. Method: bench/README.md.
 *
 *   node bench/gateway-restart.ts [viewers …] [--json FILE]      default 5000
 */

import { setTimeout as pause } from 'node:timers/promises'
import { startTestStation, type TestStation } from '@looptide/test-station/station'
import { bearerOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { Agent, request } from 'undici'
import { REJOIN_SPREAD_MS } from '../web/src/lib/realtime/reconnect-delay.ts'
import { CHANNEL, CHAT_TOPIC, STREAM_TOPIC } from './fan-out/messages.ts'
import { ReturningViewer } from './gateway-restart/returning-viewer.ts'
import { grown, requestCounts } from './gateway-restart/upstream-counts.ts'
import { type BenchRow, benchArguments, machine, writeRows } from './report.ts'
import { tokensOf } from './sockets/accounts.ts'

/** One of this many viewers is signed in, with a token of its own. */
const SIGNED_IN_EVERY = 5
const ACCOUNTS = 25
const ARRIVALS_PER_TICK = 20
const TICK_MS = 20
const LONGEST_MS = 60_000
/** Connections of all viewers' browsers for HTTP requests. */
const HTTP_CONNECTIONS = 200

type How = 'killed' | 'restarted'

interface ViewerGroup {
  viewers: ReturningViewer[]
  /** HTTP requests of the viewers: open, sent, refused. */
  http: { open: number; asked: number; refused: number }
}

/** Requests of the live page after each join: theme, missed messages, chat permissions. */
async function askAfterJoin(
  url: string,
  token: string | null,
  group: ViewerGroup,
  agent: Agent,
): Promise<void> {
  const questions = [
    { path: `/api/chat/channels/${CHANNEL}/messages?after=0`, afterMs: 0 },
    // The page sends it after a random delay.
    { path: '/api/theme', afterMs: Math.random() * REJOIN_SPREAD_MS },
    { path: `/api/chat/channels/${CHANNEL}/permissions`, afterMs: Math.random() * REJOIN_SPREAD_MS },
  ]
  const { http } = group
  await Promise.all(
    questions.slice(0, token === null ? -1 : undefined).map(async ({ path, afterMs }) => {
      http.open += 1
      await pause(afterMs)
      http.asked += 1
      try {
        const headers = token === null ? {} : bearerOf(token)
        const { statusCode, body } = await request(url + path, { dispatcher: agent, headers })
        await body.dump()
        if (statusCode !== 200) http.refused += 1
      } catch {
        http.refused += 1
      }
      http.open -= 1
    }),
  )
}

async function connectViewers(station: TestStation, count: number, agent: Agent): Promise<ViewerGroup> {
  const accounts = await tokensOf(station.url, ACCOUNTS, Math.floor(count / SIGNED_IN_EVERY))
  const group: ViewerGroup = { viewers: [], http: { open: 0, asked: 0, refused: 0 } }
  const port = Number(new URL(station.url).port)
  const common = [STREAM_TOPIC, CHAT_TOPIC, 'realtime:station']
  for (let index = 0; index < count; index += 1) {
    const account = index % SIGNED_IN_EVERY === 0 ? accounts[index / SIGNED_IN_EVERY] : undefined
    const token = account?.token ?? null
    const topics = account === undefined ? common : [...common, `realtime:user:${account.id}`]
    const viewer = new ReturningViewer({ port, topics, token }, () => {
      void askAfterJoin(station.url, token, group, agent)
    })
    group.viewers.push(viewer)
    viewer.come()
    if (index % ARRIVALS_PER_TICK === 0) await pause(TICK_MS)
  }
  await until('all have joined', () => allHaveJoined(group), { timeoutMs: LONGEST_MS })
  return group
}

const allHaveJoined = ({ viewers, http }: ViewerGroup): boolean =>
  http.open === 0 && viewers.every(({ joinedAtMs }) => joinedAtMs !== null)

async function measure(station: TestStation, group: ViewerGroup, how: How): Promise<BenchRow> {
  const { gateway: _own, ...services } = station.urls
  group.http.asked = 0
  group.http.refused = 0
  const before = await requestCounts(services)
  const endedAtMs = performance.now()
  if (how === 'killed') void station.kill('gateway', 'SIGKILL')
  else void station.restart('gateway')
  const allAreBack = () => group.viewers.every(({ joinedAtMs }) => (joinedAtMs ?? 0) > endedAtMs)
  await until('all are back', allAreBack, { timeoutMs: LONGEST_MS })
  await until('all requests have ended', () => group.http.open === 0, { timeoutMs: LONGEST_MS })
  const backMs = group.viewers
    .map(({ joinedAtMs }) => (joinedAtMs ?? 0) - endedAtMs)
    .toSorted((one, other) => one - other)
  const at = (share: number): number => Math.round(backMs[Math.ceil(backMs.length * share) - 1] ?? 0)
  const reached = grown(before, await requestCounts(services))
  return {
    bench: 'gateway-restart',
    input: { viewers: group.viewers.length, how },
    figures: {
      firstBackMs: Math.round(backMs[0] ?? 0),
      halfBackMs: at(0.5),
      p99BackMs: at(0.99),
      allBackMs: at(1),
      httpAsked: group.http.asked,
      httpRefused: group.http.refused,
      ...Object.fromEntries(Object.entries(reached).map(([name, count]) => [`reached ${name}`, count])),
    },
  }
}

const { sizes, json } = benchArguments([5000])
console.log(machine())
const station = await startTestStation({ env: { RATE_LIMIT_FACTOR: '1000000', LOG_LEVEL: 'warn' } })
const agent = new Agent({ connections: HTTP_CONNECTIONS })
const rows: BenchRow[] = []
try {
  for (const size of sizes) {
    const group = await connectViewers(station, size, agent)
    for (const how of ['killed', 'restarted'] as const) {
      rows.push(await measure(station, group, how))
      console.log(JSON.stringify(rows.at(-1)))
      await until('all viewers are connected', () => allHaveJoined(group), { timeoutMs: LONGEST_MS })
    }
    for (const viewer of group.viewers) viewer.leave()
  }
  await agent.close()
} finally {
  await station.stop()
}
console.table(rows.map(({ input, figures }) => ({ ...input, ...figures })))
if (json !== undefined) writeRows(json, rows)
