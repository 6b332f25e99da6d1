import { SECTIONS, type Section, section } from './sections.tsx'

/** A section of the dashboard, under the name that the control panel has for it. */
function sectionAs(id: string, title: string): Section[] {
  const known = SECTIONS.find((candidate) => candidate.id === id)
  return known ? [{ ...known, title }] : []
}

/** The cards below the tabs of the control panel, in the order of docs/product/admin.md §2. */
export const CONTROL_ROOMS: readonly Section[] = [
  ...sectionAs('home-screen', 'Home Screen Management'),
  ...sectionAs('theme-customizer', 'Theme Customizer'),
  section(
    'page-editor',
    'Page Editor',
    'Layouts of pages, kept in this browser',
    async () => (await import('../page-editor/page-editor.tsx')).PageEditor,
  ),
  ...sectionAs('channels', 'Channel Manager'),
  ...sectionAs('user-management', 'User Management'),
  section(
    'stream-manager',
    '24/7 Stream Manager',
    'Start, stop and reset the stream',
    async () => (await import('../stream/stream-manager.tsx')).StreamManager,
  ),
]
