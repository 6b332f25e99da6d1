import { type RefObject, useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'
import { Link } from 'react-router-dom'
import { afterLoad } from '../../lib/browser/after-load.ts'
import { holdLock } from '../../lib/browser/hold-lock.ts'
import { useIsOnline } from '../../lib/browser/use-is-online.ts'
import { useMediaQuery } from '../../lib/browser/use-media-query.ts'
import { LIVE_LOCK, liveStage } from '../../lib/media/live-picture.ts'
import { paths } from '../../lib/paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { LiveBadge } from '../../ui/live-badge.tsx'
import { useOnAir } from './api.ts'
import { HeroPicture } from './hero-picture.tsx'

// The first highlight: what Live TV plays. Its text is beside the picture, on a phone below it, because YouTube forbids
// overlays.

/** Whether the live picture plays on this page. */
export const useIsLiveShown = (): boolean =>
  useSyncExternalStore(liveStage.onChange, liveStage.get) !== undefined

/** The picture of the current video behind the first highlight, of which it is the light. */
export function LiveBackdrop({ isShown }: { isShown: boolean }) {
  return (
    <OnAirPicture
      className={classNames(
        'absolute inset-0 scale-110 blur-xl transition-opacity duration-600',
        isShown ? 'opacity-60' : 'opacity-0',
      )}
    />
  )
}

/**
 * The picture of the first highlight: that of the current video, over which the live picture plays. Where less than 200 px
 * of height are left, which YouTube requires, there is only the backdrop.
 */
export function LiveSlidePicture(props: {
  isShown: boolean
  isCovered: boolean
  /** Called once it is known whether the live picture plays. */
  onTried: () => void
}) {
  const { isShown, isCovered, onTried } = props
  const box = useLiveStage(isShown && !isCovered, onTried)
  return (
    <div
      className={classNames(
        'absolute inset-x-0 top-0 grid h-[calc(100%-19.5rem)] items-start justify-items-center [container-type:size]',
        'transition-opacity duration-600 sm:top-6 sm:right-8 sm:bottom-24 sm:left-[46%] sm:h-auto sm:items-center',
        isShown ? 'opacity-100' : 'invisible opacity-0',
      )}
    >
      <div
        ref={box}
        className="relative hidden aspect-video w-[min(100cqw,100cqh*16/9)] overflow-hidden sm:rounded-lg sm:shadow-lift [@container(min-height:200px)_and_(min-width:356px)]:block"
      >
        <OnAirPicture className="absolute inset-0" />
      </div>
    </div>
  )
}

function OnAirPicture({ className }: { className: string }) {
  const { programme } = useOnAir()
  return (
    <HeroPicture
      key={programme?.id}
      thumbnailUrl={programme?.video.thumbnailUrl ?? null}
      isFirst
      className={className}
    />
  )
}

/** What is on the air. */
export function LiveText() {
  const { programme, isOffAir } = useOnAir()
  const isOnline = useIsOnline()
  return (
    <div className="grid max-w-3xl gap-3 sm:max-w-[40%]">
      {isOnline && !isOffAir ? (
        <LiveBadge className="w-fit" />
      ) : (
        <p className="text-sm font-semibold text-muted">{isOnline ? 'Off the air' : 'Offline'}</p>
      )}
      <h2 className="line-clamp-2 pb-[0.12em] text-4xl font-bold tracking-tight text-balance wrap-anywhere">
        {programme?.video.title ?? 'Continuous Live Stream'}
      </h2>
      <p className="min-h-7 truncate text-lg text-text sm:text-xl">{programme?.video.artistName}</p>
    </div>
  )
}

/** The link to the live page. */
export function LiveAction() {
  return (
    <Link to={paths.live()} className={buttonClass('primary', 'min-h-12 px-7 text-base')}>
      <Icon name="tv" />
      Watch Live TV
    </Link>
  )
}

/** A viewer who saves data gets no picture without asking. Not all browsers say so. */
const savesData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true

/**
 * The element over which the live picture plays while it `isWanted`: once the page has loaded and rests, while it is
 * visible, and no other tab shows the live picture. Not for viewers who want less motion or save data.
 */
function useLiveStage(isWanted: boolean, onTried: () => void): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null)
  const isStill = useMediaQuery('(prefers-reduced-motion: reduce)')
  const isVisible = useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible')
  const mayPlay = isWanted && isVisible && !isStill
  const tried = useEffectEvent(onTried)
  useEffect(() => {
    if (!mayPlay || savesData()) {
      tried()
      return
    }
    const play = () => {
      if (box.current?.checkVisibility()) liveStage.set(box.current)
    }
    let release = () => {}
    const stopWaiting = afterRest(() => {
      release = holdLock(LIVE_LOCK, { ifAvailable: true }, play)
      tried()
    })
    return () => {
      stopWaiting()
      release()
      liveStage.set(undefined)
    }
  }, [mayPlay])
  return box
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** A slow browser that draws all the time is never idle: then the picture plays after this time, in ms. */
const MAX_BUSY_MS = 2_000

/** Calls back once the page has loaded and the browser is idle. Returns how to cancel it. */
function afterRest(callback: () => void): () => void {
  let idle: number | undefined
  const stop = afterLoad(() => {
    // Safari does not have it.
    if ('requestIdleCallback' in window) idle = requestIdleCallback(callback, { timeout: MAX_BUSY_MS })
    else callback()
  })
  return () => {
    stop()
    if (idle !== undefined) cancelIdleCallback(idle)
  }
}
