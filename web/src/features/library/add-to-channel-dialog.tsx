import type { Channel } from '@looptide/contracts/http/channels'
import type { Simulation } from '@looptide/contracts/http/simulation'
import { formatDuration } from '@looptide/playhead/duration'
import { useState } from 'react'
import useSWRImmutable from 'swr/immutable'
import { showFailure } from '../../lib/failures.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions, Form, SubmitButton } from '../../ui/form.tsx'
import { EmptyNotice } from '../../ui/notice.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.ts'
import { useForm } from '../../ui/use-form.ts'
import { removeFromPlaylist } from '../admin/remove-from-playlist.ts'
import { ShortLoopWarning } from '../admin/short-loops.tsx'
import { useChannels } from '../admin/use-channels.ts'
import { videoCountText } from '../admin/video-texts.ts'
import { addToChannel, simulateAdding } from './api.ts'
import { scheduledChangeText, unplayableText } from './live-playlist-text.ts'

/** How long the toast offers Undo, in ms. */
const UNDO_MS = 15_000

/** Appends the selected videos to a channel's playlist, with a preview of what the channel will play. */
export function AddToChannelDialog(props: {
  ids: readonly string[]
  onDone: () => void
  onClose: () => void
}) {
  const { ids, onDone, onClose } = props
  const { data, error } = useChannels()
  const channels = data?.items ?? []
  const [chosenId, setChosenId] = useState<string>()
  const channel = channels.find(({ id }) => id === chosenId) ?? channels[0]
  const form = useForm({
    send: async () => {
      if (!channel) return
      const itemIds = await addToChannel(channel.id, ids)
      toast({
        title: 'Video added to playlist',
        description: `${videoCountText(itemIds.length)} added to ${channel.name}.`,
        tone: 'success',
        durationMs: UNDO_MS,
        action: { label: 'Undo', onPress: () => void undo(channel, itemIds) },
      })
      onDone()
    },
    onFailure: (failure) =>
      showFailure(failure, { title: 'Failed to add video to playlist', text: 'Please try again.' }),
  })
  return (
    <Dialog title={`Add ${videoCountText(ids.length)} to a channel`} isOpen onClose={onClose} width="narrow">
      {channel ? (
        <Form form={form}>
          <SelectField
            label="Channel"
            choices={channels.map(({ id, name }) => ({ value: id, label: name }))}
            value={channel.id}
            onChange={setChosenId}
          />
          <Effect channel={channel} ids={ids} />
          <DialogActions onCancel={onClose}>
            <SubmitButton form={form} busyLabel="Adding..." disabled={ids.length === 0}>
              Add to channel
            </SubmitButton>
          </DialogActions>
        </Form>
      ) : data ? (
        <EmptyNotice title="No channels yet">Create one in the Channel Manager.</EmptyNotice>
      ) : error ? (
        <p role="alert">Failed to fetch channels</p>
      ) : (
        <Spinner text="Loading..." className="text-muted" />
      )}
    </Dialog>
  )
}

/** What the channel will play with the videos added. */
function Effect({ channel, ids }: { channel: Channel; ids: readonly string[] }) {
  const { data, error } = useSWRImmutable(['add-to-channel', channel.id, ids] as const, ([, id, videoIds]) =>
    simulateAdding(id, videoIds),
  )
  if (error) return <p role="alert">{error instanceof Error ? error.message : 'Please try again.'}</p>
  if (!data) return <p className="text-muted">Checking what {channel.name} will play...</p>
  const unplayable = unplayableText(data.loop, ids.length)
  return (
    <>
      <p>
        {data.schedule
          ? scheduledChangeText(channel.name, ids.length, data.schedule)
          : effectText(channel.name, data.loop)}
      </p>
      {unplayable && <p className="text-muted">{unplayable}</p>}
      {!data.schedule && <ShortLoopWarning loop={data.loop.after} />}
    </>
  )
}

/** "Night Jazz will play 12 videos (48:00) in a loop instead of 2 videos (8:00)." */
function effectText(name: string, { before, after }: Simulation['loop']): string {
  const listText = ({ videosCount, durationMs }: typeof after) =>
    `${videoCountText(videosCount)} (${formatDuration(durationMs)})`
  const instead = before.videosCount === 0 ? '' : ` instead of ${listText(before)}`
  return `${name} will play ${listText(after)} in a loop${instead}.`
}

async function undo(channel: Channel, itemIds: readonly string[]): Promise<void> {
  try {
    const count = await removeFromPlaylist(channel.id, itemIds)
    const description = `${videoCountText(count)} removed from ${channel.name}.`
    toast({ title: 'Video removed from playlist', description, tone: 'success' })
  } catch (failure) {
    showFailure(failure, { title: 'Failed to remove video from playlist', text: 'Please try again.' })
  }
}
