import type { Channel } from '@looptide/contracts/http/channels'
import { type ServerPushes, topics } from '@looptide/contracts/realtime'
import useSWR from 'swr'
import { allPages } from '../../lib/api/all-pages.ts'
import { keyOf } from '../../lib/api/use-call.ts'
import { usePushedChanges } from '../../lib/api/use-pushed-changes.ts'
import { useTopic } from '../../lib/realtime/use-topic.ts'

type StatusPush = ServerPushes['admin']['status']

/** All channels with their stream status. Status changes are pushed. */
export function useChannels() {
  const response = useSWR(keyOf('GET /api/channels', {}, { shape: 'derived' }), async ([call, input]) => ({
    items: await allPages(call, input),
  }))
  const changes = usePushedChanges<{ items: Channel[] }, StatusPush>(response, {
    apply: (known, pushes) => {
      const statuses = new Map(pushes.map(({ channelId, status }) => [channelId, status]))
      const items = known.items.map((channel) => ({
        ...channel,
        status: statuses.get(channel.id) ?? channel.status,
      }))
      return { ...known, items }
    },
  })
  const reload = () => changes.reload()
  useTopic('admin', topics.admin, { status: (push) => changes.push(push) }, reload)
  useTopic('station', topics.station, { channels: reload }, reload)
  return response
}

/** The name of a channel by its id; undefined for a deleted one, and until the channels are loaded. */
export function useChannelName(): (id: string) => string | undefined {
  const names = new Map(useChannels().data?.items.map(({ id, name }) => [id, name]))
  return (id) => names.get(id)
}
