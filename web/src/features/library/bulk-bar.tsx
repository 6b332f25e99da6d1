import type { VideoCategory } from '@looptide/contracts/common'
import type { VideoSelection } from '@looptide/contracts/http/video-jobs'
import { Content, Item, Root, Trigger } from '@radix-ui/react-dropdown-menu'
import { type ReactNode, useState } from 'react'
import { numberText } from '../../lib/count-text.ts'
import { useAction } from '../../lib/failures.ts'
import { useBackLayer } from '../../ui/back-layers.ts'
import { Button } from '../../ui/button.tsx'
import { CATEGORIES, type Category } from '../admin/categories.ts'
import { startDelete, startMove } from '../admin/jobs/api.ts'

/**
 * Selection buttons, the number of selected videos and, while there are some, the bulk actions (docs/product/admin.md §2).
 * `children` are shown while nothing is selected. It is one line, so that the list below does not move; on a phone it
 * scrolls sideways.
 */
export function BulkBar(props: {
  selectedCount: number
  isEmpty: boolean
  isSelecting: boolean
  isBusy: boolean
  onSelectAll: () => void
  onClear: () => void
  onAddToLive: () => void
  onAddToChannel: () => void
  onMove: (category: Category) => void
  onEdit: () => void
  onDelete: () => void
  children: ReactNode
}) {
  const { selectedCount, isBusy } = props
  const hasSelection = selectedCount > 0
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:-mx-4 max-sm:-my-1 max-sm:flex-nowrap max-sm:overflow-x-auto max-sm:px-4 max-sm:py-1 max-sm:scrollbar-none max-sm:*:shrink-0">
      <Button disabled={props.isEmpty || props.isSelecting} onClick={props.onSelectAll}>
        {props.isSelecting ? 'Selecting...' : 'Select All'}
      </Button>
      {hasSelection && <Button onClick={props.onClear}>Clear All</Button>}
      <span
        role="status"
        className={
          hasSelection
            ? 'mr-auto rounded-full bg-raised px-3 py-1 text-sm font-semibold tabular-nums'
            : 'sr-only'
        }
      >
        {numberText(selectedCount)} selected
      </span>
      {hasSelection ? (
        <fieldset className="flex flex-wrap gap-2 max-sm:flex-nowrap">
          <legend className="sr-only">Selected videos</legend>
          <Button disabled={isBusy} onClick={props.onClear}>
            Clear
          </Button>
          <Button disabled={isBusy} onClick={props.onAddToLive}>
            Add to Live
          </Button>
          <Button disabled={isBusy} onClick={props.onAddToChannel}>
            Add to channel...
          </Button>
          <MoveMenu isDisabled={isBusy} onMove={props.onMove} />
          <Button disabled={isBusy} icon="edit" onClick={props.onEdit}>
            Edit...
          </Button>
          <Button disabled={isBusy} icon="remove" onClick={props.onDelete}>
            Delete
          </Button>
        </fieldset>
      ) : (
        props.children
      )}
    </div>
  )
}

function MoveMenu({ isDisabled, onMove }: { isDisabled: boolean; onMove: (category: Category) => void }) {
  const [isOpen, setOpen] = useState(false)
  useBackLayer(isOpen, () => setOpen(false))
  return (
    <Root open={isOpen} onOpenChange={setOpen} modal={false}>
      <Trigger asChild disabled={isDisabled}>
        <Button icon="down">Move to...</Button>
      </Trigger>
      <Content
        align="start"
        sideOffset={6}
        collisionPadding={12}
        className="z-50 w-56 animate-rise rounded-md border border-line bg-raised p-1.5 shadow-lift"
      >
        {CATEGORIES.map((category) => (
          <Item
            key={category}
            onSelect={() => onMove(category)}
            className="flex min-h-11 cursor-pointer items-center rounded-sm px-3 text-sm outline-none data-[highlighted]:bg-line"
          >
            {category}
          </Item>
        ))}
      </Content>
    </Root>
  )
}

/**
 * Bulk actions on the selected videos, which the server does: see `JobTray`. Each calls `onDone`, which clears the
 * selection, once the server has accepted it; after a failure the selection is kept for a retry. Without a selection
 * they do nothing.
 */
export function useBulkActions(
  selected: ReadonlySet<string>,
  videos: () => VideoSelection,
  onDone: () => void,
) {
  const { isBusy, run: runAction } = useAction()
  const run = async (start: () => Promise<void>, failed: { title: string; text: string }) => {
    if (selected.size > 0 && (await runAction(start, failed))) onDone()
  }

  return {
    isBusy,
    moveTo: (category: VideoCategory) =>
      run(() => startMove({ videos: videos(), category }), {
        title: 'Error updating categories',
        text: 'Failed to update video categories. Please try again.',
      }),
    delete: () =>
      run(() => startDelete({ videos: videos() }), {
        title: 'Error deleting videos',
        text: 'Failed to delete videos. Please try again.',
      }),
  }
}

export type BulkActions = ReturnType<typeof useBulkActions>
