import type { Channel } from '@looptide/contracts/http/channels'
import { textKey } from '@looptide/contracts/text'
import { useState } from 'react'
import { useFailureToast } from '../../lib/api/use-failure-toast.ts'
import { TextField } from '../../ui/field.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useShortLoops } from '../admin/short-loops.tsx'
import { useChannels } from '../admin/use-channels.ts'
import { ChannelRow } from './channel-row.tsx'
import { CreateChannelForm } from './create-channel-form.tsx'

/** Number of channels from which a search field is shown. */
const SEARCH_FROM = 9

/** Channel Manager: create, edit, activate, deactivate, copy and delete channels. */
export function ChannelManager() {
  const { data, error, mutate } = useChannels()
  const hasFailed = Boolean(error && !data)
  useFailureToast('Error', hasFailed ? error : undefined, 'Failed to fetch channels')
  return (
    <section aria-labelledby="channel-manager" className="@container grid min-w-0 gap-4">
      <h2 id="channel-manager" className="text-xl font-semibold">
        Channel Manager
      </h2>
      <div className="grid items-start gap-6 @4xl:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
        <CreateChannelForm channelCount={data?.items.length} />
        {data ? (
          <ChannelRows channels={data.items} />
        ) : hasFailed ? (
          <ErrorNotice text="Failed to fetch channels" onRetry={() => void mutate()} />
        ) : (
          <div role="status" aria-label="Loading channels" className="grid gap-2">
            <Skeleton className="h-20" />
            <Skeleton className="h-20" />
            <Skeleton className="h-20" />
          </div>
        )}
      </div>
    </section>
  )
}

function ChannelRows({ channels }: { channels: readonly Channel[] }) {
  const [text, setText] = useState('')
  const shortLoops = useShortLoops()
  const query = textKey(text)
  const found = channels.filter(({ name }) => name.toLowerCase().includes(query))
  if (channels.length === 0) {
    return <EmptyNotice title="No channels yet">Enter a name to create the first one.</EmptyNotice>
  }
  return (
    <div className="grid min-w-0 gap-3">
      {channels.length >= SEARCH_FROM && (
        <TextField
          label="Find a channel"
          type="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {found.length === 0 ? (
        <EmptyNotice title="No matching channels" />
      ) : (
        <ul
          aria-label="Channels"
          className="max-h-112 divide-y divide-line overflow-y-auto overscroll-contain rounded-lg border border-line/70 bg-panel"
        >
          {found.map((channel) => (
            <ChannelRow
              key={channel.id}
              channel={channel}
              channels={channels}
              shortLoop={shortLoops.get(channel.id)}
            />
          ))}
        </ul>
      )}
    </div>
  )
}
