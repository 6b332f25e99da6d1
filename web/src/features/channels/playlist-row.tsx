import type { DraggableProvidedDragHandleProps } from '@hello-pangea/dnd'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import { type Entry, titleOf } from './draft.ts'
import { PositionField } from './position-field.tsx'

export interface RowActions {
  canChange: boolean
  isSelected: boolean
  /** The row of the current search match. */
  isFound: boolean
  onSelect: (isRange: boolean) => void
  /** Undefined when the row cannot move in this direction. */
  onUp: (() => void) | undefined
  onDown: (() => void) | undefined
  /** Moves the row to a position, from 0. */
  onPlace: (place: number) => void
  onRemove: () => void
}

/** A playlist row: drag handle, checkbox, position (from 1), video and buttons. */
export function PlaylistRow(props: {
  item: Entry
  index: number
  actions: RowActions
  handle: DraggableProvidedDragHandleProps | null
  isLifted?: boolean
}) {
  const { item, index, actions, handle, isLifted } = props
  const title = titleOf(item)
  return (
    <div
      className={classNames(
        'flex h-16 items-center gap-1 rounded-md pr-1 sm:gap-2',
        isLifted ? 'bg-raised shadow-lift' : 'hover:bg-raised',
        actions.isSelected && 'bg-raised',
        actions.isFound && 'outline-2 -outline-offset-2 outline-accent',
      )}
    >
      <span
        {...handle}
        className={classNames(
          'lift grid h-full w-9 shrink-0 place-items-center rounded-md text-muted',
          handle ? 'cursor-grab' : 'opacity-40',
        )}
      >
        <Icon name="grip" />
        <span className="sr-only">Drag to reorder: {title}</span>
      </span>
      <label className="grid h-full w-7 shrink-0 cursor-pointer place-items-center">
        <input
          type="checkbox"
          aria-label={`Select: ${title}`}
          className="size-5 accent-primary"
          checked={actions.isSelected}
          onChange={(event) => actions.onSelect((event.nativeEvent as MouseEvent).shiftKey === true)}
        />
      </label>
      <PositionField title={title} place={index} disabled={!actions.canChange} onPlace={actions.onPlace} />
      <Thumbnail
        url={item.video?.thumbnailUrl ?? null}
        className="hidden w-20 shrink-0 rounded-sm sm:block"
      />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{title}</span>
        <span className="block truncate text-sm text-muted">
          {item.video ? (
            <>
              <bdi>{item.video.artistName}</bdi> • {item.video.duration}
            </>
          ) : (
            'No longer in the library'
          )}
        </span>
      </span>
      <span className="flex shrink-0">
        <IconButton
          icon="up"
          label={`Move up: ${title}`}
          disabled={!actions.onUp}
          onClick={() => actions.onUp?.()}
          className="hidden @lg:inline-flex"
        />
        <IconButton
          icon="down"
          label={`Move down: ${title}`}
          disabled={!actions.onDown}
          onClick={() => actions.onDown?.()}
          className="hidden @lg:inline-flex"
        />
        <IconButton
          icon="remove"
          label={`Remove: ${title}`}
          disabled={!actions.canChange}
          onClick={actions.onRemove}
        />
      </span>
    </div>
  )
}
