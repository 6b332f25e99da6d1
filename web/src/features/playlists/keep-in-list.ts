import type { EnsureVideoResult } from '@looptide/contracts/http/playlists'
import { toast } from '../../ui/toast.ts'
import { playlistActions } from './api.ts'

export interface ListedVideo {
  id: string
  title: string
}

/** Adds a video to a list and shows a toast with Undo. */
export async function keepInList(listId: string, video: ListedVideo): Promise<void> {
  try {
    tellKept(await playlistActions.keep(listId, video.id), video)
  } catch {
    toast({ title: 'Failed to add video to playlist', tone: 'error' })
  }
}

function tellKept({ playlist, item, added }: EnsureVideoResult, video: ListedVideo): void {
  if (!added) {
    toast({ title: `Already in ${playlist.name}`, description: video.title })
    return
  }
  toast({
    title: `Video added to ${playlist.name}`,
    description: video.title,
    tone: 'success',
    action: {
      label: 'Undo',
      onPress: () => void takeOut({ id: playlist.id, name: playlist.name }, item.id, video),
    },
  })
}

/** Removes a video from a list and shows a toast. */
export async function takeOut(
  list: { id: string; name: string },
  itemId: string,
  video: ListedVideo,
): Promise<void> {
  try {
    await playlistActions.drop(list.id, itemId)
    toast({ title: `Video removed from ${list.name}`, description: video.title })
  } catch {
    toast({ title: 'Failed to remove video from playlist', tone: 'error' })
  }
}
