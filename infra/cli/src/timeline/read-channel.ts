import type { AirLogEntry, Channel, Programme } from '@looptide/contracts/http/channels'
import { fault } from '../exit-codes.ts'
import type { StationApi } from '../station-api.ts'
import type { ChannelFacts } from './verify-channel.ts'

const HOUR_MS = 3_600_000
/** The guide contains programmes that ended within the last three hours. */
const GUIDE_BACK_MS = 3 * HOUR_MS
const GUIDE_HOURS = 26
/** If the channel is edited while it is read, it is read again. */
const MOST_READS = 5

/** The requested channels, or all that are on the air. */
export async function readChannels(station: StationApi, wanted: readonly string[]): Promise<Channel[]> {
  const channels: Channel[] = []
  for await (const channel of station.list('GET /api/channels', {})) channels.push(channel)
  const missing = wanted.find((id) => channels.every((channel) => channel.id !== id))
  if (missing !== undefined) throw fault(`There is no channel ${missing}.`)
  return channels.filter(({ id, status }) => (wanted.length === 0 ? status === 'live' : wanted.includes(id)))
}

/** Timeline and air log of a channel from `backMs` ago, of one timeline version. */
export async function readChannel(
  station: StationApi,
  channel: Channel,
  backMs: number,
): Promise<ChannelFacts> {
  for (let read = 1; ; read += 1) {
    const { programmes, nowMs, version } = await readGuide(station, channel.id)
    const airLog = await readAirLog(station, channel.id, nowMs - backMs)
    const stopsAtMs = await readStops(station, channel.id, nowMs - backMs)
    const after = await station.call('GET /api/channels/:id/guide', {
      params: { id: channel.id },
      query: { hours: 1 },
    })
    if (after.timelineVersion === version || read === MOST_READS) {
      const isOnAir = channel.status === 'live'
      return { channelId: channel.id, nowMs, isOnAir, programmes, airLog, stopsAtMs }
    }
  }
}

async function readGuide(
  station: StationApi,
  id: string,
): Promise<{ programmes: Programme[]; nowMs: number; version: number }> {
  const guide = (query: { fromMs?: number; hours: number }) =>
    station.call('GET /api/channels/:id/guide', { params: { id }, query })
  const first = await guide({ hours: 1 })
  const { serverNowMs: nowMs, timelineVersion: version } = first
  const untilMs = nowMs + GUIDE_HOURS * HOUR_MS
  const programmes: Programme[] = []
  // Most programmes in one answer: the next request starts where it ended.
  for (let fromMs = nowMs - GUIDE_BACK_MS; fromMs < untilMs; ) {
    const { programmes: shown } = await guide({ fromMs, hours: GUIDE_HOURS })
    const known = programmes.at(-1)?.seq ?? 0
    const further = shown.filter(({ seq }) => seq > known)
    if (further.length === 0) break
    programmes.push(...further)
    fromMs = programmes.at(-1)?.endsAtMs ?? untilMs
  }
  return { programmes, nowMs, version }
}

async function readAirLog(station: StationApi, id: string, afterMs: number): Promise<AirLogEntry[]> {
  const entries: AirLogEntry[] = []
  const query = { afterMs, order: 'oldest' } as const
  for await (const entry of station.list('GET /api/channels/:id/air-log', { params: { id }, query }))
    entries.push(entry)
  return entries
}

async function readStops(station: StationApi, id: string, sinceMs: number): Promise<number[]> {
  const stops: number[] = []
  const query = { action: 'stream.stop', since: new Date(sinceMs).toISOString() }
  for await (const line of station.list('GET /api/audit', { query })) {
    if (line.targetId === id) stops.push(Date.parse(line.createdAt))
  }
  return stops
}
