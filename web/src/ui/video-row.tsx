import type { Video } from '@looptide/contracts/http/videos'
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { Skeleton } from './skeleton.tsx'
import { VideoTile, VideoTileSkeleton } from './video-tile.tsx'

/** The scroll step of a button (docs/product/viewer.md §9) and the width of a tile. */
const SIZES = {
  medium: { stepPx: 300, width: 'w-[min(42vw,15rem)]' },
  large: { stepPx: 400, width: 'w-[min(74vw,22rem)]' },
} as const

export type VideoRowSize = keyof typeof SIZES

const GUTTER = 'px-4 sm:px-8'

/**
 * A horizontally scrolling row of videos. It scrolls with buttons, by touch (it snaps to a tile) and with the focus.
 * Arrow keys move from tile to tile and skip the buttons.
 */
export function VideoRow(props: {
  title: string
  videos: readonly Video[]
  size?: VideoRowSize
  /** Shown next to the title, e.g. a link to all videos. */
  beside?: ReactNode
  onOpen: (video: Video) => void
}) {
  const id = useId()
  const { stepPx, width } = SIZES[props.size ?? 'medium']
  const { ref, isAtStart, isAtEnd } = useScrollEdges<HTMLUListElement>(props.videos.length)
  const scroll = (by: number) => ref.current?.scrollBy({ left: by })

  return (
    <section aria-labelledby={id} className="grid min-w-0 gap-1.5">
      <div className={classNames('flex items-center gap-4', GUTTER)}>
        <h2 id={id} className="text-xl font-semibold">
          {props.title}
        </h2>
        {props.beside}
        <div className="lrud-ignore ml-auto hidden gap-1 pointer-fine:flex">
          <ScrollButton label="Previous videos" isBack isAtEnd={isAtStart} onPress={() => scroll(-stepPx)} />
          <ScrollButton label="Next videos" isAtEnd={isAtEnd} onPress={() => scroll(stepPx)} />
        </div>
      </div>
      {/* Left and right arrows stay in the row. Arrow keys that return to the row focus the tile focused last. */}
      <ul
        ref={ref}
        data-block-exit="left right"
        className={classNames(
          'lrud-container scrollbar-none flex gap-3 overflow-x-auto scroll-smooth py-2 sm:gap-4',
          'scroll-px-4 sm:scroll-px-8 pointer-coarse:snap-x pointer-coarse:snap-proximity',
          GUTTER,
        )}
      >
        {props.videos.map((video) => (
          <li key={video.id} className={classNames('shrink-0 snap-start', width)}>
            <VideoTile id={`${id}-${video.id}`} video={video} onOpen={props.onOpen} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Stays enabled for the browser at the end of the row, so that it keeps the focus. */
function ScrollButton(props: { label: string; isBack?: boolean; isAtEnd: boolean; onPress: () => void }) {
  return (
    <IconButton
      icon={props.isBack ? 'back' : 'forward'}
      label={props.label}
      tone="quiet"
      aria-disabled={props.isAtEnd}
      onClick={props.onPress}
      className="rounded-full aria-disabled:opacity-40"
    />
  )
}

/** The placeholder of a row that is loading. */
export function VideoRowSkeleton({ size = 'medium' }: { size?: VideoRowSize }) {
  return (
    <div className="grid min-w-0 gap-1.5">
      <div className={GUTTER}>
        <Skeleton className="h-11 w-44" />
      </div>
      <div className={classNames('flex gap-3 overflow-hidden py-2 sm:gap-4', GUTTER)}>
        {Array.from({ length: 8 }, (_, index) => (
          <VideoTileSkeleton key={String(index)} className={classNames('shrink-0', SIZES[size].width)} />
        ))}
      </div>
    </div>
  )
}

/** Tolerance for fractional scroll positions on scaled screens. */
const TOLERANCE_PX = 2

/** Whether a horizontal scroller is at its start or its end. Follows scrolling, resizing and the number of items. */
function useScrollEdges<T extends HTMLElement>(
  count: number,
): {
  ref: RefObject<T | null>
  isAtStart: boolean
  isAtEnd: boolean
} {
  const ref = useRef<T>(null)
  const [edges, setEdges] = useState({ isAtStart: true, isAtEnd: false })
  useEffect(() => {
    const element = ref.current
    if (!element || count === 0) return
    const measure = () => {
      const { scrollLeft, clientWidth, scrollWidth } = element
      const isAtStart = scrollLeft <= TOLERANCE_PX
      const isAtEnd = scrollLeft + clientWidth >= scrollWidth - TOLERANCE_PX
      setEdges((known) =>
        known.isAtStart === isAtStart && known.isAtEnd === isAtEnd ? known : { isAtStart, isAtEnd },
      )
    }
    element.addEventListener('scroll', measure, { passive: true })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    return () => {
      element.removeEventListener('scroll', measure)
      observer.disconnect()
    }
  }, [count])
  return { ref, ...edges }
}
