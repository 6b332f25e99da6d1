import { Suspense, useEffect } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { paths } from '../../../app/paths.ts'
import { useBrand } from '../../../lib/use-config.ts'
import { usePageTitle } from '../../../lib/use-page-title.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'
import { EmptyNotice } from '../../../ui/notice.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { toast } from '../../../ui/toast.ts'
import { AdminGate } from './admin-gate.tsx'
import { broadcastSave } from './admin-save.ts'
import { clearSectionSettings } from './section-settings.ts'
import { DEFAULT_SECTION, SECTIONS } from './sections.tsx'

/** Set across the reload that a reset brings, so that its message is still told. */
const RESET_MARK = 'looptide-admin-reset'

export function AdminPage() {
  const { shortName } = useBrand()
  usePageTitle(`${shortName} Admin Dashboard`)
  return (
    <AdminGate place="admin dashboard">
      <Dashboard title={`${shortName} Admin Dashboard`} />
    </AdminGate>
  )
}

function Dashboard({ title }: { title: string }) {
  const [parameters] = useSearchParams()
  const current = parameters.get('tab') ?? DEFAULT_SECTION
  const section = SECTIONS.find(({ id }) => id === current)
  useEffect(() => {
    if (sessionStorage.getItem(RESET_MARK) === null) return
    sessionStorage.removeItem(RESET_MARK)
    toast({ title: 'Settings Reset', tone: 'success' })
  }, [])
  return (
    <main id="main" className="mx-auto grid w-full max-w-[100rem] gap-6 px-4 py-6 sm:px-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Link to={paths.root()} className={buttonClass('quiet')}>
          <Icon name="back" />
          Back to App
        </Link>
        <h1 className="mr-auto text-2xl font-semibold">{title}</h1>
        <Link to={paths.audit()} className={buttonClass('quiet')}>
          Audit Log
        </Link>
        <Button onClick={resetSettings}>Reset</Button>
        <Button tone="primary" onClick={() => void saveChanges()}>
          Save Changes
        </Button>
      </div>
      <div className="grid items-start gap-6 xl:grid-cols-[17rem_minmax(0,1fr)]">
        <SectionList current={current} />
        <div className="min-w-0">
          {section ? (
            <Suspense fallback={<Spinner text="Loading..." className="text-muted" />}>
              <section.Content key={section.id} />
            </Suspense>
          ) : (
            <EmptyNotice title="Section not found" />
          )}
        </div>
      </div>
    </main>
  )
}

function SectionList({ current }: { current: string }) {
  return (
    <nav
      aria-label="Sections"
      className="flex flex-wrap gap-2 xl:sticky xl:top-22 xl:flex-col xl:flex-nowrap"
    >
      {SECTIONS.map(({ id, title, text }) => (
        <Link
          key={id}
          to={paths.admin(id)}
          aria-current={id === current ? 'page' : undefined}
          className={classNames(
            'lift grid gap-0.5 rounded-md border px-4 py-2.5 text-sm hover:bg-raised',
            id === current ? 'border-accent bg-raised' : 'border-line xl:border-transparent',
          )}
        >
          <span className="font-semibold">{title}</span>
          <span className="hidden text-muted xl:block">{text}</span>
        </Link>
      ))}
    </nav>
  )
}

async function saveChanges(): Promise<void> {
  toast({ title: 'Save Triggered' })
  try {
    await broadcastSave()
  } catch {
    toast({
      title: 'Save Failed',
      description: 'Failed to save configuration. Please try again.',
      tone: 'error',
    })
  }
}

function resetSettings(): void {
  clearSectionSettings()
  sessionStorage.setItem(RESET_MARK, '1')
  window.location.reload()
}
