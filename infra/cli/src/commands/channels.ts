import {
  type Channel,
  MAX_REQUEST_EVERY,
  MIN_REQUEST_EVERY,
  type Programme,
} from '@looptide/contracts/http/channels'
import { InvalidArgumentError } from 'commander'
import type { Session } from '../session.ts'
import type { StationApi } from '../station-api.ts'
import { table } from '../table.ts'
import type { AddCommands } from './add-commands.ts'

/** Adds `channels`. */
export const addChannelCommands: AddCommands = (program, act) => {
  const channels = program.command('channels').description('channels of the station')
  channels
    .command('status')
    .description('list channels with status, viewers and current programme')
    .action(act((session) => showStatus(session)))
  channels
    .command('requests')
    .description('let every n-th programme of a channel without a schedule be a request of a viewer')
    .argument('<channel>')
    .argument('<every>', `a number from ${MIN_REQUEST_EVERY} to ${MAX_REQUEST_EVERY}, or off`, everyOf)
    .action(act((session, id: string, every: number | null) => setRequests(session, id, every)))
}

function everyOf(text: string): number | null {
  if (text === 'off') return null
  const every = Number(text)
  if (!Number.isInteger(every) || every < MIN_REQUEST_EVERY || every > MAX_REQUEST_EVERY)
    throw new InvalidArgumentError(
      `Expected a whole number from ${MIN_REQUEST_EVERY} to ${MAX_REQUEST_EVERY}, or off.`,
    )
  return every
}

async function setRequests(session: Session, id: string, requestEvery: number | null): Promise<void> {
  const station = await session.station()
  const channel = await station.call('PATCH /api/channels/:id', { params: { id }, body: { requestEvery } })
  const text =
    requestEvery === null
      ? 'Without a schedule, the channel plays no requests.'
      : `Without a schedule, one of ${requestEvery} programmes is a request, if one waits.`
  session.report(channel, text)
}

interface ChannelState {
  id: string
  name: string
  isActive: boolean
  status: Channel['status']
  viewers: number
  onAir: string | null
  timelineVersion: number
}

async function showStatus(session: Session): Promise<void> {
  const station = await session.station()
  const { counts } = await station.call('GET /api/viewers')
  const states: ChannelState[] = []
  for await (const channel of station.list('GET /api/channels', {})) {
    states.push(await stateOf(station, channel, counts[channel.id] ?? 0))
  }
  const rows = states.map((state) => [
    state.id,
    state.isActive ? state.status : `${state.status} (hidden)`,
    String(state.viewers),
    state.onAir ?? '-',
  ])
  session.report(states, table(['CHANNEL', 'STATUS', 'VIEWERS', 'ON THE AIR'], rows))
}

async function stateOf(station: StationApi, channel: Channel, viewers: number): Promise<ChannelState> {
  const now = await station.call('GET /api/channels/:id/now', { params: { id: channel.id } })
  const onAir = now.programmes.find(({ endsAtMs }) => endsAtMs > now.serverNowMs)
  return {
    id: channel.id,
    name: channel.name,
    isActive: channel.isActive,
    status: channel.status,
    viewers,
    onAir: onAir === undefined ? null : nameOf(onAir),
    timelineVersion: now.timelineVersion,
  }
}

const nameOf = (programme: Programme): string =>
  programme.kind === 'video'
    ? `${programme.video.artistName} - ${programme.video.title}`
    : `(${programme.ident ?? programme.kind} card)`
