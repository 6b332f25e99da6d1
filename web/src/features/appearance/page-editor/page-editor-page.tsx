import { Link } from 'react-router-dom'
import { usePageTitle } from '../../../lib/browser/use-page-title.ts'
import { paths } from '../../../lib/paths.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { AdminGate } from '../../admin/admin-gate.tsx'
import { useOpenDrafts } from '../../admin/drafts/account-drafts.ts'
import { UnsavedLine } from '../../admin/drafts/unsaved-line.tsx'
import { PageEditor } from './page-editor.tsx'

/** The page editor as a page of its own, with a link back to the dashboard. */
export function PageEditorPage() {
  usePageTitle('Page Editor')
  return (
    <AdminGate place="admin dashboard" permission="pages:edit">
      <main id="main" className="mx-auto grid w-full max-w-[100rem] gap-5 px-4 py-6 sm:px-6">
        <h1 className="sr-only">Page Editor</h1>
        <Link to={paths.admin('home-screen')} className={buttonClass('quiet', 'justify-self-start')}>
          <Icon name="back" />
          Home Screen
        </Link>
        <UnsavedLine />
        <DraftEditor />
      </main>
    </AdminGate>
  )
}

function DraftEditor() {
  useOpenDrafts()
  return <PageEditor />
}
