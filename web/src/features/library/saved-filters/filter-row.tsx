import type { SavedFilter, VideoFilter } from '@looptide/contracts/http/video-filters'
import { useState } from 'react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.ts'
import { showFailure } from '../../admin/show-failure.ts'
import { useAction } from '../../admin/use-action.ts'
import { changeFilter, deleteFilter, saveFilter } from './api.ts'
import { filterText, isSameFilter } from './filter-text.ts'

const NOT_CHANGED = { title: 'Error changing the filter', text: 'Please try again.' }

/** A saved filter: applied by a press, renamed, replaced with the current filter, or deleted with an undo. */
export function FilterRow(props: { saved: SavedFilter; current: VideoFilter; onApply: () => void }) {
  const { saved, current, onApply } = props
  const [name, setName] = useState<string>()
  const { isBusy, run } = useAction()
  const isShown = isSameFilter(saved.filter, current)

  const rename = async (text: string) => {
    if (await run(() => changeFilter(saved.id, { name: text.trim() }), NOT_CHANGED)) setName(undefined)
  }
  const replace = (filter: VideoFilter) =>
    run(async () => {
      await changeFilter(saved.id, { filter })
      toast({
        title: 'Filter replaced',
        description: saved.name,
        tone: 'success',
        action: { label: 'Undo', onPress: () => void undoReplace(saved) },
      })
    }, NOT_CHANGED)
  const remove = () =>
    run(async () => {
      await deleteFilter(saved.id)
      toast({
        title: 'Filter deleted',
        description: saved.name,
        tone: 'success',
        action: { label: 'Undo', onPress: () => void restore(saved) },
      })
    }, NOT_CHANGED)

  if (name !== undefined) {
    return (
      <li className="flex flex-wrap items-end gap-2 py-3">
        <div className="min-w-40 flex-1">
          <TextField
            label={`New name of ${saved.name}`}
            maxLength={60}
            value={name}
            autoFocus
            onChange={(event) => setName(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && name.trim() !== '') void rename(name)
            }}
          />
        </div>
        <Button onClick={() => setName(undefined)}>Cancel</Button>
        <Button
          tone="primary"
          isBusy={isBusy}
          disabled={name.trim() === ''}
          onClick={() => void rename(name)}
        >
          Rename
        </Button>
      </li>
    )
  }
  return (
    <li className="flex flex-wrap items-center justify-end gap-1 py-2">
      <div className="min-w-40 flex-1">
        <p className="font-medium break-words">{saved.name}</p>
        <p className="text-sm break-words text-muted">{filterText(saved.filter)}</p>
      </div>
      {isShown ? (
        <span className="px-3 text-sm text-muted">Current</span>
      ) : (
        <>
          <Button aria-label={`Apply ${saved.name}`} onClick={onApply}>
            Apply
          </Button>
          <Button
            tone="plain"
            aria-label={`Replace ${saved.name} with the current filter`}
            isBusy={isBusy}
            onClick={() => void replace(current)}
          >
            Replace
          </Button>
        </>
      )}
      <IconButton icon="edit" label={`Rename ${saved.name}`} onClick={() => setName(saved.name)} />
      <IconButton
        icon="remove"
        label={`Delete ${saved.name}`}
        isBusy={isBusy}
        onClick={() => void remove()}
      />
    </li>
  )
}

async function undoReplace({ id, filter }: SavedFilter): Promise<void> {
  await changeFilter(id, { filter }).catch((failure: unknown) => showFailure(failure, NOT_CHANGED))
}

/** Saves a deleted filter again. */
async function restore({ name, filter }: SavedFilter): Promise<void> {
  try {
    await saveFilter(name, filter)
    toast({ title: 'Filter restored', description: name, tone: 'success' })
  } catch (failure) {
    showFailure(failure, { title: 'Error restoring the filter', text: 'Please try again.' })
  }
}
