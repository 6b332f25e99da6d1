import type { Channel } from '@looptide/contracts/http/channels'
import type { SimulateBody, SimulatedSchedule } from '@looptide/contracts/http/simulation'
import { useEffect, useState } from 'react'
import { useConfig } from '../../lib/api/use-config.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast.ts'
import { useDraftsReady } from '../admin/drafts/account-drafts.ts'
import { ConflictNotice, DifferenceLines } from '../admin/drafts/conflict-notice.tsx'
import { OtherEditors } from '../admin/drafts/other-editors.tsx'
import { lazyDialog } from '../admin/lazy-part.ts'
import { useSectionSettings } from '../admin/section-settings.ts'
import { useLastEditor } from '../audit/api.ts'
import { useChannelPlaylist, useSimulation } from './api.ts'
import {
  draftText,
  type PlaylistDifference,
  type PlaylistDraft,
  simulationBody,
  titleOf,
  type VersionedPlaylist,
} from './draft.ts'
import { PlaylistTable } from './playlist-table.tsx'
import { playlistDraftKey } from './save-playlist-draft.ts'
import { SimulationPanel } from './simulation-panel.tsx'
import { type PlaylistChanges, usePlaylistChanges } from './use-playlist-changes.ts'

const AddVideosDialog = lazyDialog(async () => (await import('./add-videos-dialog.tsx')).AddVideosDialog)

/** A channel's playlist with a preview of the resulting programme. */
export function PlaylistEditor({ channel }: { channel: Channel }) {
  const { data, error, mutate } = useChannelPlaylist(channel.id)
  const isReady = useDraftsReady()
  const hasFailed = Boolean(error && !data)
  useEffect(() => {
    if (hasFailed) toast({ title: 'Error', description: 'Failed to fetch channel playlist', tone: 'error' })
  }, [hasFailed])
  if (hasFailed) {
    return <ErrorNotice text="Failed to fetch channel playlist" onRetry={() => void mutate()} />
  }
  if (!data || !isReady) {
    return (
      <div role="status" aria-label="Loading playlist" className="grid gap-2">
        {Array.from({ length: 5 }, (_, index) => (
          <Skeleton key={String(index)} className="h-16" />
        ))}
      </div>
    )
  }
  return <Editor channel={channel} playlist={data} />
}

function Editor({ channel, playlist }: { channel: Channel; playlist: VersionedPlaylist }) {
  // `isReviewed`: changes are collected in a draft instead of being saved immediately.
  const [{ isReviewed }, set] = useSectionSettings<{ isReviewed: boolean }>('channel-playlists', {
    isReviewed: true,
  })
  const changes = usePlaylistChanges(channel, playlist, isReviewed)
  const [isAdding, setAdding] = useState(false)
  const { draft, theirs } = changes
  return (
    <div className="grid min-w-0 items-start gap-6 @4xl:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
      <div className="grid min-w-0 gap-3">
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
          <Switch label="Shuffle" isOn={changes.isShuffled} onChange={changes.setShuffle} />
          <Switch
            label="Review changes before saving"
            isOn={isReviewed}
            onChange={(isOn) => set({ isReviewed: isOn })}
          />
          <Button tone="primary" icon="plus" className="ml-auto" onClick={() => setAdding(true)}>
            Add Videos
          </Button>
        </div>
        <OtherEditors draftKey={playlistDraftKey(channel.id)} what="this playlist" />
        {theirs && !changes.isBusy ? (
          <PlaylistConflict channelId={channel.id} changes={changes} theirs={theirs} />
        ) : (
          draft && <DraftBar changes={changes} draft={draft} />
        )}
        {changes.entries.length > 0 ? (
          <PlaylistTable channel={channel} changes={changes} />
        ) : (
          <EmptyPlaylist channel={channel} changes={simulationBody(draft)} />
        )}
      </div>
      <SimulationPanel channel={channel} changes={simulationBody(draft)} />
      {isAdding && (
        <AddVideosDialog
          channel={channel}
          draft={draft}
          onAdd={changes.add}
          onClose={() => setAdding(false)}
        />
      )}
    </div>
  )
}

/** What a channel with an empty playlist plays. */
function EmptyPlaylist({ channel, changes }: { channel: Channel; changes: SimulateBody }) {
  const { defaultChannelId } = useConfig()
  const { data } = useSimulation(channel.id, changes)
  const loopText =
    channel.id === defaultChannelId
      ? 'Until you add videos, the channel plays all public videos.'
      : 'Add videos, then start the stream.'
  return (
    <EmptyNotice title="No videos in this playlist yet.">
      {data && (data.schedule ? scheduledText(data.schedule) : loopText)}
    </EmptyNotice>
  )
}

const scheduledText = ({ usesPlaylist }: SimulatedSchedule): string =>
  usesPlaylist
    ? 'The channel follows its schedule. Add videos for the sources that play from this playlist.'
    : 'The channel follows its schedule, which does not use this playlist.'

/** Describes the unsaved changes, with buttons to undo the last one, to discard or to save them. */
function DraftBar(props: { changes: PlaylistChanges; draft: PlaylistDraft }) {
  const { changes, draft } = props
  const { isBusy, undo } = changes
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-3 rounded-md border border-accent bg-raised px-4 py-3"
    >
      <p className="min-w-0 flex-1 basis-52 text-sm font-medium break-words">
        {draftText(draft)}
        {changes.isRestored && (
          <span className="block font-normal text-muted">Unsaved changes restored.</span>
        )}
      </p>
      <div className="ml-auto flex flex-wrap justify-end gap-3">
        {undo && (
          <Button isBusy={isBusy} onClick={undo}>
            Undo
          </Button>
        )}
        <Button isBusy={isBusy} onClick={changes.discard}>
          Discard
        </Button>
        <Button tone="primary" isBusy={isBusy} onClick={() => void changes.save()}>
          Save
        </Button>
      </div>
    </div>
  )
}

/** Lists what another admin has changed in the playlist since the draft was started. */
function PlaylistConflict(props: {
  channelId: string
  changes: PlaylistChanges
  theirs: PlaylistDifference
}) {
  const { changes } = props
  return (
    <ConflictNotice
      title="Another admin has changed this playlist."
      changedBy={useLastEditor('playlist', props.channelId)}
      onMerge={changes.merge}
      onOverwrite={() => void changes.overwrite()}
    >
      <DifferenceLines difference={props.theirs} titleOf={titleOf} />
    </ConflictNotice>
  )
}
