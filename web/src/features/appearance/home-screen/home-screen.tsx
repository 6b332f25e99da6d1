import type { AddCurationBody, CurationItem, Video } from '@looptide/contracts/http/videos'
import { useId, useState } from 'react'
import { Link } from 'react-router-dom'
import { useFailureToast } from '../../../lib/failures.ts'
import { paths } from '../../../lib/paths.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form, SubmitButton } from '../../../ui/form.tsx'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Thumbnail } from '../../../ui/thumbnail.tsx'
import { toast } from '../../../ui/toast.ts'
import { useForm } from '../../../ui/use-form.ts'
import { useAdminSave } from '../../admin/admin-save.ts'
import { VideoPicker } from '../../admin/video-picker.tsx'
import { useHome } from '../../home/api.ts'
import { readCuration } from './api.ts'
import { CurationConflictNotice, isShownInList } from './curation-conflict.tsx'
import { CurationList } from './curation-list.tsx'
import { inSections, SECTION_CHOICES, type SectionType } from './curation-sections.ts'
import { useCurationEditor } from './use-curation-editor.ts'

/** Home Screen Management: curates the home page by section, with a preview. */
export function HomeScreen() {
  const editor = useCurationEditor()
  const { items, error, mutate } = editor
  const hasFailed = Boolean(error) && !items
  useFailureToast(hasFailed ? error : undefined, {
    title: 'Error',
    text: 'Failed to load home screen configuration',
  })
  // Each change is saved immediately, so Save Changes only reloads what is stored.
  useAdminSave(async () => {
    await mutate(readCuration(), { revalidate: false })
    toast({ title: 'Home Screen Saved', tone: 'success' })
  })

  if (hasFailed) {
    return <ErrorNotice text="Failed to load home screen configuration" onRetry={() => void mutate()} />
  }
  const sections = inSections(items ?? [])
  return (
    <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
      <section aria-labelledby="home-screen" className="grid min-w-0 gap-6">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 id="home-screen" className="text-xl font-semibold">
            Home Screen Management
          </h2>
          <Link to={paths.pageEditor()} className={buttonClass()}>
            Page Editor
          </Link>
        </div>
        {editor.conflict && !isShownInList(editor.conflict, items) && (
          <CurationConflictNotice editor={editor} conflict={editor.conflict} />
        )}
        {items ? (
          sections.map((section) => <CurationList key={section.key} section={section} editor={editor} />)
        ) : (
          <div role="status" aria-label="Loading home screen" className="grid gap-3">
            <Skeleton className="h-7 w-48" />
            <Skeleton className="h-16" />
            <Skeleton className="h-7 w-32" />
            <Skeleton className="h-16" />
            <Skeleton className="h-16" />
          </div>
        )}
      </section>
      <div className="grid min-w-0 gap-6">
        <section
          aria-labelledby="add-to-home"
          className="grid gap-4 rounded-lg border border-line/70 bg-panel p-5"
        >
          <h2 id="add-to-home" className="text-lg font-semibold">
            Add a Video
          </h2>
          <AddToHomeForm
            categoryNames={sections.flatMap(({ sectionName }) => sectionName ?? [])}
            onAdd={editor.add}
          />
        </section>
        <HomePreview items={items ?? []} />
      </div>
    </div>
  )
}

/** Videos shown per row; enough to see how an automatically filled row starts. */
const SHOWN = 6

/** Preview of the home page as viewers see it, with curated videos marked. */
function HomePreview({ items }: { items: readonly CurationItem[] }) {
  const { data, error, mutate } = useHome()
  const curatedIds = (sectionType: CurationItem['sectionType'], name: string | null = null) =>
    new Set(
      items.flatMap((item) =>
        item.isActive && item.sectionType === sectionType && item.sectionName === name ? item.videoId : [],
      ),
    )
  return (
    <section
      aria-labelledby="home-preview"
      className="grid gap-4 rounded-lg border border-line/70 bg-deep p-5"
    >
      <div>
        <h2 id="home-preview" className="text-lg font-semibold">
          What viewers see
        </h2>
        <p className="text-sm text-muted">Changes appear on all open home pages immediately.</p>
      </div>
      {data ? (
        <>
          <PreviewRow title="Highlights" videos={data.hero} curatedIds={curatedIds('hero')} />
          {data.rows.map(({ title, videos }, index) => (
            <PreviewRow
              key={`${index} ${title}`}
              title={title}
              videos={videos}
              curatedIds={curatedIds(
                title === 'Featured Content' ? 'featured' : 'category',
                sectionTitle(title),
              )}
            />
          ))}
        </>
      ) : error ? (
        <div role="alert" className="flex flex-wrap items-center gap-3 text-sm text-muted">
          Failed to load videos
          <Button onClick={() => void mutate()}>Try again</Button>
        </div>
      ) : (
        <div role="status" aria-label="Loading preview" className="grid gap-3">
          <Skeleton className="h-28" />
          <Skeleton className="h-28" />
          <Skeleton className="h-28" />
        </div>
      )}
    </section>
  )
}

const sectionTitle = (title: string): string | null => (title === 'Featured Content' ? null : title)

function PreviewRow(props: { title: string; videos: readonly Video[]; curatedIds: ReadonlySet<string> }) {
  return (
    <div className="grid gap-1.5">
      <h3 className="truncate text-sm font-semibold">{props.title}</h3>
      <ul aria-label={`Preview of ${props.title}`} className="grid grid-cols-3 gap-2">
        {props.videos.slice(0, SHOWN).map((video) => (
          <li key={video.id} className="min-w-0">
            <Thumbnail url={video.thumbnailUrl} className="rounded-sm ring-1 ring-line/50" />
            <span className="mt-1 block truncate text-xs">
              {props.curatedIds.has(video.id) && (
                <span className="font-bold text-accent">
                  <span aria-hidden="true">★</span>
                  <span className="sr-only">Selected:</span>{' '}
                </span>
              )}
              {video.title}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const CHOICES: readonly { value: SectionType | ''; label: string }[] = [
  { value: '', label: 'Choose a section' },
  ...SECTION_CHOICES,
]

/** Form to append a video to a section of the home screen (docs/product/admin.md §5, "Home curation add"). */
function AddToHomeForm(props: {
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
      const isAdded = await props.onAdd({ videoId: video.id, sectionType, sectionName })
      // Another one may have been chosen meanwhile.
      if (isAdded) setVideo((chosen) => (chosen === video ? null : chosen))
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
