import { useEffect, useEffectEvent, useState } from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router-dom'
import { lazyDialog } from '../../features/admin/lazy-part.ts'
import { wouldLose } from '../../lib/browser/loss-guard.ts'
import { usePageKeys } from '../../lib/keys/page-keys.ts'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toast } from '../../ui/toast.ts'
import { SECTIONS } from './sections.tsx'

const KeysDialog = lazyDialog(async () => (await import('../../features/admin/keys-dialog.tsx')).KeysDialog)

/** What the admin pages receive from {@link AdminFrame}. */
export interface AdminContext {
  /** Opens the list of keys. */
  showKeys: () => void
}

/** The frame of all admin pages: the keys that work on each of them, for those who may watch the dashboard. */
export function AdminFrame() {
  const { may } = useSession()
  const [isOpen, setOpen] = useState(false)
  const showKeys = () => setOpen(true)
  return (
    <>
      <Outlet context={{ showKeys } satisfies AdminContext} />
      {may('dashboard:watch') && <AdminKeys onShow={showKeys} />}
      {isOpen && <KeysDialog onClose={() => setOpen(false)} />}
    </>
  )
}

/** Admin pages that are not sections of the dashboard. */
const PAGES = [
  { shortcut: 'e', title: 'Schedule', path: paths.schedule(), permission: 'schedules:edit' },
  { shortcut: 'a', title: 'Audit Log', path: paths.audit(), permission: 'audit:read' },
  { shortcut: 'm', title: 'Chat Moderation', path: paths.moderation(), permission: 'chat:moderate' },
  { shortcut: 'p', title: 'Control Panel', path: paths.control(), permission: 'dashboard:watch' },
] as const

function AdminKeys({ onShow }: { onShow: () => void }) {
  const { may } = useSession()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const open = (path: string) => {
    // Sections keep what is typed in them; another page does not.
    if (path.split('?')[0] !== pathname && wouldLose()) {
      toast({ title: 'This page has unsaved input', description: 'Use a link to leave it.' })
    } else void navigate(path, { state: FOCUS_SECTION })
  }
  const places = [...SECTIONS.map((section) => ({ ...section, path: paths.admin(section.id) })), ...PAGES]
  usePageKeys({
    title: 'Go to',
    keys: places.flatMap(({ shortcut, title, path, permission }) =>
      shortcut && may(permission) ? { keys: `g ${shortcut}`, label: title, run: () => open(path) } : [],
    ),
  })
  usePageKeys({ title: 'Help', keys: [{ keys: '?', label: 'All keys', run: onShow }] })
  return null
}

/** Navigation state that asks for the focus. */
const FOCUS_SECTION = 'focus-section'

/** Focuses the section after a key has opened it: the focus was in another one, which is hidden then. */
export function useSectionFocus(find: () => HTMLElement | null): void {
  const { key, state } = useLocation()
  const focus = useEffectEvent(() => {
    if (state === FOCUS_SECTION) find()?.focus()
  })
  // Once per navigation, which `key` identifies.
  useEffect(() => focus(), [key])
}
