import type { VideoCategory } from '@looptide/contracts/common'
import type { Intake } from '@looptide/contracts/http/followed-lists'
import { Choice } from '../../../ui/choice.tsx'
import { TextField } from '../../../ui/field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import type { FormState } from '../../../ui/use-form.ts'
import { CATEGORIES, PLAYLIST_CATEGORY } from '../../admin/categories.ts'

/** Where new videos of a followed list go, and their tag. */
export interface ListValues {
  intake: Intake
  category: VideoCategory
  tag: string
}

export const NEW_LIST: ListValues = { intake: 'submissions', category: PLAYLIST_CATEGORY, tag: '' }

const INTAKES: readonly { id: Intake; label: string }[] = [
  { id: 'submissions', label: 'Submissions' },
  { id: 'direct', label: 'Library' },
]
const CHOICES = [...CATEGORIES, PLAYLIST_CATEGORY].map((value) => ({ value, label: value }))

/** Why the tag cannot be used; undefined if it can. */
export function tagProblem(tag: string): { field: string; description: string } | undefined {
  if (tag.trim() === '') return { field: 'tag', description: 'Enter a tag' }
  return tag.includes(',') ? { field: 'tag', description: 'A tag cannot contain a comma' } : undefined
}

/** Where new videos go, their category if no moderator chooses it, and their tag. */
export function ListFields(props: {
  form: Pick<FormState, 'field'>
  values: ListValues
  onChange: (change: Partial<ListValues>) => void
}) {
  const { values, onChange } = props
  const tag = props.form.field('tag')
  return (
    <>
      <Choice
        label="New videos go to"
        options={INTAKES}
        value={values.intake}
        onChange={(intake) => onChange({ intake })}
      />
      <p className="text-sm text-muted">
        {values.intake === 'submissions'
          ? 'A moderator accepts or rejects each video.'
          : 'Videos are added without review.'}
      </p>
      {values.intake === 'direct' && (
        <SelectField
          label="Category"
          choices={CHOICES}
          value={values.category}
          onChange={(category) => onChange({ category })}
        />
      )}
      <TextField
        label="Tag"
        hint="All videos from the list get this tag. Schedules can use it to select them."
        maxLength={40}
        autoComplete="off"
        {...tag}
        // The title of the list may have filled in the tag since.
        error={tagProblem(values.tag) && tag.error}
        value={values.tag}
        onChange={(event) => onChange({ tag: event.target.value })}
      />
    </>
  )
}
