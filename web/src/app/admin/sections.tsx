import type { Permission } from '@looptide/contracts/permissions'
import type { ComponentType } from 'react'
import { lazyPart } from '../../features/admin/lazy-part.ts'
import { LoadedPart } from '../../features/admin/loaded-part.tsx'
import { Spinner } from '../../ui/spinner.tsx'

export interface Section {
  id: string
  title: string
  text: string
  /** What the role must allow for the section to be offered. */
  permission: Permission
  /** The letter that opens the section after `g`. */
  shortcut?: string
  Content: ComponentType
}

/** Defines a section whose code is fetched when it is first opened. */
export const section = (
  id: string,
  facts: Omit<Section, 'id' | 'Content'>,
  load: () => Promise<ComponentType>,
): Section => ({
  id,
  ...facts,
  Content: lazyPart(load),
})

const CONTROL_ROOM = 'control-room'

/**
 * The dashboard's sections; `id` is the value of the `tab` parameter. Five are from docs/product/admin.md §2; the control
 * room before them and the submissions after them are ours.
 */
export const SECTIONS: readonly Section[] = [
  section(
    CONTROL_ROOM,
    {
      title: 'Control Room',
      text: 'Channels, alerts, last changes',
      permission: 'dashboard:watch',
      shortcut: 'r',
    },
    async () => (await import('./control-room-section.tsx')).ControlRoomSection,
  ),
  section(
    'video-library',
    {
      title: 'Video Library',
      text: 'Uploads, metadata, organisation',
      permission: 'videos:edit',
      shortcut: 'l',
    },
    async () => (await import('../../features/library/library-panel.tsx')).LibraryPanel,
  ),
  section(
    'home-screen',
    {
      title: 'Home Screen',
      text: 'Home layout and featured content',
      permission: 'home:edit',
      shortcut: 'h',
    },
    async () => (await import('../../features/appearance/home-screen/home-screen.tsx')).HomeScreen,
  ),
  section(
    'channels',
    {
      title: 'Channel Manager',
      text: 'TV channels with 24/7 streaming',
      permission: 'schedules:edit',
      shortcut: 'c',
    },
    async () => (await import('./channels-section.tsx')).ChannelsSection,
  ),
  section(
    'user-management',
    { title: 'User Management', text: 'Accounts and permissions', permission: 'users:manage', shortcut: 'u' },
    async () => (await import('../../features/users/user-management.tsx')).UserManagement,
  ),
  section(
    'theme-customizer',
    { title: 'Theme Settings', text: 'Appearance and branding', permission: 'themes:edit', shortcut: 't' },
    async () => (await import('../../features/appearance/theme/theme-customizer.tsx')).ThemeCustomizer,
  ),
  section(
    'submissions',
    {
      title: 'Submissions',
      text: 'Videos submitted by viewers',
      permission: 'submissions:review',
      shortcut: 's',
    },
    async () => (await import('../../features/submissions/submissions-panel.tsx')).SubmissionsPanel,
  ),
]

/** The section that opens without the parameter: the library (docs/product/admin.md §2), else the next allowed one. */
export const defaultSection = (may: (permission: Permission) => boolean): string =>
  SECTIONS.find(({ id, permission }) => id !== CONTROL_ROOM && may(permission))?.id ?? CONTROL_ROOM

/** Renders a section, or an error notice if its code cannot be fetched, without affecting the rest of the page. */
export function SectionContent({ section: { Content } }: { section: Section }) {
  return (
    <LoadedPart
      loading={<Spinner text="Loading..." className="text-muted" />}
      failed="Failed to load this section."
    >
      <Content />
    </LoadedPart>
  )
}
