import type { Channel } from '@looptide/contracts/http/channels'
import type { Video } from '@looptide/contracts/http/videos'
import { useEffect, useState } from 'react'
import { isVersionConflict } from '../../lib/api/api-error.ts'
import { randomId } from '../../lib/browser/random-id.ts'
import { showFailure } from '../../lib/failures.ts'
import { paths } from '../../lib/paths.ts'
import { toast } from '../../ui/toast.ts'
import { discardDraft, drafts, useDraft } from '../admin/drafts/account-drafts.ts'
import type { Draft } from '../admin/drafts/draft-store.ts'
import { differenceOf, isUnchanged } from '../admin/list-difference.ts'
import { findMissingVideos, playlistActions } from './api.ts'
import {
  type Entry,
  hasChanges,
  isPlaylistDraft,
  newDraft,
  type PlaylistDraft,
  toEntry,
  type VersionedPlaylist,
} from './draft.ts'
import { mergeDraft, overwriteDraft } from './merge-playlist.ts'
import { playlistDraftKey, savePlaylist, savePlaylistDraft } from './save-playlist-draft.ts'

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

const recordOf = ({ id, name }: Channel, value: PlaylistDraft): Draft<PlaylistDraft> => ({
  key: playlistDraftKey(id),
  kind: 'playlist',
  label: `${name} playlist`,
  path: paths.admin('channels', id),
  value,
})

/** The open draft of a channel's playlist, and what others have changed since it was started. */
function usePlaylistDraft(channel: Channel, current: VersionedPlaylist) {
  const key = playlistDraftKey(channel.id)
  const { value: draft, isRestored } = useDraft(key, isPlaylistDraft)
  const isOutdated = draft !== undefined && draft.base.etag !== current.etag
  const theirs = isOutdated ? differenceOf(draft.base.items, current.items) : null
  // The version differs but not the list, e.g. because a video was replaced: the draft is rebased without asking.
  const isSameList = theirs !== null && isUnchanged(theirs)
  useEffect(() => {
    if (isSameList && draft) drafts.put(recordOf(channel, mergeDraft(draft, current)))
  })
  return {
    draft,
    isRestored,
    /** The draft as it is stored; undefined without a draft. */
    record: draft && recordOf(channel, draft),
    /** What others have changed; null if nothing. */
    theirs: isSameList ? null : theirs,
    keep: (next: PlaylistDraft) => {
      if (hasChanges(next)) drafts.put(recordOf(channel, next))
      else drafts.remove(key)
    },
  }
}

/** Rebases the draft onto the current list; see {@link overwriteDraft}. Throws if the library cannot be checked. */
async function overwriteWithDraft(draft: PlaylistDraft, current: VersionedPlaylist): Promise<PlaylistDraft> {
  const theirIds = new Set(current.items.map(({ id }) => id))
  const missing = draft.entries.filter(({ id }) => !theirIds.has(id))
  try {
    const missingIds = await findMissingVideos(missing.map(({ videoId }) => videoId))
    return overwriteDraft(draft, current, (videoId) => missingIds.has(videoId))
  } catch (failure) {
    showFailure(failure, { title: 'Failed to update playlist order', text: 'Please try again.' })
    throw failure
  }
}
