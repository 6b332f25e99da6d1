import type { Channel } from '@looptide/contracts/http/channels'
import type { Video } from '@looptide/contracts/http/videos'
import { useState } from 'react'
import { randomId } from '../../../lib/random-id.ts'
import { toast } from '../../../ui/toast.ts'
import { tellFailure } from '../desk/tell-failure.ts'
import { discardDraft } from '../drafts/discard-draft.ts'
import { playlistActions } from './api.ts'
import {
  type Entry,
  hasChanges,
  newDraft,
  type PlaylistDraft,
  toEntry,
  type VersionedPlaylist,
} from './draft.ts'
import { merged } from './merge-playlist.ts'
import { isChangedMeanwhile, savePlaylist, savePlaylistDraft } from './save-playlist-draft.ts'
import { overwrite, usePlaylistDraft } from './use-playlist-draft.ts'

const AGAIN = 'Please try again.'
/** Steps that Undo goes back at most. */
const MAX_STEPS = 100

export type PlaylistChanges = ReturnType<typeof usePlaylistChanges>

/**
 * The changes of a channel's playlist. With `isReviewed`, or while a draft is open, they collect in the draft until it
 * is saved; else each is saved at once.
 */
export function usePlaylistChanges(channel: Channel, current: VersionedPlaylist, isReviewed: boolean) {
  const { draft, isRestored, record, theirs, keep } = usePlaylistDraft(channel, current)
  const [past, setPast] = useState<readonly PlaylistDraft[]>([])
  const { run, isBusy, pending, saveAtOnce } = useSaving(channel.id, keep)
  const shown = draft ?? pending ?? newDraft(current)

  const change = (part: Partial<PlaylistDraft>) => {
    const next = { ...shown, ...part }
    if (!draft && !hasChanges(next)) return
    if (!draft && !isReviewed) {
      void saveAtOnce(next)
      return
    }
    // Steps of an earlier draft are of another list.
    setPast([...(draft ? past : []), shown].slice(-MAX_STEPS))
    keep(next)
  }
  const undo = () => {
    const before = past.at(-1)
    setPast(past.slice(0, -1))
    if (before) keep(before)
  }
  /** On top of another version the earlier steps mean nothing. */
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
    /** Into the open draft, else at once; answers whether that worked. */
    add: async (videos: readonly Video[]): Promise<boolean> => {
      if (!draft) return addVideos(channel.id, videos)
      const added = videos.map((video) => toEntry({ id: randomId(), videoId: video.id, video }))
      change({ entries: [...draft.entries, ...added] })
      return true
    },
    undo: draft && past.length > 0 ? undo : undefined,
    save: () => run(async () => record && savePlaylistDraft(record)),
    discard: () => record && discardDraft(record.key),
    merge: () => draft && rebase(merged(draft, current)),
    overwrite: () => run(async () => draft && rebase(await overwrite(draft, current))),
  }
}

/** Saves one at a time. `pending` is shown while it is saved without a draft; another admin's change makes it one. */
function useSaving(channelId: string, keep: (next: PlaylistDraft) => void) {
  const [pending, setPending] = useState<PlaylistDraft>()
  const [isBusy, setBusy] = useState(false)
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true)
    // Why it failed has been shown.
    await work().catch(() => undefined)
    setBusy(false)
  }
  const saveAtOnce = (next: PlaylistDraft) =>
    run(async () => {
      setPending(next)
      try {
        await savePlaylist(channelId, next, () => undefined)
      } catch (failure) {
        if (isChangedMeanwhile(failure)) keep(next)
      } finally {
        setPending(undefined)
      }
    })
  return { run, isBusy, pending, saveAtOnce }
}

/** Adds videos behind the last, and says so; false when it did not work. */
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
    tellFailure(failure, { title: 'Failed to add video to playlist', text: AGAIN })
    return false
  }
}
