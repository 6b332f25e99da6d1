import { DragDropContext, Draggable, Droppable } from '@hello-pangea/dnd'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { styleNonce } from '../../../lib/style-nonce.ts'
import { type Entry, withMoved } from './draft.ts'
import { followTouch } from './follow-touch.ts'
import { PlaylistRow, type RowActions } from './playlist-row.tsx'

/** Height of a row with the gap below it (px). */
const ROW_PX = 72

/**
 * The rows of a playlist, dragged into their order by mouse, touch or keys. The library's timings are those of docs/product/admin.md §9: it is the one they were taken from. Only the rows in sight are in the page, so that thousands
 * scroll as lightly as ten; the dragged one is drawn by itself.
 */
export function PlaylistRows(props: {
  items: readonly Entry[]
  canChange: boolean
  selected: ReadonlySet<string>
  /** The row to be brought into view, by its index. */
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
        renderClone={(provided, _, { source }) => {
          const item = items[source.index]
          return (
            <div {...provided.draggableProps} ref={provided.innerRef}>
              {item && (
                <PlaylistRow
                  item={item}
                  index={source.index}
                  actions={actionsAt(item, source.index)}
                  handle={provided.dragHandleProps}
                  isLifted
                />
              )}
            </div>
          )
        }}
      >
        {(provided) => (
          <div
            {...provided.droppableProps}
            ref={(element) => {
              scroller.current = element
              provided.innerRef(element)
            }}
            onTouchStartCapture={({ nativeEvent }) => followTouch(nativeEvent)}
            className="h-112 overflow-y-auto overscroll-contain rounded-lg border border-line/70 bg-panel p-2"
          >
            <ol aria-label="Playlist" className="relative" style={{ height: rows.getTotalSize() }}>
              {rows.getVirtualItems().map(({ key, index, start }) => {
                const item = items[index]
                return (
                  item && (
                    <Draggable key={key} draggableId={item.id} index={index} isDragDisabled={!canChange}>
                      {(row) => (
                        <li
                          {...row.draggableProps}
                          ref={row.innerRef}
                          aria-setsize={items.length}
                          aria-posinset={index + 1}
                          className="absolute inset-x-0"
                          style={{ ...row.draggableProps.style, top: start }}
                        >
                          <PlaylistRow
                            item={item}
                            index={index}
                            actions={actionsAt(item, index)}
                            handle={row.dragHandleProps}
                          />
                        </li>
                      )}
                    </Draggable>
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
