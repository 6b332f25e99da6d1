import type { Channel } from '@looptide/contracts/http/channels'
import type { Video } from '@looptide/contracts/http/videos'
import { useState } from 'react'
import { randomId } from '../../lib/browser/random-id.ts'
import { toast } from '../../ui/toast.ts'
import { discardDraft } from '../admin/drafts/discard-draft.ts'
import { showFailure } from '../admin/show-failure.ts'
import { playlistActions } from './api.ts'
import {
  type Entry,
  hasChanges,
  newDraft,
  type PlaylistDraft,
  toEntry,
  type VersionedPlaylist,
} from './draft.ts'
import { mergeDraft } from './merge-playlist.ts'
import { isVersionConflict, savePlaylist, savePlaylistDraft } from './save-playlist-draft.ts'
import { overwriteWithDraft, usePlaylistDraft } from './use-playlist-draft.ts'

const TRY_AGAIN = 'Please try again.'
/** Maximum number of undo steps. */
const MAX_STEPS = 100

export type PlaylistChanges = ReturnType<typeof usePlaylistChanges>

/**
 * Edits a channel's playlist. With `isReviewed`, or while a draft is open, changes are collected in the draft until it
 * is saved; otherwise each change is saved immediately.
 */
export function usePlaylistChanges(channel: Channel, current: VersionedPlaylist, isReviewed: boolean) {
  const { draft, isRestored, record, theirs, keep } = usePlaylistDraft(channel, current)
  const [past, setPast] = useState<readonly PlaylistDraft[]>([])
  const { run, isBusy, pending, saveNow } = useSaving(channel.id, keep)
  const shown = draft ?? pending ?? newDraft(current)

  const change = (part: Partial<PlaylistDraft>) => {
    const next = { ...shown, ...part }
    if (!draft && !hasChanges(next)) return
    if (!draft && !isReviewed) {
      void saveNow(next)
      return
    }
    // Undo steps of an earlier draft belong to another list.
    setPast([...(draft ? past : []), shown].slice(-MAX_STEPS))
    keep(next)
  }
  const undo = () => {
    const before = past.at(-1)
    setPast(past.slice(0, -1))
    if (before) keep(before)
  }
  /** Replaces the draft with one based on another version, and discards the undo steps. */
  const rebase = (next: PlaylistDraft) => {
    setPast([])
    keep(next)
  }

  return {
    draft,
    isRestored,
    isBusy,
    theirs,
    entries: shown.entries,
    isShuffled: shown.shuffle ?? channel.shuffleEnabled,
    edit: (entries: readonly Entry[]) => change({ entries }),
    setShuffle: (isOn: boolean) => change({ shuffle: isOn === channel.shuffleEnabled ? null : isOn }),
    /** Adds to the open draft, or saves immediately without one; resolves to whether that succeeded. */
    add: async (videos: readonly Video[]): Promise<boolean> => {
      if (!draft) return addVideos(channel.id, videos)
      const added = videos.map((video) => toEntry({ id: randomId(), videoId: video.id, video }))
      change({ entries: [...draft.entries, ...added] })
      return true
    },
    undo: draft && past.length > 0 ? undo : undefined,
    save: () => run(async () => record && savePlaylistDraft(record)),
    discard: () => record && discardDraft(record.key),
    merge: () => draft && rebase(mergeDraft(draft, current)),
    overwrite: () => run(async () => draft && rebase(await overwriteWithDraft(draft, current))),
  }
}

/**
 * Saves one change at a time. `pending` is the change that is being saved without a draft; on a version conflict it
 * becomes a draft.
 */
function useSaving(channelId: string, keep: (next: PlaylistDraft) => void) {
  const [pending, setPending] = useState<PlaylistDraft>()
  const [isBusy, setBusy] = useState(false)
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true)
    // The failure has already been shown.
    await work().catch(() => undefined)
    setBusy(false)
  }
  const saveNow = (next: PlaylistDraft) =>
    run(async () => {
      setPending(next)
      try {
        await savePlaylist(channelId, next, () => undefined)
      } catch (failure) {
        if (isVersionConflict(failure)) keep(next)
      } finally {
        setPending(undefined)
      }
    })
  return { run, isBusy, pending, saveNow }
}

/** Appends videos and shows a toast; resolves to whether that succeeded. */
async function addVideos(channelId: string, videos: readonly Video[]): Promise<boolean> {
  try {
    await playlistActions.add(
      channelId,
      videos.map(({ id }) => id),
    )
    const description = videos.length > 1 ? `${videos.length} videos` : undefined
    toast({ title: 'Video added to playlist', tone: 'success', ...(description && { description }) })
    return true
  } catch (failure) {
    showFailure(failure, { title: 'Failed to add video to playlist', text: TRY_AGAIN })
    return false
  }
}
