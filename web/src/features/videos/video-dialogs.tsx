import type { Video } from '@looptide/contracts/http/videos'
import { lazy, type ReactNode, Suspense } from 'react'
import { PartBoundary } from '../../lib/browser/part-boundary.tsx'
import { usePreload } from '../../lib/browser/use-preload.ts'
import type { VideoDialogsState } from './use-video-dialogs.ts'

const loadPlayer = async () => ({ default: (await import('./player-dialog.tsx')).PlayerDialog })
const loadDetails = async () => ({ default: (await import('./details-dialog.tsx')).DetailsDialog })
const DetailsDialog = lazy(loadDetails)
const PlayerDialog = lazy(loadPlayer)

/**
 * The details of a video, and its player. `addToList` renders the button that adds the video to one of the viewer's
 * lists.
 */
export function VideoDialogs(props: {
  dialogs: VideoDialogsState
  addToList?: ((video: Video) => ReactNode) | undefined
}) {
  const { shown, play, close, onClosed } = props.dialogs
  usePreload(loadDetails)
  usePreload(loadPlayer)
  if (!shown) return null
  const { kind, video } = shown
  return (
    <PartBoundary onFailure={close}>
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
    </PartBoundary>
  )
}
