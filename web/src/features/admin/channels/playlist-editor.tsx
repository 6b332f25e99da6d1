import type { Channel, ChannelPlaylistItem } from '@looptide/contracts/http/channels'
import { Suspense, useEffect, useState } from 'react'
import { useConfig } from '../../../lib/use-config.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyNotice, ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { toast } from '../../../ui/toast.ts'
import { lazyPart } from '../desk/lazy-part.ts'
import { useSectionSettings } from '../desk/section-settings.ts'
import { useChannelPlaylist } from './api.ts'
import { draftText, itemsAfter, wishOf } from './draft.ts'
import { PlaylistRows } from './playlist-rows.tsx'
import { SimulationPanel } from './simulation-panel.tsx'
import { usePlaylistChanges } from './use-playlist-changes.ts'

const AddVideosDialog = lazyPart(async () => (await import('./add-videos-dialog.tsx')).AddVideosDialog)

/** Whether changes are seen before they are saved. */
type Settings = { isReviewed: boolean }

/** One channel's playlist beside what viewers will see of it. */
export function PlaylistEditor({ channel }: { channel: Channel }) {
  const { data, error, mutate } = useChannelPlaylist(channel.id)
  const hasFailed = Boolean(error && !data)
  useEffect(() => {
    if (hasFailed) toast({ title: 'Error', description: 'Failed to fetch channel playlist', tone: 'error' })
  }, [hasFailed])
  if (hasFailed) {
    return <ErrorNotice text="Failed to fetch channel playlist" onRetry={() => void mutate()} />
  }
  if (!data) {
    return (
      <div role="status" aria-label="Loading the playlist" className="grid gap-2">
        {Array.from({ length: 5 }, (_, index) => (
          <Skeleton key={String(index)} className="h-16" />
        ))}
      </div>
    )
  }
  return <Editor channel={channel} items={data} />
}

function Editor({ channel, items }: { channel: Channel; items: readonly ChannelPlaylistItem[] }) {
  const { defaultChannelId } = useConfig()
  const [{ isReviewed }, set] = useSectionSettings<Settings>('channel-playlists', {
    isReviewed: true,
  })
  const changes = usePlaylistChanges(channel, items, isReviewed)
  const [isAdding, setAdding] = useState(false)
  const { draft, isBusy } = changes
  const shown = itemsAfter(items, draft)
  const isShuffled = draft?.kind === 'shuffle' ? draft.isOn : channel.shuffleEnabled
  return (
    <div className="grid min-w-0 items-start gap-6 @4xl:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
      <div className="grid min-w-0 gap-3">
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
          <Switch
            label="Shuffle"
            isOn={isShuffled}
            onChange={(isOn) => {
              if (isOn === channel.shuffleEnabled) changes.discard()
              else changes.propose({ kind: 'shuffle', isOn })
            }}
          />
          <Switch
            label="Review changes before saving"
            isOn={isReviewed}
            onChange={(isOn) => {
              changes.discard()
              set({ isReviewed: isOn })
            }}
          />
          <Button
            tone="primary"
            icon="plus"
            className="ml-auto"
            disabled={draft !== null}
            onClick={() => setAdding(true)}
          >
            Add Videos
          </Button>
        </div>
        {draft && (
          <div
            role="status"
            className="flex flex-wrap items-center gap-3 rounded-md border border-accent bg-raised px-4 py-3"
          >
            <p className="min-w-0 flex-1 text-sm font-medium break-words">{draftText(draft, channel)}</p>
            <Button disabled={isBusy} onClick={changes.discard}>
              Discard
            </Button>
            <Button tone="primary" disabled={isBusy} onClick={() => void changes.save()}>
              Save
            </Button>
          </div>
        )}
        {shown.length > 0 ? (
          <PlaylistRows
            items={shown}
            canRemove={draft === null && !isBusy}
            canMove={!isBusy && (draft === null || draft.kind === 'order')}
            onReorder={(ordered) => changes.propose({ kind: 'order', items: ordered })}
            onRemove={(item) => changes.propose({ kind: 'remove', item })}
          />
        ) : (
          <EmptyNotice title="No videos in this playlist yet.">
            {channel.id === defaultChannelId
              ? 'Until there are some, the channel plays every public video.'
              : 'Add some, and start the stream.'}
          </EmptyNotice>
        )}
      </div>
      <SimulationPanel channel={channel} wish={wishOf(draft)} />
      {isAdding && (
        <Suspense fallback={<Spinner text="Loading..." className="text-muted" />}>
          <AddVideosDialog channel={channel} onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </div>
  )
}
