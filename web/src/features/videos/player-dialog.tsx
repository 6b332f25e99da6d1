import type { Video } from '@looptide/contracts/http/videos'
import { useRef } from 'react'
import { useBrand } from '../../lib/api/use-config.ts'
import { useActivity } from '../../lib/browser/use-activity.ts'
import { useFullscreen } from '../../lib/browser/use-fullscreen.ts'
import { useWakeLock } from '../../lib/browser/use-wake-lock.ts'
import { PLAYER_WAKE_LOCK } from '../../lib/browser/wake-lock.ts'
import { useStationPictures } from '../../lib/station-pictures.ts'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Logo } from '../../ui/logo.tsx'
import { DialogClose, MediaDialog } from '../../ui/media-dialog.tsx'
import { NewTabLink } from './new-tab-link.tsx'
import { PlayerNotice } from './player-notice.tsx'
import { type FramePlayer, useFrame } from './use-frame.ts'

/**
 * A video's player (docs/product/viewer.md §4, "Player dialog"). The screen stays awake while it is open, and
 * playback stops when it is closed.
 */
export function PlayerDialog(props: { video: Video; onClose: () => void; onClosed: () => void }) {
  const { video } = props
  const { shortName } = useBrand()
  const { logoUrl } = useStationPictures()
  const player = useFrame(video)
  const playButton = useRef<HTMLButtonElement>(null)
  const { isFullscreen, toggle } = useFullscreen(() => undefined)
  const { isActive } = useActivity(!player.isPlaying)
  useWakeLock(PLAYER_WAKE_LOCK)

  return (
    <MediaDialog
      title={video.title}
      isFullscreen={isFullscreen}
      onClose={props.onClose}
      onClosed={props.onClosed}
      initialFocus={playButton}
    >
      <div
        className={classNames(
          'flex items-center gap-1 py-2 pr-2 pl-4 sm:gap-2 sm:pl-5',
          isFullscreen &&
            'absolute inset-x-0 top-0 z-10 bg-linear-to-b from-black/85 to-transparent pb-10 transition-opacity',
          isFullscreen && !isActive && 'opacity-0',
        )}
      >
        <div className="mr-auto min-w-0">
          <p className="truncate font-semibold" aria-hidden="true">
            {video.title}
          </p>
          <p className="truncate text-sm text-muted">{video.artistName}</p>
        </div>
        <IconButton
          ref={playButton}
          icon={player.isPlaying ? 'pause' : 'play'}
          label={player.isPlaying ? 'Pause' : 'Play'}
          aria-disabled={player.status === 'loading' || player.status === 'failed'}
          onClick={() => pressPlay(player)}
        />
        {document.fullscreenEnabled && (
          <IconButton
            icon={isFullscreen ? 'window' : 'full'}
            label={isFullscreen ? 'Leave full screen' : 'Full screen'}
            onClick={toggle}
          />
        )}
        <NewTabLink video={video} onOpen={player.pause} />
        <DialogClose />
      </div>
      <div
        className={classNames(
          'relative overflow-hidden bg-black',
          isFullscreen ? 'size-full' : 'mx-auto aspect-video max-h-[calc(100dvh-5rem)] w-full',
        )}
      >
        <div ref={player.hostRef} className="absolute inset-0 *:absolute *:inset-0" />
        <PlayerNotice player={player} video={video} />
        {isFullscreen && (
          <div
            data-testid="watermark"
            className="pointer-events-none absolute right-6 bottom-20 rounded-full bg-black/45 px-3 py-1.5 opacity-75"
          >
            <Logo name={shortName} imageUrl={logoUrl} />
          </div>
        )}
      </div>
    </MediaDialog>
  )
}

function pressPlay(player: FramePlayer): void {
  if (player.isPlaying) player.pause()
  else if (player.status === 'ended') player.replay()
  else if (player.status !== 'loading' && player.status !== 'failed') player.play()
}
