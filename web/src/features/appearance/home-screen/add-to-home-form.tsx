import type { AddCurationBody, Video } from '@looptide/contracts/http/videos'
import { useId, useState } from 'react'
import { TextField } from '../../../ui/field.tsx'
import { Form, SubmitButton } from '../../../ui/form.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { useForm } from '../../../ui/use-form.ts'
import { VideoPicker } from '../../admin/video-picker.tsx'
import { SECTION_CHOICES, type SectionType } from './curation-sections.ts'

const CHOICES: readonly { value: SectionType | ''; label: string }[] = [
  { value: '', label: 'Choose a section' },
  ...SECTION_CHOICES,
]

/** Form to append a video to a section of the home screen (docs/product/admin.md §5, "Home curation add"). */
export function AddToHomeForm(props: {
  categoryNames: readonly string[]
  onAdd: (body: AddCurationBody) => Promise<boolean>
}) {
  const namesId = useId()
  const [video, setVideo] = useState<Video | null>(null)
  const [sectionType, setSectionType] = useState<SectionType | ''>('')
  const [name, setName] = useState('')

  const form = useForm({
    check: () =>
      sectionType === 'category' && video && name.trim() === ''
        ? { field: 'categoryName', description: 'Please enter a category name' }
        : undefined,
    send: async () => {
      if (!video || sectionType === '') {
        toast({
          title: 'Missing Information',
          description: 'Please select a video and section type',
          tone: 'error',
        })
        return
      }
      const sectionName = sectionType === 'category' ? name.trim() : null
      if (await props.onAdd({ videoId: video.id, sectionType, sectionName })) setVideo(null)
    },
  })

  return (
    <Form form={form}>
      <VideoPicker chosen={video} onChoose={setVideo} />
      <SelectField label="Section" choices={CHOICES} value={sectionType} onChange={setSectionType} />
      {sectionType === 'category' && (
        <>
          <TextField
            label="Category name"
            hint="Shown to viewers as the title of the row."
            {...form.field('categoryName')}
            list={namesId}
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <datalist id={namesId}>
            {props.categoryNames.map((known) => (
              <option key={known} value={known} />
            ))}
          </datalist>
        </>
      )}
      <SubmitButton form={form} icon="plus" busyLabel="Adding...">
        Add to Home Screen
      </SubmitButton>
    </Form>
  )
}
