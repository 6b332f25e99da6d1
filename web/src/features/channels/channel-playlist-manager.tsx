import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useFailureToast } from '../../lib/failures.ts'
import { useSession } from '../../lib/session/session.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useChannels } from '../admin/use-channels.ts'
import { PlaylistEditor } from './playlist-editor.tsx'

/** Channel Playlist Manager: edits an active channel's playlist and previews the resulting programme. */
export function ChannelPlaylistManager() {
  const { may } = useSession()
  return (
    <section aria-labelledby="channel-playlists" className="@container grid min-w-0 gap-4">
      <h2 id="channel-playlists" className="text-xl font-semibold">
        Channel Playlist Manager
      </h2>
      {may('schedules:edit') ? (
        <Manager />
      ) : (
        <EmptyNotice title="Admin access required to manage channel playlists." />
      )}
    </section>
  )
}

function Manager() {
  const { data, error, mutate } = useChannels()
  useFailureToast(data ? undefined : error, { title: 'Error', text: 'Failed to fetch channels' })
  const [parameters, setParameters] = useSearchParams()
  const parameter = parameters.get('channel')
  const [{ lastParameter, chosenId }, setChosen] = useState({ lastParameter: parameter, chosenId: parameter })
  // A link to a channel's playlist selects it. A URL without the parameter keeps the selection.
  if (parameter !== lastParameter) setChosen({ lastParameter: parameter, chosenId: parameter ?? chosenId })
  const choose = (id: string) => {
    setChosen({ lastParameter, chosenId: id })
    setParameters(
      (known) => {
        known.set('channel', id)
        return known
      },
      { replace: true, preventScrollReset: true },
    )
  }
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
        onChange={choose}
        className="max-w-md"
      />
      <PlaylistEditor key={channel.id} channel={channel} />
    </>
  )
}
