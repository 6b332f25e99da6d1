import type { SavedFilter, VideoFilter } from '@looptide/contracts/http/video-filters'
import { useRef, useState } from 'react'
import { ApiError } from '../../../lib/api/api-error.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form, SubmitButton } from '../../../ui/form.tsx'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { useForm } from '../../../ui/use-form.ts'
import { showFailure } from '../../admin/show-failure.ts'
import { saveFilter, useSavedFilters } from './api.ts'
import { FilterRow } from './filter-row.tsx'
import { filterText } from './filter-text.ts'

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
