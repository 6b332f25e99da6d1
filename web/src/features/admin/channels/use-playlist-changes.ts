import type { Channel, ChannelPlaylistItem } from '@looptide/contracts/http/channels'
import { useState } from 'react'
import { toast } from '../../../ui/toast.ts'
import { tellFailure } from '../desk/tell-failure.ts'
import { channelActions, playlistActions } from './api.ts'
import { type Draft, titleOf } from './draft.ts'

const AGAIN = 'Please try again.'

/**
 * The changes of a channel's playlist: with `isReviewed` each waits as a draft until it is saved, else it is saved at
 * once. Each save is one call, says what it did in the words of the admin specification §8, and a failed one leaves the
 * list as the server has it.
 */
export function usePlaylistChanges(
  channel: Channel,
  items: readonly ChannelPlaylistItem[],
  isReviewed: boolean,
) {
  const [draft, setDraft] = useState<Draft | null>(null)
  const [isBusy, setBusy] = useState(false)

  const save = async (change: Draft) => {
    setBusy(true)
    try {
      await SAVES[change.kind](channel.id, change as never, items)
    } finally {
      setDraft(null)
      setBusy(false)
    }
  }

  return {
    draft,
    isBusy,
    propose: (change: Draft) => {
      if (isReviewed) setDraft(change)
      else void save(change)
    },
    save: () => (draft ? save(draft) : undefined),
    discard: () => setDraft(null),
  }
}

type Saves = {
  [K in Draft['kind']]: (
    channelId: string,
    change: Extract<Draft, { kind: K }>,
    items: readonly ChannelPlaylistItem[],
  ) => Promise<void>
}

const SAVES: Saves = {
  order: async (channelId, change) => {
    try {
      await playlistActions.reorder(channelId, change.items)
      toast({ title: 'Playlist order updated', tone: 'success' })
    } catch (failure) {
      tellFailure(failure, { title: 'Failed to update playlist order', text: AGAIN })
    }
  },
  remove: async (channelId, { item }, items) => {
    const place = items.findIndex(({ id }) => id === item.id)
    try {
      await playlistActions.remove(channelId, item.id)
      toast({
        title: 'Video removed from playlist',
        description: titleOf(item),
        tone: 'success',
        action: { label: 'Undo', onPress: () => void addVideos(channelId, [item.videoId], place) },
      })
    } catch (failure) {
      tellFailure(failure, { title: 'Failed to remove video from playlist', text: AGAIN })
    }
  },
  shuffle: async (channelId, { isOn }) => {
    try {
      await channelActions.update(channelId, { shuffleEnabled: isOn })
      toast({ title: `Shuffle ${isOn ? 'enabled' : 'disabled'} for channel`, tone: 'success' })
    } catch (failure) {
      tellFailure(failure, { title: 'Failed to update shuffle setting', text: AGAIN })
    }
  },
}

/** Adds videos behind the last or at a place, and says so; false when it did not work. */
export async function addVideos(channelId: string, videoIds: string[], position?: number): Promise<boolean> {
  try {
    await playlistActions.add(channelId, videoIds, position)
    const description = videoIds.length > 1 ? `${videoIds.length} videos` : undefined
    toast({ title: 'Video added to playlist', tone: 'success', ...(description && { description }) })
    return true
  } catch (failure) {
    tellFailure(failure, { title: 'Failed to add video to playlist', text: AGAIN })
    return false
  }
}
