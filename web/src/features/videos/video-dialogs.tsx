import type { Video } from '@looptide/contracts/http/videos'
import { type ReactNode, Suspense, useCallback, useRef, useState } from 'react'
import { part } from '../../lib/browser/part.tsx'
import { PartBoundary } from '../../lib/browser/part-boundary.tsx'
import { usePreload } from '../../lib/browser/use-preload.ts'
import { useSession } from '../../lib/session/session.tsx'
import { useAskToSignIn } from '../../lib/session/use-ask-to-sign-in.ts'
import { useSessionEnd } from '../../lib/session/use-session-end.ts'

const DetailsDialog = part(async () => (await import('./details-dialog.tsx')).DetailsDialog)
const PlayerDialog = part(async () => (await import('./player-dialog.tsx')).PlayerDialog)

/** The details of a video, and its player. `actions` renders the buttons of the details beside Play Now. */
export function VideoDialogs(props: {
  dialogs: VideoDialogsState
  actions?: ((video: Video) => ReactNode) | undefined
}) {
  const { shown, play, close, onClosed } = props.dialogs
  usePreload(DetailsDialog.preload)
  usePreload(PlayerDialog.preload)
  if (!shown) return null
  const { kind, video } = shown
  return (
    <PartBoundary onFailure={close}>
      <Suspense>
        {kind === 'details' ? (
          <DetailsDialog
            video={video}
            actions={props.actions?.(video)}
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

interface ShownVideo {
  kind: 'details' | 'player'
  video: Video
}

interface VideoDialogsState {
  shown: ShownVideo | null
  showDetails: (video: Video) => void
  /** Closes the details and opens the player; visitors get a toast that asks them to sign in. */
  play: (video: Video) => void
  close: () => void
  /** Called after a dialog has closed. Returns the focus to the element that opened the first dialog. */
  onClosed: () => void
}

/** The video whose details or player are open on a page. Render it with {@link VideoDialogs}. */
export function useVideoDialogs(onClose?: () => void): VideoDialogsState {
  const { status } = useSession()
  const refuse = useAskToSignIn('Please sign in to watch videos')
  const [shown, setShown] = useState<ShownVideo | null>(null)
  const isOpen = useRef(false)
  const opener = useRef<Element | null>(null)

  const open = useCallback((next: ShownVideo) => {
    if (!isOpen.current) opener.current = document.activeElement
    isOpen.current = true
    setShown(next)
  }, [])

  const close = useCallback(() => {
    isOpen.current = false
    setShown(null)
    onClose?.()
  }, [onClose])
  useSessionEnd(() => {
    if (shown?.kind === 'player') close()
  })

  return {
    shown,
    showDetails: useCallback((video: Video) => open({ kind: 'details', video }), [open]),
    play: useCallback(
      (video: Video) => {
        if (status === 'signed-in') open({ kind: 'player', video })
        else refuse()
      },
      [status, open, refuse],
    ),
    close,
    onClosed: useCallback(() => {
      const target = opener.current
      if (!isOpen.current && target instanceof HTMLElement && target.isConnected) target.focus()
    }, []),
  }
}
