import type { Video } from '@looptide/contracts/http/videos'
import {
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useReducer,
  useRef,
  useState,
} from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { ADVANCE_MS, type CarouselChange, FIRST_SLIDE, nextSlide } from './carousel-state.ts'
import { HERO_CONTENT, HERO_FRAME, HeroShade } from './hero-frame.tsx'
import { HeroPicture } from './hero-picture.tsx'
import { LiveAction, LiveBackdrop, LiveSlidePicture, LiveText, useIsLiveShown } from './live-slide.tsx'

/**
 * The highlights at the top of the page: a carousel of the live picture and the videos. The buttons stay mounted while the
 * slides change, to keep the focus.
 */
export function HeroCarousel(props: {
  videos: readonly Video[]
  /** Whether a dialog covers the page. */
  isCovered: boolean
  onPlay: (video: Video) => void
  onDetails: (video: Video) => void
}) {
  const { videos } = props
  const [isHeld, hold] = useHold()
  const isLiveShown = useIsLiveShown()
  // A slow page would show the next slide just before the live picture plays.
  const [isStarting, setStarting] = useState(true)
  const carousel = useCarousel(videos.length + 1, {
    isHeld: isHeld || isLiveShown || isStarting,
    isCovered: props.isCovered,
  })
  const swipe = useSwipe(carousel.step)
  const { index } = carousel
  // The first slide is the live picture.
  const video = videos[index - 1]
  return (
    <section
      aria-roledescription="carousel"
      aria-label="Highlights"
      data-block-exit="left right"
      className={classNames(HERO_FRAME, 'touch-pan-y')}
      {...hold}
      {...swipe}
    >
      <LiveBackdrop isShown={index === 0} />
      <Pictures videos={videos} index={index} />
      <HeroShade />
      <LiveSlidePicture
        isShown={index === 0}
        isCovered={props.isCovered}
        onTried={() => setStarting(false)}
      />
      <div className={HERO_CONTENT}>
        {/* biome-ignore lint/a11y/useSemanticElements: a slide is no group of a form's fields. */}
        <div
          role="group"
          aria-roledescription="slide"
          aria-label={`${index + 1} of ${videos.length + 1}`}
          aria-live={carousel.isRunning ? 'off' : 'polite'}
        >
          {video ? <SlideText key={video.id} video={video} /> : <LiveText />}
        </div>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-5">
          {video ? (
            <div className="flex gap-3">
              <Button
                tone="primary"
                icon="play"
                className="min-h-12 px-7 text-base"
                aria-label={`Play ${video.title}`}
                onClick={() => props.onPlay(video)}
              >
                Play
              </Button>
              <Button
                icon="facts"
                className="min-h-12 bg-raised/80 px-5 text-base backdrop-blur-sm"
                aria-label={`More Info about ${video.title}`}
                onClick={() => props.onDetails(video)}
              >
                More Info
              </Button>
            </div>
          ) : (
            <LiveAction />
          )}
          <Controls videos={videos} carousel={carousel} />
        </div>
      </div>
    </section>
  )
}

/** Whether a mouse or the focus of a keyboard is on it. Neither touch counts nor the focus that a click leaves behind. */
function useHold() {
  const [isPointed, setPointed] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const point = (is: boolean) => (event: PointerEvent) => {
    if (event.pointerType !== 'touch') setPointed(is)
  }
  const handlers = {
    onPointerEnter: point(true),
    onPointerLeave: point(false),
    onFocus: ({ target }: FocusEvent) => setFocused(target.matches(':focus-visible')),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!currentTarget.contains(relatedTarget)) setFocused(false)
    },
  }
  return [isPointed || isFocused, handlers] as const
}

/** The slides shown so far, and the next one, which is preloaded. */
function Pictures({ videos, index }: { videos: readonly Video[]; index: number }) {
  const [shown, setShown] = useState<ReadonlySet<number>>(new Set())
  const wanted = [index, index + 1]
  if (!shown.has(index)) setShown(new Set([...shown, index]))
  return videos.map(({ id, thumbnailUrl }, before) => {
    const at = before + 1
    return shown.has(at) || wanted.includes(at) ? (
      <HeroPicture
        key={id}
        thumbnailUrl={thumbnailUrl}
        isFirst={false}
        className={classNames(
          'absolute inset-0 transition-opacity duration-600',
          at === index ? 'opacity-100' : 'opacity-0',
        )}
      />
    ) : null
  })
}

function SlideText({ video }: { video: Video }) {
  return (
    <div className="grid max-w-3xl animate-rise gap-3">
      <p className="flex flex-wrap items-center gap-x-3 text-sm font-semibold text-muted tabular-nums">
        {video.genre && <span>{video.genre}</span>}
        {video.genre && <span aria-hidden="true">•</span>}
        <span>{video.duration}</span>
      </p>
      <h2 className="line-clamp-2 pb-[0.12em] text-4xl font-bold tracking-tight text-balance wrap-anywhere">
        {video.title}
      </h2>
      <p className="truncate text-lg text-text sm:text-xl">{video.artistName}</p>
      {video.description && (
        <p className="line-clamp-2 max-w-2xl wrap-anywhere text-muted max-sm:hidden">{video.description}</p>
      )}
    </div>
  )
}

function Controls({ videos, carousel }: { videos: readonly Video[]; carousel: Carousel }) {
  return (
    <div className="flex items-center gap-1 sm:ml-auto">
      <IconButton
        icon={carousel.isStopped ? 'play' : 'pause'}
        label={carousel.isStopped ? 'Play highlights' : 'Pause highlights'}
        className="rounded-full"
        onClick={carousel.toggle}
      />
      <IconButton
        icon="back"
        label="Previous highlight"
        className="rounded-full max-sm:hidden"
        onClick={() => carousel.step(-1)}
      />
      <ol className="flex">
        {['Live TV', ...videos.map(({ title }, at) => `Highlight ${at + 1}: ${title}`)].map((label, at) => (
          <li key={label}>
            <button
              type="button"
              aria-label={label}
              aria-current={at === carousel.index}
              onClick={() => carousel.choose(at)}
              className="group grid size-8 place-items-center rounded-full"
            >
              <span className="h-2 w-2 rounded-full bg-text/50 transition-[width,background-color] group-hover:bg-text group-aria-current:w-6 group-aria-current:bg-text forced-colors:bg-[ButtonText]!" />
            </button>
          </li>
        ))}
      </ol>
      <IconButton
        icon="forward"
        label="Next highlight"
        className="rounded-full max-sm:hidden"
        onClick={() => carousel.step(1)}
      />
    </div>
  )
}

/** Minimum horizontal distance of a swipe, which must exceed the vertical one. */
const DISTANCE_PX = 40

/** Handlers for horizontal swipes; the element needs `touch-action: pan-y`. A swipe triggers no click. */
function useSwipe(onSwipe: (by: 1 | -1) => void) {
  const start = useRef<{ x: number; y: number } | null>(null)
  const hasSwiped = useRef(false)
  return {
    onPointerDown: (event: PointerEvent) => {
      hasSwiped.current = false
      start.current = event.pointerType === 'touch' ? { x: event.clientX, y: event.clientY } : null
    },
    onPointerUp: (event: PointerEvent) => {
      if (!start.current) return
      const x = event.clientX - start.current.x
      const y = event.clientY - start.current.y
      start.current = null
      if (Math.abs(x) < DISTANCE_PX || Math.abs(x) <= Math.abs(y)) return
      hasSwiped.current = true
      onSwipe(x < 0 ? 1 : -1)
    },
    onPointerCancel: () => {
      start.current = null
    },
    onClickCapture: (event: MouseEvent) => {
      if (!hasSwiped.current) return
      hasSwiped.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}

interface Carousel {
  index: number
  isRunning: boolean
  /** Whether the viewer paused it or prefers reduced motion. */
  isStopped: boolean
  step: (by: 1 | -1) => void
  choose: (index: number) => void
  /** Pauses it, or plays it even while pointed at or focused. */
  toggle: () => void
}

/**
 * Advances through `count` slides. Pauses while the page is covered or hidden. Otherwise the viewer's choice decides
 * (WCAG 2.2.2); without one it pauses while pointed at or focused, and with reduced motion.
 */
function useCarousel(count: number, rests: { isHeld: boolean; isCovered: boolean }): Carousel {
  const [state, change] = useReducer(
    (known: typeof FIRST_SLIDE, next: CarouselChange) => nextSlide(known, count, next),
    FIRST_SLIDE,
  )
  const [word, setWord] = useState<'none' | 'run' | 'stop'>(wantsLessMotion() ? 'stop' : 'none')
  const isRunning = count > 1 && !rests.isCovered && (word === 'run' || (word === 'none' && !rests.isHeld))

  // A new turn restarts the timer.
  const { turn } = state
  useEffect(() => {
    if (!isRunning || turn < 0) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') change({ type: 'advance' })
    }, ADVANCE_MS)
    return () => clearInterval(timer)
  }, [isRunning, turn])

  return {
    // The list may become shorter while it is shown.
    index: count > 0 ? state.index % count : 0,
    isRunning,
    isStopped: word === 'stop',
    step: (by) => change({ type: 'step', by, atMs: performance.now() }),
    choose: (index) => change({ type: 'choose', index, atMs: performance.now() }),
    toggle: () => setWord(word === 'stop' ? 'run' : 'stop'),
  }
}

const wantsLessMotion = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches
