import type { SavedFilter, UpdateFilterBody, VideoFilter } from '@looptide/contracts/http/video-filters'
import { useRef, useState } from 'react'
import { mutate } from 'swr'
import { ApiError } from '../../../lib/api/api-error.ts'
import { isKeyOf, useCall } from '../../../lib/api/use-call.ts'
import { api } from '../../../lib/clients.ts'
import { showFailure, useAction } from '../../../lib/failures.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form, SubmitButton } from '../../../ui/form.tsx'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { useForm } from '../../../ui/use-form.ts'
import { filterText, isSameFilter } from './filter-text.ts'

/** Applies saved filters of the library, saves the current one, and renames, replaces and deletes them. */
export function SavedFiltersDialog(props: {
  current: VideoFilter
  onApply: (filter: VideoFilter) => void
  onClose: () => void
}) {
  const { current, onClose } = props
  const { data, error, mutate } = useSavedFilters()
  const saved = data?.items
  const apply = ({ filter }: SavedFilter) => {
    props.onApply(filter)
    onClose()
  }
  return (
    <Dialog title="Saved filters" description="All admins share these filters." isOpen onClose={onClose}>
      <div className="grid gap-5">
        <SaveForm current={current} />
        {!saved && !error && <Skeleton className="h-32" />}
        {!saved && error !== undefined && (
          <ErrorNotice text="Failed to load saved filters." onRetry={() => void mutate()} />
        )}
        {saved?.length === 0 && <p className="text-muted">No filters saved yet.</p>}
        {saved && saved.length > 0 && (
          <ul aria-label="Saved filters" className="divide-y divide-line/60">
            {saved.map((each) => (
              <FilterRow key={each.id} saved={each} current={current} onApply={() => apply(each)} />
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}

function SaveForm({ current }: { current: VideoFilter }) {
  const [name, setName] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const form = useForm({
    send: async () => {
      const saved = await saveFilter(name.trim(), current)
      setName('')
      input.current?.focus()
      toast({ title: 'Filter saved', description: saved.name, tone: 'success' })
    },
    onFailure: (failure, point) => {
      const isTaken = failure instanceof ApiError && failure.code === 'conflict'
      if (isTaken) point({ field: 'name', description: failure.message })
      else showFailure(failure, { title: 'Error saving the filter', text: 'Please try again.' })
    },
  })
  return (
    <Form form={form} className="grid gap-2">
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            ref={input}
            label="Name of the current filter"
            maxLength={60}
            {...form.field('name')}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        <SubmitButton form={form} disabled={name.trim() === ''}>
          Save
        </SubmitButton>
      </div>
      <p className="text-sm break-words text-muted">Current filter: {filterText(current)}</p>
    </Form>
  )
}

const NOT_CHANGED = { title: 'Error changing the filter', text: 'Please try again.' }

/** A saved filter: applied by a press, renamed, replaced with the current filter, or deleted with an undo. */
function FilterRow(props: { saved: SavedFilter; current: VideoFilter; onApply: () => void }) {
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

const reload = () => mutate(isKeyOf('GET /api/videos/filters'))

/** The saved filters of all admins, by name. */
const useSavedFilters = () => useCall('GET /api/videos/filters', {})

/** Saves a filter. Throws ApiError; its code is `conflict` if the name is taken. */
async function saveFilter(name: string, filter: VideoFilter): Promise<SavedFilter> {
  const saved = await api.call('POST /api/videos/filters', { body: { name, filter } })
  await reload()
  return saved
}

/** Renames or replaces a filter. Throws ApiError as {@link saveFilter}. */
async function changeFilter(id: string, body: UpdateFilterBody): Promise<void> {
  await api.call('PATCH /api/videos/filters/:id', { params: { id }, body })
  await reload()
}

async function deleteFilter(id: string): Promise<void> {
  await api.call('DELETE /api/videos/filters/:id', { params: { id } })
  await reload()
}
