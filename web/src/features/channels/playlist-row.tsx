import type { DraggableProvidedDragHandleProps } from '@hello-pangea/dnd'
import { typedNumber } from '@looptide/contracts/typed-text'
import { type KeyboardEvent, useState } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import { type Entry, titleOf } from './draft.ts'

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

const SHAPE = 'w-12 shrink-0 rounded-sm border px-1 py-1 text-right text-sm tabular-nums'

// Defined outside the component, so that React calls them only once per element.
const focus = (button: HTMLButtonElement | null): void => button?.focus({ preventScroll: true })
const focusAndSelect = (field: HTMLInputElement | null): void => {
  field?.focus({ preventScroll: true })
  field?.select()
}

/**
 * A row's position, from 1. It is a button, so that arrow keys skip it; a click turns it into a text field. Enter moves
 * the row to the typed position; Escape and blur cancel.
 */
function PositionField(props: {
  title: string
  /** From 0. */
  place: number
  disabled: boolean
  /** Receives the position from 0; it may exceed the list, which means the end. */
  onPlace: (place: number) => void
}) {
  const { title, place, disabled, onPlace } = props
  /** `returned`: the field was closed with a key, so the button regains the focus. */
  const [mode, setMode] = useState<'closed' | 'open' | 'returned'>('closed')
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    setMode('returned')
    const position = typedNumber(event.currentTarget.value)
    if (event.key === 'Enter' && Number.isInteger(position) && position >= 1) onPlace(position - 1)
  }
  if (mode === 'open') {
    return (
      <input
        ref={focusAndSelect}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        maxLength={5}
        aria-label={`New position of ${title}`}
        defaultValue={place + 1}
        onBlur={() => setMode('closed')}
        onKeyDown={onKeyDown}
        className={`${SHAPE} border-line bg-deep`}
      />
    )
  }
  return (
    <button
      ref={mode === 'returned' ? focus : undefined}
      type="button"
      aria-label={`Position ${place + 1}: ${title}`}
      title="Change position"
      disabled={disabled}
      onClick={() => setMode('open')}
      className={`${SHAPE} border-transparent text-muted enabled:hover:border-line`}
    >
      {place + 1}
    </button>
  )
}
