import { Activity, useEffect, useRef, useState } from 'react'
import { Link, useNavigate, useOutletContext, useSearchParams } from 'react-router-dom'
import { AdminGate, Denied } from '../../features/admin/admin-gate.tsx'
import { broadcastSave } from '../../features/admin/admin-save.ts'
import { drafts, useOpenDrafts } from '../../features/admin/drafts/account-drafts.ts'
import { focusConflict } from '../../features/admin/drafts/conflict-notice.tsx'
import type { Draft, DraftKind } from '../../features/admin/drafts/draft-store.ts'
import { UnsavedLine } from '../../features/admin/drafts/unsaved-line.tsx'
import { FactorRecommended } from '../../features/admin/factor-notices.tsx'
import { JobTray } from '../../features/admin/jobs/job-tray.tsx'
import { preloadLater, usePreload } from '../../features/admin/lazy-part.ts'
import { LeaveLink } from '../../features/admin/leave-link.tsx'
import { clearSectionSettings } from '../../features/admin/section-settings.ts'
import { SkipLinks } from '../../features/admin/skip-links.tsx'
import { isVersionConflict } from '../../lib/api/api-error.ts'
import { useBrand } from '../../lib/api/use-config.ts'
import { loader } from '../../lib/browser/loader.ts'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session/session.tsx'
import { Button, buttonClass, IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { EmptyNotice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.ts'
import { type AdminContext, useSectionFocus } from './admin-frame.tsx'
import { defaultSection, SECTIONS, SectionContent } from './sections.tsx'

preloadLater(() => import('../../features/audit/audit-page.tsx'))
preloadLater(() => import('../../features/schedule/schedule-page.tsx'))

/** Session storage key that carries the "Settings Reset" toast across the reload. */
const RESET_KEY = 'looptide-admin-reset'

/** The page `/admin`, for everybody who may watch the dashboard. */
export function AdminPage() {
  const { shortName } = useBrand()
  usePageTitle(`${shortName} Admin Dashboard`)
  return (
    <AdminGate place="admin dashboard" permission="dashboard:watch">
      <Dashboard title={`${shortName} Admin Dashboard`} />
    </AdminGate>
  )
}

/** On a phone, the buttons below the title share one row. */
const IN_ROW = 'max-sm:flex-auto max-sm:px-1.5'

function Dashboard({ title }: { title: string }) {
  const [parameters] = useSearchParams()
  const { may } = useSession()
  const current = parameters.get('tab') ?? defaultSection(may)
  const navigate = useNavigate()
  const { showKeys } = useOutletContext<AdminContext>()
  useSectionFocus(shownSection)
  usePreload()
  useOpenDrafts()
  useEffect(() => {
    if (sessionStorage.getItem(RESET_KEY) === null) return
    sessionStorage.removeItem(RESET_KEY)
    toast({ title: 'Settings Reset', tone: 'success' })
  }, [])
  return (
    <main
      id="main"
      className="mx-auto flex min-h-[calc(100dvh-4rem-1px-var(--tab-bar))] w-full max-w-[100rem] flex-col gap-3 px-4 py-3 sm:gap-6 sm:px-6 sm:py-6"
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 sm:gap-x-4 sm:gap-y-3">
        <LeaveLink to={paths.root()} className="max-sm:size-11 max-sm:p-0">
          <span className="max-sm:sr-only">Back to App</span>
        </LeaveLink>
        <h1 className="mr-auto font-semibold max-sm:basis-[calc(100%-3.5rem)] sm:text-2xl">{title}</h1>
        <SkipLinks section={shownSection} />
        {may('schedules:edit') && (
          <Link to={paths.schedule()} className={buttonClass('quiet', IN_ROW)}>
            Schedule
          </Link>
        )}
        {may('audit:read') && (
          <Link to={paths.audit()} className={buttonClass('quiet', IN_ROW)}>
            Audit Log
          </Link>
        )}
        <IconButton icon="keys" label="Keys" className="max-sm:hidden" onClick={showKeys} />
        <Button className={IN_ROW} onClick={resetSettings}>
          Reset
        </Button>
        <Button
          tone="primary"
          className={IN_ROW}
          onClick={() => void saveChanges((path) => void navigate(path))}
        >
          Save Changes
        </Button>
        <UnsavedLine />
      </div>
      <FactorRecommended />
      <div className="grid grow grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr] gap-4 sm:gap-6 xl:grid-cols-[17rem_minmax(0,1fr)] xl:grid-rows-1">
        <SectionList current={current} />
        <OpenedSections current={current} />
      </div>
      <JobTray />
    </main>
  )
}

/** The current section. Sections opened before stay mounted but hidden, so that they keep their form state. */
function OpenedSections({ current }: { current: string }) {
  const [opened, setOpened] = useState<readonly string[]>([current])
  if (!opened.includes(current)) setOpened([...opened, current])
  const { may } = useSession()
  const section = SECTIONS.find(({ id }) => id === current)
  if (section && !may(section.permission)) return <Denied place="admin dashboard" />
  return (
    <div className="grid min-w-0">
      {SECTIONS.filter(({ id, permission }) => opened.includes(id) && may(permission)).map((section) => (
        <Activity key={section.id} mode={section.id === current ? 'visible' : 'hidden'}>
          <div tabIndex={-1} data-section className="flex min-w-0 scroll-mt-20 flex-col outline-none">
            <SectionContent section={section} />
          </div>
        </Activity>
      ))}
      {!section && <EmptyNotice title="Section not found" />}
    </div>
  )
}

/** The frame of the section that is not hidden. */
const shownSection = (): HTMLElement | null =>
  [...document.querySelectorAll<HTMLElement>('[data-section]')].find((frame) => frame.checkVisibility()) ??
  null

/** Links to the sections. On a phone: one line that scrolls horizontally, with the current section in view. */
function SectionList({ current }: { current: string }) {
  const { may } = useSession()
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    nav.current
      ?.querySelector(`[href="${CSS.escape(paths.admin(current))}"]`)
      ?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [current])
  return (
    <nav
      ref={nav}
      aria-label="Sections"
      className="flex gap-2 self-start max-sm:-mx-4 max-sm:max-w-[100vw] max-sm:overflow-x-auto max-sm:px-4 max-sm:py-1 max-sm:scrollbar-none sm:flex-wrap xl:sticky xl:top-22 xl:flex-col xl:flex-nowrap"
    >
      {SECTIONS.filter(({ permission }) => may(permission)).map(({ id, title, text }) => (
        <Link
          key={id}
          to={paths.admin(id)}
          aria-current={id === current ? 'page' : undefined}
          className={classNames(
            'lift grid shrink-0 gap-0.5 rounded-md border px-4 py-2.5 text-sm hover:bg-raised',
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

/** Saves everything. If only other admins' changes are in the way, says whose draft they concern; `open` shows it. */
async function saveChanges(open: (path: string) => void): Promise<void> {
  toast({ title: 'Save Triggered' })
  const [sections, saved] = await Promise.allSettled([broadcastSave(), saveDrafts()])
  if (sections.status === 'fulfilled' && saved.status === 'fulfilled') return
  const refused: unknown = saved.status === 'rejected' ? saved.reason : undefined
  const inConflict = refused instanceof UnsavedDrafts ? refused.inConflict : []
  const [first] = inConflict
  if (first === undefined) {
    toast({
      title: 'Save Failed',
      description: 'Failed to save configuration. Please try again.',
      tone: 'error',
    })
    return
  }
  const show = () => focusConflict() || open(first.path)
  toast({
    title: 'Save Failed',
    description: `Another admin has changed: ${inConflict.map(({ label }) => label).join(', ')}. Choose Merge or Overwrite, then save again.`,
    tone: 'error',
    action: { label: 'Show', onPress: show },
  })
}

function resetSettings(): void {
  clearSectionSettings()
  sessionStorage.setItem(RESET_KEY, '1')
  window.location.reload()
}

/** Saves and removes a draft, and shows a toast. On failure it shows a toast, keeps the draft and rejects. */
type SaveDraft = (draft: Draft) => Promise<void>

/** Loads the save function of each kind of draft; its editor need not be open. */
const LOADERS: Record<DraftKind, () => Promise<SaveDraft>> = {
  playlist: loader(
    async () => (await import('../../features/channels/save-playlist-draft.ts')).savePlaylistDraft,
  ),
  theme: loader(
    async () => (await import('../../features/appearance/theme/save-theme-draft.ts')).saveThemeDraft,
  ),
  schedule: loader(
    async () => (await import('../../features/schedule/draft/unsaved-schedule.ts')).saveScheduleDraft,
  ),
  'page-layout': loader(
    async () => (await import('../../features/appearance/page-editor/layout-draft.ts')).saveLayoutDraft,
  ),
}

/** Some drafts could not be saved. */
class UnsavedDrafts extends Error {
  /** Those that another admin has changed. */
  readonly inConflict: readonly Draft[]

  constructor(inConflict: readonly Draft[]) {
    super('Some drafts could not be saved')
    this.inConflict = inConflict
  }
}

/** Saves all drafts one after the other. Rejects at the end with `UnsavedDrafts` if one of them could not be saved. */
async function saveDrafts(): Promise<void> {
  const inConflict: Draft[] = []
  let hasFailed = false
  for (const draft of drafts.state().drafts) {
    await LOADERS[draft.kind]()
      .then((save) => save(draft))
      .catch((failure: unknown) => {
        hasFailed = true
        const isConflict =
          isVersionConflict(failure) || (failure instanceof Error && isVersionConflict(failure.cause))
        if (isConflict) inConflict.push(draft)
      })
  }
  if (hasFailed) throw new UnsavedDrafts(inConflict)
}
