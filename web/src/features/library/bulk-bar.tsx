import type { VideoCategory } from '@looptide/contracts/common'
import { Content, Item, Root, Trigger } from '@radix-ui/react-dropdown-menu'
import { useState } from 'react'
import { useAction } from '../../lib/failures.ts'
import { useBackLayer } from '../../ui/back-layers.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { CATEGORIES, type Category } from '../admin/categories.ts'
import { videoCountText } from '../admin/video-texts.ts'
import { deleteVideos, moveVideos } from './api.ts'
import { restoreWithToast } from './deleted/api.ts'

/** Selection buttons, the number of selected videos and the bulk actions (docs/product/admin.md §2). */
export function BulkBar(props: {
  selectedCount: number
  isEmpty: boolean
  isSelecting: boolean
  isBusy: boolean
  isUpdating: boolean
  onSelectAll: () => void
  onClear: () => void
  onAddToLive: () => void
  onAddToChannel: () => void
  onMove: (category: Category) => void
  onEdit: () => void
  onDelete: () => void
  onUpdateMetadata: () => void
}) {
  const isDisabled = props.selectedCount === 0 || props.isBusy
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button disabled={props.isEmpty || props.isSelecting} onClick={props.onSelectAll}>
        {props.isSelecting ? 'Selecting...' : 'Select All'}
      </Button>
      <Button disabled={props.selectedCount === 0} onClick={props.onClear}>
        Clear All
      </Button>
      <span
        role="status"
        className="mr-auto rounded-full bg-raised px-3 py-1 text-sm font-semibold tabular-nums"
      >
        {props.selectedCount} selected
      </span>
      <Button disabled={props.isUpdating} onClick={props.onUpdateMetadata}>
        {props.isUpdating ? 'Updating...' : 'Update Metadata'}
      </Button>
      <fieldset className="flex w-full flex-wrap gap-2">
        <legend className="sr-only">Selected videos</legend>
        <Button disabled={isDisabled} onClick={props.onClear}>
          Clear
        </Button>
        <Button disabled={isDisabled} onClick={props.onAddToLive}>
          Add to Live
        </Button>
        <Button disabled={isDisabled} onClick={props.onAddToChannel}>
          Add to channel...
        </Button>
        <MoveMenu isDisabled={isDisabled} onMove={props.onMove} />
        <Button disabled={isDisabled} icon="edit" onClick={props.onEdit}>
          Edit...
        </Button>
        <Button disabled={isDisabled} icon="remove" onClick={props.onDelete}>
          Delete
        </Button>
      </fieldset>
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

/** How long the toast offers Undo, in ms. Recently deleted offers it for 30 days. */
const UNDO_MS = 30_000

/**
 * Bulk actions on the selected videos, one at a time. Each shows a toast (docs/product/admin.md §8) and calls `onDone`,
 * which clears the selection; after a failure the selection is kept for a retry. Without a selection they do nothing.
 */
export function useBulkActions(selected: ReadonlySet<string>, onDone: () => void) {
  const { isBusy, run: runAction } = useAction()
  const run = async (work: (ids: string[]) => Promise<void>, failed: { title: string; text: string }) => {
    if (selected.size === 0) return
    if (await runAction(() => work([...selected]), failed)) onDone()
  }

  return {
    isBusy,
    moveTo: (category: VideoCategory) =>
      run(
        async (ids) => {
          await moveVideos(ids, category)
          const description = `${videoCountText(ids.length)} moved to ${category}.`
          toast({ title: 'Categories updated', description, tone: 'success' })
        },
        {
          title: 'Error updating categories',
          text: 'Failed to update video categories. Please try again.',
        },
      ),
    delete: () =>
      run(
        async (ids) => {
          const deleted: string[] = []
          let count = 0
          try {
            await deleteVideos(ids, (batch, batchCount) => {
              deleted.push(...batch)
              count += batchCount
            })
          } finally {
            if (count > 0) showDeleted(count, () => void restoreWithToast(deleted).then(onDone))
          }
        },
        { title: 'Error deleting videos', text: 'Failed to delete videos. Please try again.' },
      ),
  }
}

/** Also after a failure: what was deleted before it can be undone. */
function showDeleted(count: number, undo: () => void): void {
  toast({
    title: 'Videos deleted',
    description: `${videoCountText(count)} deleted.`,
    tone: 'success',
    durationMs: UNDO_MS,
    action: { label: 'Undo', onPress: undo },
  })
}

export type BulkActions = ReturnType<typeof useBulkActions>
