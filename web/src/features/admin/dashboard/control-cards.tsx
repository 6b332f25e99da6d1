import { SECTIONS, type Section, section } from './sections.tsx'

/** A dashboard section under the title that it has in the control panel. */
function sectionAs(id: string, title: string): Section[] {
  const known = SECTIONS.find((candidate) => candidate.id === id)
  return known ? [{ ...known, title }] : []
}

/** The cards below the tabs of the control panel, in the order of docs/product/admin.md §2. */
export const CONTROL_CARDS: readonly Section[] = [
  ...sectionAs('home-screen', 'Home Screen Management'),
  ...sectionAs('theme-customizer', 'Theme Customizer'),
  section(
    'page-editor',
    { title: 'Page Editor', text: 'Page layouts, saved in this browser', permission: 'pages:edit' },
    async () => (await import('../page-editor/page-editor.tsx')).PageEditor,
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
    async () => (await import('../stream/stream-manager.tsx')).StreamManager,
  ),
]
