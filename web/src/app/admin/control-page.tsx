import { Suspense, useEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { AdminGate, Denied } from '../../features/admin/admin-gate.tsx'
import { useOpenDrafts } from '../../features/admin/drafts/account-drafts.ts'
import { UnsavedLine } from '../../features/admin/drafts/unsaved-line.tsx'
import { FactorRecommended } from '../../features/admin/factor-notices.tsx'
import { JobTray } from '../../features/admin/jobs/job-tray.tsx'
import { lazyPart, usePreload } from '../../features/admin/lazy-part.ts'
import { LeaveLink } from '../../features/admin/leave-link.tsx'
import { SkipLinks } from '../../features/admin/skip-links.tsx'
import { AddVideosForm } from '../../features/library/add-videos-form.tsx'
import { type LibraryHandle, LibraryPanel } from '../../features/library/library-panel.tsx'
import { useAddVideos } from '../../features/library/use-add-videos.ts'
import { useBrand } from '../../lib/api/use-config.ts'
import { keepInView } from '../../lib/browser/keep-in-view.ts'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session/session.tsx'
import { classNames } from '../../ui/class-names.ts'
import { EmptyNotice } from '../../ui/notice.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { SECTIONS, type Section, SectionContent, section } from './sections.tsx'

/** The Admin Control Panel: the library, tabs to add videos and edit playlists, and a card for each other section. */
export function ControlPage() {
  const { shortName } = useBrand()
  const title = `${shortName} Admin Control Panel`
  usePageTitle(title)
  return (
    <AdminGate place="control panel" permission="dashboard:watch">
      <main id="main" className="mx-auto grid w-full max-w-[100rem] gap-8 px-4 py-6 sm:px-6">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
          <LeaveLink to={paths.home()}>Home</LeaveLink>
          <h1 className="text-2xl font-semibold">{title}</h1>
          <SkipLinks />
          <UnsavedLine />
        </div>
        <FactorRecommended />
        <ControlPanel />
        <JobTray />
      </main>
    </AdminGate>
  )
}

/** What the role allows of the panel. */
function ControlPanel() {
  const { may } = useSession()
  usePreload()
  useOpenDrafts()
  return (
    <>
      {may('videos:edit') && <LibraryAndTabs />}
      <SectionCards />
    </>
  )
}

const ChannelPlaylistManager = lazyPart(
  async () => (await import('../../features/channels/channel-playlist-manager.tsx')).ChannelPlaylistManager,
)

type Tab = 'add' | 'playlist' | 'channels'

function LibraryAndTabs() {
  const [tab, setTab] = useState<Tab>('add')
  const library = useRef<LibraryHandle>(null)
  const add = useAddVideos(true, (result) => library.current?.showAdded(result))
  return (
    <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,28rem)]">
      <LibraryPanel handle={library} keepsOtherUrls />
      <Tabs<Tab>
        label="Control panel"
        value={tab}
        onChange={setTab}
        tabs={[
          {
            id: 'add',
            label: 'Add Video',
            content: <AddVideosForm add={add} />,
          },
          {
            id: 'playlist',
            label: 'Playlist',
            content: (
              <EmptyNotice title="The legacy playlist manager is removed">
                <p>
                  Edit channel playlists in the Channels tab. Add to Live appends videos to the live playlist.
                </p>
              </EmptyNotice>
            ),
          },
          {
            id: 'channels',
            label: 'Channels',
            content: (
              <Suspense fallback={<Spinner text="Loading..." className="text-muted" />}>
                <ChannelPlaylistManager />
              </Suspense>
            ),
          },
        ]}
      />
    </div>
  )
}

/** A dashboard section under the title that it has in the control panel. */
function sectionAs(id: string, title: string): Section[] {
  const known = SECTIONS.find((candidate) => candidate.id === id)
  return known ? [{ ...known, title }] : []
}

/** The cards below the tabs of the control panel, in the order of docs/product/admin.md §2. */
const CONTROL_CARDS: readonly Section[] = [
  ...sectionAs('home-screen', 'Home Screen Management'),
  ...sectionAs('theme-customizer', 'Theme Customizer'),
  section(
    'page-editor',
    { title: 'Page Editor', text: 'Page layouts, saved in this browser', permission: 'pages:edit' },
    async () => (await import('../../features/appearance/page-editor/page-editor.tsx')).PageEditor,
  ),
  ...sectionAs('channels', 'Channel Manager'),
  ...sectionAs('user-management', 'User Management'),
  section(
    'stream-manager',
    {
      title: '24/7 Stream Manager',
      text: 'Streams, quarantined videos, metadata',
      permission: 'schedules:edit',
    },
    async () => (await import('../../features/operations/stream-manager.tsx')).StreamManager,
  ),
  section(
    'webhooks',
    {
      title: 'Webhooks',
      text: 'Messages to Discord, Slack and other programs',
      permission: 'system:operate',
    },
    async () => (await import('../../features/webhooks/webhooks-panel.tsx')).WebhooksPanel,
  ),
  section(
    'embeds',
    { title: 'Embeds', text: 'Which sites may show the player', permission: 'system:operate' },
    async () => (await import('../../features/embeds/embeds-panel.tsx')).EmbedsPanel,
  ),
]

/** A card for each section that the role allows. A click opens the section below the cards and moves the focus there. */
function SectionCards() {
  const [parameters] = useSearchParams()
  const { may } = useSession()
  const open = CONTROL_CARDS.find(({ id }) => id === parameters.get('section'))
  if (open && !may(open.permission)) return <Denied place="control panel" />
  return (
    <div className="grid gap-6">
      <nav aria-label="Sections">
        <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
          {CONTROL_CARDS.filter(({ permission }) => may(permission)).map(({ id, title, text }) => {
            const isOpen = id === open?.id
            return (
              <li key={id}>
                <Link
                  to={paths.control(isOpen ? undefined : id)}
                  preventScrollReset
                  aria-current={isOpen ? 'true' : undefined}
                  className={classNames(
                    'lift grid h-full gap-1 rounded-lg border bg-panel p-5 hover:bg-raised',
                    isOpen ? 'border-accent' : 'border-line/70',
                  )}
                >
                  <span className="text-lg font-semibold">{title}</span>
                  <span className="text-sm text-muted">{text}</span>
                </Link>
              </li>
            )
          })}
        </ul>
      </nav>
      {open && <OpenSection key={open.id} section={open} />}
    </div>
  )
}

function OpenSection({ section }: { section: Section }) {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!frame.current) return
    frame.current.focus({ preventScroll: true })
    return keepInView(frame.current)
  }, [])
  return (
    // No role: the section inside is a region.
    <div ref={frame} tabIndex={-1} className="scroll-mt-20 border-t border-line pt-6 outline-none">
      <SectionContent section={section} />
    </div>
  )
}
