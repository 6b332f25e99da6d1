import type { Video } from '@looptide/contracts/http/videos'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import type { VideoDialogsState } from './use-video-dialogs.ts'

const loadPlayer = async () => ({ default: (await import('./player-dialog.tsx')).PlayerDialog })
const DetailsDialog = lazy(async () => ({ default: (await import('./details-dialog.tsx')).DetailsDialog }))
const PlayerDialog = lazy(loadPlayer)

/** The details of a video, and its player. `addToList` draws the button that puts it on one of the viewer's lists. */
export function VideoDialogs(props: {
  dialogs: VideoDialogsState
  addToList?: ((video: Video) => ReactNode) | undefined
}) {
  const { shown, play, close, onClosed } = props.dialogs
  useEffect(() => {
    // The next click is often Play Now: load the player in advance.
    if (shown?.kind === 'details') void loadPlayer()
  }, [shown])
  if (!shown) return null
  const { kind, video } = shown
  return (
    <Suspense>
      {kind === 'details' ? (
        <DetailsDialog
          video={video}
          actions={props.addToList?.(video)}
          onPlay={() => play(video)}
          onClose={close}
          onClosed={onClosed}
        />
      ) : (
        <PlayerDialog key={video.id} video={video} onClose={close} onClosed={onClosed} />
      )}
    </Suspense>
  )
}
