import type { Programme } from '@looptide/contracts/http/channels'
import { useEffect, useEffectEvent, useState } from 'react'
import { Link } from 'react-router-dom'
import { useSignInPath } from '../../lib/session/next-page.ts'
import { Button, buttonClass, IconButton } from '../../ui/button.tsx'
import { ChannelLogo } from '../../ui/channel-logo.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { fadeClass } from './fade-class.ts'
import type { LivePageState } from './live-page-state.ts'
import { MoreButton } from './more-button.tsx'
import { useNowPlayingTexts } from './now-playing-texts.ts'
import type { LiveState } from './player/live-state.ts'
import { ProgrammeProgress } from './programme-progress.tsx'
import { UpNext } from './up-next.tsx'
import { useLiveState } from './use-live-session.ts'

/** The area below the picture, or over its lower edge: current programme, controls, and Up Next. */
export function LiveInfo({ page, isActive }: { page: LivePageState; isActive: boolean }) {
  const state = useLiveState(page.session)
  const isAnnounced = useAnnouncement(state, page.bannerChannelId !== undefined)
  const { programme, selected, upNext } = state
  return (
    <div
      data-controls
      // Hidden on a phone while a message is typed, to leave the remaining space to the chat.
      className="shrink-0 max-lg:in-[#main:has([data-beside-picture]_textarea:focus)]:hidden overlay:pointer-events-none overlay:absolute overlay:inset-x-0 overlay:bottom-0 overlay:z-20"
    >
      <div
        aria-hidden="true"
        className={classNames(
          'absolute inset-x-0 bottom-0 -z-10 hidden h-[115%] bg-linear-to-t from-black via-black/65 to-transparent overlay:block beside:h-[150%] roomy:hidden',
          fadeClass(isActive || isAnnounced),
        )}
      />
      <div className="grid items-end gap-x-10 gap-y-2.5 px-4 py-2.5 overlay:grid-cols-[minmax(0,1fr)_auto] beside:px-8 beside:pb-5 roomy:items-center roomy:pb-3">
        <div className="grid min-w-0 gap-1 beside:gap-2.5 roomy:gap-1">
          <NowPlaying
            state={state}
            programmes={page.programmes}
            isUnavailable={page.isUnavailable}
            className={fadeClass(isActive || isAnnounced)}
          />
          <div className={classNames('-ml-2.5 flex flex-wrap items-center gap-0.5', fadeClass(isActive))}>
            {selected ? <BackToLive page={page} /> : <ChannelButton page={page} />}
            <SoundControl page={page} />
            <MoreButton page={page} />
          </div>
        </div>
        {!page.fullscreen.isFullscreen && (
          <UpNext
            programmes={upNext}
            className={classNames(
              'min-w-0 overlay:w-[min(15rem,40cqw)] overlay:rounded-md overlay:bg-black/60 overlay:p-3 forced-colors:overlay:bg-[Canvas] beside:w-84 beside:p-4',
              'roomy:w-104 roomy:bg-transparent roomy:p-0 tv:w-104',
              fadeClass(isActive),
            )}
          />
        )}
      </div>
      {/* As high without a programme: the controls stay where they are. */}
      <div className={classNames('h-0.5', fadeClass(isActive))}>
        {programme && !selected && (
          <ProgrammeProgress
            key={`${programme.id} ${programme.endsAtMs}`}
            startsAtMs={programme.startsAtMs}
            endsAtMs={programme.endsAtMs}
            className="h-full motion-reduce:hidden"
          />
        )}
      </div>
    </div>
  )
}

function BackToLive({ page }: { page: LivePageState }) {
  return (
    <Button tone="primary" icon="tv" className="mr-2 ml-2.5" onClick={() => page.session.backToLive()}>
      Back to live
    </Button>
  )
}

function ChannelButton({ page }: { page: LivePageState }) {
  const channel = page.channels.find(({ id }) => id === page.channelId)
  return (
    <Button tone="plain" className="max-w-60 px-2.5 tv:text-base" onClick={() => page.setPanel('channels')}>
      {channel ? <ChannelLogo name={channel.name} url={channel.logoUrl} size="small" /> : <Icon name="tv" />}
      <span className="sr-only">Channels: </span>
      <span className="truncate">{channel?.name ?? 'Channels'}</span>
    </Button>
  )
}

/** Mute and, in wide windows, volume: narrow ones are on devices with keys for it. For signed-out viewers, who have no sound, a sign-in link. */
function SoundControl({ page }: { page: LivePageState }) {
  const signInPath = useSignInPath()
  const { volume, muted } = useLiveState(page.session)
  if (!page.mayHear) {
    return (
      <Link to={signInPath} className={buttonClass('plain', 'px-2.5 tv:text-base')}>
        <Icon name="muted" />
        Sign in for sound
      </Link>
    )
  }
  const shown = muted ? 0 : volume
  return (
    <div className="flex items-center gap-1">
      <IconButton
        icon={muted ? 'muted' : 'sound'}
        label={muted ? 'Unmute' : 'Mute'}
        onClick={() => page.sound.setMuted(!muted)}
      />
      <input
        type="range"
        aria-label="Volume"
        min={0}
        max={1}
        step={0.05}
        value={shown}
        aria-valuetext={`${Math.round(shown * 100)} %`}
        onChange={(event) => page.sound.setVolume(Number(event.target.value))}
        className="hidden w-28 rounded-full accent-(--theme-accent) lg:block"
      />
    </div>
  )
}

/** Title and artist of the current video, announced to screen readers on change. */
function NowPlaying(props: {
  state: LiveState
  /** The programmes of the timeline from the current one on. */
  programmes: readonly Programme[] | undefined
  isUnavailable: boolean
  className?: string | undefined
}) {
  const { state, programmes, isUnavailable, className } = props
  const { title, detail, note, why } = useNowPlayingTexts(state, isUnavailable, programmes)
  return (
    <div className={classNames('min-w-0', className)} aria-live="polite">
      <h1 className="truncate text-lg font-semibold lg:text-2xl beside:text-3xl beside:tracking-tight roomy:text-2xl">
        {title}
      </h1>
      <p className="mt-0.5 truncate text-sm text-white/85 lg:text-lg roomy:text-base">
        {detail}
        <span className="mx-2" aria-hidden="true">
          ·
        </span>
        <span>{note}</span>
      </p>
      {why && <p className="mt-0.5 truncate text-xs text-white/85 lg:text-sm tv:text-base">{why}</p>}
    </div>
  )
}

/** How long a title is shown over the picture after a cut. */
const ANNOUNCEMENT_MS = 4_000

/**
 * True for 4 s after the cut to another programme. Only for our own player: YouTube forbids overlays, and shows a title
 * itself. Not while the banner of a channel shows the title.
 */
function useAnnouncement({ programme, playerKind, selected }: LiveState, isBannerShown: boolean): boolean {
  const [isOn, setOn] = useState(false)
  const begin = useEffectEvent(() => setOn(!isBannerShown))
  const id = playerKind === 'html5' && !selected ? programme?.id : undefined
  useEffect(() => {
    if (!id) return
    begin()
    const timer = setTimeout(() => setOn(false), ANNOUNCEMENT_MS)
    return () => clearTimeout(timer)
  }, [id])
  return isOn && id !== undefined
}
