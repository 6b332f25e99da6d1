import { type ReactNode, useEffect } from 'react'
import { Link, Navigate, useSearchParams } from 'react-router-dom'
import { paths } from '../../app/paths.ts'
import { useSession } from '../../lib/session.tsx'
import { useBrand } from '../../lib/use-config.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { EmptyNotice } from '../../ui/notice.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.ts'
import { StreamManager } from './stream-manager.tsx'
import { VideoLibrary } from './video-library.tsx'

type Section = { id: string; title: string; text: string; content: () => ReactNode }

const SECTIONS: Section[] = [
  {
    id: 'video-library',
    title: 'Video Library',
    text: 'Uploads, metadata, organisation',
    content: () => <VideoLibrary />,
  },
  {
    id: 'channels',
    title: 'Channel Manager',
    text: 'TV channels with 24/7 streaming',
    content: () => <StreamManager />,
  },
]

/** Turned away in words; the services refuse on their own all the same. */
export function AdminPage() {
  const { shortName } = useBrand()
  usePageTitle(`${shortName} Admin Dashboard`)
  const { status, isRoleUnknown, isAdmin } = useSession()
  if (status === 'unknown' || isRoleUnknown) {
    return (
      <main id="main" className="grid min-h-[70dvh] place-items-center">
        <Spinner text="Loading..." className="text-muted" />
      </main>
    )
  }
  if (status === 'signed-out') return <Denied text="Please sign in to access the admin dashboard" />
  if (!isAdmin) return <Denied text="Administrator access required for the admin dashboard" />
  return <Dashboard />
}

function Denied({ text }: { text: string }) {
  useEffect(() => toast({ title: 'Access Denied', description: text, tone: 'error' }), [text])
  return <Navigate to={paths.root()} replace />
}

function Dashboard() {
  const { shortName } = useBrand()
  const [parameters] = useSearchParams()
  const current = parameters.get('tab') ?? 'video-library'
  const section = SECTIONS.find(({ id }) => id === current)
  return (
    <main id="main" className="mx-auto grid max-w-[96rem] gap-6 px-4 py-6 sm:px-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Link to={paths.root()} className={buttonClass('quiet')}>
          <Icon name="back" />
          Back to App
        </Link>
        <h1 className="text-2xl font-semibold">{shortName} Admin Dashboard</h1>
      </div>
      <nav aria-label="Sections" className="flex flex-wrap gap-2">
        {SECTIONS.map(({ id, title, text }) => (
          <Link
            key={id}
            to={paths.admin(id)}
            aria-current={id === current ? 'page' : undefined}
            className={classNames(
              'lift grid gap-0.5 rounded-md border px-4 py-2.5 text-sm hover:bg-raised',
              id === current ? 'border-accent bg-raised' : 'border-line',
            )}
          >
            <span className="font-semibold">{title}</span>
            <span className="hidden text-muted sm:block">{text}</span>
          </Link>
        ))}
      </nav>
      {section ? section.content() : <EmptyNotice title="Section not found" />}
    </main>
  )
}
