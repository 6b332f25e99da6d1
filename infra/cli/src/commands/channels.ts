import type { Channel, Programme } from '@looptide/contracts/http/channels'
import type { Session } from '../session.ts'
import type { StationApi } from '../station-api.ts'
import { table } from '../table.ts'
import type { AddCommands } from './add-commands.ts'

/** Adds `channels`. */
export const addChannelCommands: AddCommands = (program, act) => {
  program
    .command('channels')
    .description('channels of the station')
    .command('status')
    .description('list channels with status, viewers and current programme')
    .action(act((session) => showStatus(session)))
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
