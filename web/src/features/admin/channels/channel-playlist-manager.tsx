import { useState } from 'react'
import { useSession } from '../../../lib/session.tsx'
import { useFailureToast } from '../../../lib/use-failure-toast.ts'
import { EmptyNotice, ErrorNotice } from '../../../ui/notice.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useChannels } from '../stream/api.ts'
import { PlaylistEditor } from './playlist-editor.tsx'

/** Channel Playlist Manager: what an active channel plays, in which order, and what a change does to the next hours. */
export function ChannelPlaylistManager() {
  const { isAdmin } = useSession()
  return (
    <section aria-labelledby="channel-playlists" className="@container grid min-w-0 gap-4">
      <h2 id="channel-playlists" className="text-xl font-semibold">
        Channel Playlist Manager
      </h2>
      {isAdmin ? <Manager /> : <EmptyNotice title="Admin access required to manage channel playlists." />}
    </section>
  )
}

function Manager() {
  const { data, error, mutate } = useChannels()
  useFailureToast('Error', data ? undefined : error, 'Failed to fetch channels')
  const [chosenId, setChosenId] = useState<string>()
  if (!data) {
    if (error) return <ErrorNotice text="Failed to fetch channels" onRetry={() => void mutate()} />
    return <Skeleton className="h-96" />
  }
  const active = data.items.filter((channel) => channel.isActive)
  const channel = active.find(({ id }) => id === chosenId) ?? active[0]
  if (!channel) {
    return <EmptyNotice title="No active channel">Activate one in the Channel Manager.</EmptyNotice>
  }
  return (
    <>
      <SelectField
        label="Channel"
        choices={active.map(({ id, name }) => ({ value: id, label: name }))}
        value={channel.id}
        onChange={setChosenId}
        className="max-w-md"
      />
      <PlaylistEditor key={channel.id} channel={channel} />
    </>
  )
}
