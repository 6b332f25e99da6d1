import type { Video } from '@looptide/contracts/http/videos'
import { type ReactNode, useId } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { Skeleton } from './skeleton.tsx'
import { useScrollEdges } from './use-scroll-edges.ts'
import { VideoTile, VideoTileSkeleton } from './video-tile.tsx'

/** How far a button scrolls (docs/product/viewer.md §9), and how wide a tile is. */
const SIZES = {
  medium: { stepPx: 300, width: 'w-[min(42vw,15rem)]' },
  large: { stepPx: 400, width: 'w-[min(74vw,22rem)]' },
} as const

export type VideoRowSize = keyof typeof SIZES

const GUTTER = 'px-4 sm:px-8'

/**
 * A shelf of videos that scrolls sideways: by buttons, by a finger (it then rests on a tile), and along with the
 * focus. Arrow keys go from tile to tile, so the buttons are left out of their way.
 */
export function VideoRow(props: {
  title: string
  videos: readonly Video[]
  size?: VideoRowSize
  /** Stands beside the title, e.g. a link to all of them. */
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
          <ScrollButton
            label={`Scroll ${props.title} back`}
            isBack
            isAtEnd={isAtStart}
            onPress={() => scroll(-stepPx)}
          />
          <ScrollButton label={`Scroll ${props.title} on`} isAtEnd={isAtEnd} onPress={() => scroll(stepPx)} />
        </div>
      </div>
      {/* Sideways there is nothing but the row. Coming back to it by arrow keys finds the tile one has left. */}
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

/** Stays where it is at the end of the way, lest the focus be lost with it. */
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

/** The place of a row that is on its way. */
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
