import type { AddCurationBody, Video } from '@looptide/contracts/http/videos'
import { type SubmitEvent, useId, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { SECTION_CHOICES, type SectionType } from './curation-sections.ts'
import { VideoPicker } from './video-picker.tsx'

const CHOICES: readonly { value: SectionType | ''; label: string }[] = [
  { value: '', label: 'Choose a section' },
  ...SECTION_CHOICES,
]

/** Puts a video into a section; behind its last one (docs/product/admin.md §5, "Home curation add"). */
export function AddToHomeForm(props: {
  categoryNames: readonly string[]
  onAdd: (wish: AddCurationBody) => Promise<boolean>
}) {
  const namesId = useId()
  const [video, setVideo] = useState<Video | null>(null)
  const [sectionType, setSectionType] = useState<SectionType | ''>('')
  const [name, setName] = useState('')
  const [hasNoName, setHasNoName] = useState(false)
  const [isBusy, setBusy] = useState(false)

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    if (!video || sectionType === '') {
      toast({
        title: 'Missing Information',
        description: 'Please select a video and section type',
        tone: 'error',
      })
      return
    }
    if (sectionType === 'category' && name.trim() === '') return setHasNoName(true)
    setBusy(true)
    const sectionName = sectionType === 'category' ? name.trim() : null
    if (await props.onAdd({ videoId: video.id, sectionType, sectionName })) setVideo(null)
    setBusy(false)
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-4">
      <VideoPicker chosen={video} onChoose={setVideo} />
      <SelectField label="Section" choices={CHOICES} value={sectionType} onChange={setSectionType} />
      {sectionType === 'category' && (
        <>
          <TextField
            label="Category name"
            hint="Viewers see it as the title of the row."
            error={hasNoName ? 'Please name the category' : undefined}
            list={namesId}
            maxLength={100}
            value={name}
            onChange={(event) => {
              setName(event.target.value)
              setHasNoName(false)
            }}
          />
          <datalist id={namesId}>
            {props.categoryNames.map((known) => (
              <option key={known} value={known} />
            ))}
          </datalist>
        </>
      )}
      <Button type="submit" tone="primary" icon="plus" disabled={isBusy}>
        {isBusy ? 'Adding...' : 'Add to Home Screen'}
      </Button>
    </form>
  )
}
