import type { Block, Weekday } from '@looptide/contracts/schedule'
import type { KeyboardEvent, PointerEvent } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { contentText } from '../model/sentences.ts'
import { DAY_MINUTES, dayName, spanLabel } from '../model/times.ts'
import type { Piece } from '../model/week-layout.ts'
import type { DragKind } from './use-grid-drag.ts'

/** The value of `data-occurrence` by which a block is found again after it has moved. */
export const occurrenceKey = (blockId: string, day: Weekday): string => `${blockId} ${day}`

const EDGE = 'absolute inset-x-0 z-10 h-2 cursor-ns-resize pointer-coarse:h-4'

/** A block in the column of a day. The part after midnight is for the mouse only: the keyboard has the first part. */
export function GridBlock(props: {
  piece: Piece<Block>
  isMarked: boolean
  isDragged: boolean
  onPress: (event: PointerEvent<HTMLElement>, kind: DragKind) => void
  onOpen: () => void
  onKey: (event: KeyboardEvent) => void
}) {
  const { piece, isMarked, onPress } = props
  const { block, startDay, isContinuation, from, to, column, columns } = piece
  const isExact = block.start === 'hard'
  return (
    <div
      className={classNames('absolute p-px', props.isDragged && 'opacity-40')}
      style={{
        top: `${(from / DAY_MINUTES) * 100}%`,
        height: `${((to - from) / DAY_MINUTES) * 100}%`,
        left: `${(column / columns) * 100}%`,
        width: `${100 / columns}%`,
      }}
    >
      <button
        type="button"
        {...(isContinuation
          ? { tabIndex: -1, 'aria-hidden': true }
          : { 'data-occurrence': occurrenceKey(block.id, startDay) })}
        title={`${block.name}, ${spanLabel(block)}, ${contentText(block)}`}
        onPointerDown={(event) => onPress(event, 'move')}
        onClick={props.onOpen}
        onKeyDown={props.onKey}
        className={classNames(
          'flex size-full min-h-0 flex-col overflow-hidden rounded-sm border border-l-4 border-line bg-raised px-1.5 py-0.5 text-left text-xs hover:brightness-110 focus-visible:z-10 active:cursor-grabbing',
          isMarked && 'border-dashed border-accent',
        )}
        style={
          block.colour
            ? {
                borderLeftColor: block.colour,
                background: `color-mix(in srgb, ${block.colour} 16%, var(--theme-raised))`,
              }
            : undefined
        }
      >
        <span className="w-full shrink-0 truncate font-semibold">
          {isMarked && <span aria-hidden="true">⚠ </span>}
          {block.name}
          <span className="sr-only"> {dayName(startDay)}</span>
        </span>
        <span className="w-full shrink-0 truncate tabular-nums">
          {spanLabel(block)}
          {isExact && <span aria-hidden="true"> ●</span>}
          {isExact && <span className="sr-only">, exact start,</span>}
        </span>
        <span className="w-full truncate">
          <span className="sr-only">plays </span>
          {contentText(block)}
          {isMarked && <span className="sr-only">, has a problem</span>}
        </span>
      </button>
      {!isContinuation && (
        <span
          aria-hidden="true"
          className={`${EDGE} top-0`}
          onPointerDown={(event) => onPress(event, 'from')}
        />
      )}
      <span
        aria-hidden="true"
        className={`${EDGE} bottom-0`}
        onPointerDown={(event) => onPress(event, 'to')}
      />
    </div>
  )
}
