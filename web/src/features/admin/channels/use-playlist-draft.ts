import type { Channel } from '@looptide/contracts/http/channels'
import { useEffect } from 'react'
import { paths } from '../../../app/paths.ts'
import { tellFailure } from '../desk/tell-failure.ts'
import { drafts } from '../drafts/account-drafts.ts'
import type { Draft } from '../drafts/draft-store.ts'
import { useDraft } from '../drafts/use-drafts.ts'
import { goneVideos } from './api.ts'
import {
  differenceOf,
  hasChanges,
  isPlaylistDraft,
  isUnchanged,
  type PlaylistDraft,
  type VersionedPlaylist,
} from './draft.ts'
import { merged, overwritten } from './merge-playlist.ts'
import { playlistDraftKey } from './save-playlist-draft.ts'

const recordOf = ({ id, name }: Channel, value: PlaylistDraft): Draft<PlaylistDraft> => ({
  key: playlistDraftKey(id),
  kind: 'playlist',
  label: `${name} playlist`,
  path: paths.admin('channels', id),
  value,
})

/** The open draft of a channel's playlist, and what others have done to the list since it was begun. */
export function usePlaylistDraft(channel: Channel, current: VersionedPlaylist) {
  const key = playlistDraftKey(channel.id)
  const { value: draft, isRestored } = useDraft(key, isPlaylistDraft)
  const isOutdated = draft !== undefined && draft.base.etag !== current.etag
  const theirs = isOutdated ? differenceOf(draft.base.items, current.items) : null
  // Something else than the list has changed, e.g. a video was replaced: nothing to decide.
  const isSameList = theirs !== null && isUnchanged(theirs)
  useEffect(() => {
    if (isSameList && draft) drafts.put(recordOf(channel, merged(draft, current)))
  })
  return {
    draft,
    isRestored,
    /** For the store; undefined without a draft. */
    record: draft && recordOf(channel, draft),
    /** What others have changed; null when nothing. */
    theirs: isSameList ? null : theirs,
    keep: (next: PlaylistDraft) => {
      if (hasChanges(next)) drafts.put(recordOf(channel, next))
      else drafts.drop(key)
    },
  }
}

/** The draft on top of the current list, as it is; see {@link overwritten}. Throws when that could not be found out. */
export async function overwrite(draft: PlaylistDraft, current: VersionedPlaylist): Promise<PlaylistDraft> {
  const theirIds = new Set(current.items.map(({ id }) => id))
  const missing = draft.entries.filter(({ id }) => !theirIds.has(id))
  try {
    const gone = await goneVideos(missing.map(({ videoId }) => videoId))
    return overwritten(draft, current, (videoId) => gone.has(videoId))
  } catch (failure) {
    tellFailure(failure, { title: 'Failed to update playlist order', text: 'Please try again.' })
    throw failure
  }
}
