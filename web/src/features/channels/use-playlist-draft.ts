import type { Channel } from '@looptide/contracts/http/channels'
import { useEffect } from 'react'
import { paths } from '../../lib/paths.ts'
import { drafts } from '../admin/drafts/account-drafts.ts'
import type { Draft } from '../admin/drafts/draft-store.ts'
import { useDraft } from '../admin/drafts/use-drafts.ts'
import { differenceOf, isUnchanged } from '../admin/list-difference.ts'
import { showFailure } from '../admin/show-failure.ts'
import { findMissingVideos } from './api.ts'
import { hasChanges, isPlaylistDraft, type PlaylistDraft, type VersionedPlaylist } from './draft.ts'
import { mergeDraft, overwriteDraft } from './merge-playlist.ts'
import { playlistDraftKey } from './save-playlist-draft.ts'

const recordOf = ({ id, name }: Channel, value: PlaylistDraft): Draft<PlaylistDraft> => ({
  key: playlistDraftKey(id),
  kind: 'playlist',
  label: `${name} playlist`,
  path: paths.admin('channels', id),
  value,
})

/** The open draft of a channel's playlist, and what others have changed since it was started. */
export function usePlaylistDraft(channel: Channel, current: VersionedPlaylist) {
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
export async function overwriteWithDraft(
  draft: PlaylistDraft,
  current: VersionedPlaylist,
): Promise<PlaylistDraft> {
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
