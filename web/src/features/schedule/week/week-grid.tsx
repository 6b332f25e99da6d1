import type { Block, Weekday } from '@looptide/contracts/schedule'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import type { BlockClash } from '../model/clash-edits.ts'
import { contentText } from '../model/sentences.ts'
import { DAY_MINUTES, dayName, spanLabel, timeLabel, timeText, WEEKDAYS } from '../model/times.ts'
import { type Piece, piecesOf, weekOf } from '../model/week-layout.ts'
import { occurrenceKey, useBlockKeys } from './use-block-keys.ts'
import { type Drag, type DragKind, useGridDrag } from './use-grid-drag.ts'
import type { WeekActions } from './week-actions.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** The week as seven columns of 24 hours, in which blocks are drawn, moved and resized. */
export function WeekGrid(props: {
  blocks: readonly Block[]
  marked: ReadonlySet<string>
  clashes: readonly BlockClash[]
  actions: WeekActions
}) {
  const { blocks, marked, clashes, actions } = props
  const grid = useRef<HTMLDivElement>(null)
  const { announcement, edit } = useBlockKeys(grid, blocks, actions)
  const { drag, start, hasDragged, handlers } = useGridDrag(grid, (dropped) => drop(dropped, actions, edit))
  return (
    <div className="grid gap-3">
      <div ref={grid} className="select-none" {...handlers}>
        <div className="sticky top-16 z-20 grid grid-cols-[4.25rem_repeat(7,minmax(0,1fr))] border-b border-line bg-canvas">
          <span />
          {WEEKDAYS.map(({ id, name, short }) => (
            <div key={id} className="flex items-center justify-between gap-1 pl-2">
              <h3 className="text-sm font-semibold">
                <span className="xl:hidden">{short}</span>
                <span className="max-xl:hidden">{name}</span>
              </h3>
              <IconButton
                icon="copy"
                label={`Copy ${name}`}
                className="print:hidden"
                onClick={() => actions.copy(id)}
              />
            </div>
          ))}
        </div>
        <div className="grid h-[66rem] grid-cols-[4.25rem_repeat(7,minmax(0,1fr))] pt-2">
          <HourAxis />
          {weekOf(blocks).map(({ day, pieces }) => (
            <section
              key={day}
              data-day={day}
              aria-label={dayName(day)}
              className="relative cursor-cell border-l border-line/70 bg-deep/40 bg-[linear-gradient(to_bottom,var(--theme-line)_1px,transparent_1px)] bg-size-[100%_calc(100%/24)]"
              onPointerDown={(event) => start(event, 'create', day)}
            >
              {pieces.map((piece) => (
                <GridBlock
                  key={`${occurrenceKey(piece.block.id, piece.startDay)} ${piece.isContinuation}`}
                  piece={piece}
                  isMarked={marked.has(piece.block.id)}
                  isDragged={drag?.block === piece.block && drag.day === piece.startDay}
                  onPress={(event, kind) => start(event, kind, piece.startDay, piece.block)}
                  onOpen={() => hasDragged() || actions.edit(piece.block)}
                  onKey={(event) => edit.onKey(event, piece)}
                />
              ))}
              <ClashHours clashes={clashes} day={day} />
              {drag && <Ghost drag={drag} day={day} />}
            </section>
          ))}
        </div>
      </div>
      <p className="text-sm text-muted print:hidden">
        Drag in empty time to draw a block; drag a block or its edges to change it. With the keyboard: arrow
        keys move the focused block by 15 minutes or a day, Shift and an arrow key change its end, Enter opens
        it, Delete removes it from the day.
      </p>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </div>
  )
}

/** The hours beside the columns of a grid. */
export function HourAxis() {
  return (
    <div aria-hidden="true" className="relative">
      {HOURS.map((hour) => (
        <span
          key={hour}
          className="absolute right-2 -translate-y-1/2 text-xs text-muted tabular-nums"
          style={{ top: `${(hour / 24) * 100}%` }}
        >
          {timeLabel(hour * 60)}
        </span>
      ))}
    </div>
  )
}

/** The hours of a day at which blocks overlap. */
function ClashHours({ clashes, day }: { clashes: readonly BlockClash[]; day: Weekday }) {
  const times = clashes.flatMap(({ key, overlaps }) =>
    overlaps.map((each) => ({ id: key, days: [each.day], from: timeText(each.from), to: timeText(each.to) })),
  )
  return piecesOf(times, day).map(({ block: { id }, from, to }) => (
    <div
      key={`${id} ${from}`}
      aria-hidden="true"
      className="pointer-events-none absolute inset-x-0 z-10 border-y-2 border-accent bg-[repeating-linear-gradient(135deg,transparent_0_6px,color-mix(in_srgb,var(--theme-accent)_45%,transparent)_6px_8px)]"
      style={{ top: `${(from / DAY_MINUTES) * 100}%`, height: `${((to - from) / DAY_MINUTES) * 100}%` }}
    />
  ))
}

/** Where a dragged block would be dropped. */
function Ghost({ drag, day }: { drag: Drag; day: Weekday }) {
  const placed = {
    id: 'ghost',
    days: [drag.toDay],
    from: timeText(drag.from),
    to: timeText(drag.to),
  }
  return piecesOf([placed], day).map(({ from, to, isContinuation }) => (
    <div
      key={String(isContinuation)}
      aria-hidden="true"
      data-dragging
      className="pointer-events-none absolute inset-x-0.5 z-10 rounded-sm border-2 border-accent bg-raised/80 px-1.5 text-xs font-semibold tabular-nums"
      style={{ top: `${(from / DAY_MINUTES) * 100}%`, height: `${((to - from) / DAY_MINUTES) * 100}%` }}
    >
      {!isContinuation && spanLabel(placed)}
    </div>
  ))
}

type BlockEdits = ReturnType<typeof useBlockKeys>['edit']

function drop({ kind, block, day, toDay, from, to }: Drag, actions: WeekActions, edit: BlockEdits): void {
  if (block === undefined) actions.create({ days: [day], from: timeText(from), to: timeText(to) })
  else if (kind === 'move') edit.move(block, day, toDay, from)
  else edit.resize(block, day, kind === 'from' ? { from } : { to })
}

const EDGE = 'absolute inset-x-0 z-10 h-2 cursor-ns-resize pointer-coarse:h-4'

/** A block in the column of a day. The part after midnight is for the mouse only: the keyboard has the first part. */
function GridBlock(props: {
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
