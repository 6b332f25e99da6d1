import { ApiError, isVersionConflict } from '../../lib/api/api-error.ts'
import { showFailure } from '../../lib/failures.ts'
import { toast } from '../../ui/toast.ts'
import { drafts } from '../admin/drafts/account-drafts.ts'
import type { Draft } from '../admin/drafts/draft-store.ts'
import { differenceOf, isUnchanged } from '../admin/list-difference.ts'
import { channelActions, findMissingVideos, playlistActions } from './api.ts'
import {
  type Entry,
  hasChanges,
  isPlaylistDraft,
  newDraft,
  type PlaylistDifference,
  type PlaylistDraft,
  saveBody,
  titleOf,
} from './draft.ts'

const PREFIX = 'playlist:'
const TRY_AGAIN = 'Please try again.'

/** The key of a channel's playlist among the unsaved drafts. */
export const playlistDraftKey = (channelId: string): string => PREFIX + channelId

/** Saves a playlist draft, even if its editor is not open; see {@link savePlaylist}. */
export async function savePlaylistDraft(draft: Draft): Promise<void> {
  const { key, value } = draft
  if (!isPlaylistDraft(value)) return drafts.remove(key)
  const keep = (next: PlaylistDraft | undefined) => {
    const known = drafts.find(key)?.value
    const now = isPlaylistDraft(known) ? known : undefined
    // Changes made during the save are kept, based on the saved version.
    const rest = next && now && now !== value ? { ...now, base: next.base } : next
    if (rest && hasChanges(rest)) drafts.put({ ...draft, value: rest })
    else drafts.remove(key)
  }
  await savePlaylist(key.slice(PREFIX.length), value, keep)
}

/**
 * Saves the list in one request, then the shuffle setting. `keep` receives what is still unsaved. A failure is shown as
 * a toast (docs/product/admin.md §8) and thrown; after `precondition_failed` the list has been reloaded.
 */
export async function savePlaylist(
  channelId: string,
  draft: PlaylistDraft,
  keep: (rest: PlaylistDraft | undefined) => void,
): Promise<void> {
  const { base, entries, shuffle } = draft
  const difference = differenceOf(base.items, entries)
  let saved = base
  if (!isUnchanged(difference)) {
    saved = { items: entries, etag: await saveList(channelId, draft, difference, keep) }
    void playlistActions.show(channelId, saved)
    showSaved(channelId, draft, difference, saved.etag)
    keep({ ...newDraft(saved), shuffle })
  }
  if (shuffle === null) return
  try {
    await channelActions.update(channelId, { shuffleEnabled: shuffle })
  } catch (failure) {
    showFailure(failure, { title: 'Failed to update shuffle setting', text: TRY_AGAIN })
    throw failure
  }
  keep(newDraft(saved))
  toast({ title: `Shuffle ${shuffle ? 'enabled' : 'disabled'} for channel`, tone: 'success' })
}

async function saveList(
  channelId: string,
  draft: PlaylistDraft,
  difference: PlaylistDifference,
  keep: (rest: PlaylistDraft) => void,
): Promise<string> {
  const { base, entries } = draft
  try {
    return await playlistActions.save(channelId, saveBody(entries, base.items), base.etag)
  } catch (failure) {
    const title = failureTitle(difference)
    if (isVersionConflict(failure)) {
      await playlistActions.reload(channelId)
      toast({
        title,
        description: 'Another admin has changed this playlist. Your changes are kept.',
        tone: 'error',
      })
    } else if (failure instanceof ApiError && failure.code === 'not_found') {
      await removeMissingVideos(title, draft, difference.added, keep)
    } else showFailure(failure, { title, text: TRY_AGAIN })
    throw failure
  }
}

/** Removes videos from the draft that were deleted from the library: they would make every save fail. */
async function removeMissingVideos(
  title: string,
  draft: PlaylistDraft,
  added: readonly Entry[],
  keep: (rest: PlaylistDraft) => void,
): Promise<void> {
  const missing = await findMissingVideos(added.map(({ videoId }) => videoId))
  const isMissing = ({ videoId }: Entry) => missing.has(videoId)
  const titles = added.filter(isMissing).map(titleOf)
  const description = `Left out because they are no longer in the library: ${titles.join(', ')}. Save again.`
  toast({ title, description: titles.length > 0 ? description : TRY_AGAIN, tone: 'error' })
  const leftOut = new Set(added.filter(isMissing).map(({ id }) => id))
  keep({ ...draft, entries: draft.entries.filter(({ id }) => !leftOut.has(id)) })
}

function failureTitle({ added, removed, moved }: PlaylistDifference): string {
  if (moved.length === 0 && added.length === 0) return 'Failed to remove video from playlist'
  if (moved.length === 0 && removed.length === 0) return 'Failed to add video to playlist'
  return 'Failed to update playlist order'
}

function showSaved(
  channelId: string,
  { base, entries }: PlaylistDraft,
  { added, removed, moved }: PlaylistDifference,
  etag: string,
): void {
  const action = { label: 'Undo', onPress: () => void undo(channelId, entries, base.items, etag) }
  const show = (title: string, changed: readonly Entry[]) => {
    const [only] = changed
    if (only === undefined) return
    const description = changed.length === 1 ? titleOf(only) : `${changed.length} videos`
    toast({ title, description, tone: 'success', action })
  }
  show('Video added to playlist', added)
  show('Video removed from playlist', removed)
  if (moved.length > 0) toast({ title: 'Playlist order updated', tone: 'success', action })
}

/** Saves the earlier list again, unless the saved one has been changed since. */
async function undo(
  channelId: string,
  saved: readonly Entry[],
  earlier: readonly Entry[],
  etag: string,
): Promise<void> {
  try {
    const version = await playlistActions.save(channelId, saveBody(earlier, saved), etag)
    void playlistActions.show(channelId, { items: earlier, etag: version })
    toast({ title: 'Change undone', tone: 'success' })
  } catch (failure) {
    if (isVersionConflict(failure)) void playlistActions.reload(channelId)
    showFailure(failure, { title: 'Failed to undo the change', text: TRY_AGAIN })
  }
}
