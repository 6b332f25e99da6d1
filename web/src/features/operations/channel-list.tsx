import type { Channel } from '@looptide/contracts/http/channels'
import { textKey } from '@looptide/contracts/text'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import { useFailureToast } from '../../lib/api/use-failure-toast.ts'
import { paths } from '../../lib/paths.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { useChannels } from '../admin/use-channels.ts'

/** Number of channels from which a search field is shown. */
const SEARCH_FROM = 9
const PAGE_SIZE = 12

/** All channels in order, each rendered by `children`, with a search field if there are many. */
export function ChannelList(props: {
  channels: ReturnType<typeof useChannels>
  className: string
  children: (channel: Channel) => ReactNode
}) {
  const { data, error, mutate } = props.channels
  useFailureToast('Error', data ? undefined : error, 'Failed to fetch channels')
  const [text, setText] = useState('')
  const [shown, setShown] = useState(PAGE_SIZE)
  if (!data) {
    if (error) return <ErrorNotice text="Failed to fetch channels" onRetry={() => void mutate()} />
    return (
      <div role="status" aria-label="Loading channels" className="grid gap-4 lg:grid-cols-2">
        <Skeleton className="h-72" />
        <Skeleton className="h-72" />
      </div>
    )
  }
  if (data.items.length === 0) {
    return (
      <EmptyNotice title="No channels yet">
        <Link to={paths.admin('channels')} className={buttonClass('primary')}>
          Channel Manager
        </Link>
      </EmptyNotice>
    )
  }
  const query = textKey(text)
  const found = data.items
    .filter(({ name }) => name.toLowerCase().includes(query))
    .toSorted((a, b) => a.position - b.position)
  return (
    <div className="grid gap-4">
      {data.items.length >= SEARCH_FROM && (
        <TextField
          label="Search channels"
          type="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {found.length === 0 ? (
        <p className="py-6 text-center text-muted">No matching channels.</p>
      ) : (
        <ul className={props.className}>
          {found.slice(0, shown).map((channel) => (
            <li key={channel.id}>{props.children(channel)}</li>
          ))}
        </ul>
      )}
      {found.length > shown && (
        <Button className="justify-self-center" onClick={() => setShown(shown + PAGE_SIZE)}>
          Show more
        </Button>
      )}
    </div>
  )
}
