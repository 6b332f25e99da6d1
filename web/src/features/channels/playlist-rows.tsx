import { DragDropContext, Draggable, type DraggableProvided, Droppable } from '@hello-pangea/dnd'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { styleNonce } from '../../lib/browser/style-nonce.ts'
import { type Entry, withMoved } from './draft.ts'
import { PlaylistRow, type RowActions } from './playlist-row.tsx'

/** Height of a row with its gap, in px. */
const ROW_PX = 72

/**
 * The rows of a playlist, reordered by mouse, touch or keyboard. The timings in docs/product/admin.md §9 are the
 * defaults of this drag-and-drop library. The list is virtual, so that thousands of rows scroll smoothly; the dragged
 * row is rendered separately.
 */
export function PlaylistRows(props: {
  items: readonly Entry[]
  canChange: boolean
  selected: ReadonlySet<string>
  /** Index of the row to scroll into view. */
  found: number | undefined
  onSelect: (id: string, isRange: boolean) => void
  onReorder: (items: readonly Entry[]) => void
  onRemove: (item: Entry) => void
}) {
  const { items, canChange, found, onReorder } = props
  const scroller = useRef<HTMLElement | null>(null)
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => items[index]?.id ?? index,
    overscan: 8,
  })
  const { scrollToIndex } = rows
  useEffect(() => {
    if (found !== undefined) scrollToIndex(found, { align: 'center' })
  }, [found, scrollToIndex])
  const move = (from: number, to: number) => {
    const moved = withMoved(items, from, to)
    if (moved !== items) onReorder(moved)
  }
  const actionsAt = (item: Entry, index: number): RowActions => ({
    canChange,
    isSelected: props.selected.has(item.id),
    isFound: index === found,
    onSelect: (isRange) => props.onSelect(item.id, isRange),
    onUp: canChange && index > 0 ? () => move(index, index - 1) : undefined,
    onDown: canChange && index < items.length - 1 ? () => move(index, index + 1) : undefined,
    onPlace: (place) => move(index, Math.min(place, items.length - 1)),
    onRemove: () => props.onRemove(item),
  })

  return (
    <DragDropContext
      nonce={styleNonce()}
      onDragEnd={({ source, destination }) => {
        if (destination) move(source.index, destination.index)
      }}
    >
      <Droppable
        droppableId="playlist"
        mode="virtual"
        isDropDisabled={!canChange}
        renderClone={(provided, _, { source: { index } }) => (
          <LiftedRow {...{ provided, index, actionsAt }} item={items[index]} />
        )}
      >
        {(provided) => (
          <div
            {...provided.droppableProps}
            ref={(element) => {
              scroller.current = element
              provided.innerRef(element)
            }}
            onTouchStartCapture={({ nativeEvent }) => forwardTouchEvents(nativeEvent)}
            className="h-112 overflow-y-auto overscroll-contain rounded-lg border border-line/70 bg-panel p-2"
          >
            <ol aria-label="Playlist" className="relative" style={{ height: rows.getTotalSize() }}>
              {rows.getVirtualItems().map(({ key, index, start }) => {
                const item = items[index]
                return (
                  item && (
                    <DraggableRow
                      key={key}
                      item={item}
                      index={index}
                      count={items.length}
                      topPx={start}
                      actions={actionsAt(item, index)}
                    />
                  )
                )
              })}
            </ol>
          </div>
        )}
      </Droppable>
    </DragDropContext>
  )
}

function DraggableRow(props: {
  item: Entry
  index: number
  count: number
  topPx: number
  actions: RowActions
}) {
  const { item, index, actions } = props
  return (
    <Draggable draggableId={item.id} index={index} isDragDisabled={!actions.canChange}>
      {(row) => (
        <li
          {...row.draggableProps}
          ref={row.innerRef}
          aria-setsize={props.count}
          aria-posinset={index + 1}
          className="absolute inset-x-0"
          style={{ ...row.draggableProps.style, top: props.topPx }}
        >
          <PlaylistRow item={item} index={index} actions={actions} handle={row.dragHandleProps} />
        </li>
      )}
    </Draggable>
  )
}

/** The row that is drawn in place of the dragged one. */
function LiftedRow(props: {
  provided: DraggableProvided
  item: Entry | undefined
  index: number
  actionsAt: (item: Entry, index: number) => RowActions
}) {
  const { provided, item, index, actionsAt } = props
  return (
    <div {...provided.draggableProps} ref={provided.innerRef}>
      {item && (
        <PlaylistRow
          item={item}
          index={index}
          actions={actionsAt(item, index)}
          handle={provided.dragHandleProps}
          isLifted
        />
      )}
    </div>
  )
}

/**
 * Forwards touch events to the window while their target is no longer in the document, until the touch ends. Touch
 * events are dispatched only to the element on which the touch started. A row lifted out of a virtual list is removed
 * from the document, so without this its drag would never move (hello-pangea/dnd, issue 801).
 */
function forwardTouchEvents({ target }: TouchEvent): void {
  if (!(target instanceof Element)) return
  const listening = new AbortController()
  const forward = (event: TouchEvent) => {
    if (!target.isConnected && !window.dispatchEvent(copyOf(event))) event.preventDefault()
    if (event.type !== 'touchmove') listening.abort()
  }
  for (const type of ['touchmove', 'touchend', 'touchcancel'] as const) {
    target.addEventListener(type, (event) => forward(event as TouchEvent), {
      passive: false,
      signal: listening.signal,
    })
  }
}

const copyOf = ({ type, touches, targetTouches, changedTouches }: TouchEvent): TouchEvent =>
  new TouchEvent(type, {
    cancelable: true,
    touches: [...touches],
    targetTouches: [...targetTouches],
    changedTouches: [...changedTouches],
  })
