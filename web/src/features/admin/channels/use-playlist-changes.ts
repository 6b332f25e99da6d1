import type { Channel } from '@looptide/contracts/http/channels'
import type { Video } from '@looptide/contracts/http/videos'
import { useEffect, useState } from 'react'
import { paths } from '../../../app/paths.ts'
import { randomId } from '../../../lib/random-id.ts'
import { toast } from '../../../ui/toast.ts'
import { tellFailure } from '../desk/tell-failure.ts'
import { drafts } from '../drafts/account-drafts.ts'
import { discardDraft } from '../drafts/discard-draft.ts'
import { useDraft } from '../drafts/use-drafts.ts'
import { goneVideos, playlistActions } from './api.ts'
import {
  differenceOf,
  type Entry,
  hasChanges,
  isPlaylistDraft,
  isUnchanged,
  newDraft,
  type PlaylistDraft,
  toEntry,
  type VersionedPlaylist,
} from './draft.ts'
import { merged, overwritten } from './merge-playlist.ts'
import {
  isChangedMeanwhile,
  playlistDraftKey,
  savePlaylist,
  savePlaylistDraft,
} from './save-playlist-draft.ts'

const AGAIN = 'Please try again.'
/** Steps that Undo goes back at most. */
const MAX_STEPS = 100

export type PlaylistChanges = ReturnType<typeof usePlaylistChanges>

/**
 * The changes of a channel's playlist. With `isReviewed`, or while a draft is open, they collect in the draft until it
 * is saved; else each is saved at once.
 */
export function usePlaylistChanges(channel: Channel, current: VersionedPlaylist, isReviewed: boolean) {
  const key = playlistDraftKey(channel.id)
  const { value: draft, isRestored } = useDraft(key, isPlaylistDraft)
  const [pending, setPending] = useState<PlaylistDraft>()
  const [past, setPast] = useState<readonly PlaylistDraft[]>([])
  const [isBusy, setBusy] = useState(false)
  const shown = draft ?? pending ?? newDraft(current)
  const theirs =
    draft && draft.base.etag !== current.etag ? differenceOf(draft.base.items, current.items) : null

  const record = (value: PlaylistDraft) => ({
    key,
    kind: 'playlist' as const,
    label: `${channel.name} playlist`,
    path: paths.admin('channels', channel.id),
    value,
  })
  const keep = (next: PlaylistDraft) => {
    if (hasChanges(next)) drafts.put(record(next))
    else drafts.drop(key)
  }
  /** On top of another version the earlier steps mean nothing. */
  const rebase = (next: PlaylistDraft) => {
    setPast([])
    keep(next)
  }
  // Something else than the list's order has changed, e.g. a video was replaced: nothing to decide.
  const isSameList = theirs !== null && isUnchanged(theirs)
  useEffect(() => {
    if (isSameList && draft) drafts.put(record(merged(draft, current)))
  })

  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    // Why it failed has been shown.
    await work().catch(() => undefined)
    setBusy(false)
  }
  const saveNow = (next: PlaylistDraft) =>
    run(async () => {
      setPending(next)
      try {
        await savePlaylist(channel.id, next, () => undefined)
      } catch (failure) {
        if (isChangedMeanwhile(failure)) keep(next)
      } finally {
        setPending(undefined)
      }
    })
  const change = (part: Partial<PlaylistDraft>) => {
    const next = { ...shown, ...part }
    if (!hasChanges(next) && !draft) return
    if (!isReviewed && !draft) {
      void saveNow(next)
      return
    }
    setPast([...past, shown].slice(-MAX_STEPS))
    keep(next)
  }

  return {
    draft,
    isRestored,
    isBusy,
    entries: shown.entries,
    isShuffled: shown.shuffle ?? channel.shuffleEnabled,
    /** What others have done to the list since the draft was begun; null when nothing. */
    theirs: isSameList ? null : theirs,
    edit: (entries: readonly Entry[]) => change({ entries }),
    setShuffle: (isOn: boolean) => change({ shuffle: isOn === channel.shuffleEnabled ? null : isOn }),
    /** Into the open draft, else at once; answers whether that worked. */
    add: async (videos: readonly Video[]): Promise<boolean> => {
      if (!draft) return addVideos(channel.id, videos)
      const added = videos.map((video) => toEntry({ id: randomId(), videoId: video.id, video }))
      change({ entries: [...draft.entries, ...added] })
      return true
    },
    undo:
      past.length === 0
        ? undefined
        : () => {
            const before = past.at(-1)
            setPast(past.slice(0, -1))
            if (before) keep(before)
          },
    save: () =>
      run(async () => {
        if (!draft) return
        await savePlaylistDraft(record(draft))
        setPast([])
      }),
    discard: () => {
      setPast([])
      discardDraft(key)
    },
    merge: () => draft && rebase(merged(draft, current)),
    overwrite: () =>
      run(async () => {
        if (!draft) return
        const theirIds = new Set(current.items.map(({ id }) => id))
        const missing = draft.entries.filter(({ id }) => !theirIds.has(id))
        const gone = await goneVideos(missing.map(({ videoId }) => videoId)).catch((failure: unknown) => {
          tellFailure(failure, { title: 'Failed to update playlist order', text: AGAIN })
          throw failure
        })
        rebase(overwritten(draft, current, (videoId) => gone.has(videoId)))
      }),
  }
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
