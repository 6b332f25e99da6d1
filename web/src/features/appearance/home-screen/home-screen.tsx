import type { CurationItem } from '@looptide/contracts/http/videos'
import { useEffect } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../../../lib/paths.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { useAdminSave } from '../../admin/admin-save.ts'
import { ChangeNotice, DifferenceLines } from '../../admin/drafts/conflict-notice.tsx'
import { useLastEditor } from '../../audit/api.ts'
import { AddToHomeForm } from './add-to-home-form.tsx'
import { readCuration } from './api.ts'
import { CurationList } from './curation-list.tsx'
import { inSections } from './curation-sections.ts'
import { HomePreview } from './home-preview.tsx'
import { type CurationConflict, type CurationEditor, useCurationEditor } from './use-curation-editor.ts'

/** Home Screen Management: curates the home page by section, with a preview. */
export function HomeScreen() {
  const editor = useCurationEditor()
  const { items, error, mutate } = editor
  const hasFailed = Boolean(error) && !items
  useEffect(() => {
    if (!hasFailed) return
    toast({ title: 'Error', description: 'Failed to load home screen configuration', tone: 'error' })
  }, [hasFailed])
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
        <CurationConflictNotice editor={editor} />
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

const titleOf = ({ video }: CurationItem): string => video?.title ?? 'Deleted video'

/** Shows what another admin has changed in the order, and offers to repeat the move that was refused. */
function CurationConflictNotice({ editor }: { editor: CurationEditor }) {
  return editor.conflict ? <Conflict editor={editor} conflict={editor.conflict} /> : null
}

function Conflict({ editor, conflict }: { editor: CurationEditor; conflict: CurationConflict }) {
  const { item, position, theirs } = conflict
  return (
    <ChangeNotice
      title="Another admin has changed the home screen."
      changedBy={useLastEditor('home')}
      actions={
        <>
          <Button tone="primary" onClick={() => void editor.move(item, position)}>
            Move anyway
          </Button>
          <Button onClick={editor.dismissConflict}>Keep this order</Button>
        </>
      }
    >
      <DifferenceLines difference={theirs} titleOf={titleOf} />
      <p>“{titleOf(item)}” was not moved.</p>
    </ChangeNotice>
  )
}
