import type { Video } from '@looptide/contracts/http/videos'
import { Close, Content, Overlay, Portal, Root, Title } from '@radix-ui/react-dialog'
import { type ReactNode, type RefObject, useRef } from 'react'
import { useBrand } from '../../lib/api/use-config.ts'
import { useActivity } from '../../lib/browser/use-activity.ts'
import { useFullscreen } from '../../lib/browser/use-fullscreen.ts'
import { PLAYER_WAKE_LOCK, useWakeLock } from '../../lib/browser/wake-lock.ts'
import { LikeAction } from '../../lib/likes/like-action.tsx'
import type { FrameFault } from '../../lib/media/frame.ts'
import { useStationPictures } from '../../lib/station-pictures.ts'
import { videoPageUrl } from '../../lib/video-page-url.ts'
import { Button, buttonClass, IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { dialogFocus } from '../../ui/dialog-focus.ts'
import { Icon } from '../../ui/icon.tsx'
import { Logo } from '../../ui/logo.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useDismissal } from '../../ui/use-dismissal.ts'
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
        <LikeAction video={video} isCompact tone="plain" />
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

const FAULTS: Record<FrameFault, string> = {
  'invalid-source': 'Its URL is invalid.',
  unplayable: 'This browser cannot play it.',
  'not-found': 'It was removed, or it is private.',
  'not-embeddable': 'Its owner allows it on YouTube only.',
  'not-identified': 'YouTube did not recognise this site.',
  unreachable: 'The player is not responding. It may be blocked, or the connection may be down.',
}

/** The message over a video that does not play: loading, a required user gesture, the end, or an error. */
function PlayerNotice({ player, video }: { player: FramePlayer; video: Video }) {
  if (player.status === 'loading') {
    return (
      <Cover>
        <Spinner text="Loading video..." />
      </Cover>
    )
  }
  if (player.status === 'blocked') {
    return (
      <Cover>
        <Button tone="primary" icon="play" className="px-6 text-base" onClick={player.play}>
          Press to play
        </Button>
      </Cover>
    )
  }
  if (player.status === 'ended') {
    return (
      <Cover>
        <Button tone="primary" icon="again" className="px-6 text-base" onClick={player.replay}>
          Play again
        </Button>
      </Cover>
    )
  }
  if (player.status === 'failed') {
    return (
      <Cover>
        <div role="alert" className="grid justify-items-center gap-2 text-center">
          <p className="text-lg font-semibold">This video cannot be played here</p>
          <p className="max-w-md text-muted">{FAULTS[player.fault ?? 'unplayable']}</p>
        </div>
        <div className="flex flex-wrap justify-center gap-3">
          <Button icon="again" onClick={player.retry}>
            Try again
          </Button>
          <NewTabLink video={video} hasLabel />
        </div>
      </Cover>
    )
  }
  return null
}

function Cover({ children }: { children: ReactNode }) {
  return (
    <div className="absolute inset-0 grid animate-fade place-content-center justify-items-center gap-5 overflow-y-auto bg-black p-4">
      {children}
    </div>
  )
}

const LABEL = 'Open in new tab'

/** A link to the video's original page. `onOpen` pauses our player, so that the sound is not doubled. */
function NewTabLink(props: { video: Video; hasLabel?: boolean; onOpen?: () => void }) {
  return (
    <a
      href={videoPageUrl(props.video)}
      target="_blank"
      rel="noopener noreferrer"
      title={LABEL}
      onClick={props.onOpen}
      className={props.hasLabel ? buttonClass('quiet') : buttonClass('plain', 'button-icon')}
    >
      <Icon name="outside" />
      <span className={props.hasLabel ? undefined : 'sr-only'}>{LABEL}</span>
    </a>
  )
}

/** A modal dialog filled by a video: dark in every theme, and as large as the window allows. */
function MediaDialog(props: {
  /** The accessible name; not visible. */
  title: string
  isFullscreen: boolean
  initialFocus: RefObject<HTMLElement | null>
  onClose: () => void
  /** Moves the focus after closing. */
  onClosed: () => void
  children: ReactNode
}) {
  const dismissal = useDismissal(true, props.onClose)
  return (
    <Root open onOpenChange={(open) => open || props.onClose()}>
      <Portal>
        <Overlay {...dismissal.overlay} className="fixed inset-0 z-50 animate-fade bg-black/90" />
        <Content
          aria-describedby={undefined}
          {...dialogFocus(props.initialFocus, props.onClosed)}
          {...dismissal.content}
          className={classNames(
            'dark-surface fixed z-50 m-auto animate-fade overflow-hidden bg-panel shadow-lift',
            props.isFullscreen
              ? 'inset-0'
              : 'inset-x-0 inset-y-0 h-fit w-full max-w-[min(80rem,calc((100dvh-6rem)*16/9))] sm:rounded-lg',
          )}
        >
          <Title className="sr-only">{props.title}</Title>
          {props.children}
        </Content>
      </Portal>
    </Root>
  )
}

/** The button that closes the dialog it is in. */
function DialogClose() {
  return (
    <Close asChild>
      <IconButton icon="close" label="Close" />
    </Close>
  )
}
